import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { addProduct } from "../rules/evaluation/market.ts";
import { column, valuesOf } from "../api/answers.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { testWith } from "../opened.ts";
import { until } from "../patience.ts";
import { IMPORT, importXml, itemsXml } from "./import_calls.ts";

const withBounds = testWith(async () => {
  const app = await startTestApp();
  for (const sku of ["LOW", "HIGH", "WITHIN"]) {
    await addProduct(app.owner, sku, { ourPrice: 100, minPrice: 70, maxPrice: 130 });
  }
  return app;
});

async function alertsOf(app: TestApp, count: number) {
  const read = async () => (await app.viewer.read("/api/alerts")).items;
  await until("the alerts are there", async () => (await read()).length >= count);
  return await read();
}

async function marked(app: TestApp) {
  const { items } = await app.viewer.read("/api/audit-logs?only=beyond");
  return valuesOf(items, "action", "brokenBound").sort();
}

withBounds.test("an imported price beyond the product's bounds is set, with a finding, an audit note and an alert", async (app) => {
  const key = await app.key(["products:write"]);
  const file = itemsXml([
    { sku: "LOW", title: "Low", price: "40,00" },
    { sku: "HIGH", title: "High", price: "140,00" },
    { sku: "WITHIN", title: "Within", price: "80,00" },
  ]);
  const { data: { jobId } } = await importXml(key, file, "?force=true");
  const { data: findings } = await key.read(`${IMPORT}/${jobId}/errors`);
  const beyond = findings.filter(({ code }: { code: string }) => code === "price_out_of_bounds");
  assertEquals(valuesOf(beyond, "sku", "value"), [["LOW", "40.00 EUR"], ["HIGH", "140.00 EUR"]]);
  assertEquals(await marked(app), [["import.finish", undefined]]);
  const [alert] = await alertsOf(app, 1);
  assertEquals([alert.facts.code, alert.facts.count], ["import_out_of_bounds", 2]);
  const again = await importXml(key, file, "?force=true");
  assertEquals(again.data.warningCount, 0);
});

withBounds.test("a price that a key sets beyond the product's bounds has an audit note and an alert", async (app) => {
  const key = await app.key(["products:write"]);
  const items = [["LOW", 40], ["HIGH", 140], ["WITHIN", 80]]
    .map(([sku, ourPrice]) => ({ sku, title: sku, ourPrice }));
  await key.act("/api/public/v1/products/batch", { items });
  const notes = ["above_max", "below_min"].map((bound) => ["product.update", bound]);
  assertEquals(await marked(app), notes);
  const alerts = await alertsOf(app, 2);
  const facts = valuesOf(column(alerts, "facts"), "code", "sku", "bound", "cents", "limitCents");
  assertEquals(facts.sort(), [
    ["price_out_of_bounds", "HIGH", "above_max", 14_000, 13_000],
    ["price_out_of_bounds", "LOW", "below_min", 4_000, 7_000],
  ]);
});
