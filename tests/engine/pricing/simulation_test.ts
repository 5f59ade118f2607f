import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { readMarket, type Situation } from "../../../src/engine/pricing/situation.ts";
import {
  addProduct,
  centsOf,
  noSums,
  type SimulatedProduct,
  simulateProduct,
  type SimulationQuestion,
  simulationQuestion,
  unitWorth,
} from "../../../src/engine/pricing/simulation.ts";
import { aSituation, NOW_MS } from "./market.ts";
import { rivalsPlainly } from "./plain_simulation.ts";
import { CLOSE, RULE_IDS, ruleAt, situations, terms } from "./random_market.ts";
import { extent, IS_LONG } from "../../proof.ts";
import fc from "fast-check";

const products = situations(CLOSE, fc.integer({ min: 3_000, max: 9_000 }));

const world = fc.record({
  rule: terms,
  stored: fc.option(terms),
  others: fc.array(terms, { maxLength: RULE_IDS.length - 1 }),
  catalogue: fc.array(products, { minLength: 1, maxLength: 12, size: "max" }),
  autoApply: fc.constantFrom(true, true, true, false),
  isStopped: fc.constantFrom(false, false, false, true),
}).map(({ rule, stored, others, catalogue, autoApply, isStopped }) => ({
  asked: {
    rule: ruleAt(0, rule),
    stored: stored && ruleAt(0, stored),
    others: others.map((one, at) => ruleAt(at + 1, one)),
  },
  catalogue: catalogue.map((one) => ({
    ...one,
    mode: "preview" as const,
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

/** Simulates without histories first, and again with the histories that the first result lacks. */
function simulate(question: SimulationQuestion, known: Situation, read: Record<string, number>) {
  const blank = unread(known);
  const product = simulateProduct(question, blank);
  read[product.lacks] = (read[product.lacks] ?? 0) + 1;
  if (product.lacks === "nothing") return product;
  const history = { ...blank.history, price: known.history.price };
  return simulateProduct(question, product.lacks === "all" ? known : { ...blank, history });
}

const shown = ({ outcome, own, rivals, storedCents }: SimulatedProduct) => (
  { outcome, fires: own.fires, does: own.outcome, rivals, storedCents }
);
const byRule = (a: { ruleId: string }, b: { ruleId: string }) => a.ruleId < b.ruleId ? -1 : 1;

const RUNS = extent(1_500, 200);
/** Short test runs have a fixed seed, because random seeds could miss rare required cases. */
const DRAWN = { numRuns: RUNS, endOnFailure: true, ...(IS_LONG ? {} : { seed: 4_711 }) };

Deno.test("one sale has a worth only if cost and VAT rate are known", () => {
  const worthOf = (about: Parameters<typeof aSituation>[1]) =>
    unitWorth(readMarket(aSituation([], about)), 11_900);
  const gross = { settings: { pricesIncludeVat: true, vatRatePct: 19 } };
  const product = { costPriceCents: 4_000 };
  const worth = worthOf({ ...gross, product });
  assertEquals([centsOf(worth!.revenue, 2), centsOf(worth!.profit, 2)], [20_000, 12_000]);
  assertEquals(worthOf({ ...gross, product: { costPriceCents: null } }), null);
  assertEquals(worthOf({ settings: { ...gross.settings, vatRatePct: null }, product }), null);
});

Deno.test("a simulation that reads only missing facts equals one with all facts, and finds the rivals of a plain search", () => {
  const read: Record<string, number> = {};
  const seen: Record<string, number> = {};
  const property = fc.property(world, ({ asked, catalogue }) => {
    const question = simulationQuestion(asked.rule, asked.stored, asked.others);
    const sums = noSums();
    for (const known of catalogue) {
      if (!question.rule.scope.includes(known.product)) continue;
      const product = simulate(question, known, read);
      assertEquals(shown(product), shown(simulateProduct(question, known)));
      const rivals = rivalsPlainly(question, known).toSorted(byRule);
      assertEquals(product.rivals.toSorted(byRule), rivals);
      addProduct(sums, product);
    }
    const { up, down, wouldApply, conflicts, resting, braked } = sums;
    const codes = { ...resting, ...braked };
    const met = { up, down, wouldApply, conflicts: Object.keys(conflicts).length, ...codes };
    for (const [name, times] of Object.entries(met)) seen[name] = (seen[name] ?? 0) + times;
  });
  fc.assert(property, DRAWN);
  const wanted = ["up", "down", "wouldApply", "conflicts", "outranked", "brake", "moves_per_day"];
  for (const name of [...wanted, "manual_price", "max_move", "auto_apply_off", "alert_only"]) {
    ok(name in seen && seen[name] !== 0, name);
  }
  for (const lack of ["nothing", "price", "all"]) {
    ok((read[lack] ?? 0) > RUNS / 15, `${lack}: ${read[lack]}`);
  }
});
