/**
 * A step of the visits at a shop: a turn is taken, or used; its commit has what came of the line. So after
 * a crash no page is asked for again but the one in flight, and no shop has two requests at once.
 */

import { findProduct, type StoredProduct } from "../../catalogue/products/product_store.ts";
import type { Verdict } from "../../engine/matching/identity_codes.ts";
import { beating } from "../../platform/jobs/job_timing.ts";
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import { findJob } from "../../platform/jobs/job_store.ts";
import type { Competitor } from "../../shops/competitor.ts";
import { findCompetitor } from "../../shops/competitor_store.ts";
import { fetchedUrl, urlHashOf } from "../../shops/matches/match_url.ts";
import { findOffers } from "../../shops/offers/offer_store.ts";
import { dropTicket, putTicket, type TurnInHand } from "../page/domain_queue.ts";
import { learningOf } from "../page/note_lesson.ts";
import { wantedOf } from "../page/page_said.ts";
import { saveRobots } from "../page/robots_file.ts";
import { REDIRECTS_MAX, type ScrapeDeps } from "../page/scrape_deps.ts";
import {
  fetchTurn,
  giveTurnBack,
  isHeld,
  type NextTurn,
  requestOf,
  type TurnMemory,
  type TurnYield,
  unused,
  usedTurn,
} from "../page/take_turn.ts";
import type { RunMemory } from "../runs/run_memory.ts";
import { askTurn } from "../runs/seek_turn.ts";
import { compareWithPage, type ReadPage, toPreview } from "../teaching/preview_page.ts";
import type { CheckOutcome } from "./check_codes.ts";
import {
  CHECK_KIND,
  type CheckJob,
  type StoredCheckLine,
  type VisitCursor,
  type VisitJob,
  type WaitingLine,
} from "./link_check.ts";
import {
  findSeenPage,
  findWaiting,
  putLooked,
  type SeenPage,
  seenPages,
} from "./link_check_store.ts";
import { blankLine } from "./resolve_lines.ts";

type Tools = StepTools<VisitJob>;
type Step = StepResult<VisitJob>;
type Waiting = Extract<NextTurn, { kind: "wait" }>;

export interface VisitSetup {
  readonly deps: ScrapeDeps;
  readonly memory: RunMemory;
  readonly visits: TurnMemory<TurnYield>;
}

/** The line in hand. */
interface Place {
  readonly job: VisitJob;
  readonly cursor: VisitCursor;
  readonly line: WaitingLine;
  readonly product: StoredProduct;
  readonly shop: Competitor;
}

const BEGIN: VisitCursor = { n: null, url: null, hops: 0, turn: null, ticket: null, blocked: 0 };
/** After visits for people and the schedule. */
const LANE = 2;
/** A shop that is left in peace for longer is not waited for. */
const REST_MS_MAX = 3_600_000;
/** A shop that has turned us away so often in a row is asked for no other page of the check. */
const BLOCKED_MAX = 3;
const WAIT_MS_MAX = 1_000;
/** A reader of the page's facts for a line needs no more. */
const REASONS_MAX = 6;

export async function takeVisitStep(setup: VisitSetup, job: VisitJob, tools: Tools): Promise<Step> {
  const { checkId, competitorId } = job.args;
  const cursor = job.cursor ?? BEGIN;
  const check = await findJob<CheckJob>(tools, CHECK_KIND, checkId);
  const line = await findWaiting(tools, checkId, competitorId);
  const isOver = check === null || check.status === "cancelled" || check.cancelRequested;
  if (isOver || line === null) return { end: { status: "succeeded" } };
  const product = await findProduct(tools, line.productId);
  const shop = (await findCompetitor(tools, competitorId))?.competitor ?? null;
  const isGone = product === null || shop === null || !shop.enabled;
  if (cursor.turn && isGone) await returnTurn(tools, cursor.turn);
  if (product === null) return refuse(tools, { job, cursor, line }, "unknown_sku");
  if (shop === null) return refuse(tools, { job, cursor, line }, "unknown_shop");
  if (!shop.enabled) return refuse(tools, { job, cursor, line }, "shop_off");
  const place = { job, cursor, line, product, shop };
  return cursor.turn
    ? await useTurn(setup, tools, place, cursor.turn)
    : await seekTurn(setup, tools, place);
}

/** Refuses a line when facts have changed since the lines were read. */
function refuse(
  tools: Tools,
  { job, cursor, line }: Pick<Place, "job" | "cursor" | "line">,
  errorCode: "unknown_sku" | "unknown_shop" | "shop_off",
): Step {
  const at = tools.now().toISOString();
  const { competitorId } = job.args;
  const outcome = errorCode === "shop_off" ? "failed" : "wrong";
  const judged = { ...blankLine(line, line.line, at), outcome, errorCode, competitorId } as const;
  return finished(tools, { job, cursor }, judged);
}

async function seekTurn(
  { deps, memory }: VisitSetup,
  tools: Tools,
  place: Place,
): Promise<Step> {
  const { job, cursor, line } = place;
  const isBegun = cursor.n === line.line;
  const url = isBegun && cursor.url !== null ? cursor.url : fetchedUrl(line.url);
  const seen = await findSeenPage(tools, pageOf(place), tools.now().getTime());
  if (seen !== null) return await judged(tools, place, seen);
  if (cursor.blocked >= BLOCKED_MAX) {
    return await failedAt(tools, place, "blocked", "The shop lets no programs in");
  }
  const asking = { lane: LANE, orderMs: Date.parse(job.createdAt), id: job.jobId } as const;
  const giveUpAt = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const next = await askTurn({ deps, memory, tools }, url, asking, null);
    const here = { ...cursor, n: line.line, url: isBegun ? cursor.url : null };
    const begun = { ...here, hops: isBegun ? cursor.hops : 0 };
    if (next.kind === "taken") {
      if (cursor.ticket) dropTicket(tools.write, cursor.ticket);
      return { cursor: { ...begun, turn: next.turn, ticket: null } };
    }
    const nowMs = tools.now().getTime();
    if (next.kind === "refused") {
      const restMs = (next.restsUntilMs ?? nowMs) - nowMs;
      if (restMs > 0 && restMs <= REST_MS_MAX) {
        return { cursor: { ...begun, ticket: null }, notBefore: new Date(nowMs + restMs) };
      }
      return await failedAt(tools, place, next.errorCode, next.message);
    }
    if (next.earliestMs - nowMs > WAIT_MS_MAX || tools.shouldYield()) {
      return parked(tools, begun, next, Math.max(nowMs, next.untilMs - WAIT_MS_MAX));
    }
    const waitMs = Math.min(Math.max(1, next.untilMs - nowMs), WAIT_MS_MAX);
    const heard = await memory.bell.wait(next.ticket, waitMs, tools.stopping);
    const isOver = performance.now() >= giveUpAt || tools.shouldYield();
    if (heard === "full" || isOver) return parked(tools, begun, next, next.untilMs);
  }
}

/** Leaves the slot to others, with a place in the queue. */
function parked(
  { write }: Tools,
  cursor: VisitCursor,
  { ticket, untilMs }: Waiting,
  atMs: number,
): Step {
  if (cursor.ticket && cursor.ticket.domain !== ticket.domain) dropTicket(write, cursor.ticket);
  putTicket(write, ticket, untilMs);
  return { cursor: { ...cursor, ticket }, notBefore: new Date(atMs) };
}

async function useTurn(
  { deps, memory, visits }: VisitSetup,
  tools: Tools,
  place: Place,
  turn: TurnInHand,
): Promise<Step> {
  const { job, cursor, line } = place;
  memory.noteTaken(turn.domain);
  const kept = visits.broughtBy(job.jobId, turn.token);
  const committed = () => memory.bell.ring(turn.domain);
  if (cursor.n !== line.line || (!kept && !await isHeld(tools, turn, deps.timeoutMs))) {
    await returnTurn(tools, turn);
    return { cursor: { ...cursor, turn: null }, committed };
  }
  const brought = kept ?? await fetchFor(deps, tools, place, turn.isForRobots);
  visits.note(job.jobId, turn.token, brought);
  await giveTurnBack(tools.write, tools, turn.domain, usedTurn(turn, brought, deps.delayMs));
  return { ...await stepOf(tools, place, turn, brought), committed };
}

async function returnTurn(tools: Tools, turn: TurnInHand): Promise<void> {
  await giveTurnBack(tools.write, tools, turn.domain, unused(turn));
}

/** The step for a line after its turn. */
async function stepOf(
  tools: Tools,
  place: Place,
  turn: TurnInHand,
  brought: TurnYield,
): Promise<Step> {
  const { cursor } = place;
  if (brought.kind === "robots") {
    saveRobots(tools.write, brought.origin, turn.token, brought.robots);
    return { cursor: { ...cursor, turn: null } };
  }
  const { outcome, atMs } = brought;
  if (outcome.kind === "moved") {
    const hops = cursor.hops + outcome.hops;
    if (hops <= REDIRECTS_MAX) return { cursor: { ...cursor, url: outcome.url, hops, turn: null } };
    return await failedAt(tools, place, "redirect_refused", `More than ${REDIRECTS_MAX} redirects`);
  }
  const seen = { read: toPreview(outcome), atMs };
  // A page that told nothing is asked for again by the next check.
  if (seen.read.page !== null && verdictOn(place, seen.read).verdict !== null) {
    seenPages.put(tools.write, tools, { ...pageOf(place), ...seen });
  }
  return await judged(tools, place, seen);
}

function pageOf({ line, product }: Pick<Place, "line" | "product">) {
  return { urlHash: urlHashOf(new URL(line.url.trim())), productId: product.id };
}

function verdictOn({ product, line }: Pick<Place, "product" | "line">, read: ReadPage) {
  return compareWithPage(product.product, read, line.packFactor ?? 1);
}

async function fetchFor(
  deps: ScrapeDeps,
  tools: Tools,
  { cursor, line, product, shop }: Place,
  isForRobots: boolean,
): Promise<TurnYield> {
  const askedUrl = fetchedUrl(line.url);
  const learning = { ...await learningOf(tools, shop), isLearning: false };
  return await beating(tools, (signal) =>
    fetchTurn(deps, {
      ...requestOf(deps, tools, signal),
      url: cursor.url ?? askedUrl,
      askedUrl,
      extractor: shop.extractor,
      product: wantedOf(product.product),
      learning,
      validators: null,
      isThorough: false,
      redirectsMax: REDIRECTS_MAX - cursor.hops,
    }, isForRobots));
}

const OUTCOMES: Readonly<Record<Verdict, CheckOutcome>> = {
  same: "sure",
  probably: "check",
  unknown: "check",
  different: "wrong",
};

/** The line as its page tells of it. */
async function judged(tools: Tools, place: Place, { read, atMs }: SeenPage): Promise<Step> {
  const { verdict, reasons } = verdictOn(place, read);
  return finished(tools, place, {
    ...await subjectOf(tools, place, new Date(atMs).toISOString()),
    outcome: verdict === null ? "failed" : OUTCOMES[verdict],
    verdict,
    reasons: reasons.slice(0, REASONS_MAX),
    page: verdict === null ? null : read.page,
    price: read.price,
    currency: read.currency,
    errorCode: read.errorCode,
    message: read.message,
  });
}

async function failedAt(
  tools: Tools,
  place: Place,
  errorCode: string,
  message: string,
): Promise<Step> {
  const subject = await subjectOf(tools, place, tools.now().toISOString());
  return finished(tools, place, { ...subject, outcome: "failed", errorCode, message });
}

/** The product of the line, and whether its link exists. */
async function subjectOf(
  tools: Tools,
  place: Place,
  at: string,
): Promise<Omit<StoredCheckLine, "outcome">> {
  const { job, line, product } = place;
  const { sku, title } = product.product;
  const { urlHash, productId } = pageOf(place);
  const { offers } = await findOffers(tools, productId);
  const existing = offers.find((offer) => offer.urlHash === urlHash)?.matchId ?? null;
  return {
    ...blankLine({ ...line, sku }, line.line, at),
    status: existing === null ? "open" : "existing",
    productId,
    title,
    competitorId: job.args.competitorId,
    competitorProductId: existing,
  };
}

/** The line and the step to the next one; a place in the queue is given up. */
function finished(
  { write, workspaceId }: Tools,
  { job, cursor }: Pick<Place, "job" | "cursor">,
  line: StoredCheckLine,
): Step {
  if (cursor.ticket) dropTicket(write, cursor.ticket);
  putLooked(write, workspaceId, job.args.checkId, line, job.args);
  const blocked = line.errorCode === "blocked" ? cursor.blocked + 1 : 0;
  return { cursor: { ...BEGIN, blocked } };
}
