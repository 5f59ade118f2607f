import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { matchValues, planFilter, type ValueFilter } from "../../src/catalogue/filter_plan.ts";
import { filterOf } from "../../src/catalogue/product_filter.ts";
import type { Dimension } from "../../src/catalogue/product_tally.ts";

const TOTAL = 100_000;

function values(dimension: Dimension, values: number, count: number): ValueFilter {
  const each = { count: count / values };
  const list = Array.from({ length: values }, (_, n) => ({ value: `v${n}`, ...each }));
  return { dimension, values: list, count };
}

Deno.test("planFilter() takes the way that was measured to be the cheaper one", () => {
  const table: [string, [ValueFilter, ...ValueFilter[]], string][] = [
    ["a brand with 10 products", [values("b", 1, 10)], "index b"],
    ["the largest brand", [values("b", 1, 6_675)], "index b"],
    ["9 small values", [values("b", 9, 900)], "index b"],
    ["11 categories", [values("c", 11, 1_100)], "index c"],
    ["111 brands", [values("b", 111, 28_000)], "scan"],
    ["all brands", [values("b", 398, TOTAL)], "scan"],
    ["brands and categories", [values("b", 11, 2_700), values("c", 11, 9_000)], "index b"],
    ["brands and a rare category", [values("b", 11, 2_700), values("c", 1, 5)], "index c"],
    ["an unknown brand", [values("b", 0, 0)], "index b"],
    ["a common tier", [values("t", 1, 90_000)], "scan"],
  ];
  for (const [name, filters, expected] of table) {
    const plan = planFilter(filters, TOTAL, 51);
    const actual = plan.kind === "scan" ? "scan" : `index ${plan.driver.dimension}`;
    assertEquals(actual, expected, name);
  }
});

Deno.test("planFilter() gives every plan finite bounds, whatever old counts say", () => {
  for (const total of [0, 1, TOTAL]) {
    for (const count of [0, 1, TOTAL * 2]) {
      const plan = planFilter([values("b", 3, count), values("c", 2, count)], total, 51);
      const index = plan.kind === "scan" ? plan.otherwise : plan;
      assertEquals(Number.isFinite(index.rowsExpected), true);
      if (plan.kind === "scan") assertEquals(plan.documentsMax > 0, true);
    }
  }
});

Deno.test("matchValues() contains for brands and categories, equals for tiers", () => {
  const dictionary = {
    total: 9,
    values: {
      b: new Map([["bosch", 3], ["bosch siemens", 2], ["kühl", 1]]),
      c: new Map([["haushalt", 4]]),
      t: new Map([["B2B", 5], ["B2B-2", 1]]),
    },
  };
  const filter = filterOf({ brand: "BOSCH", category: "x", tier: "B2B" });
  const found = matchValues(dictionary, filter).map(({ dimension, values, count }) => [
    dimension,
    values.map(({ value }) => value),
    count,
  ]);
  assertEquals(found, [["b", ["bosch", "bosch siemens"], 5], ["c", [], 0], ["t", ["B2B"], 5]]);
  assertEquals(matchValues(dictionary, filterOf({ brand: "KÜHL" }))[0]?.count, 1);
});
