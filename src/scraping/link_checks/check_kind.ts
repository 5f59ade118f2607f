/** The job of a check reads the lines, and adds a job per shop that visits the shop's pages. */
import { sha256 } from "../../base/bytes.ts";
import { keepNewest } from "../../base/collections.ts";
import { findNearSkus } from "../../catalogue/lists/near_skus.ts";
import { addJob } from "../../platform/jobs/add_job.ts";
import {
  hasEnded,
  type JobKind,
  type StepResult,
  type StepTools,
} from "../../platform/jobs/job.ts";
import { findJob } from "../../platform/jobs/job_store.ts";
import { COMMIT_MAX } from "../../platform/store/kv.ts";
import { readCompetitorSet } from "../../shops/competitor_store.ts";
import { type Brought, NO_VISIT, type PageOutcome, PermitCache } from "../page/visit.ts";
import type { ScrapeDeps } from "../page/scraper.ts";
import { dropPermit } from "../page/permit.ts";
import {
  CHECK_KIND,
  type CheckCursor,
  type CheckJob,
  VISIT_KIND,
  type VisitArgs,
  type VisitJob,
} from "./link_check.ts";
import { CheckRows } from "./link_check_store.ts";
import {
  blankLine,
  findGtins,
  findUnknownSkus,
  type LineNumbers,
  resolveLines,
  skuOf,
} from "./resolve_lines.ts";
import { type CountedWords, takeVisitStep } from "./visit_step.ts";

type Tools = StepTools<CheckJob>;
type Step = StepResult<CheckJob>;

const BEGIN: CheckCursor = { part: 0, firstLine: 1, shop: null, isVisiting: false };
/** An added job needs one atomic check of the commit, and the step itself needs two. */
const SHOPS_PER_STEP = COMMIT_MAX.checks - 2;
const GIVEN_UP_PER_STEP = 100;
/** The job waits for `share` of the time since the check began, between `min` and `max`. */
const POLL_MS = { min: 500, max: 15_000, share: 0.1 };

export function createCheckKind({ limits }: ScrapeDeps): JobKind<CheckJob> {
  const indexes = new Map<string, LineNumbers>();
  return {
    kind: CHECK_KIND,
    slotsPerProcess: 4,
    step: async (job, tools) => {
      const cursor = job.cursor ?? BEGIN;
      if (cursor.part < job.args.parts) {
        const numbers = await numbersOf(indexes, job, tools);
        return await readNextPart(job, cursor, tools, numbers, limits.allowed);
      }
      return cursor.isVisiting
        ? await awaitVisits(job, tools)
        : await startVisits(job, cursor, tools);
    },
    finish: (job) => {
      indexes.delete(job.jobId);
      return Promise.resolve();
    },
  };
}

async function numbersOf(
  indexes: Map<string, LineNumbers>,
  { jobId, cursor, args }: CheckJob,
  tools: Tools,
): Promise<LineNumbers> {
  const known = indexes.get(jobId);
  if (known) return known;
  const wanted = new Set<string>();
  const unknown = new Set<string>();
  for (let part = cursor?.part ?? 0; part < args.parts; part++) {
    const lines = await new CheckRows(tools, jobId).findPart(part);
    for (const { gtin } of lines) if (gtin !== null) wanted.add(gtin);
    const skus = new Set(lines.flatMap(({ sku }) => skuOf(sku) ?? []));
    for (const sku of await findUnknownSkus(tools, skus)) unknown.add(sku);
    await tools.beat();
  }
  const goOn = () => tools.beat();
  const found: LineNumbers = {
    gtins: new Map(),
    nearGtins: new Map(),
    ...(wanted.size > 0 && await findGtins(tools, wanted, goOn)),
    nearSkus: unknown.size === 0 ? new Map() : await findNearSkus(tools, unknown, goOn),
  };
  keepNewest(indexes, jobId, found, 4);
  return found;
}

async function readNextPart(
  { jobId }: CheckJob,
  cursor: CheckCursor,
  tools: Tools,
  numbers: LineNumbers,
  allowed: ScrapeDeps["limits"]["allowed"],
): Promise<Step> {
  const { write } = tools;
  const rows = new CheckRows(tools, jobId);
  const lines = await rows.findPart(cursor.part);
  const shops = await readCompetitorSet(tools);
  const at = tools.now().toISOString();
  const part = { lines, first: cursor.firstLine, at };
  const resolved = await resolveLines(tools, part, { shops, numbers, allowed });
  for (const one of resolved) {
    if (one.kind === "checked") rows.putChecked(write, one.line, null);
    else rows.addWaiting(write, one.competitorId, one.line);
  }
  rows.dropPart(write, cursor.part);
  const firstLine = cursor.firstLine + lines.length;
  return { cursor: { ...cursor, part: cursor.part + 1, firstLine } };
}

async function startVisits({ jobId }: CheckJob, cursor: CheckCursor, tools: Tools): Promise<Step> {
  let { shop } = cursor;
  for (let added = 0; added < SHOPS_PER_STEP; added++) {
    const next = await new CheckRows(tools, jobId).findWaitingShop(shop);
    if (next === null) return { cursor: { ...cursor, shop, isVisiting: true } };
    const args: VisitArgs = { checkId: jobId, competitorId: next };
    const ids = { ...tools, newId: () => visitIdOf(jobId, args.competitorId) };
    addJob(tools.write, ids, { kind: VISIT_KIND, args, stats: {} });
    shop = next;
  }
  return { cursor: { ...cursor, shop } };
}

/** The id begins with characters of the check's id, so that ids remain ordered by time. */
function visitIdOf(checkId: string, competitorId: string): string {
  const hash = sha256(`${checkId} ${competitorId}`).slice(0, 8);
  return checkId.slice(0, 8) + hash.toHex();
}

async function awaitVisits(
  { jobId, startedAt, createdAt, stats }: CheckJob,
  tools: Tools,
): Promise<Step> {
  const rows = new CheckRows(tools, jobId);
  const checked = (await rows.readSums()).values().reduce((sum, one) => sum + one, 0);
  const progress = { processed: checked, total: stats.lines };
  const shop = await rows.findWaitingShop(null);
  if (shop === null) return { progress, end: { status: "succeeded" } };
  const visit = await findJob(tools, VISIT_KIND, visitIdOf(jobId, shop));
  if (visit === null || hasEnded(visit)) {
    const { code = "crash_loop", message = "The pages of the shop could not be visited" } =
      visit?.error ?? {};
    await giveUp(tools, jobId, shop, { errorCode: code, message });
    return { progress };
  }
  const nowMs = tools.now().getTime();
  const passedMs = nowMs - Date.parse(startedAt ?? createdAt);
  const waitMs = Math.min(Math.max(passedMs * POLL_MS.share, POLL_MS.min), POLL_MS.max);
  return { progress, notBefore: new Date(nowMs + waitMs) };
}

async function giveUp(
  tools: Tools,
  checkId: string,
  competitorId: string,
  why: { readonly errorCode: string; readonly message: string },
): Promise<void> {
  const rows = new CheckRows(tools, checkId);
  const at = tools.now().toISOString();
  for (const line of await rows.listWaiting(competitorId, GIVEN_UP_PER_STEP)) {
    const failed = { ...blankLine(line, line.line, at), outcome: "failed" } as const;
    const judged = { ...failed, productId: line.productId, competitorId, ...why };
    rows.putChecked(tools.write, judged, competitorId);
  }
}

export function createVisitKind(deps: ScrapeDeps, indexes: CountedWords): JobKind<VisitJob> {
  const cache = new PermitCache<Brought<PageOutcome>>();
  return {
    kind: VISIT_KIND,
    slotsPerProcess: 16,
    waitsForOthers: true,
    step: (job, tools) => takeVisitStep({ deps, cache, indexes }, job, tools),
    finish: async ({ jobId, cursor }, tools) => {
      cache.forget(jobId);
      await dropPermit(tools, cursor ?? NO_VISIT);
    },
  };
}
