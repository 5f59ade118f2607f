import { setTimeout as pause } from "node:timers/promises";
import { findProduct } from "../../catalogue/products/product_store.ts";
import { type FailingPage, listFailing } from "../../shops/offers/failing_offer_store.ts";
import type { JobKind, StepResult, StepTools } from "../../platform/jobs/job.ts";
import { findInHand } from "../asked_jobs.ts";
import { addManualRun, findRunInHand } from "./add_run.ts";
import { RUN_KIND } from "./run.ts";
import { RETRY_KIND, type RetryCursor, type RetryJob } from "./retry.ts";
import { dropLastRetry, findLastRetry } from "./retry_store.ts";

type Tools = StepTools<RetryJob>;
type Step = StepResult<RetryJob>;

/** A shop answers one request at a time: more would only stand before what others ask for meanwhile. */
const IN_HAND_MAX = 16;
/** Each takes two checks of the commit. */
const ASKED_PER_STEP = 4;
/** How often it looks for runs that have ended, and how long before it commits how far it is. */
const LOOK_MS = 200;
const LOOKS_MAX = 10;

const BEGIN: RetryCursor = { after: null, inHand: [], isAtEnd: false };

/** How the failing pages of a shop are fetched once more: a run for each, some at a time. */
export function createRetryKind(): JobKind<RetryJob> {
  return {
    kind: RETRY_KIND,
    // It waits for its runs most of the time.
    slotsPerProcess: 16,
    slotsPerWorkspace: 8,
    isSerialPerWorkspace: false,
    waitsForOthers: true,
    step: takeRetryStep,
    finish: async (job, { write, store, workspaceId }) => {
      const { competitorId } = job.args;
      const last = await findLastRetry({ store, workspaceId }, competitorId);
      if (last.retryId === job.jobId) dropLastRetry(write, workspaceId, competitorId);
    },
  };
}

async function takeRetryStep(job: RetryJob, tools: Tools): Promise<Step> {
  const cursor = job.cursor ?? BEGIN;
  const waiting = await awaitRoom(tools, cursor);
  const room = Math.min(IN_HAND_MAX - waiting.length, ASKED_PER_STEP);
  const left = job.stats.pages - job.stats.asked;
  const wanted = Math.max(0, Math.min(room, left));
  const pages = cursor.isAtEnd || wanted === 0
    ? []
    : await listFailing(tools, job.args, cursor.after, wanted);
  const asked = await askFor(job, tools, pages);
  const inHand = [...new Set([...waiting, ...asked])];
  const stats = { ...job.stats, asked: job.stats.asked + pages.length };
  const isAtEnd = cursor.isAtEnd || stats.asked >= stats.pages || pages.length < wanted;
  const next: RetryCursor = { after: pages.at(-1) ?? cursor.after, inHand, isAtEnd };
  const progress = { processed: stats.asked - inHand.length, total: stats.pages };
  const step = { cursor: next, stats, progress };
  if (isAtEnd && inHand.length === 0) return { ...step, end: { status: "succeeded" } };
  return step;
}

/** The runs that have not ended, once there is room for others or some time has passed. */
async function awaitRoom(
  tools: Tools,
  { inHand, isAtEnd }: RetryCursor,
): Promise<readonly string[]> {
  const most = isAtEnd ? 0 : IN_HAND_MAX - 1;
  let left = await stillInHand(tools, inHand);
  for (let looks = 0; left.length > most && looks < LOOKS_MAX; looks++) {
    if (tools.shouldYield()) break;
    await pause(LOOK_MS);
    left = await stillInHand(tools, left);
  }
  return left;
}

async function stillInHand(tools: Tools, runIds: readonly string[]): Promise<string[]> {
  const runs = await Promise.all(runIds.map((id) => findInHand(tools, RUN_KIND, id)));
  return runs.flatMap((run) => run?.jobId ?? []);
}

/** The runs that fetch the pages; a product that is being fetched already, or is gone, gets no other. */
async function askFor(
  { args: { competitorId } }: RetryJob,
  tools: Tools,
  pages: readonly FailingPage[],
): Promise<string[]> {
  const runIds: string[] = [];
  for (const productId of new Set(pages.map((page) => page.productId))) {
    const found = await findProduct(tools, productId);
    if (!found) continue;
    const { run, active } = await findRunInHand(tools, productId);
    const { jobId } = run ?? addManualRun(tools.write, tools, found.product, active, competitorId);
    runIds.push(jobId);
  }
  return runIds;
}
