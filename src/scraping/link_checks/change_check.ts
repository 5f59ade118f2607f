/**
 * Link checks: people paste a list of products and pages, and Kurant judges whether each page shows
 * the product. When people accept lines, a job creates the links, because there may be many.
 */
import { Failure, refuseFields } from "../../base/failure.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import {
  hasEnded,
  type Job,
  type JobKind,
  type StepResult,
  type StepTools,
} from "../../platform/jobs/job.ts";
import { addJob, listJobs, waitForJob } from "../../platform/jobs/job_store.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { domainOf } from "../../shops/domain.ts";
import { requireDomains } from "../../shops/matches/link_plan.ts";
import { cancelAsked } from "../asked_jobs.ts";
import {
  ACCEPT_KIND,
  type AcceptArgs,
  type AcceptCounts,
  type AcceptCursor,
  type AcceptedLines,
  type AcceptJob,
  type AcceptLines,
  CHECK_KIND,
  type CheckJob,
  type DropLines,
  LINES_MAX,
  type LinkCheck,
  type LinkCheckRequest,
  type MadeShops,
  type MissingShops,
  NEW_SHOPS_MAX,
  type NewShops,
  type RawLine,
  readJsonLine,
  readLineText,
  type StoredCheckLine,
  TOO_MANY,
  VISIT_KIND,
} from "./link_check.ts";
import { CheckRows, type FoundLine, packLines } from "./link_check_store.ts";
import { ASKED_CHECK, readCheck, requireCheck } from "./read_check.ts";
import { addLink, requireTarget } from "../../shops/matches/change_match.ts";
import type { ScrapeDeps } from "../page/visit_tools.ts";

const PARTS_PER_COMMIT = 8;
const LINES_PER_SLICE = 500;
const UNFINISHED_CHECKS_MAX = 20;
const CHECKS_READ = 100;
const RETRY_AFTER_SECONDS = 60;

export async function startCheck(ctx: Context, request: LinkCheckRequest): Promise<string> {
  const lines = await linesOf(request);
  if (lines.length === 0) throw refuseFields([{ path: "text", message: "Must not be empty" }]);
  await requireRoom(ctx);
  const checkId = ctx.newId();
  const parts = packLines(lines);
  const rows = new CheckRows(ctx, checkId);
  // If the process dies during this loop, the stored lines get no job, and expire.
  for (let at = 0; at < parts.length; at += PARTS_PER_COMMIT) {
    await transact(ctx, (write) => {
      for (const [n, bytes] of parts.slice(at, at + PARTS_PER_COMMIT).entries()) {
        rows.putPart(write, at + n, bytes);
      }
    });
  }
  await transact(ctx, (write) => {
    addJob(write, { ...ctx, newId: () => checkId }, {
      kind: CHECK_KIND,
      args: { parts: parts.length },
      stats: { lines: lines.length },
      progress: { processed: 0, total: lines.length },
    });
    ctx.receipt?.put(write, `/api/link-checks/${checkId}`);
  });
  return checkId;
}

async function requireRoom(ctx: Context): Promise<void> {
  const newest = { kind: CHECK_KIND, limit: CHECKS_READ, afterId: null, order: "newest" } as const;
  const { jobs } = await listJobs(ctx, newest);
  if (jobs.filter((job) => !hasEnded(job)).length < UNFINISHED_CHECKS_MAX) return;
  const message =
    `${UNFINISHED_CHECKS_MAX} link checks have not ended: let some of them end, or cancel them`;
  throw new Failure("rate_limited", message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

async function linesOf(request: LinkCheckRequest): Promise<RawLine[]> {
  if ("text" in request) {
    const lines = readLineText(request.text);
    if (lines !== TOO_MANY) return lines;
    throw new Failure("validation_failed", `Has more than ${LINES_MAX} lines`, {
      fields: [{ path: "text", message: `Must have at most ${LINES_MAX} lines` }],
    });
  }
  const slice = new TimeSlice();
  const lines: RawLine[] = [];
  for (const [at, line] of request.lines.entries()) {
    lines.push(readJsonLine(line));
    if (at % LINES_PER_SLICE === 0) await slice.yield();
  }
  return lines;
}

export async function cancelCheck(
  ctx: Context,
  kind: Pick<JobKind<CheckJob>, "kind" | "finish">,
  id: string,
  delayMs: number,
): Promise<LinkCheck> {
  await cancelAsked(ctx, ASKED_CHECK, kind, id);
  await waitForJob(ctx, CHECK_KIND, id, 4_000);
  return await readCheck(ctx, id, delayMs);
}

const WAIT_MS = 10_000;
const NONE: AcceptCounts = { linked: 0, existing: 0, refused: 0, refusals: [] };

export async function acceptLines(
  ctx: Context,
  checkId: string,
  asked: AcceptLines,
): Promise<AcceptedLines> {
  const { jobId } = await transact(ctx, async (write) => {
    await requireCheck(ctx, checkId);
    const args: AcceptArgs = "lines" in asked
      ? { checkId, outcomes: [], lines: [...new Set(asked.lines)] }
      : { checkId, outcomes: [...new Set(asked.outcomes)], lines: null };
    const job = addJob(write, ctx, { kind: ACCEPT_KIND, args, stats: NONE });
    ctx.receipt?.put(write, `/api/link-checks/${checkId}`);
    return job;
  });
  const job = await waitForJob<AcceptJob>(ctx, ACCEPT_KIND, jobId, WAIT_MS);
  return { status: job?.status ?? "queued", ...job?.stats ?? NONE };
}

const LINES_PER_COMMIT = 9;

export async function dropLines(
  ctx: Context,
  checkId: string,
  { lines, dropped }: DropLines,
): Promise<number> {
  await requireCheck(ctx, checkId);
  const [from, status] = dropped ? ["open", "dropped"] as const : ["dropped", "open"] as const;
  const numbers = [...new Set(lines)];
  const rows = new CheckRows(ctx, checkId);
  let changed = 0;
  for (let at = 0; at < numbers.length; at += LINES_PER_COMMIT) {
    changed += await transact(ctx, async (write) => {
      const found = await rows.findLines(numbers.slice(at, at + LINES_PER_COMMIT));
      const moved = found.filter(({ line }) => line.status === from);
      for (const one of moved) {
        const { competitorProductId } = one.line;
        rows.moveLine(write, one, { status, competitorProductId });
      }
      return moved.length;
    });
  }
  return changed;
}

export const CHECK_DAYS = 30;
export const KINDS_OF_CHECKS: ReadonlySet<string> = new Set([CHECK_KIND, VISIT_KIND, ACCEPT_KIND]);

export async function removeCheckRows(store: Store, job: Job): Promise<void> {
  if (job.kind === CHECK_KIND) await new CheckRows({ ...job, store }, job.jobId).clear();
}

const LINES_PER_REQUEST = 2_000;

export async function readMissingShops(
  workspace: WorkspaceStore,
  checkId: string,
): Promise<MissingShops> {
  await requireCheck(workspace, checkId);
  const missing = await linesByShop(workspace, checkId);
  return { shops: missing.map(([domain, { length }]) => ({ domain, lines: length })) };
}

export async function makeShops(
  ctx: Context,
  checkId: string,
  { domains }: NewShops,
): Promise<MadeShops> {
  await requireCheck(ctx, checkId);
  const missing = await linesByShop(ctx, checkId, domains);
  const lines = missing.flatMap(([, ofShop]) => ofShop);
  if (lines.length === 0) throw new Failure("conflict", "No open line belongs to such a shop");
  const made = missing.map(([domain]) => domain);
  await requireDomains(ctx, made);
  const jobId = await startCheck(ctx, {
    lines: lines.map(({ sku, gtin, url, packFactor }) => ({
      ...(gtin === null ? { sku } : { gtin }),
      url,
      ...(packFactor !== null && { packFactor }),
    })),
  });
  await dropLines(ctx, checkId, { lines: lines.map(({ line }) => line), dropped: true });
  return { jobId, domains: made, lines: lines.length };
}

async function linesByShop(
  workspace: WorkspaceStore,
  checkId: string,
  domains?: readonly string[],
): Promise<(readonly [domain: string, lines: readonly StoredCheckLine[]])[]> {
  const found = new Map<string, StoredCheckLine[]>();
  let count = 0;
  for await (const { line } of new CheckRows(workspace, checkId).walkLines("wrong")) {
    const { status, errorCode, url } = line;
    const isMissing = status === "open" && errorCode === "unknown_shop";
    const parsed = isMissing ? URL.parse(url.trim()) : null;
    if (parsed === null) continue;
    const domain = domainOf(parsed);
    if (domains?.includes(domain) === false) continue;
    found.getOrInsertComputed(domain, () => []).push(line);
    if (++count === LINES_PER_REQUEST) break;
  }
  return [...found].sort(([, a], [, b]) => b.length - a.length).slice(0, NEW_SHOPS_MAX);
}

type Tools = StepTools<AcceptJob>;
const BEGIN: AcceptCursor = { outcome: 0, after: 0 };

export function createAcceptKind({ limits }: ScrapeDeps): JobKind<AcceptJob> {
  return {
    kind: ACCEPT_KIND,
    slotsPerProcess: 4,
    // Run one job at a time: simultaneous jobs that change the same products would conflict.
    isSerialPerWorkspace: true,
    step: async (job, tools) => {
      const cursor = job.cursor ?? BEGIN;
      const next = job.args.lines === null
        ? await nextOpen(tools, job, cursor)
        : await nextNamed(tools, job, cursor, job.args.lines);
      if (next === null) return { end: { status: "succeeded" } };
      return await acceptLine(tools, job, next, limits.allowed);
    },
  };
}

interface Next {
  readonly found: FoundLine | null;
  readonly line: number;
  readonly cursor: AcceptCursor;
}

async function nextOpen(
  tools: Tools,
  { args: { checkId, outcomes } }: AcceptJob,
  { outcome, after }: AcceptCursor,
): Promise<Next | null> {
  const rows = new CheckRows(tools, checkId);
  for await (const found of rows.walkOutcomes(outcomes.slice(outcome), after)) {
    const { line, status, outcome: name } = found.line;
    const cursor = { outcome: outcomes.indexOf(name), after: line };
    if (status === "open") return { found, line, cursor };
  }
  return null;
}

async function nextNamed(
  tools: Tools,
  { args: { checkId } }: AcceptJob,
  { after }: AcceptCursor,
  lines: readonly number[],
): Promise<Next | null> {
  const line = lines[after];
  if (line === undefined) return null;
  const [found = null] = await new CheckRows(tools, checkId).findLines([line]);
  return { found, line, cursor: { outcome: 0, after: after + 1 } };
}

async function acceptLine(
  tools: Tools,
  { args: { checkId }, stats }: AcceptJob,
  { found, line, cursor }: Next,
  allowed: ScrapeDeps["limits"]["allowed"],
): Promise<StepResult<AcceptJob>> {
  const move = (
    to: FoundLine,
    status: "linked" | "existing",
    competitorProductId: string,
  ): StepResult<AcceptJob> => {
    const rows = new CheckRows(tools, checkId);
    rows.moveLine(tools.write, to, { status, competitorProductId });
    return { cursor, stats: { ...stats, [status]: stats[status] + 1 } };
  };
  if (found && (found.line.status === "linked" || found.line.status === "existing")) {
    return { cursor, stats: { ...stats, existing: stats.existing + 1 } };
  }
  try {
    const { outcome, ...input } = requireAcceptable(found, line);
    const target = requireTarget(input.url, allowed);
    try {
      const { id } = await addLink(tools.write, tools, input, target);
      return move(outcome, "linked", id);
    } catch (error) {
      // If a person or a job has created the link meanwhile, mark the line as `existing`.
      const id = error instanceof Failure ? error.details?.competitorProductId : undefined;
      if (typeof id !== "string") throw error;
      return move(outcome, "existing", id);
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const refusal = { line, code: error.code, message: error.message };
    const refusals = [...stats.refusals, refusal].slice(0, 100);
    return { cursor, stats: { ...stats, refused: stats.refused + 1, refusals } };
  }
}

function requireAcceptable(found: FoundLine | null, line: number) {
  if (found === null) {
    throw new Failure("not_found", `The line ${line} does not exist, or was not checked yet`);
  }
  const { outcome, productId, competitorId, url, packFactor }: StoredCheckLine = found.line;
  const isShown = outcome === "sure" || outcome === "check";
  if (!isShown || productId === null || competitorId === null) {
    throw new Failure(
      "conflict",
      `The line ${line} is ${outcome}: link it by hand, if it is right`,
    );
  }
  const pack = packFactor === null ? {} : { packFactor };
  // Accepting a line with the outcome `check` confirms that the page shows the product.
  const confirmed = outcome === "check";
  return { outcome: found, productId, competitorId, url, confirmed, ...pack };
}
