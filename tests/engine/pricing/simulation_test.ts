import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type { JudgedRule } from "../../../src/engine/pricing/compile_rule.ts";
import type { Offer, Situation } from "../../../src/engine/pricing/situation.ts";
import {
  isSimulated,
  simulateProduct,
  SimulationCount,
  simulationQuestion,
  withoutCooldowns,
} from "../../../src/engine/pricing/simulation.ts";
import { anOffer, aSituation, HOUR_MS, NOW_MS, theTerms } from "./market.ts";
import { type AskedRules, type PlainSimulation, simulatePlainly } from "./plain_simulation.ts";
import { extent, IS_LONG } from "../../proof.ts";
import fc from "fast-check";

/** Prices are close together, so that rules fire, rest, and meet bounds and each other. */
const cents = fc.integer({ min: 8_000, max: 12_000 });
const SHOPS = ["1", "2", "3", "4"].map((digit) => digit.repeat(24));
const OWN = "a".repeat(24);
const OTHERS = ["b", "c", "d", "e"].map((letter) => letter.repeat(24));

const offer: fc.Arbitrary<Offer> = fc.record({
  competitorId: fc.constantFrom(...SHOPS),
  priceCents: fc.option(cents, { freq: 10 }),
  previousPriceCents: fc.option(fc.oneof(cents, cents, fc.integer({ min: 100, max: 90_000 }))),
  packFactor: fc.constantFrom(1, 1, 1, 2.5),
  currency: fc.constantFrom("EUR", "EUR", "EUR", "EUR", "CHF"),
  inStock: fc.constantFrom(true, true, false, null),
  confidence: fc.constantFrom(1, 1, 1, 1, 0.9, 0.6),
  ageHours: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 60 })),
  sinceHours: fc.integer({ min: 0, max: 100 }),
  isChangedSince: fc.boolean(),
  isReleased: fc.constantFrom(false, false, true),
}).map(({ priceCents, ageHours, sinceHours, ...rest }) =>
  anOffer(priceCents, {
    ...rest,
    observedAtMs: priceCents === null ? null : NOW_MS - ageHours * HOUR_MS,
    priceSinceMs: NOW_MS - sinceHours * HOUR_MS,
  })
);

const hoursAgo = fc.option(fc.integer({ min: 0, max: 100 }));

const situation: fc.Arbitrary<Situation> = fc.record({
  offers: fc.array(offer, { maxLength: 5, size: "max" }),
  brand: fc.constantFrom("Sony", "Bose", null),
  ourPriceCents: fc.option(cents, { freq: 20 }),
  costPriceCents: fc.option(fc.integer({ min: 3_000, max: 9_000 }), { freq: 8 }),
  targetPriceCents: fc.option(cents),
  maxPriceCents: fc.option(cents, { freq: 3 }),
  priceLocked: fc.constantFrom(...Array(9).fill(false), true),
  dayAgoCents: fc.option(cents, { freq: 8 }),
  movesOfDay: fc.integer({ min: 0, max: 3 }),
  setHoursAgo: fc.option(fc.integer({ min: 0, max: 40 }), { freq: 2 }),
  firedHoursAgo: hoursAgo,
  rank: fc.option(fc.integer({ min: 1, max: 5 })),
  brakedHours: fc.option(fc.integer({ min: -20, max: 20 })),
}).map((given) => {
  const { offers, dayAgoCents, movesOfDay, setHoursAgo, firedHoursAgo, rank, ...rest } = given;
  const { brakedHours, ...product } = rest;
  const past = {
    rank,
    lastFiredAtMs: firedHoursAgo === null ? null : NOW_MS - firedHoursAgo * HOUR_MS,
    ...(brakedHours === null
      ? {}
      : { brake: { cuts: [], untilMs: NOW_MS + brakedHours * HOUR_MS } }),
  };
  return aSituation(offers, {
    product,
    history: {
      rules: Object.fromEntries([OWN, ...OTHERS].map((id) => [id, past])),
      openProposal: null,
      price: {
        dayAgoCents,
        movesOfDay,
        setByPersonAtMs: setHoursAgo === null ? null : NOW_MS - setHoursAgo * HOUR_MS,
      },
    },
  });
});

const small = fc.integer({ min: 0, max: 30 });
const reference = fc.constantFrom(
  { kind: "cheapest" },
  { kind: "nth", nth: 2 },
  { kind: "median" },
  { kind: "competitor", competitorId: SHOPS[0] },
  { kind: "target" },
  { kind: "cost" },
);
const aim = fc.record({
  reference,
  adjust: fc.constantFrom({ pct: -1 }, { cents: -50 }, { pct: 20 }, {}),
  direction: fc.constantFrom("both", "lower", "raise"),
  rounding: fc.constantFrom(null, { to: "nearest", ranges: [{ endings: ["99"] }] }),
  deadbandPct: fc.constantFrom(0, 1),
  fallback: fc.constantFrom(null, { kind: "cost", pct: 35 }),
}).map((price) => ({ price }));
const formula = fc.record({
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

/** The rule proposes, applies, or only alerts. */
const kinds = fc.constantFrom("propose", "apply", "apply", "tell");

const terms = fc.record({
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
  price: fc.oneof(aim, aim, formula),
  kind: kinds,
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

const ruleOf = (id: string, given: Record<string, unknown>): JudgedRule => ({
  ...theTerms({ ...given, enabled: true }),
  id,
});

interface World {
  readonly asked: AskedRules;
  readonly catalogue: readonly Situation[];
}

const world: fc.Arbitrary<World> = fc.record({
  rule: terms,
  stored: fc.option(terms),
  others: fc.array(terms, { maxLength: OTHERS.length }),
  catalogue: fc.array(situation, { minLength: 1, maxLength: 12, size: "max" }),
  autoApply: fc.constantFrom(true, true, true, false),
  isStopped: fc.constantFrom(false, false, false, true),
}).map(({ rule, stored, others, catalogue, autoApply, isStopped }) => ({
  asked: {
    rule: ruleOf(OWN, rule),
    stored: stored && ruleOf(OWN, stored),
    others: others.map((one, at) => ruleOf(OTHERS[at] ?? "", one)),
  },
  catalogue: catalogue.map((one) => ({
    ...one,
    settings: {
      ...one.settings,
      autoApply,
      stop: isStopped ? { at: new Date(NOW_MS).toISOString(), reason: "Red" } : null,
    },
  })),
}));

function unread(known: Situation): Situation {
  return {
    ...known,
    offers: known.offers.map(({ isChangedSince: _, isReleased: __, ...one }) => ({
      ...one,
      previousPriceCents: null,
      priceSinceMs: null,
    })),
    history: { ...known.history, price: null },
  };
}

/** Reads only the missing facts, as the job does. */
function simulate({ asked, catalogue }: World, read: Record<string, number>): PlainSimulation {
  const question = simulationQuestion(asked.rule, asked.stored, asked.others);
  const count = new SimulationCount();
  const outcomes: PlainSimulation["outcomes"][number][] = [];
  for (const known of catalogue.map(withoutCooldowns)) {
    if (!isSimulated(question, known)) continue;
    const blank = unread(known);
    let product = simulateProduct(question, blank);
    read[product.lacks] = (read[product.lacks] ?? 0) + 1;
    if (product.lacks === "price") {
      const history = { ...blank.history, price: known.history.price };
      product = simulateProduct(question, { ...blank, history });
    } else if (product.lacks === "all") {
      product = simulateProduct(question, known);
    }
    count.add(product);
    outcomes.push(product.outcome);
  }
  return { outcomes, counters: count.counters };
}

const RUNS = extent(1_500, 200);
/** A fixed seed in the short form, because some required cases are as rare as one in a hundred. */
const DRAWN = { numRuns: RUNS, endOnFailure: true, ...(IS_LONG ? {} : { seed: 4_711 }) };

Deno.test("a simulation equals evaluating all rules one by one with all facts", () => {
  const read: Record<string, number> = {};
  const seen: Record<string, number> = {};
  fc.assert(
    fc.property(world, (one) => {
      const plain = simulatePlainly(one.asked, one.catalogue);
      assertEquals(simulate(one, read), plain);
      const { up, down, wouldApply, conflicts, resting, braked } = plain.counters;
      const codes = { ...resting, ...braked };
      const met = { up, down, wouldApply, conflicts: Object.keys(conflicts).length, ...codes };
      for (const [name, times] of Object.entries(met)) seen[name] = (seen[name] ?? 0) + times;
    }),
    DRAWN,
  );
  // Each of these outcomes must occur.
  const wanted = ["up", "down", "wouldApply", "conflicts", "outranked", "brake", "moves_per_day"];
  for (const name of [...wanted, "manual_price", "max_move", "auto_apply_off", "alert_only"]) {
    ok(name in seen && seen[name] !== 0, name);
  }
  for (const lack of ["nothing", "price", "all"]) {
    ok((read[lack] ?? 0) > RUNS / 15, `${lack}: ${read[lack]}`);
  }
});

Deno.test("sums continue from those of the previous step, which stay unchanged", () => {
  fc.assert(
    fc.property(world, fc.nat(11), ({ asked, catalogue }, cut) => {
      const question = simulationQuestion(asked.rule, asked.stored, asked.others);
      const products = catalogue.map(withoutCooldowns)
        .filter((one) => isSimulated(question, one))
        .map((one) => simulateProduct(question, one));
      const whole = new SimulationCount();
      const first = new SimulationCount();
      for (const product of products) whole.add(product);
      for (const product of products.slice(0, cut)) first.add(product);
      const kept = JSON.stringify(first.counters);
      const stored: typeof first.counters = JSON.parse(kept);
      const next = new SimulationCount(stored);
      for (const product of products.slice(cut)) next.add(product);
      assertEquals(next.counters, whole.counters);
      assertEquals(JSON.stringify(stored), kept);
    }),
    { numRuns: extent(300, 40) },
  );
});
