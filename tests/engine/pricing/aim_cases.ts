/** Fixed and random test cases for the prices that rules aim at, and for their offer filters. */
import fc from "fast-check";
import { z } from "zod";
import { Bounds } from "../../../src/engine/pricing/bounds.ts";
import { type CompiledRule, compileRule } from "../../../src/engine/pricing/compile_rule.ts";
import { referenceFields } from "../../../src/engine/pricing/reference.ts";
import { NO_HISTORY, type Offer, shopTermsOf } from "../../../src/engine/pricing/situation.ts";
import { anOffer, aSituation, decide, HOUR_MS, NOW_MS, theTerms } from "./market.ts";
import { type AimCase, type AimFilter, NO_SHOP, type Verdict } from "./price_oracle.ts";

export const A = "a".repeat(24);
export const B = "b".repeat(24);
export const C = "c".repeat(24);
export const D = "d".repeat(24);
export const E = "e".repeat(24);

const ALWAYS = { trigger: "market_index", always: true };
const ANYBODY: AimFilter = z.object(referenceFields).parse({});

/** Makes one offer of competitor `A` per price, in cents. */
export function of(...prices: readonly number[]): Offer[] {
  return prices.map((cents) => anOffer(cents, { competitorId: A }));
}

/** By default, our price is 20.00, the cost is 10.00, and the rule aims at the cheapest offer. */
const PLAIN: AimCase = {
  ...Bounds.parse({}),
  ours: 2_000,
  cost: 1_000,
  target: 2_500,
  productMin: null,
  productMax: null,
  vatPct: 19,
  isGross: true,
  offers: [],
  shops: {},
  filter: ANYBODY,
  condition: null,
  ownShipping: null,
  workspaceShipping: null,
  kind: "cheapest",
  nth: null,
  adjustPct: null,
  adjustCents: null,
  direction: "both",
  way: "down",
  ranges: [],
  deadbandPct: 0,
  floorPct: null,
  dayAgo: null,
  movesOfDay: 0,
};

type Given = Partial<Omit<AimCase, "filter">> & { readonly filter?: Partial<AimFilter> };

export function aimCase({ filter, ...given }: Given): AimCase {
  return { ...PLAIN, ...given, filter: { ...ANYBODY, ...filter } };
}

export function ruleOf(one: AimCase): CompiledRule {
  const ranges = one.ranges.map(([belowCents, endings]) => ({ belowCents, endings }));
  return compileRule(theTerms({
    when: { ...ALWAYS, ...one.filter },
    marginFloor: one.floorPct === null ? null : { pct: one.floorPct },
    bounds: z.object(Bounds.shape).parse(one),
    actions: [{
      type: "propose_price",
      price: {
        reference: { kind: one.kind, nth: one.nth },
        adjust: { pct: one.adjustPct, cents: one.adjustCents },
        direction: one.direction,
        rounding: { to: one.way, ranges },
        deadbandPct: one.deadbandPct,
      },
    }],
  }));
}

export const matchAt = (at: number) => `match ${at}`;

export function situationOf(one: AimCase) {
  const offers = one.offers.map((offer, at) => ({
    ...offer,
    matchId: matchAt(at),
    shop: shopTermsOf(one.shops[offer.competitorId] ?? NO_SHOP),
  }));
  return aSituation(offers, {
    product: {
      ourPriceCents: one.ours,
      costPriceCents: one.cost,
      targetPriceCents: one.target,
      minPriceCents: one.productMin,
      maxPriceCents: one.productMax,
      shippingCents: one.ownShipping,
      condition: one.condition,
      vatRatePct: one.vatPct,
    },
    settings: { pricesIncludeVat: one.isGross, ownShippingCents: one.workspaceShipping },
    history: {
      ...NO_HISTORY,
      price: { dayAgoCents: one.dayAgo, movesOfDay: one.movesOfDay, setByPersonAtMs: null },
    },
  });
}

/** The engine's decision, in the form that `bruteVerdict` returns. */
export function verdictOf(one: AimCase): Verdict {
  const { proposedCents, blocked, goalCents } = decide(ruleOf(one), situationOf(one));
  return { cents: proposedCents, code: blocked[0] ?? null, goalCents };
}

const cents = (max: number) => fc.integer({ min: 1, max });
const pct = (min: number, max: number) =>
  fc.oneof(
    fc.integer({ min, max }),
    fc.integer({ min: min * 10_000, max: max * 10_000 }).map((value) => value / 10_000),
  );
const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { freq: 2 });

const seldom = <T>(some: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: fc.constant(null), weight: 3 }, { arbitrary: some, weight: 1 });

const endings = fc.array(
  fc.constantFrom("9", "99", "95", "90", "49", "00", "990", "949", "099", "5"),
  { maxLength: 3 },
);
const ranges: fc.Arbitrary<AimCase["ranges"]> = fc.oneof(
  fc.constant([]),
  endings.map((one): AimCase["ranges"] => [[null, one]]),
  fc.record({ at: cents(3_000), low: endings, high: endings }).map(
    ({ at, low, high }): AimCase["ranges"] => [[at, low], [null, high]],
  ),
);

const some = (names: readonly string[]) => fc.subarray([...names], { maxLength: 2 });
const usually = <T>(one: fc.Arbitrary<T>, usual: T, weight = 2) =>
  fc.oneof({ arbitrary: fc.constant(usual), weight }, { arbitrary: one, weight: 1 });

const shop = fc.record({
  groups: some(["Online", "Filialen", "Baumärkte"]),
  isMarketplace: fc.boolean(),
  sellerNames: some(["Riese", "Riese GmbH"]),
});
const offer: fc.Arbitrary<Offer> = fc.record({
  competitorId: fc.constantFrom(A, B, C, D),
  cents: cents(4_000),
  packFactor: fc.constantFrom(1, 1, 1, 2, 3),
  pricesIncludeVat: fc.constantFrom(null, null, true, false),
  shippingCents: fc.option(fc.integer({ min: 0, max: 900 })),
  seller: fc.constantFrom(null, "Riese", "RIESE GMBH", "Zwerg"),
  // An offer without a match type counts as an exact match.
  matchType: fc.constantFrom(undefined, "exact", "equivalent", "equivalent"),
  condition: fc.constantFrom(null, "new", "used"),
  inStock: fc.constantFrom(null, true, true, true, false),
  ageHours: fc.constantFrom(1, 1, 1, 5, 5, 47, 48, 48, 49),
}).map(({ cents, ageHours, ...rest }) =>
  anOffer(cents, { ...rest, observedAtMs: NOW_MS - ageHours * HOUR_MS })
);
const filter: fc.Arbitrary<AimFilter> = fc.record({
  competitorIds: usually(some([A, B, C, D]), []),
  excludeCompetitorIds: usually(some([A, B, C, D]), []),
  groups: usually(some(["online", "FILIALEN", "Niemand"]), []),
  excludeGroups: usually(some(["Online", "Baumärkte"]), []),
  marketplaces: fc.constantFrom("with", "with", "without", "only"),
  inStockOnly: fc.boolean(),
  exactOnly: fc.boolean(),
  sameCondition: fc.boolean(),
  withShipping: fc.boolean(),
  maxAgeHours: usually(fc.constantFrom(4, 48, 720), null),
  minCompetitors: usually(fc.integer({ min: 1, max: 3 }), 1),
}).map((drawn) => ({ ...ANYBODY, ...drawn }));

/** Prices are close together, so that bounds, endings and limits often conflict. */
export const aimCases: fc.Arbitrary<AimCase> = fc.record({
  ours: cents(3_000),
  cost: fc.option(cents(2_000), { freq: 12 }),
  target: fc.option(cents(4_000), { freq: 4 }),
  productMin: seldom(cents(2_000)),
  productMax: seldom(cents(6_000)),
  vatPct: fc.constantFrom(19, 7, 8.1, 19.9999),
  isGross: fc.boolean(),
  offers: fc.array(offer, { minLength: 2, maxLength: 7 }),
  shops: fc.record({ [A]: shop, [B]: shop, [C]: shop }),
  filter: usually(filter, ANYBODY, 3),
  condition: fc.constantFrom(null, "new"),
  ownShipping: fc.option(fc.integer({ min: 0, max: 700 })),
  workspaceShipping: fc.option(fc.integer({ min: 0, max: 700 })),
  kind: fc.constantFrom("cheapest", "nth", "highest", "average", "median", "target", "cost"),
  nth: fc.integer({ min: 1, max: 3 }),
  adjust: fc.oneof(
    fc.constant({}),
    pct(-30, 60).map((adjustPct) => ({ adjustPct })),
    fc.integer({ min: -200, max: 200 }).map((adjustCents) => ({ adjustCents })),
  ),
  direction: fc.constantFrom("both", "both", "lower", "raise"),
  way: fc.constantFrom("down", "up", "nearest"),
  ranges,
  deadbandPct: fc.oneof(fc.constant(0), pct(0, 10)),
  floorPct: maybe(pct(0, 60)),
  markupPct: maybe(pct(0, 80)),
  minCents: maybe(cents(2_000)),
  maxCents: maybe(fc.integer({ min: 2_000, max: 6_000 })),
  belowTargetPct: maybe(pct(0, 60)),
  aboveTargetPct: maybe(pct(0, 40)),
  maxMovePct: maybe(pct(0, 20)),
  maxMovePerDayPct: seldom(pct(0, 30)),
  maxMovesPerDay: seldom(fc.integer({ min: 1, max: 3 })),
  dayAgoPct: fc.option(fc.integer({ min: 80, max: 120 }), { freq: 4 }),
  movesOfDay: fc.constantFrom(0, 0, 0, 0, 0, 1, 2),
}).map(({ adjust, nth, kind, dayAgoPct, ...rest }): AimCase => ({
  ...aimCase(rest),
  kind,
  nth: kind === "nth" ? nth : null,
  dayAgo: dayAgoPct === null ? null : Math.max(1, Math.round(rest.ours * dayAgoPct / 100)),
  ...adjust,
}));
