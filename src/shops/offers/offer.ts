/**
 * An offer is the current state of a match, which is a link from a product to a page: its settings,
 * the last known price, and the result of the last visit. All offers of a product are in one row,
 * so the texts of offers have maximum lengths. If a competitor is a marketplace on which we sell,
 * rules and market data ignore the offers of which we are the seller.
 */
import { requireWorkspace } from "../../accounts/workspace.ts";
import type { Availability } from "../../base/codes.ts";
import { fold, utf8Bytes } from "../../base/text.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { type Competitor, readCompetitorSet } from "../competitor_store.ts";

const SECOND_MS = 1_000;

export type Disabler = "person" | "import";

/** Match type `equivalent`: the page sells another product that is comparable with ours. */
export const MATCH_TYPES = ["exact", "equivalent"] as const;
export type MatchType = (typeof MATCH_TYPES)[number];

export interface Offer {
  readonly matchId: string;
  readonly competitorId: string;
  readonly urlHash: string;
  readonly enabled: boolean;
  readonly disabledBy: Disabler | null;
  readonly packFactor: number;
  readonly matchType: MatchType;
  readonly noPrice: boolean;
  /** Price of `packFactor` pieces, in minor units of `currency`; null if none was accepted yet. */
  readonly priceCents: number | null;
  readonly currency: string | null;
  readonly availability: Availability | null;
  readonly confidence: number | null;
  readonly observedAtMs: number | null;
  /** The previous price, in the currency of the current price; null if unknown. */
  readonly previousCents: number | null;
  /** Time of the first observation of the current price; null if unknown. */
  readonly sinceMs: number | null;
  /** Last time at which a visit found a price or the stock, or a client sent a price. */
  readonly checkedAtMs: number | null;
  /** `ok` or the last error code; null before any fetch, or after `other_product` was revoked. */
  readonly status: string | null;
  readonly error: string | null;
  /** At most `OFFER_CODE_MAX` ASCII characters; null for new articles, or if not stated. */
  readonly condition: string | null;
  /** Name of a seller other than the shop, at most `SELLER_BYTES_MAX` bytes as JSON. */
  readonly seller: string | null;
  /** The shop's shipping cost of one parcel, in minor units of `currency`; null if unknown. */
  readonly shippingCents: number | null;
  /** Recommended or old price on the page, in minor units of `currency`; null if not shown. */
  readonly listPriceCents: number | null;
  readonly lowest30Cents: number | null;
  /** Verdict, such as `same` for our product; at most `OFFER_CODE_MAX` ASCII characters. */
  readonly verdict: string | null;
  /** Time when the waiting price was put into quarantine; null if no price waits. */
  readonly heldAtMs: number | null;
  /** Since when all fetches fail (see `CAUSE_OF`), rounded down to a second; null if none. */
  readonly failingSinceMs: number | null;
  readonly isSelectorDead: boolean;
}

export function showsOtherProduct({ verdict, matchType }: Pick<Offer, "verdict" | "matchType">) {
  return verdict === "different" && matchType === "exact";
}

export const OFFER_CODE_MAX = 12;
/** Maximum length of a seller's name, in bytes of its JSON string without the quotation marks. */
export const SELLER_BYTES_MAX = 52;

/** The settings of the link, without results of visits. */
export type OfferTerms = Omit<Offer, keyof typeof UNSEEN>;

const UNSEEN = {
  priceCents: null,
  currency: null,
  availability: null,
  confidence: null,
  observedAtMs: null,
  previousCents: null,
  sinceMs: null,
  checkedAtMs: null,
  status: null,
  error: null,
  condition: null,
  seller: null,
  shippingCents: null,
  listPriceCents: null,
  lowest30Cents: null,
  verdict: null,
  heldAtMs: null,
  failingSinceMs: null,
  isSelectorDead: false,
} satisfies Partial<Offer>;

export function blankOffer(terms: OfferTerms): Offer {
  return { ...terms, ...UNSEEN };
}

export interface OfferObservation {
  readonly priceCents: number;
  readonly currency: string;
  readonly availability: Availability;
  readonly confidence: number;
  readonly observedAtMs: number;
}

/**
 * Returns `offer` itself if the observation is already stored, or older than the stored price. A
 * stored price with a time after `latestMs` is replaced, because its time comes from a wrong clock.
 */
export function withObservation(
  offer: Offer,
  { priceCents, currency, availability, confidence, observedAtMs: atMs }: OfferObservation,
  latestMs: number,
): Offer {
  const seen = { priceCents, currency, availability, confidence, observedAtMs: atMs };
  const { observedAtMs } = offer;
  const isLate = observedAtMs !== null && seen.observedAtMs < observedAtMs;
  if (isLate && observedAtMs <= latestMs) return offer;
  if (isKnown(offer, seen)) return offer;
  const checked = { checkedAtMs: seen.observedAtMs, status: "ok", error: null };
  const past = isLate ? { previousCents: null, sinceMs: seen.observedAtMs } : pastOf(offer, seen);
  const amounts = currency === offer.currency ? {} : NO_AMOUNTS;
  return { ...offer, ...amounts, ...seen, ...past, ...checked, failingSinceMs: null };
}

function pastOf(offer: Offer, seen: OfferObservation): Pick<Offer, "previousCents" | "sinceMs"> {
  const { priceCents, currency, previousCents, sinceMs } = offer;
  const isSameCurrency = currency === seen.currency;
  if (isSameCurrency && priceCents === seen.priceCents) return { previousCents, sinceMs };
  return { previousCents: isSameCurrency ? priceCents : null, sinceMs: seen.observedAtMs };
}

const SEEN = ["observedAtMs", "priceCents", "currency", "availability", "confidence"] as const;

function isKnown(offer: Offer, seen: OfferObservation): boolean {
  return offer.status === "ok" && offer.checkedAtMs === seen.observedAtMs &&
    SEEN.every((field) => offer[field] === seen[field]);
}

export type SaleTerms = Pick<
  Offer,
  "condition" | "seller" | "shippingCents" | "listPriceCents" | "lowest30Cents"
>;

export const NO_OLD_PRICES = { listPriceCents: null, lowest30Cents: null } as const;

/** Clears amounts in the old currency after a change of currency. */
const NO_AMOUNTS = { ...NO_OLD_PRICES, shippingCents: null } as const;

export function saleTerms({ condition, seller, ...amounts }: SaleTerms): SaleTerms {
  return {
    condition: condition === "new" ? null : condition,
    seller: seller === null ? null : shortenedTo(SELLER_BYTES_MAX, seller),
    ...amounts,
  };
}

/** The offer keeps the last known price (docs/decisions/competitors.md). */
export function withFailedFetch(
  offer: Offer,
  { errorCode, message }: { readonly errorCode: string; readonly message: string },
  atMs: number,
): Offer {
  const sinceMs = offer.failingSinceMs ?? Math.floor(atMs / SECOND_MS) * SECOND_MS;
  const failingSinceMs = CAUSE_OF.has(errorCode) ? sinceMs : null;
  return {
    ...offer,
    status: errorCode,
    // The message is shortened, because up to 200 offers share a stored value of 64 KiB.
    error: shortenedTo(88, message),
    failingSinceMs,
  };
}

/** Shortens the message to at most `bytesMax` bytes in JSON, not counting the quotation marks. */
function shortenedTo(bytesMax: number, message: string): string {
  let text = message.toWellFormed();
  while (utf8Bytes(JSON.stringify(text)) > bytesMax + 2) {
    text = `${[...text].slice(0, -2).join("").replace(/…$/, "")}…`;
  }
  return text;
}

export function trackingCompetitors(offers: readonly Offer[]): Set<string> {
  return new Set(offers.filter(({ enabled }) => enabled).map(({ competitorId }) => competitorId));
}

type SoldOffer = Pick<Offer, "competitorId" | "seller">;

export type OwnSellers = (offer: SoldOffer) => boolean;

export function ownSellersOf(
  names: readonly string[],
  competitors: ReadonlyMap<string, Pick<Competitor, "ownSellerNames">>,
): OwnSellers {
  const everywhere = keysOf(names);
  const byShop = new Map<string, ReadonlySet<string>>();
  for (const [id, { ownSellerNames }] of competitors) {
    if (ownSellerNames.length > 0) byShop.set(id, keysOf(ownSellerNames));
  }
  return ({ competitorId, seller }) => {
    if (seller === null || everywhere.size + byShop.size === 0) return false;
    const key = keyOf(seller);
    return everywhere.has(key) || byShop.get(competitorId)?.has(key) === true;
  };
}

export async function readOwnSellers(
  workspace: WorkspaceStore,
  offers: readonly Partial<SoldOffer>[],
): Promise<OwnSellers> {
  if (!offers.some(({ seller }) => typeof seller === "string")) return () => false;
  const [{ ownSellerNames }, { byId }] = await Promise.all([
    requireWorkspace(workspace),
    readCompetitorSet(workspace),
  ]);
  return ownSellersOf(ownSellerNames, byId);
}

function keysOf(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => keyOf(shortenedTo(SELLER_BYTES_MAX, name))));
}

function keyOf(name: string): string {
  return fold(name).replace(/\s+/g, "");
}

/**
 * Clients know these codes, and stored counts use the positions of the codes in this list. New
 * codes must be appended to this list, and no code may be removed.
 */
export const REPAIR_CAUSES = [
  "nothing_found",
  "two_prices",
  "layout_changed",
  "gone",
  "listing",
  "other_product",
  "variant_open",
  "blocked",
  "net_only",
  "third_party",
  "currency",
  "no_answer",
  "unreadable",
  "robots",
] as const;

export type RepairCause = (typeof REPAIR_CAUSES)[number];

export const CAUSE_OF: ReadonlyMap<string, RepairCause> = new Map([
  ["no_price", "nothing_found"],
  ["unread", "nothing_found"],
  ["ambiguous_price", "two_prices"],
  ["gone", "gone"],
  ["listing", "listing"],
  ["other_product", "other_product"],
  ["variant_open", "variant_open"],
  ["variant_unknown", "variant_open"],
  ["blocked", "blocked"],
  ["net_only", "net_only"],
  ["third_party", "third_party"],
  ["currency_mismatch", "currency"],
  ["http_error", "no_answer"],
  ["timeout", "no_answer"],
  ["dns_error", "no_answer"],
  ["unreachable", "no_answer"],
  ["private_address", "no_answer"],
  ["redirect_refused", "no_answer"],
  ["too_large", "unreadable"],
  ["too_complex", "unreadable"],
  ["unsupported_content", "unreadable"],
  ["robots_disallowed", "robots"],
]);
