import { deepStrictEqual as assertEquals } from "node:assert/strict";
import {
  type Candidates,
  matchValues,
  type Plan,
  planFilter,
  type ValueFilter,
} from "../../src/catalogue/lists/filter_plan.ts";
import { filterOf } from "../../src/catalogue/lists/product_filter.ts";
import type { Dimension } from "../../src/catalogue/products/product_field_table.ts";

const TOTAL = 100_000;

function values(dimension: Dimension, values: number, count: number): ValueFilter {
  const each = { count: count / values };
  const list = Array.from({ length: values }, (_, n) => ({ value: `v${n}`, ...each }));
  return { dimension, values: list, count };
}

function found(count: number): Candidates {
  return { count, idsAfter: () => [] };
}

function nameOf(plan: Plan | null): string {
  return plan?.kind === "index" ? `index ${plan.driver.dimension}` : plan?.kind ?? "none";
}

Deno.test("planFilter() takes the way that was measured to be the cheaper one", () => {
  const table: [string, ValueFilter[], Candidates | null, string][] = [
    ["a brand with 10 products", [values("b", 1, 10)], null, "index b"],
    ["the largest brand", [values("b", 1, 6_675)], null, "index b"],
    ["9 small values", [values("b", 9, 900)], null, "index b"],
    ["11 categories", [values("c", 11, 1_100)], null, "index c"],
    ["111 brands", [values("b", 111, 28_000)], null, "scan"],
    ["all brands", [values("b", 398, TOTAL)], null, "scan"],
    ["brands and categories", [values("b", 11, 2_700), values("c", 11, 9_000)], null, "index b"],
    ["brands and a rare category", [values("b", 11, 2_700), values("c", 1, 5)], null, "index c"],
    ["an unknown brand", [values("b", 0, 0)], null, "index b"],
    ["a common tier", [values("t", 1, 90_000)], null, "scan"],
    ["nothing to go by", [], null, "none"],
    ["a rare word", [], found(12), "ids"],
    ["a word in one of four", [], found(25_000), "ids"],
    ["a word in nearly all", [], found(95_000), "scan"],
    ["a rare word of a common tier", [values("t", 1, 90_000)], found(30), "ids"],
    ["a common word of a rare brand", [values("b", 1, 10)], found(40_000), "index b"],
    ["a word and a category", [values("c", 12, 12_500)], found(12_500), "index c"],
    ["a word and an unknown brand", [values("b", 0, 0)], found(12_500), "index b"],
    ["no such word", [values("b", 5, 9_000)], found(0), "ids"],
  ];
  for (const [name, filters, candidates, expected] of table) {
    const plan = planFilter({ filters, candidates, total: TOTAL, limit: 51 });
    assertEquals(nameOf(plan), expected, name);
  }
});

Deno.test("planFilter() gives every plan finite bounds, whatever old counts say", () => {
  for (const total of [0, 1, TOTAL]) {
    for (const count of [0, 1, TOTAL * 2]) {
      const filters = [values("b", 3, count), values("c", 2, count)];
      for (const candidates of [null, found(count)]) {
        const plan = planFilter({ filters, candidates, total, limit: 51 });
        const other = plan?.kind === "scan" ? plan.otherwise : plan;
        if (other?.kind === "index") assertEquals(Number.isFinite(other.rowsExpected), true);
        if (plan?.kind === "scan") assertEquals(plan.documentsMax > 0, true);
      }
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
  const matched = matchValues(dictionary, filter).map(({ dimension, values, count }) => [
    dimension,
    values.map(({ value }) => value),
    count,
  ]);
  assertEquals(matched, [["b", ["bosch", "bosch siemens"], 5], ["c", [], 0], ["t", ["B2B"], 5]]);
  assertEquals(matchValues(dictionary, filterOf({ brand: "KÜHL" }))[0]?.count, 1);
});
