/**
 * Commits the result of one page of a run. If the product was changed after the request, the step
 * runs again with the same page.
 */
import { HIGH_CONFIDENCE, isInStock } from "../../base/codes.ts";
import { checkProduct, type StoredProduct } from "../../catalogue/products/product_store.ts";
import type { PageFacts } from "../../engine/extraction/page_facts.ts";
import { ANSWERS_WITHOUT_PRICE, type PageStatus } from "../../engine/extraction/page_status.ts";
import type { ExtractedPrice } from "../../engine/extraction/reconcile_readings.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import type { LiveMatch } from "../../shops/matches/competitor_prices.ts";
import { changedObservations } from "../../shops/observations/observation.ts";
import { saleTerms } from "../../shops/offers/offer.ts";
import { type MovedOffer, recordFetch } from "../../shops/record_fetch.ts";
import { dropSlot } from "../page/permit.ts";
import { NO_VISIT, type PageOutcome } from "../page/visit.ts";
import {
  articleStatement,
  candidatesOf,
  findKnownPage,
  knownPages,
  noteLesson,
  type PageQuestion,
  unsurePages,
} from "../page/last_page.ts";
import { noteHealth } from "../schedule/health.ts";
import { countedPrice, type JudgedFetch, judgeFetched } from "./judge_fetched.ts";
import {
  foundOn,
  NOTHING_FOUND,
  type RunCounts,
  type RunCursor,
  type RunJob,
  type RunResult,
  runResults,
} from "./run.ts";

type Tools = StepTools<RunJob>;

interface Subject {
  readonly product: StoredProduct | null;
  /** Null if the match or its product was deleted, or if the match was disabled. */
  readonly live: LiveMatch | null;
}

export interface FetchedTarget {
  readonly outcome: PageOutcome;
  readonly question: PageQuestion;
}

export interface Target extends Subject {
  readonly job: RunJob;
  readonly cursor: RunCursor;
}

type Refusal = Pick<RunResult, "errorCode" | "message"> & {
  readonly status: "failed" | "skipped";
  /** Set to false if the shop did not answer but `errorCode` does not say so. */
  readonly isAnswered?: boolean | undefined;
};

/** Ends a target without a request. */
export async function completeRefused(
  tools: Tools,
  target: Target,
  refusal: Refusal,
): Promise<StepResult<RunJob>> {
  const { live } = target;
  const { status, errorCode, message, isAnswered } = refusal;
  if (status === "failed" && errorCode !== null) {
    const failed = { kind: "failed", errorCode, message: message ?? "" } as const;
    await record(tools, target, failed, null);
    await noteHealth(tools.write, tools, live, { errorCode, message, isAnswered });
  }
  return completed(tools, target, { ...blankResult(target), status, errorCode, message });
}

/** `question` says how the page was to be read at the time of the request. */
export async function completeFetched(
  tools: Tools,
  target: Target,
  fetched: Exclude<PageOutcome, { kind: "moved" }>,
  { atMs, durationMs, question }: {
    readonly atMs: number;
    readonly durationMs: number;
    readonly question: PageQuestion;
  },
): Promise<StepResult<RunJob>> {
  const judged = await judge(tools, target, fetched, atMs);
  const { outcome } = judged;
  const { httpStatus } = outcome;
  const base = { ...blankResult(target), httpStatus, durationMs };
  const { live, product } = target;
  if (outcome.kind !== "unchanged" && live && product) {
    await noteLesson(tools.write, tools, live, product.product, outcome.lesson);
  }
  if (outcome.kind === "failed") {
    const { errorCode, message, alternatives, facts } = outcome;
    await recordFailed(tools, target, { ...judged, outcome }, atMs);
    const { pageStatus, availability } = facts;
    const stock = availability === "unknown" ? null : availability;
    const failed = { status: "failed", errorCode, message, pageStatus } as const;
    return completed(tools, target, {
      ...base,
      ...failed,
      warnings: [...facts.warnings],
      availability: stock,
      inStock: isInStock(stock),
      alternatives: [...alternatives],
    });
  }
  const known = await pageOf(tools, target, outcome, question);
  if (known === null) {
    // The next run requests the whole page.
    const lost = {
      errorCode: "no_price",
      message: "The page is unchanged, but its last result is gone: the next run reads it again",
    };
    return completed(tools, target, { ...base, ...lost, status: "failed" });
  }
  const { pageStatus } = known;
  const found = countedPrice(known.found, judged);
  await recordSeen(tools, target, found, judged, atMs);
  if (outcome.kind === "priced" && found.confidence < HIGH_CONFIDENCE) {
    keepUnsure(tools, target, atMs, { ...outcome, found, errorCode: null });
  }
  await noteHealth(tools.write, tools, target.live, null);
  const isDead = isDeadOn(outcome) ?? target.live?.offer.isSelectorDead;
  const warnings: RunResult["warnings"] = isDead ? ["selector_dead"] : [];
  return completed(tools, target, {
    ...base,
    status: "ok",
    ...foundOn(found),
    pageStatus,
    warnings,
  });
}

async function judge(
  tools: Tools,
  { product, live }: Target,
  outcome: JudgedFetch["outcome"],
  atMs: number,
): Promise<JudgedFetch> {
  if (!product || !live) return { outcome, isTurned: false, isDoubtful: false };
  const subject = { product: product.product, live };
  return await judgeFetched(tools.write, tools, subject, outcome, atMs);
}

/** The errors `sold_out` and `gone` also change the offer's stock. */
async function recordFailed(
  tools: Tools,
  target: Target,
  judged: JudgedFetch & { readonly outcome: Extract<PageOutcome, { kind: "failed" }> },
  atMs: number,
): Promise<void> {
  const { outcome } = judged;
  const { errorCode, message, facts, httpStatus } = outcome;
  const isStock = errorCode === "sold_out" || errorCode === "gone";
  const shown = isStock ? { stock: { availability: facts.availability, atMs } } : {};
  const failed = { kind: "failed", errorCode, message, ...shown } as const;
  const moved = await record(tools, target, failed, judged);
  if (moved || judged.isTurned) {
    const { jobId, args: { productId } } = target.job;
    publish(tools.write, tools, [{
      type: "products.touched",
      data: { cause: "scrape_run", ref: jobId, productIds: [productId] },
    }]);
  }
  const isAnswer = ANSWERS_WITHOUT_PRICE.has(errorCode);
  await noteHealth(tools.write, tools, target.live, isAnswer ? null : { errorCode, message });
  if (httpStatus === 200) keepUnsure(tools, target, atMs, { ...outcome, found: null });
}

function keepUnsure(
  tools: Tools,
  { live }: Target,
  atMs: number,
  { facts, errorCode, found }: {
    readonly facts: PageFacts;
    readonly errorCode: string | null;
    readonly found: ExtractedPrice | null;
  },
): void {
  if (!live) return;
  unsurePages.put(tools.write, tools, {
    competitorProductId: live.match.id,
    url: live.match.url,
    at: new Date(atMs).toISOString(),
    pageStatus: facts.pageStatus,
    errorCode,
    price: found?.price ?? null,
    currency: found?.currency ?? null,
    confidence: found?.confidence ?? null,
    page: articleStatement(facts),
    candidates: candidatesOf(facts),
  });
}

/** For a 304 response, returns the stored price. */
async function pageOf(
  tools: Tools,
  { live }: Target,
  outcome: Extract<PageOutcome, { kind: "priced" | "unchanged" }>,
  question: PageQuestion,
): Promise<{ readonly found: ExtractedPrice; readonly pageStatus: PageStatus } | null> {
  if (outcome.kind === "unchanged") {
    const known = live && await findKnownPage(tools, live.match.id, question);
    // Rows of older versions have no `pageStatus`.
    return known && { found: known.found, pageStatus: known.pageStatus ?? "priced" };
  }
  const { found, validators, facts: { pageStatus } } = outcome;
  if (live === null) return { found, pageStatus };
  const key = { matchId: live.match.id };
  if (validators === null) knownPages.drop(tools.write, tools, key);
  else knownPages.put(tools.write, tools, { ...key, ...question, validators, found, pageStatus });
  return { found, pageStatus };
}

async function recordSeen(
  tools: Tools,
  target: Target,
  found: ExtractedPrice,
  judged: JudgedFetch,
  observedAtMs: number,
): Promise<void> {
  const { job } = target;
  const { outcome } = judged;
  const sale = outcome.kind !== "priced" ? undefined : saleTerms({
    condition: outcome.facts.condition,
    seller: outcome.facts.isThirdParty ? outcome.facts.seller : null,
    shippingCents: outcome.found.shipping,
    listPriceCents: outcome.found.listPrice,
    lowest30Cents: outcome.found.lowest30,
  });
  const { productId, sku } = job.args;
  const moved = await record(tools, target, {
    kind: "seen",
    seen: {
      priceCents: found.price,
      currency: found.currency,
      availability: found.availability,
      listPriceCents: found.listPrice,
      shippingCents: found.shipping,
      lowest30Cents: found.lowest30 ?? undefined,
      method: found.method,
      confidence: found.confidence,
      source: "scrape",
      runId: job.jobId,
      observedAtMs,
    },
    sale,
  }, judged);
  if (!moved) return;
  const offers = { before: [moved.before], after: [moved.after] };
  publish(tools.write, tools, changedObservations({ id: productId, sku }, offers, "scrape"));
}

/** If the product was changed after the request, the step runs again. */
async function record(
  tools: Tools,
  { product: found, live }: Target,
  outcome: Parameters<typeof recordFetch>[3],
  judged: JudgedFetch | null,
): Promise<MovedOffer | null> {
  if (!found || !live) return null;
  checkProduct(tools.write, tools.workspaceId, found);
  const verdict = judged?.verdict;
  const isSelectorDead = judged ? isDeadOn(judged.outcome) : undefined;
  const target = { product: found.product, matchId: live.match.id, verdict, isSelectorDead };
  return await recordFetch(tools.write, tools, target, outcome);
}

/** Undefined for an unchanged or unread page. */
function isDeadOn(outcome: JudgedFetch["outcome"]): boolean | undefined {
  if (outcome.kind === "unchanged" || outcome.httpStatus !== 200) return undefined;
  return outcome.facts.warnings.includes("selector_dead");
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

function completed(
  { write }: Tools,
  { job, cursor }: Target,
  result: RunResult,
): StepResult<RunJob> {
  if (cursor.ticket) dropSlot(write, cursor.ticket);
  runResults.put(write, job, { runId: job.jobId, n: cursor.n, result });
  const stats: RunCounts = { ...job.stats, [result.status]: job.stats[result.status] + 1 };
  return {
    cursor: { ...cursor, ...NO_VISIT, n: cursor.n + 1 },
    stats,
    progress: { processed: cursor.n + 1, total: stats.targets },
    ...(result.status === "ok" ? {} : { hasErrors: true }),
  };
}
