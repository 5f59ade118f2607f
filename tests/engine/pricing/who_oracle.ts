/**
 * Determines the offers that a rule uses, and their prices, in the simplest way. Shares no code
 * with the engine; `price_oracle.ts` finds the price.
 */
import { type AimCase, bruteVerdict, type Verdict } from "./price_oracle.ts";

export interface WhoShop {
  readonly groups: readonly string[];
  readonly isMarketplace: boolean;
  readonly sellerNames: readonly string[];
}

export interface WhoOffer {
  /** The shop, as a letter. */
  readonly shop: string;
  readonly cents: number;
  readonly pieces: number;
  /** Null means with VAT if our price includes VAT. */
  readonly isGross: boolean | null;
  readonly shipping: number | null;
  readonly seller: string | null;
  readonly isExact: boolean;
  readonly condition: string | null;
  readonly inStock: boolean | null;
  readonly ageHours: number;
}

export interface WhoFilter {
  readonly only: readonly string[];
  readonly without: readonly string[];
  readonly groups: readonly string[];
  readonly excludeGroups: readonly string[];
  readonly marketplaces: "with" | "without" | "only";
  readonly inStockOnly: boolean;
  readonly exactOnly: boolean;
  readonly sameCondition: boolean;
  readonly withShipping: boolean;
  readonly maxAgeHours: number | null;
  readonly minCompetitors: number;
}

export interface WhoCase {
  readonly aim: Omit<AimCase, "offers" | "vatPct">;
  readonly shops: Readonly<Record<string, WhoShop>>;
  readonly offers: readonly WhoOffer[];
  readonly filter: WhoFilter;
  readonly condition: string | null;
  /** The product's own shipping. Null means the workspace's shipping. */
  readonly ownShipping: number | null;
  readonly workspaceShipping: number | null;
  readonly vatPct: number;
  readonly isGross: boolean;
}

const MILLION = 1_000_000;

/** Indexes of the offers that the rule uses, in the order of the list. */
export function counting({ offers, shops, filter, condition }: WhoCase): number[] {
  return offers.flatMap((offer, at) => {
    const shop = shops[offer.shop] ?? { groups: [], isMarketplace: false, sellerNames: [] };
    const isNamed = filter.only.includes(offer.shop) || shares(filter.groups, shop.groups);
    if (filter.only.length + filter.groups.length > 0 && !isNamed) return [];
    if (filter.without.includes(offer.shop) || shares(filter.excludeGroups, shop.groups)) return [];
    if (filter.exactOnly && !offer.isExact) return [];
    const isOther = offer.condition !== null && condition !== null && offer.condition !== condition;
    if (filter.sameCondition && isOther) return [];
    if (filter.inStockOnly && offer.inStock === false) return [];
    if (offer.ageHours > (filter.maxAgeHours ?? 48)) return [];
    const who = soldBy(offer, shop);
    if (filter.marketplaces === "without" && who === "another seller") return [];
    if (filter.marketplaces === "only" && who === "the shop") return [];
    return [at];
  });
}

function soldBy(
  { seller }: WhoOffer,
  shop: WhoShop,
): "the shop" | "another seller" | "nobody knows" {
  if (!shop.isMarketplace) return "the shop";
  if (shop.sellerNames.length === 0) return "another seller";
  if (seller === null) return "nobody knows";
  return shares([seller], shop.sellerNames) ? "the shop" : "another seller";
}

function shares(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.some((other) => one.toLowerCase() === other.toLowerCase()));
}

/**
 * An offer's price as a quotient: (price + shipping) ÷ pieces with VAT like ours, less our
 * shipping.
 */
function asked(one: WhoCase, offer: WhoOffer): [cents: number, pieces: number] {
  const { filter, vatPct, isGross } = one;
  const rate = MILLION + Math.round(vatPct * 10_000);
  const paid = offer.cents + (filter.withShipping ? offer.shipping ?? 0 : 0);
  const own = filter.withShipping ? one.ownShipping ?? one.workspaceShipping ?? 0 : 0;
  const theirs = offer.isGross ?? isGross;
  const [up, down] = theirs === isGross ? [1, 1] : isGross ? [rate, MILLION] : [MILLION, rate];
  const left = paid * up - own * offer.pieces * down;
  return [Math.max(0, left), offer.pieces * down];
}

export function whoVerdict(one: WhoCase): Verdict {
  const places = counting(one);
  const shops = new Set(places.map((at) => one.offers[at]?.shop));
  const isEnough = shops.size >= one.filter.minCompetitors;
  const offers = isEnough
    ? places.flatMap((at) => one.offers[at] ?? []).map((offer) => asked(one, offer))
    : [];
  return bruteVerdict({ ...one.aim, offers, vatPct: one.isGross ? one.vatPct : null });
}
