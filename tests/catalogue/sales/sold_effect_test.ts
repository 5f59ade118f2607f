import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { addProduct, addRule, push, untilJudged } from "../../rules/evaluation/market.ts";
import { withApp } from "../../harness.ts";
import { findDisagreements } from "../../../src/app/commands/check_store.ts";
import { valuesOf } from "../../api/answers.ts";

withApp.test("a proposal's effect covers 30 days of sales, or one piece without sales, also in lists and sums", async (app) => {
  const { owner } = app;
  await owner.change("/api/settings", { pricesIncludeVat: false });
  await addRule(owner, { actions: [{ type: "propose_price", formula: "match_cheapest" }] });
  for (const sku of ["FEW", "MANY", "NOBODY-SAYS"]) await addProduct(owner, sku);
  const key = await app.key(["products:write"]);
  const date = app.clock.now().toISOString().slice(0, 10);
  const rows = [{ sku: "FEW", date, units: 0.5 }, { sku: "MANY", date, units: 40 }];
  await key.act("/api/public/v1/sales", { rows });
  await push(app, [["FEW", "acme", 90], ["MANY", "acme", 90], ["NOBODY-SAYS", "acme", 90]]);
  await untilJudged(app);
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
  await key.act("/api/public/v1/sales", { rows: [{ sku: "FEW", date, units: 9 }] });
  const { items: again } = await owner.read("/api/proposals?status=open&q=FEW");
  assertEquals(again.map((one: Record<string, unknown>) => one.units30d), [0.5]);
  assertEquals(await Array.fromAsync(findDisagreements(app.store)), []);
});
