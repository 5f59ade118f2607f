import { checkProduct, type StoredProduct } from "../../catalogue/products/product_store.ts";
import type { LiveMatch } from "../../competitors/matches/competitor_prices.ts";
import { announce } from "../../events/announce.ts";
import type { ExtractedPrice } from "../../extraction/reconcile_readings.ts";
import { changedSightings } from "../../observations/announce_sightings.ts";
import { type MovedOffer, recordFetch } from "../../observations/record_fetch.ts";
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import { noteHealth } from "../health/note_health.ts";
import type { PageOutcome } from "../page/fetch_page.ts";
import type { TurnYield } from "../page/fetch_turn.ts";
import {
  findKnownPage,
  type KnownPage,
  type PageQuestion,
  saveKnownPage,
} from "../page/validator_store.ts";
import { dropTicket } from "../politeness/domain_store.ts";
import {
  foundOn,
  NOTHING_FOUND,
  type RunCounts,
  type RunCursor,
  type RunJob,
  type RunResult,
} from "./run.ts";
import { saveResult } from "./run_store.ts";

type Tools = StepTools<RunJob>;

/** What a target is about, as it was read once. */
export interface Subject {
  /** Null when it was deleted. */
  readonly product: StoredProduct | null;
  /** Null when the match is gone or switched off, or its product is gone. */
  readonly live: LiveMatch | null;
}

/** The target in hand. */
export interface Target extends Subject {
  readonly job: RunJob;
  readonly cursor: RunCursor;
}

/** The result of a target that was not fetched, or not with success. */
export type Refusal = Pick<RunResult, "errorCode" | "message"> & {
  readonly status: "failed" | "skipped";
  /** False when the code hides that the shop gave no answer. */
  readonly isAnswered?: boolean | undefined;
};

/** A target that ends without a request of its own: observations and the last price stay. */
export async function completeRefused(
  tools: Tools,
  target: Target,
  refusal: Refusal,
): Promise<StepResult<RunJob>> {
  const { live } = target;
  const { status, errorCode, message, isAnswered } = refusal;
  if (status === "failed" && errorCode !== null) {
    const failed = { kind: "failed", errorCode, message: message ?? "" } as const;
    await record(tools, target, failed);
    await noteHealth(tools.write, tools, live, { errorCode, message, isAnswered });
  }
  return completed(tools, target, { ...blankResult(target), status, errorCode, message });
}

/**
 * A target whose page was asked for: the result, its observation and the offer are one commit. What
 * is known of the page belongs to the question as it was asked, whatever was changed since.
 */
export async function completeFetched(
  tools: Tools,
  target: Target,
  outcome: Exclude<PageOutcome, { kind: "moved" }>,
  { atMs, durationMs, question }: Pick<TurnYield, "atMs" | "durationMs"> & {
    readonly question: PageQuestion;
  },
): Promise<StepResult<RunJob>> {
  const { httpStatus } = outcome;
  const base = { ...blankResult(target), httpStatus, durationMs };
  if (outcome.kind === "failed") {
    const { errorCode, message, alternatives } = outcome;
    await record(tools, target, { ...outcome, kind: "failed" });
    await noteHealth(tools.write, tools, target.live, { errorCode, message });
    const failed = { status: "failed", errorCode, message } as const;
    return completed(tools, target, { ...base, ...failed, alternatives: [...alternatives] });
  }
  const known = await pageOf(tools, target, outcome, question);
  if (known === null) {
    // What a 304 confirms is gone: the next run asks in full.
    const lost = {
      errorCode: "no_price",
      message: "The page is as it was, but not known any more",
    };
    return completed(tools, target, { ...base, ...lost, status: "failed" });
  }
  await recordSeen(tools, target, known.found, atMs);
  await noteHealth(tools.write, tools, target.live, null);
  return completed(tools, target, { ...base, status: "ok", ...foundOn(known.found) });
}

/** What the page says, sent or confirmed; and what the next request may be spared with. */
async function pageOf(
  tools: Tools,
  { live }: Target,
  outcome: Extract<PageOutcome, { kind: "priced" | "unchanged" }>,
  question: PageQuestion,
): Promise<Pick<KnownPage, "found"> | null> {
  if (live === null) return outcome.kind === "priced" ? outcome : null;
  const { id } = live.match;
  if (outcome.kind === "unchanged") return await findKnownPage(tools, id, question);
  const { found, validators } = outcome;
  const page = validators && { ...question, validators, found };
  saveKnownPage(tools.write, tools.workspaceId, id, page);
  return { found };
}

async function recordSeen(
  tools: Tools,
  target: Target,
  found: ExtractedPrice,
  observedAtMs: number,
): Promise<void> {
  const { job } = target;
  const { productId, sku } = job.args;
  const moved = await record(tools, target, {
    kind: "seen",
    seen: {
      priceCents: found.price,
      currency: found.currency,
      availability: found.availability,
      listPriceCents: found.listPrice,
      shippingCents: found.shipping,
      method: found.method,
      confidence: found.confidence,
      source: "scrape",
      runId: job.jobId,
      observedAtMs,
    },
  });
  if (!moved) return;
  const offers = { before: [moved.before], after: [moved.after] };
  announce(tools.write, tools, changedSightings({ id: productId, sku }, offers, "scrape"));
}

/**
 * Of a product or a match that is gone nothing is stored. A product that was changed while the page
 * was fetched lets the commit fail: the step is taken again on fresh reads, with the page as it came.
 */
async function record(
  tools: Tools,
  { product: found, live }: Target,
  outcome: Parameters<typeof recordFetch>[3],
): Promise<MovedOffer | null> {
  if (!found || !live) return null;
  checkProduct(tools.write, tools.workspaceId, found);
  const target = { product: found.product, matchId: live.match.id };
  return await recordFetch(tools.write, tools, target, outcome);
}

function blankResult({ cursor, live }: Target): RunResult {
  return {
    competitorProductId: cursor.targets[cursor.n] ?? "",
    competitor: live?.competitor.displayName ?? "",
    url: live?.match.url ?? "",
    status: "skipped",
    ...NOTHING_FOUND,
    httpStatus: null,
    errorCode: null,
    message: null,
    durationMs: null,
  };
}

/** The result and the step to the next target; a place in the queue of this one's shop is given up. */
function completed(
  { write }: Tools,
  { job, cursor }: Target,
  result: RunResult,
): StepResult<RunJob> {
  if (cursor.ticket) dropTicket(write, cursor.ticket);
  saveResult(write, job, cursor.n, result);
  const stats: RunCounts = { ...job.stats, [result.status]: job.stats[result.status] + 1 };
  return {
    cursor: { ...cursor, n: cursor.n + 1, url: null, hops: 0, turn: null, ticket: null },
    stats,
    progress: { processed: cursor.n + 1, total: stats.targets },
    ...(result.status === "ok" ? {} : { hasErrors: true }),
  };
}
