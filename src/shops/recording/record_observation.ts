/**
 * Records the result of one fetch in the caller's commit. Decides whether an observed price is
 * accepted or goes into quarantine (docs/decisions/rules.md, "Quarantine"). A price in quarantine
 * is stored as an observation, but the offer keeps the previous price.
 */
import { addObservation } from "../observations/observation_store.ts";
import { requireWorkspace } from "../../accounts/workspace.ts";
import { type Availability, isInStock } from "../../base/codes.ts";
import type { Product } from "../../catalogue/products/product.ts";
import type { ClockAndIds, WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { addMoves, movesBetween } from "../observations/move_store.ts";
import type { Observation, Seen } from "../observations/observation.ts";
import { findHeld, type HeldPrice, putHeld } from "../offers/failing_and_held_store.ts";
import {
  type Offer,
  type OwnSellers,
  readOwnSellers,
  type SaleTerms,
  showsOtherProduct,
  withFailedFetch,
  withObservation,
} from "../offers/offer.ts";
import { checkOffers, findOffers, putOffers, type StoredOffers } from "../offers/offer_store.ts";
import {
  add,
  compareFractions,
  decimal,
  divide,
  floorOf,
  type Fraction,
  multiply,
  percent,
  whole,
} from "../../base/fraction.ts";
import { HOUR_MS } from "../../base/time.ts";
import { COUNTS_AFTER_HOURS, shopCodeOf, type SuspicionCode } from "../choices.ts";
import { defineTable } from "../../platform/store/table.ts";

type FetchOutcome =
  | {
    readonly kind: "seen";
    readonly seen: Seen;
    readonly sale?: SaleTerms | undefined;
  }
  | {
    readonly kind: "failed";
    readonly errorCode: string;
    readonly message: string;
    readonly stock?: PageStock;
  };

interface PageStock {
  readonly availability: Availability;
  readonly atMs: number;
}

interface FetchTarget {
  readonly product: Pick<Product, "id" | "sku" | "costPriceCents" | "ourPriceCents" | "currency">;
  readonly matchId: string;
  readonly verdict?: string | null | undefined;
  readonly isSelectorDead?: boolean | undefined;
}

export interface MovedOffer {
  readonly before: Offer;
  readonly after: Offer;
}

/**
 * Record at most one fetch per product in a commit, because each call writes all its offers.
 * Returns null if the match was deleted, or if a failed fetch found no change of the stock.
 */
export async function recordFetch(
  write: Write,
  workspace: WorkspaceStore & Pick<ClockAndIds, "now">,
  { product, matchId, verdict, isSelectorDead }: FetchTarget,
  outcome: FetchOutcome,
): Promise<MovedOffer | null> {
  const stored = await findOffers(workspace, product.id);
  const known = stored.offers.find((one) => one.matchId === matchId);
  if (!known) return null;
  const offer = {
    ...known,
    ...(verdict !== undefined && { verdict }),
    ...(isSelectorDead !== undefined && { isSelectorDead }),
  };
  if (outcome.kind === "failed") {
    const failed = withFailedFetch(offer, outcome, workspace.now().getTime());
    const after = withStock(failed, outcome.stock ?? null, offer.status === outcome.errorCode);
    saveOffer(write, workspace, product, stored, { before: offer, after });
    const isMoved = isInStock(offer.availability) !== isInStock(after.availability);
    return isMoved ? { before: offer, after } : null;
  }
  const { seen } = outcome;
  const { competitorId } = offer;
  const { quarantine } = await requireWorkspace(workspace);
  const nowMs = workspace.now().getTime();
  const ours = ourPricesOf(product);
  const held = (await findHeld(workspace, quarantine ? [offer] : [])).get(matchId) ?? null;
  const { offers } = stored;
  const isOurs = await readOwnSellers(workspace, [...offers, outcome.sale ?? {}]);
  const context = quarantine && { product, offers, ours, isOurs, held };
  const { after, ...judged } = judgeObservation(offer, seen, nowMs, context, outcome.sale);
  if (quarantine !== null && after !== offer) {
    countObservation(write, workspace.workspaceId, offer, nowMs);
  }
  const place = { productId: product.id, matchId, competitorId };
  const observation: Observation = { ...seen, ...place, ...judged.held && { isHeld: true } };
  addObservation(write, workspace.workspaceId, observation);
  if (judged.held) putHeld(write, workspace.workspaceId, judged.held);
  const moved = { before: offer, after };
  saveOffer(write, workspace, product, stored, moved);
  return moved;
}

function withStock(failed: Offer, stock: PageStock | null, isAgain: boolean): Offer {
  if (stock === null) return failed;
  const isUnknown = stock.availability === "unknown";
  if (isUnknown && !isAgain) return failed;
  const availability = isUnknown ? "discontinued" : stock.availability;
  return { ...failed, availability, checkedAtMs: stock.atMs };
}

function saveOffer(
  write: Write,
  workspace: WorkspaceStore & Pick<ClockAndIds, "now">,
  product: FetchTarget["product"],
  stored: StoredOffers,
  { before, after }: MovedOffer,
): void {
  const { workspaceId } = workspace;
  checkOffers(write, workspaceId, stored);
  const offers = stored.offers.map((one) => one.matchId === after.matchId ? after : one);
  putOffers(write, workspaceId, product, { before: stored.offers, after: offers });
  addMoves(write, workspace, movesBetween(product.id, before, after));
}

export type OurPrices = Pick<Comparison, "cost" | "own">;

interface ObservationContext {
  readonly product: { readonly id: string; readonly sku: string };
  readonly offers: readonly Offer[];
  readonly ours: OurPrices;
  readonly isOurs: OwnSellers;
  readonly held: HeldPrice | null;
}

interface JudgedObservation {
  readonly after: Offer;
  readonly held: HeldPrice | null;
}

export function judgeObservation(
  offer: Offer,
  seen: Seen,
  latestMs: number,
  context: ObservationContext | null,
  sale: Partial<SaleTerms> = {},
): JudgedObservation {
  const accepted = (price = seen): JudgedObservation => {
    const after = withObservation(offer, price, latestMs);
    return { after: after === offer ? offer : { ...after, ...sale, heldAtMs: null }, held: null };
  };
  if (context === null) return accepted();
  const { held, isOurs } = context;
  // Ignore known times after `latestMs`, which come from a wrong clock.
  const isLate = [offer, held].some((known) =>
    seen.observedAtMs < (known?.observedAtMs ?? 0) && (known?.observedAtMs ?? 0) <= latestMs
  );
  if (isLate) return { after: offer, held: null };
  // Our own offers and prices of other products are never suspicious, because rules do not use
  // them.
  if (showsOtherProduct(offer) || isOurs({ ...offer, ...sale })) return accepted();
  const isAgain = held !== null && held.priceCents === seen.priceCents &&
    held.currency === seen.currency;
  const ofShop = isAgain ? shopSuspicion(held) : null;
  const others = context.offers.filter((other) =>
    other !== offer && other.enabled && !isOurs(other) && !showsOtherProduct(other)
  );
  const [known = null] = pricesOf([offer]);
  const suspicion = ofShop ?? suspicionOf(
    { ...seen, packFactor: offer.packFactor },
    { accepted: known, others: pricesOf(others), ...context.ours },
  );
  if (suspicion === null) return accepted();
  const waitMs = COUNTS_AFTER_HOURS * HOUR_MS;
  if (isAgain && ofShop === null && seen.observedAtMs >= held.heldAtMs + waitMs) {
    const confidence = Math.min(0.7, seen.confidence);
    return accepted({ ...seen, confidence });
  }
  const heldAtMs = isAgain ? held.heldAtMs : seen.observedAtMs;
  const { priceCents, currency, availability, confidence, source, observedAtMs } = seen;
  const checked = { checkedAtMs: observedAtMs, status: "ok", error: null, failingSinceMs: null };
  const { id: productId, sku } = context.product;
  const { matchId, competitorId } = offer;
  const place = { productId, sku, matchId, competitorId };
  const price = { priceCents, currency, availability, confidence, source };
  return {
    after: { ...offer, ...checked, heldAtMs },
    held: { ...place, ...price, heldAtMs, observedAtMs, ...suspicion },
  };
}

function pricesOf(offers: readonly Offer[]): PackPrice[] {
  return offers.flatMap(({ priceCents, currency, packFactor }) =>
    priceCents === null || currency === null ? [] : [{ priceCents, currency, packFactor }]
  );
}

/** Ignores whether our prices include VAT, because only large differences are suspicious. */
export function ourPricesOf(
  { costPriceCents, ourPriceCents, currency }: Pick<
    Product,
    "costPriceCents" | "ourPriceCents" | "currency"
  >,
): OurPrices {
  const priceOf = (priceCents: number | null) =>
    priceCents === null ? null : { priceCents, currency };
  return { cost: priceOf(costPriceCents), own: priceOf(ourPriceCents) };
}

type PriceOf = Pick<Seen, "priceCents" | "currency">;

interface PackPrice extends PriceOf {
  readonly packFactor: number;
}

export interface Comparison {
  readonly accepted: PriceOf | null;
  readonly others: readonly PackPrice[];
  readonly cost: PriceOf | null;
  readonly own: PriceOf | null;
}

/** If a price changes by one of these factors, a decimal point or quantity was likely misread. */
const UNITS = [whole(10), whole(100), whole(1_000)];
const OTHERS_MIN = 3;
const HALF = decimal(0.5);
const TWICE = whole(2);
const THRICE = whole(3);

export function suspicionOf(seen: PackPrice, comparison: Comparison): Suspicion | null {
  return againstAccepted(seen, comparison.accepted) ?? againstMarket(seen, comparison.others) ??
    againstCost(seen, comparison.cost) ?? againstOwn(seen, comparison);
}

function againstAccepted(
  { priceCents, currency }: PackPrice,
  accepted: PriceOf | null,
): Suspicion | null {
  if (accepted === null || accepted.priceCents <= 0) return null;
  const againstCents = accepted.priceCents;
  if (currency !== accepted.currency) return { code: "currency", againstCents };
  const ratio = divide(whole(priceCents), whole(againstCents));
  if (UNITS.some((unit) => isAboutOne(divide(ratio, unit)) || isAboutOne(multiply(ratio, unit)))) {
    return { code: "unit", againstCents };
  }
  if (compareFractions(ratio, HALF) <= 0) return { code: "fell", againstCents };
  return compareFractions(ratio, TWICE) >= 0 ? { code: "rose", againstCents } : null;
}

function isAboutOne(ratio: Fraction): boolean {
  return compareFractions(ratio, percent(99)) >= 0 && compareFractions(ratio, percent(101)) <= 0;
}

function againstMarket(seen: PackPrice, others: readonly PackPrice[]): Suspicion | null {
  const units = others.filter((other) => isComparable(seen, other))
    .map(({ priceCents, packFactor }) => divide(whole(priceCents), decimal(packFactor)))
    .sort(compareFractions);
  const { length } = units;
  const [low, high] = [units[(length - 1) >> 1], units[length >> 1]];
  if (length < OTHERS_MIN || !low || !high) return null;
  const { ratio, againstCents } = comparedWith(seen, divide(add(low, high), TWICE));
  if (compareFractions(ratio, HALF) < 0) return { code: "below_market", againstCents };
  return compareFractions(ratio, THRICE) > 0 ? { code: "above_market", againstCents } : null;
}

function againstCost(seen: PackPrice, cost: PriceOf | null): Suspicion | null {
  if (!isComparable(seen, cost)) return null;
  const { ratio, againstCents } = comparedWith(seen, whole(cost.priceCents));
  return compareFractions(ratio, HALF) < 0 ? { code: "below_cost", againstCents } : null;
}

function againstOwn(
  seen: PackPrice,
  { accepted, others, cost, own }: Comparison,
): Suspicion | null {
  const isKnown = (accepted !== null && accepted.priceCents > 0) || isComparable(seen, cost) ||
    others.filter((other) => isComparable(seen, other)).length >= OTHERS_MIN;
  if (isKnown || !isComparable(seen, own)) return null;
  const { ratio, againstCents } = comparedWith(seen, whole(own.priceCents));
  const isNear = compareFractions(ratio, HALF) >= 0 && compareFractions(ratio, TWICE) <= 0;
  return isNear ? null : { code: "first_price_off", againstCents };
}

function isComparable<T extends PriceOf>(seen: PriceOf, other: T | null): other is T {
  return other !== null && other.priceCents > 0 && other.currency === seen.currency;
}

function comparedWith({ priceCents, packFactor }: PackPrice, perPiece: Fraction) {
  const against = multiply(perPiece, decimal(packFactor));
  return { ratio: divide(whole(priceCents), against), againstCents: floorOf(against) };
}

interface Suspicion {
  readonly code: SuspicionCode;
  /** Price in minor units to which the observed price was compared; null without a comparison. */
  readonly againstCents: number | null;
}

export function shopSuspicion(
  held: { readonly code: string; readonly againstCents: number | null },
): Suspicion | null {
  const code = shopCodeOf(held.code);
  return code === null ? null : { code, againstCents: held.againstCents };
}

const SLOT_MS = 10 * 3_600_000;
/** Price changes are counted over at most 20 hours, so that nightly changes are counted once. */
export const RUN_MS = 2 * SLOT_MS;

export const seenCounts = defineTable<
  { readonly slot: number; readonly competitorId: string; readonly count: number },
  "slot" | "competitorId"
>({
  prefix: "qs",
  about: "u64, how many different offers of a shop were observed in a period of ten hours",
  key: { slot: "number", competitorId: "id" },
  value: "count",
  keep: {
    what: "counts of offers seen per shop, for the quarantine",
    days: 2,
    isOld: ({ slot }, before) => slot < slotOf(before.getTime()),
    isInOrder: true,
  },
});

const slotOf = (nowMs: number) => Math.floor(nowMs / SLOT_MS);

export function runStartMs(nowMs: number): number {
  return (slotOf(nowMs) - 1) * SLOT_MS;
}

export function countObservation(
  write: Write,
  workspaceId: string,
  { competitorId, checkedAtMs }: Offer,
  nowMs: number,
): void {
  const slot = slotOf(nowMs);
  if (checkedAtMs !== null && checkedAtMs >= slot * SLOT_MS) return;
  write.sum(seenCounts.keyOf({ workspaceId }, { slot, competitorId }), 1);
}

export async function findObservations(
  workspace: WorkspaceStore,
  competitorId: string,
  nowMs: number,
): Promise<number> {
  const slots = [slotOf(nowMs) - 1, slotOf(nowMs)];
  const found = await seenCounts.getMany(workspace, slots.map((slot) => ({ slot, competitorId })));
  return found.reduce((sum, one) => sum + (one?.row.count ?? 0), 0);
}
