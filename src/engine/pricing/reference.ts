/** References: the competitors' prices that a rule compares with (docs/decisions/rules.md). */

import { add, compareFractions, divide, type Fraction, whole } from "../../base/fraction.ts";
import { HOUR_MS } from "../../base/time.ts";
import { Names, orDefault, orNull } from "./field.ts";
import {
  foldAll,
  isBySeller,
  type LeftOut,
  type Market,
  type Mode,
  type Offer,
  type PricedOffer,
  type ShopTerms,
  withShipping,
} from "./situation.ts";
import { z } from "zod";

const REFERENCE_KINDS = ["cheapest", "second", "average", "highest"] as const;
export type ReferenceKind = (typeof REFERENCE_KINDS)[number];

/** `without` excludes marketplace sellers' offers; `only` excludes offers of shops themselves. */
const MARKETPLACES = ["with", "without", "only"] as const;
export type Marketplaces = (typeof MARKETPLACES)[number];

export const MAX_AGE_HOURS = {
  live: 48,
  explain: 48,
  preview: 48,
  backtest: 48,
  simulate: 720,
} as const;
const COMPETITORS_MAX = 200;

const CompetitorIds = z.array(z.string().regex(/^[0-9a-f]{24}$/, "Must be an id"))
  .max(COMPETITORS_MAX);

export const referenceFields = {
  reference: orDefault(z.enum(REFERENCE_KINDS), "cheapest").meta({
    title: "Compare with",
    description: "Which of the competitors' prices counts",
  }),
  competitorIds: orDefault(CompetitorIds, []).meta({
    title: "Only these competitors",
    description: "Empty: all competitors",
  }),
  excludeCompetitorIds: orDefault(CompetitorIds, []).meta({
    title: "Without these competitors",
    description: "Their prices are ignored",
  }),
  groups: orDefault(Names, []).meta({
    title: "Only these groups",
    description:
      "Names of competitor groups, in addition to the named competitors; empty: all competitors",
  }),
  excludeGroups: orDefault(Names, []).meta({
    title: "Without these groups",
    description: "The prices of competitors in these groups are ignored",
  }),
  marketplaces: orDefault(z.enum(MARKETPLACES), "with").meta({
    title: "Sellers on marketplaces",
    description: "Whether their offers count. Offers of an unknown seller always count",
  }),
  inStockOnly: orDefault(z.boolean(), true).meta({
    title: "Only what is in stock",
    description: "An unknown stock counts as in stock",
  }),
  maxAgeHours: orNull(z.int().min(1).max(720)).meta({
    title: "Oldest price in hours",
    description: "Null: 48, or 720 in a simulation. A given value applies to both",
  }),
  minCompetitors: orDefault(z.int().min(1).max(COMPETITORS_MAX), 1).meta({
    title: "Least number of competitors",
    description: "The rule rests if there are fewer distinct competitors",
  }),
  exactOnly: orDefault(z.boolean(), false).meta({
    title: "Only the same article",
    description: "Ignores offers of articles that are only similar",
  }),
  sameCondition: orDefault(z.boolean(), false).meta({
    title: "Only in the same condition",
    description: "Such as new or used; an unknown condition counts as the same",
  }),
  withShipping: orDefault(z.boolean(), false).meta({
    title: "With shipping",
    description:
      "Competitors' prices plus their known shipping, minus our own shipping. Always true if " +
      "`compareDelivered` is set in the settings",
  }),
  withoutShipping: orDefault(z.boolean(), false).meta({
    title: "Without shipping",
    description:
      "Compares prices without shipping, and overrides `compareDelivered` and `withShipping`",
  }),
};

export type ReferenceTerms = {
  readonly [Field in keyof typeof referenceFields]: z.output<(typeof referenceFields)[Field]>;
};

export type ReferenceOptions = Readonly<ReturnType<typeof readOptions>>;

export function readOptions(terms: ReferenceTerms) {
  const { competitorIds, excludeCompetitorIds, groups, excludeGroups } = terms;
  return {
    ...terms,
    kind: terms.reference,
    only: competitorIds.length === 0 ? null : new Set(competitorIds),
    without: excludeCompetitorIds.length === 0 ? null : new Set(excludeCompetitorIds),
    /**
     * If `only` or `groups` is set, the rule uses just the competitors that are in `only` or belong
     * to one of the `groups`. Names of groups are normalised by `fold`.
     */
    groups: groups.length === 0 ? null : foldAll(groups),
    withoutGroups: excludeGroups.length === 0 ? null : foldAll(excludeGroups),
    /** True if compared prices include shipping costs; null if the settings decide. */
    withShipping: terms.withoutShipping ? false : terms.withShipping || null,
  };
}

export const DEFAULT_OPTIONS = readOptions(z.strictObject(referenceFields).parse({}));

export type References = Readonly<ReturnType<typeof selectReferences>>;

export const NO_REFERENCES: References = { offers: [], areEnough: false };

export function comparesDelivered({ withShipping }: ReferenceOptions, market: Market): boolean {
  return withShipping ?? market.situation.settings.compareDelivered;
}

export function selectReferences(options: ReferenceOptions, market: Market) {
  const oldestMs = oldestMsOf(options, market);
  const offers: readonly PricedOffer[] = market.priced.filter(({ offer, observedAtMs }) =>
    observedAtMs >= oldestMs && exclusionOf(options, offer, market) === null
  );
  return {
    offers: comparesDelivered(options, market) ? withShipping(offers, market) : offers,
    areEnough: areEnough(offers, options.minCompetitors),
  };
}

export function leftOut(options: ReferenceOptions, market: Market) {
  const oldestMs = oldestMsOf(options, market);
  const outs: { readonly offer: Offer; readonly why: LeftOut }[] = [...market.unpriced];
  for (const { offer, observedAtMs } of market.priced) {
    const why = exclusionOf(options, offer, market) ?? (observedAtMs < oldestMs ? "stale" : null);
    if (why !== null) outs.push({ offer, why });
  }
  return outs;
}

/** True if only the unknown VAT rate keeps the rule from using a competitor's price. */
export function lacksVat(options: ReferenceOptions, market: Market): boolean {
  if (market.unpriced.length === 0) return false;
  const oldestMs = oldestMsOf(options, market);
  return market.unpriced.some(({ offer, why }) =>
    why === "vat_unknown" && (offer.observedAtMs ?? 0) >= oldestMs &&
    exclusionOf(options, offer, market) === null
  );
}

export function isWatched(
  { only, without, groups, withoutGroups }: ReferenceOptions,
  { competitorId, shop }: Offer,
): boolean {
  const isLimited = only !== null || groups !== null;
  if (isLimited && !only?.has(competitorId) && !isIn(groups, shop)) return false;
  return !without?.has(competitorId) && !isIn(withoutGroups, shop);
}

function isIn(groups: ReadonlySet<string> | null, shop: ShopTerms | undefined): boolean {
  return groups !== null && shop !== undefined && !groups.isDisjointFrom(shop.groups);
}

export function referencePrice(kind: ReferenceKind, references: References): Fraction | null {
  const offers = referenceOffers(kind, references);
  if (offers.length > 1) return divide(sumOf(offers), whole(offers.length));
  return offers[0]?.unit ?? null;
}

/** Arguments for `slice` that select the compared offers from a list sorted by price. */
const PLACES = { cheapest: [0, 1], second: [1, 2], highest: [-1], average: [0] } as const;

export function referenceOffers(kind: ReferenceKind, { offers }: References): PricedOffer[] {
  return offers.slice(...PLACES[kind]);
}

export function cheapestPrice({ offers }: References): Fraction {
  return offers[0]?.unit ?? whole(0);
}

export function cheapestOffers(references: References): readonly PricedOffer[] {
  const price = cheapestPrice(references);
  return references.offers.filter(({ unit }) => compareFractions(unit, price) === 0);
}

export function sumOf(offers: readonly PricedOffer[]): Fraction {
  return offers.reduce((sum, { unit }) => add(sum, unit), whole(0));
}

/** `offers` must be sorted by price. */
export function medianOf(offers: readonly PricedOffer[]): Fraction {
  const middle = (offers.length - 1) / 2;
  const low = offers[Math.floor(middle)]?.unit ?? whole(0);
  const high = offers[Math.ceil(middle)]?.unit ?? whole(0);
  return divide(add(low, high), whole(2));
}

export function rankOf(ourPriceCents: number, { offers }: References): number {
  const ours = whole(ourPriceCents);
  const dearer = offers.findIndex(({ unit }) => compareFractions(unit, ours) >= 0);
  return (dearer < 0 ? offers.length : dearer) + 1;
}

export function maxAgeHoursOf({ maxAgeHours }: ReferenceOptions, mode: Mode): number {
  return maxAgeHours ?? MAX_AGE_HOURS[mode];
}

export function maxAgeMs(options: ReferenceOptions, mode: Mode): number {
  return maxAgeHoursOf(options, mode) * HOUR_MS;
}

export function oldestMsOf(options: ReferenceOptions, { situation }: Market): number {
  return situation.nowMs - maxAgeMs(options, situation.mode);
}

function exclusionOf(options: ReferenceOptions, offer: Offer, { situation: { product } }: Market) {
  if (!isWatched(options, offer)) return "competitor_excluded";
  if (options.exactOnly && offer.matchType === "equivalent") return "not_exact";
  const [theirs, ours] = [offer.condition ?? null, product.condition];
  if (options.sameCondition && theirs !== null && ours !== null && theirs !== ours) {
    return "other_condition";
  }
  if (options.marketplaces !== "with") {
    const bySeller = isBySeller(offer);
    if (bySeller === true && options.marketplaces === "without") return "by_seller";
    if (bySeller === false && options.marketplaces === "only") return "no_seller";
  }
  return options.inStockOnly && offer.inStock === false ? "out_of_stock" : null;
}

function areEnough(offers: readonly PricedOffer[], minCompetitors: number): boolean {
  if (offers.length < minCompetitors) return false;
  if (minCompetitors === 1) return true;
  return new Set(offers.map(({ offer }) => offer.competitorId)).size >= minCompetitors;
}
