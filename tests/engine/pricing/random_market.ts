/** Random rules, offers and products around given prices. */
import fc from "fast-check";
import type { JudgedRule } from "../../../src/engine/pricing/compile_rule.ts";
import type { Offer, Situation } from "../../../src/engine/pricing/situation.ts";
import { anOffer, aSituation, HOUR_MS, NOW_MS, theTerms } from "./market.ts";

const SHOPS = ["1", "2", "3", "4"].map((digit) => digit.repeat(24));

export const RULE_IDS = ["a", "b", "c", "d", "e"].map((letter) => letter.repeat(24));

export const CLOSE = fc.integer({ min: 8_000, max: 12_000 });

function offers(cents: fc.Arbitrary<number>): fc.Arbitrary<Offer> {
  return fc.record({
    competitorId: fc.constantFrom(...SHOPS),
    priceCents: fc.option(cents, { freq: 10 }),
    previousPriceCents: fc.option(fc.oneof(cents, cents, fc.integer({ min: 100, max: 90_000 }))),
    packFactor: fc.constantFrom(1, 1, 1, 1, 3, 2.5, 0.3333),
    currency: fc.constantFrom("EUR", "EUR", "EUR", "EUR", "CHF"),
    inStock: fc.constantFrom(true, true, false, null),
    confidence: fc.constantFrom(1, 1, 1, 1, 0.9, 0.6, null),
    ageHours: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 60 })),
    sinceHours: fc.integer({ min: 0, max: 100 }),
    pricesIncludeVat: fc.constantFrom(null, null, null, true, false),
    isChangedSince: fc.boolean(),
    isReleased: fc.constantFrom(false, false, true),
  }).map(({ priceCents, ageHours, sinceHours, ...rest }) =>
    anOffer(priceCents, {
      ...rest,
      observedAtMs: priceCents === null ? null : NOW_MS - ageHours * HOUR_MS,
      priceSinceMs: NOW_MS - sinceHours * HOUR_MS,
    })
  );
}

/** `cents` generates our price and the offers' prices; `costs` generates the cost price. */
export function situations(
  cents: fc.Arbitrary<number>,
  costs: fc.Arbitrary<number>,
): fc.Arbitrary<Situation> {
  return fc.record({
    offers: fc.array(offers(cents), { maxLength: 5, size: "max" }),
    product: fc.record({
      brand: fc.constantFrom("Sony", "Bose", null),
      ourPriceCents: fc.option(cents, { freq: 20 }),
      costPriceCents: fc.option(costs, { freq: 8 }),
      targetPriceCents: fc.option(cents),
      maxPriceCents: fc.option(cents, { freq: 3 }),
      vatRatePct: fc.constantFrom(null, 19, 7, 8.1, 19.9999),
      priceLocked: fc.constantFrom(...Array(9).fill(false), true),
    }),
    pricesIncludeVat: fc.boolean(),
    dayAgoCents: fc.option(cents, { freq: 8 }),
    movesOfDay: fc.integer({ min: 0, max: 3 }),
    setHoursAgo: fc.option(fc.integer({ min: 0, max: 40 }), { freq: 2 }),
    firedHoursAgo: fc.option(fc.integer({ min: 0, max: 100 })),
    rank: fc.option(fc.integer({ min: 1, max: 5 })),
    brakedHours: fc.option(fc.integer({ min: -20, max: 20 })),
  }).map((given) => {
    const { dayAgoCents, movesOfDay, setHoursAgo, firedHoursAgo, brakedHours, rank } = given;
    const before = (hours: number | null) => hours === null ? null : NOW_MS - hours * HOUR_MS;
    const past = {
      rank,
      lastFiredAtMs: before(firedHoursAgo),
      ...(brakedHours !== null &&
        { brake: { cuts: [], untilMs: NOW_MS + brakedHours * HOUR_MS } }),
    };
    return aSituation(given.offers, {
      product: given.product,
      settings: { pricesIncludeVat: given.pricesIncludeVat },
      history: {
        rules: Object.fromEntries(RULE_IDS.map((id) => [id, past])),
        openProposal: null,
        price: { dayAgoCents, movesOfDay, setByPersonAtMs: before(setHoursAgo) },
      },
    });
  });
}

const small = fc.integer({ min: 0, max: 30 });
const aims = fc.record({
  reference: fc.constantFrom(
    { kind: "cheapest" },
    { kind: "nth", nth: 2 },
    { kind: "median" },
    { kind: "competitor", competitorId: SHOPS[0] },
    { kind: "target" },
    { kind: "cost" },
  ),
  adjust: fc.constantFrom({ pct: -1 }, { cents: -50 }, { pct: 20 }, {}),
  direction: fc.constantFrom("both", "lower", "raise"),
  rounding: fc.constantFrom(null, { to: "nearest", ranges: [{ endings: ["99"] }] }),
  deadbandPct: fc.constantFrom(0, 1),
  fallback: fc.constantFrom(null, { kind: "cost", pct: 35 }),
}).map((price) => ({ price }));
const formulas = fc.record({
  formula: fc.constantFrom("match_cheapest", "min_competitor_minus_1pct"),
  rounding: fc.constantFrom("none", "x.99"),
});
const bounds = fc.record({
  markupPct: fc.option(small),
  maxMovePct: fc.option(small),
  maxMovePerDayPct: fc.option(small),
  maxMovesPerDay: fc.option(fc.integer({ min: 1, max: 3 })),
  aboveTargetPct: fc.option(small),
});

export const terms = fc.record({
  when: fc.oneof(
    fc.constant({ trigger: "market_index", always: true }),
    fc.record({
      trigger: fc.constantFrom("competitor_undercut", "competitor_overcut"),
      competitorDeltaPct: fc.constantFrom(0, 2, 10),
    }),
    fc.constantFrom({ trigger: "margin_below", marginPct: 30 }, { trigger: "position_change" }),
  ),
  scope: fc.constantFrom(
    { mode: "all" },
    { mode: "all" },
    { mode: "attribute", matches: { brand: ["Sony"] } },
  ),
  priority: fc.integer({ min: 1, max: 3 }),
  price: fc.oneof(aims, aims, formulas),
  kind: fc.constantFrom("propose", "apply", "apply", "tell"),
  bounds: fc.option(bounds),
  floorPct: fc.option(fc.integer({ min: 0, max: 50 })),
  maxChangePct: fc.constantFrom(5, 30, 60),
}).map(({ price, kind, bounds, floorPct, maxChangePct, ...rest }): Record<string, unknown> => {
  const actions = {
    propose: [{ type: "propose_price", ...price }],
    apply: [{ type: "auto_apply_if_safe", ...price, maxChangePct }],
    tell: [{ type: "alert_inapp" }],
  };
  return {
    ...rest,
    actions: actions[kind],
    marginFloor: floorPct === null ? null : { pct: floorPct },
    bounds: "price" in price && kind !== "tell" ? bounds : null,
  };
});

export function ruleAt(at: number, given: Record<string, unknown>): JudgedRule {
  return { ...theTerms({ ...given, enabled: true }), id: RULE_IDS[at] ?? "" };
}
