/**
 * Judges whether a fetched page shows our product, and commits the result of one page of a scrape
 * run. If another commit changes the product first, the fetched page is judged again.
 */
import { HIGH_CONFIDENCE, isInStock } from "../../base/codes.ts";
import { checkProduct, type StoredProduct } from "../../catalogue/products/product_store.ts";
import { NO_FACTS, type PageFacts } from "../../engine/extraction/page_facts.ts";
import { ANSWERS_WITHOUT_PRICE, type PageStatus } from "../../engine/extraction/page_status.ts";
import type { ExtractedPrice } from "../../engine/extraction/reconcile_readings.ts";
import type { Verdict } from "../../engine/matching/identity_codes.ts";
import { identityReasonText } from "../../engine/wording/page_words.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import type { LiveMatch } from "../../shops/matches/list_matches.ts";
import { judgeLink } from "../../shops/matches/link_plan.ts";
import {
  countingVerdict,
  identities,
  type KeptArticle,
  type KeptIdentity,
  NO_IDENTITY,
  OTHER_PRODUCT,
  withPage,
} from "../../shops/matches/match_identity.ts";
import { changedObservations } from "../../shops/observations/observation.ts";
import { saleTerms } from "../../shops/offers/offer.ts";
import { type MovedOffer, recordFetch } from "../../shops/recording/record_observation.ts";
import {
  articleOf,
  articleStatement,
  findKnownPage,
  knownPages,
  noteLesson,
  OF_ARTICLES,
  type PageQuestion,
  unsurePages,
} from "../page/last_page.ts";
import { type RefusedPermit, slots } from "../page/permit.ts";
import { failed, type FailedAnswer } from "../page/visit_tools.ts";
import { NO_VISIT, type PageOutcome } from "../page/visit.ts";
import { noteHealth } from "../schedule/health.ts";
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

export interface Place {
  readonly job: RunJob;
  readonly cursor: RunCursor;
}

export interface Target extends Place {
  readonly product: StoredProduct;
  readonly live: LiveMatch;
}

export interface FetchedTarget {
  readonly outcome: PageOutcome;
  readonly question: PageQuestion;
}

interface JudgedFetch {
  readonly outcome: PageOutcome;
  readonly verdict?: Verdict | null;
  /** True if the verdict changed to `different` or from `different`. */
  readonly isTurned: boolean;
  readonly isDoubtful: boolean;
}

const DOUBTFUL_CONFIDENCE = 0.7;

export function completeGone(tools: Tools, place: Place): StepResult<RunJob> {
  const message = "The match was removed or switched off during the run";
  return completed(tools, place, { ...blankResult(place, null), status: "skipped", message });
}

export async function completeRefused(
  tools: Tools,
  target: Target,
  { status, errorCode, message, isAnswered }: Omit<RefusedPermit, "kind">,
): Promise<StepResult<RunJob>> {
  if (status === "failed") {
    await record(tools, target, { kind: "failed", errorCode, message }, null);
    await noteHealth(tools.write, tools, target.live, { errorCode, message, isAnswered });
  }
  const blank = blankResult(target, target.live);
  return completed(tools, target, { ...blank, status, errorCode, message });
}

export async function completeFetched(
  tools: Tools,
  target: Target,
  { answer: { outcome: fetched, question }, atMs, durationMs }: {
    readonly answer: FetchedTarget;
    readonly atMs: number;
    readonly durationMs: number;
  },
): Promise<StepResult<RunJob>> {
  const judged = await judgeFetched(tools, target, fetched, atMs);
  const { outcome } = judged;
  const { live, product } = target;
  const base = { ...blankResult(target, live), httpStatus: outcome.httpStatus, durationMs };
  if (outcome.kind !== "unchanged") {
    await noteLesson(tools.write, tools, live, product.product, outcome.lesson);
  }
  if (outcome.kind === "failed") {
    const { errorCode, message, alternatives, facts } = outcome;
    await recordFailed(tools, target, { ...judged, outcome }, atMs);
    const availability = facts.availability === "unknown" ? null : facts.availability;
    return completed(tools, target, {
      ...base,
      status: "failed",
      errorCode,
      message,
      pageStatus: facts.pageStatus,
      warnings: [...facts.warnings],
      availability,
      inStock: isInStock(availability),
      alternatives: [...alternatives],
    });
  }
  const known = await pageOf(tools, target, outcome, question);
  if (known === null) {
    const message =
      "The page is unchanged, but its last result is gone: the next run reads it again";
    return completed(tools, target, { ...base, status: "failed", errorCode: "no_price", message });
  }
  const most = judged.isDoubtful ? DOUBTFUL_CONFIDENCE : 1;
  const found = { ...known.found, confidence: Math.min(most, known.found.confidence) };
  await recordSeen(tools, target, found, judged, atMs);
  if (outcome.kind === "priced" && found.confidence < HIGH_CONFIDENCE) {
    keepUnsure(tools, target, atMs, { ...outcome, found, errorCode: null });
  }
  await noteHealth(tools.write, tools, live, null);
  return completed(tools, target, {
    ...base,
    status: "ok",
    ...foundOn(found),
    pageStatus: known.pageStatus,
    warnings: isDeadOn(outcome) ?? live.offer.isSelectorDead ? ["selector_dead"] : [],
  });
}

async function judgeFetched(
  tools: Tools,
  { product: { product }, live }: Target,
  outcome: PageOutcome,
  atMs: number,
): Promise<JudgedFetch> {
  const { match, competitor, offer } = live;
  const key = { matchId: match.id };
  const stored = await identities.find(tools, key);
  const before = stored?.row ?? NO_IDENTITY;
  const page = match.matchType === "exact" ? articleIn(outcome, before) : null;
  // Only links that discovery added can be doubtful: people or API clients chose all others.
  const isDoubtful = (verdict: Verdict | null) =>
    match.source === "discovery" && verdict !== "same";
  if (page === null) {
    return { outcome, isTurned: false, isDoubtful: isDoubtful(countingVerdict(before)) };
  }
  const after = withPage(before, page, judgeLink(product, match.packFactor, page), atMs);
  const verdict = countingVerdict(after);
  identities.save(tools.write, tools, stored, { ...after, ...key });
  // Without a price, forget the stored page, so that the next request cannot get the status 304.
  if (outcome.kind === "failed") knownPages.drop(tools.write, tools, key);
  const wasOther = countingVerdict(before) === "different";
  const isOther = verdict === "different";
  if (isOther && !wasOther) {
    const data = {
      competitorProductId: match.id,
      productId: product.id,
      sku: product.sku,
      competitorId: competitor.id,
      competitor: competitor.displayName,
      url: match.url,
      reasons: [...after.reasons],
      isFirstCheck: stored === null &&
        (offer.checkedAtMs !== null || offer.status === OTHER_PRODUCT),
    };
    publish(tools.write, tools, [{ type: "match.mismatch", data }]);
  }
  return {
    outcome: isOther ? refused(outcome, after) : outcome,
    verdict,
    isTurned: isOther !== wasOther,
    isDoubtful: isDoubtful(verdict),
  };
}

function articleIn(outcome: PageOutcome, before: KeptIdentity): KeptArticle | null {
  if (outcome.kind === "unchanged") return before.page;
  const { facts } = outcome;
  return outcome.kind === "priced" || OF_ARTICLES.has(facts.pageStatus)
    ? articleOf(articleStatement(facts), facts.pageStatus)
    : null;
}

function refused(outcome: PageOutcome, { reasons: [first] }: KeptIdentity): PageOutcome {
  const message = first
    ? identityReasonText(first, "en")
    : "The page shows another article than the linked product";
  const facts = {
    ...(outcome.kind === "unchanged" ? NO_FACTS : outcome.facts),
    pageStatus: "other_product",
    availability: "unknown",
  } as const;
  return failed(outcome.httpStatus, OTHER_PRODUCT, message, alternativesOf(outcome), facts);
}

function alternativesOf(outcome: PageOutcome) {
  if (outcome.kind === "unchanged") return [];
  if (outcome.kind === "failed") return outcome.alternatives;
  const { method, price, currency, alternatives } = outcome.found;
  return [{ method, price, currency }, ...alternatives];
}

async function recordFailed(
  tools: Tools,
  target: Target,
  judged: JudgedFetch & { readonly outcome: FailedAnswer },
  atMs: number,
): Promise<void> {
  const { outcome: { errorCode, message, facts, httpStatus } } = judged;
  const isStock = errorCode === "sold_out" || errorCode === "gone";
  const shown = isStock ? { stock: { availability: facts.availability, atMs } } : {};
  const failure = { kind: "failed", errorCode, message, ...shown } as const;
  const moved = await record(tools, target, failure, judged);
  if (moved || judged.isTurned) {
    const { jobId, args: { productId } } = target.job;
    publish(tools.write, tools, [{
      type: "products.touched",
      data: { cause: "scrape_run", ref: jobId, productIds: [productId] },
    }]);
  }
  const isAnswer = ANSWERS_WITHOUT_PRICE.has(errorCode);
  await noteHealth(tools.write, tools, target.live, isAnswer ? null : { errorCode, message });
  if (httpStatus === 200) keepUnsure(tools, target, atMs, { facts, errorCode, found: null });
}

function keepUnsure(
  tools: Tools,
  { live: { match } }: Target,
  atMs: number,
  { facts, errorCode, found }: {
    readonly facts: PageFacts;
    readonly errorCode: string | null;
    readonly found: ExtractedPrice | null;
  },
): void {
  unsurePages.put(tools.write, tools, {
    competitorProductId: match.id,
    url: match.url,
    at: new Date(atMs).toISOString(),
    pageStatus: facts.pageStatus,
    errorCode,
    price: found?.price ?? null,
    currency: found?.currency ?? null,
    confidence: found?.confidence ?? null,
    page: articleStatement(facts),
    candidates: facts.candidates,
  });
}

async function pageOf(
  tools: Tools,
  { live: { match: { id: matchId } } }: Target,
  outcome: Exclude<PageOutcome, FailedAnswer>,
  question: PageQuestion,
): Promise<{ readonly found: ExtractedPrice; readonly pageStatus: PageStatus } | null> {
  if (outcome.kind === "unchanged") {
    const known = await findKnownPage(tools, matchId, question);
    // Rows of earlier versions of Kurant have no `pageStatus`.
    return known && { found: known.found, pageStatus: known.pageStatus ?? "priced" };
  }
  const { found, validators, facts: { pageStatus } } = outcome;
  if (validators === null) knownPages.drop(tools.write, tools, { matchId });
  else knownPages.put(tools.write, tools, { matchId, ...question, validators, found, pageStatus });
  return { found, pageStatus };
}

async function recordSeen(
  tools: Tools,
  target: Target,
  found: ExtractedPrice,
  judged: JudgedFetch,
  observedAtMs: number,
): Promise<void> {
  const { outcome } = judged;
  const sale = outcome.kind !== "priced" ? undefined : saleTerms({
    condition: outcome.facts.condition,
    seller: outcome.facts.isThirdParty ? outcome.facts.seller : null,
    shippingCents: outcome.found.shipping,
    listPriceCents: outcome.found.listPrice,
    lowest30Cents: outcome.found.lowest30,
  });
  const { jobId, args: { productId, sku } } = target.job;
  const seen = {
    priceCents: found.price,
    currency: found.currency,
    availability: found.availability,
    listPriceCents: found.listPrice,
    shippingCents: found.shipping,
    lowest30Cents: found.lowest30 ?? undefined,
    method: found.method,
    confidence: found.confidence,
    source: "scrape",
    runId: jobId,
    observedAtMs,
  } as const;
  const moved = await record(tools, target, { kind: "seen", seen, sale }, judged);
  if (!moved) return;
  const { before, after } = moved;
  publish(tools.write, tools, changedObservations({ id: productId, sku }, before, after, "scrape"));
}

async function record(
  tools: Tools,
  { product: found, live }: Target,
  outcome: Parameters<typeof recordFetch>[3],
  judged: JudgedFetch | null,
): Promise<MovedOffer | null> {
  checkProduct(tools.write, tools.workspaceId, found);
  const isSelectorDead = judged ? isDeadOn(judged.outcome) : undefined;
  const { product } = found;
  const target = { product, matchId: live.match.id, verdict: judged?.verdict, isSelectorDead };
  return await recordFetch(tools.write, tools, target, outcome);
}

function isDeadOn(outcome: PageOutcome): boolean | undefined {
  if (outcome.kind === "unchanged" || outcome.httpStatus !== 200) return undefined;
  return outcome.facts.warnings.includes("selector_dead");
}

function blankResult({ cursor }: Place, live: LiveMatch | null): RunResult {
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
  { job, cursor }: Place,
  result: RunResult,
): StepResult<RunJob> {
  if (cursor.ticket) slots.drop(write, {}, cursor.ticket);
  runResults.put(write, job, { runId: job.jobId, n: cursor.n, result });
  const stats: RunCounts = { ...job.stats, [result.status]: job.stats[result.status] + 1 };
  return {
    cursor: { ...cursor, ...NO_VISIT, n: cursor.n + 1 },
    stats,
    progress: { processed: cursor.n + 1, total: stats.targets },
    ...(result.status === "ok" ? {} : { hasErrors: true }),
  };
}
