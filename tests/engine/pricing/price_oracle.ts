/**
 * Finds the price that a rule should set, by trying every amount. Shares only types with the
 * engine, so that an error of the engine cannot recur here.
 */

import type { JudgedRule } from "../../../src/engine/pricing/compile_rule.ts";
import type { ReferenceTerms } from "../../../src/engine/pricing/reference.ts";
import type { Offer, shopTermsOf } from "../../../src/engine/pricing/situation.ts";
import { HOUR_MS, NOW_MS } from "./market.ts";

export type AimShop = Parameters<typeof shopTermsOf>[0];
export type AimFilter = ReferenceTerms;

/** A product, its market and a rule. Amounts are in minor units such as cents; 5 % is 5. */
export interface AimCase extends NonNullable<JudgedRule["bounds"]> {
  readonly ours: number;
  readonly cost: number | null;
  readonly target: number | null;
  readonly productMin: number | null;
  readonly productMax: number | null;
  readonly vatPct: number;
  readonly isGross: boolean;
  readonly offers: readonly Offer[];
  /** Facts about shops, by the id of the competitor. */
  readonly shops: Readonly<Record<string, AimShop>>;
  readonly filter: AimFilter;
  readonly condition: string | null;
  /** Null if the workspace's shipping applies. */
  readonly ownShipping: number | null;
  readonly workspaceShipping: number | null;
  readonly kind: "cheapest" | "nth" | "highest" | "average" | "median" | "target" | "cost";
  readonly nth: number | null;
  readonly adjustPct: number | null;
  readonly adjustCents: number | null;
  readonly direction: "both" | "lower" | "raise";
  readonly way: "down" | "up" | "nearest";
  readonly ranges: readonly (readonly [belowCents: number | null, endings: readonly string[]])[];
  readonly deadbandPct: number;
  readonly floorPct: number | null;
  readonly dayAgo: number | null;
  readonly movesOfDay: number;
}

export interface Verdict {
  readonly cents: number | null;
  /** Why there is no price; null if there is one. */
  readonly code: string | null;
  /** The price before `maxMove…` limits; null if an input or an allowed amount is missing. */
  readonly goalCents: number | null;
}

type Ratio = readonly [bigint, bigint];

const MILLION = 1_000_000n;
const ppm = (pct: number) => BigInt(Math.round(pct * 10_000));

const AMOUNTS = 60_000;

/** The exact prices per piece of the offers that the rule uses, in ascending order. */
function unitsOf(one: AimCase): readonly Ratio[] {
  const used = counting(one).flatMap((at) => one.offers[at] ?? []);
  if (new Set(used.map(({ competitorId }) => competitorId)).size < one.filter.minCompetitors) {
    return [];
  }
  return used.map((offer) => asked(one, offer))
    .sort((a, b) => Number(a[0] * b[1] - b[0] * a[1]));
}

export function bruteVerdict(one: AimCase): Verdict {
  const missing = missingIn(one);
  if (missing !== null) return { cents: null, code: missing, goalCents: null };
  const allowed: number[] = [];
  const keeps = boundsOf(one);
  for (let cents = 1; cents <= AMOUNTS; cents++) if (keeps(cents)) allowed.push(cents);
  if (allowed.length === 0) return { cents: null, code: "bounds_conflict", goalCents: null };
  const [low, high] = [allowed[0]!, allowed.at(-1)!];
  const wish = within(wishOf(one), low, high);
  if (compare(wish, one.ours) === 0) {
    return { cents: null, code: "no_change", goalCents: one.ours };
  }
  const ended = allowed.filter((cents) => hasEnding(one, cents));
  const goalCents = rounded(one, wish, ended.length > 0 ? ended : allowed);
  const none = (code: string): Verdict => ({ cents: null, code, goalCents });
  if (goalCents === one.ours) return none("no_change");
  const isUp = goalCents > one.ours;
  if (isUp !== compare(wish, one.ours) > 0) return none("ending_beyond");
  if (one.direction === "lower" && isUp || one.direction === "raise" && !isUp) {
    return none("direction");
  }
  const isSmall = BigInt(Math.abs(goalCents - one.ours)) * MILLION <
    BigInt(one.ours) * ppm(one.deadbandPct);
  if (isSmall && one.ours >= low && one.ours <= high) return none("deadband");
  if (isNear(one, goalCents)) return given(one, goalCents, goalCents);
  const onTheWay = allowed.filter((cents) =>
    isNear(one, cents) && (isUp ? cents > one.ours && cents <= goalCents : cents < one.ours &&
      cents >= goalCents)
  );
  const withEnding = onTheWay.filter((cents) => hasEnding(one, cents));
  const open = withEnding.length > 0 ? withEnding : onTheWay;
  if (open.length === 0) return none("max_move");
  return given(one, isUp ? Math.max(...open) : Math.min(...open), goalCents);
}

function given({ maxMovesPerDay, movesOfDay }: AimCase, cents: number, goalCents: number): Verdict {
  const isSpent = maxMovesPerDay !== null && movesOfDay >= maxMovesPerDay;
  return isSpent
    ? { cents: null, code: "moves_per_day", goalCents }
    : { cents, code: null, goalCents };
}

type Inequality = readonly [factor: bigint, bound: bigint];

/** Returns a function that checks an amount against the bounds of the rule and the product. */
function boundsOf(one: AimCase): (cents: number) => boolean {
  const { cost, target } = one;
  const gross = grossOf(one);
  const least: Inequality[] = [];
  const most: Inequality[] = [];
  if (one.floorPct !== null) {
    least.push([MILLION * (MILLION - ppm(one.floorPct)), BigInt(cost!) * gross * MILLION]);
  }
  if (one.markupPct !== null) {
    const bound = BigInt(cost!) * (MILLION + ppm(one.markupPct)) * gross;
    least.push([MILLION * MILLION, bound]);
  }
  if (target !== null) {
    const [below, above] = [one.belowTargetPct, one.aboveTargetPct];
    if (below !== null) least.push([MILLION, BigInt(target) * (MILLION - ppm(below))]);
    if (above !== null) most.push([MILLION, BigInt(target) * (MILLION + ppm(above))]);
  }
  const min = Math.max(one.minCents ?? 1, one.productMin ?? 1);
  const max = Math.min(one.maxCents ?? AMOUNTS, one.productMax ?? AMOUNTS);
  return (cents) => {
    if (cents < min || cents > max) return false;
    const amount = BigInt(cents);
    return least.every(([factor, bound]) => amount * factor >= bound) &&
      most.every(([factor, bound]) => amount * factor <= bound);
  };
}

function isNear({ maxMovePct, maxMovePerDayPct, ours, dayAgo }: AimCase, cents: number): boolean {
  const isWithin = (from: number, pct: number | null) =>
    pct === null || BigInt(Math.abs(cents - from)) * MILLION <= BigInt(from) * ppm(pct);
  return isWithin(ours, maxMovePct) && (dayAgo === null || isWithin(dayAgo, maxMovePerDayPct));
}

function grossOf({ isGross, vatPct }: AimCase): bigint {
  return MILLION + (isGross ? ppm(vatPct) : 0n);
}

function missingIn(one: AimCase): string | null {
  if (one.cost === null && (one.floorPct !== null || one.markupPct !== null)) return "cost_unknown";
  switch (one.kind) {
    case "cost":
      return one.cost === null ? "cost_unknown" : null;
    case "target":
      return one.target === null ? "target_unknown" : null;
    default:
      return unitsOf(one).length < (one.nth ?? 1) ? "no_reference" : null;
  }
}

function wishOf(one: AimCase): Ratio {
  const [num, den] = referenceOf(one);
  if (one.adjustPct !== null) return [num * (MILLION + ppm(one.adjustPct)), den * MILLION];
  return [num + BigInt(one.adjustCents ?? 0) * den, den];
}

function referenceOf(one: AimCase): Ratio {
  const units = unitsOf(one);
  switch (one.kind) {
    case "cost":
      return [BigInt(one.cost!) * grossOf(one), MILLION];
    case "target":
      return [BigInt(one.target!), 1n];
    case "cheapest":
      return units[0]!;
    case "nth":
      return units[one.nth! - 1]!;
    case "highest":
      return units.at(-1)!;
    case "average":
      return mean(units);
    case "median": {
      const half = units.length >> 1;
      return units.length % 2 === 1 ? units[half]! : mean([units[half - 1]!, units[half]!]);
    }
  }
}

function mean(units: readonly Ratio[]): Ratio {
  const [num, den] = units.reduce(([n, d], [num, den]) => [n * den + num * d, d * den], [0n, 1n]);
  return [num, den * BigInt(units.length)];
}

function within(wish: Ratio, low: number, high: number): Ratio {
  if (compare(wish, low) < 0) return [BigInt(low), 1n];
  return compare(wish, high) > 0 ? [BigInt(high), 1n] : wish;
}

function rounded(one: AimCase, wish: Ratio, amounts: readonly number[]): number {
  const below = amounts.filter((cents) => compare(wish, cents) >= 0).at(-1);
  const above = amounts.find((cents) => compare(wish, cents) <= 0);
  if (below === undefined || above === undefined) return (below ?? above)!;
  if (one.way !== "nearest") return one.way === "down" ? below : above;
  const [num, den] = wish;
  return num - BigInt(below) * den <= BigInt(above) * den - num ? below : above;
}

function hasEnding({ ranges }: AimCase, cents: number): boolean {
  if (ranges.length === 0) return true;
  const [, endings] = ranges.find(([below]) => below === null || cents < below)!;
  return endings.length === 0 ||
    endings.some((ending) => String(cents).padStart(ending.length, "0").endsWith(ending));
}

function compare([num, den]: Ratio, cents: number): number {
  const amount = BigInt(cents) * den;
  return num < amount ? -1 : num > amount ? 1 : 0;
}

export const NO_SHOP: AimShop = { groups: [], isMarketplace: false, sellerNames: [] };

/** Returns the indexes of the offers that the rule uses. */
export function counting({ offers, shops, filter, condition }: AimCase): number[] {
  const { competitorIds: only, excludeCompetitorIds: without, groups, excludeGroups } = filter;
  return offers.flatMap((offer, at) => {
    const shop = shops[offer.competitorId] ?? NO_SHOP;
    const isNamed = only.includes(offer.competitorId) || shares(groups, shop.groups);
    if (only.length + groups.length > 0 && !isNamed) return [];
    if (without.includes(offer.competitorId) || shares(excludeGroups, shop.groups)) return [];
    if (filter.exactOnly && offer.matchType === "equivalent") return [];
    const isOther = offer.condition && condition && offer.condition !== condition;
    if (filter.sameCondition && isOther) return [];
    if (filter.inStockOnly && offer.inStock === false) return [];
    if (NOW_MS - offer.observedAtMs! > (filter.maxAgeHours ?? 48) * HOUR_MS) return [];
    const who = soldBy(offer, shop);
    if (filter.marketplaces === "without" && who === "another seller") return [];
    if (filter.marketplaces === "only" && who === "the shop") return [];
    return [at];
  });
}

function soldBy({ seller }: Offer, shop: AimShop): "the shop" | "another seller" | "nobody knows" {
  if (!shop.isMarketplace) return "the shop";
  if (shop.sellerNames.length === 0) return "another seller";
  if (!seller) return "nobody knows";
  return shares([seller], shop.sellerNames) ? "the shop" : "another seller";
}

function shares(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.some((other) => one.toLowerCase() === other.toLowerCase()));
}

/** (price + shipping) ÷ pieces − our shipping, at least 0, with VAT if our price includes VAT. */
function asked(one: AimCase, offer: Offer): Ratio {
  const { filter, vatPct, isGross } = one;
  const [rate, parts] = [Number(MILLION + ppm(vatPct)), Number(MILLION)];
  const paid = offer.priceCents! + (filter.withShipping ? offer.shippingCents ?? 0 : 0);
  const own = filter.withShipping ? one.ownShipping ?? one.workspaceShipping ?? 0 : 0;
  const theirs = offer.pricesIncludeVat ?? isGross;
  const [up, down] = theirs === isGross ? [1, 1] : isGross ? [rate, parts] : [parts, rate];
  const left = paid * up - own * offer.packFactor * down;
  return [BigInt(Math.max(0, left)), BigInt(offer.packFactor * down)];
}
