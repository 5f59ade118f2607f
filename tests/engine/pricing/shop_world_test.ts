/** Compares former and current rules in a market that reacts (docs/market_test.md). */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { env } from "node:process";
import { extent, IS_LONG } from "../../proof.ts";
import {
  type Contender,
  keepsMargin,
  keepsMarkup,
  keepsMove,
  type Move,
  playMarket,
  type WorldResult,
} from "./shop_world.ts";

const SIZE = { products: extent(2_000, 12), days: 90 };
const SEEDS = [1, 2];
const APPLY = "auto_apply_if_safe";

/** With `brake: null` the rule has the default brake: 3 cuts in 7 days, then 7 days of rest. */
function aiming(name: string, brake: { cuts: number; days: number; restDays: number } | null) {
  return {
    name,
    rules: [{
      when: { trigger: "market_index", always: true, minCompetitors: 3 },
      cooldownMinutes: 0,
      bounds: { markupPct: 8, maxMovePct: 7, maxMovesPerDay: 1 },
      brake,
      actions: [{
        type: APPLY,
        price: {
          reference: { kind: "nth", nth: 2 },
          adjust: { pct: -0.5 },
          rounding: { to: "up", ranges: [{ belowCents: null, endings: ["9"] }] },
          deadbandPct: 1,
        },
      }],
    }],
    isWithin: (move: Move) => keepsMarkup(move, 8) && keepsMove(move, 7),
  };
}

/** Each entry is a row of the report. */
const CONTENDERS: readonly Contender[] = [
  {
    name: "two rules with formulas",
    rules: [
      {
        when: { trigger: "competitor_undercut" },
        marginFloor: { pct: 7 },
        cooldownMinutes: 0,
        actions: [{ type: APPLY, formula: "match_cheapest", maxChangePct: 10 }],
      },
      {
        when: { trigger: "competitor_overcut", competitorDeltaPct: 3 },
        marginFloor: { pct: 7 },
        cooldownMinutes: 0,
        actions: [{ type: APPLY, formula: "min_competitor_minus_1pct", maxChangePct: 10 }],
      },
    ],
    isWithin: (move) => keepsMargin(move, 7) && keepsMove(move, 10),
  },
  // A brake that never closes, because there are only two chances per day to cut.
  aiming("one rule that aims, without a brake", { cuts: 20, days: 1, restDays: 1 }),
  aiming("the same with its brake", null),
];

const money = (cents: number) => (cents / 100).toFixed(0).replace(/\B(?=(\d{3})+$)/g, ",");

function tableOf(results: ReadonlyMap<string, readonly WorldResult[]>): string {
  const rows = [...results].map(([name, of]) => {
    const both = (say: (one: WorldResult) => string) => of.map(say).join("; ");
    return [
      name,
      both(({ grossProfit }) => money(grossProfit)),
      both(({ soldMarginPct }) => soldMarginPct.toFixed(1)),
      both(({ shownMarginPct }) => shownMarginPct.toFixed(1)),
      both(({ moves }) => money(100 * moves)),
      both(({ mostCuts }) => String(mostCuts)),
      both(({ atWar }) => String(atWar)),
      both(({ outOfBounds }) => String(outOfBounds)),
    ];
  });
  const head = [
    "Rules",
    "Gross profit, EUR",
    "Margin of sales, %",
    "Margin shown, %",
    "Changes",
    "Most cuts in 7 days",
    "Products cut > 3 times",
    "Out of bounds",
  ];
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

const DOCUMENT = new URL("../../../docs/market_test.md", import.meta.url);
const squeezed = (text: string) => text.replace(/ +/g, " ").replace(/-{3,}/g, "---");

Deno.test("in a reacting market every price keeps its bounds, brakes end wars, and margins do not fall", () => {
  const results = new Map(
    CONTENDERS.map((one) => [one.name, SEEDS.map((seed) => playMarket(one, { ...SIZE, seed }))]),
  );
  for (const [name, of] of results) {
    for (const { moves, outOfBounds } of of) {
      ok(moves > SIZE.products, `${name} moves prices`);
      assertEquals(outOfBounds, 0, name);
    }
  }
  const [before = [], aims = [], braked = []] = [...results.values()];
  for (const [n, old] of before.entries()) {
    const [aimed, ended] = [aims[n], braked[n]];
    ok(
      aimed && aimed.soldMarginPct >= old.soldMarginPct,
      `seed ${n}: ${JSON.stringify([old, aimed])}`,
    );
    ok(aimed.mostCuts <= old.mostCuts);
    // Without a brake there are price wars; the brake ends each war.
    ok(ended && aimed.atWar > 0, `seed ${n}`);
    assertEquals([ended.mostCuts <= 3, ended.atWar], [true, 0]);
    ok(ended.soldMarginPct >= old.soldMarginPct, `seed ${n}: ${JSON.stringify([old, ended])}`);
  }
  if (!IS_LONG) return;
  const table = tableOf(results);
  const text = readFileSync(DOCUMENT, "utf8");
  if (env.UPDATE_DOCS === "1") {
    writeFileSync(DOCUMENT, text.replace(/\| Rules[\s\S]*\|\n/, `${table}\n`));
  } else ok(squeezed(text).includes(squeezed(table)), `docs/market_test.md lacks\n${table}`);
});

Deno.test("the same seed gives the same market, and a price beyond a bound is detected", () => {
  const [contender] = CONTENDERS;
  ok(contender);
  const size = { products: 5, days: 30, seed: 7 };
  assertEquals(playMarket(contender, size), playMarket(contender, size));
  const strict = { ...contender, isWithin: () => false };
  const { moves, outOfBounds } = playMarket(strict, size);
  assertEquals(outOfBounds, moves);
  assertEquals(keepsMarkup({ from: 0, to: 1_285, cost: 1_000 }, 8), false);
  assertEquals(keepsMarkup({ from: 0, to: 1_286, cost: 1_000 }, 8), true);
  assertEquals(keepsMargin({ from: 0, to: 1_280, cost: 1_000 }, 7), true);
  assertEquals(keepsMargin({ from: 0, to: 1_279, cost: 1_000 }, 7), false);
  assertEquals([
    keepsMove({ from: 100, to: 93, cost: 0 }, 7),
    keepsMove({ from: 100, to: 92, cost: 0 }, 7),
  ], [true, false]);
});
