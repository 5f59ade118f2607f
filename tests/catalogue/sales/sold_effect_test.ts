import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { column, valuesOf } from "../../api/answers.ts";
import { withRules } from "../../rules/evaluation/market.ts";

withRules.test("a proposal's effect covers 30 days of sales, or one piece without sales, also in lists and sums", async (app) => {
  const { owner } = app;
  await owner.change("/api/settings", { pricesIncludeVat: false });
  await app.addRule();
  for (const sku of ["FEW", "MANY", "NOBODY-SAYS"]) await app.addProduct(sku);
  await app.sell({ FEW: 0.5, MANY: 40 });
  await app.push([["FEW", "acme", 90], ["MANY", "acme", 90], ["NOBODY-SAYS", "acme", 90]]);
  const { items: open } = await owner.read("/api/proposals?status=open&sort=effect");
  const told = valuesOf(open, "sku", "units30d", "effect");
  const piece = told[1]?.[2].cents;
  assertEquals(told, [
    ["MANY", 40, { cents: 40 * piece, basis: "30d" }],
    ["NOBODY-SAYS", null, { cents: piece, basis: "piece" }],
    ["FEW", 0.5, { cents: piece / 2, basis: "30d" }],
  ]);
  const summary = await owner.read("/api/proposals/summary");
  assertEquals([summary.effectCents, summary.effect30dCents], [3 * piece, 40.5 * piece]);
  // Sales that are reported later affect only later proposals.
  await app.sell({ FEW: 9 });
  const { items: again } = await owner.read("/api/proposals?status=open&q=FEW");
  assertEquals(column(again, "units30d"), [0.5]);
});
