import { column, valuesOf } from "../api/answers.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { type TestApp, withApp } from "../harness.ts";
import type { Item } from "./import_calls.ts";
import { articles, sendItems as send } from "./import_bench.ts";

const COUNT = 20;
const BOUNDS = { movePct: 50, sharePct: 20 };
const NO_CAUSE = { price: 0, cost: 0, currency: 0 };

type Changed = Parameters<typeof articles>[1];

async function pricesOf(app: TestApp): Promise<unknown[]> {
  const { items } = await app.owner.read("/api/products?limit=200");
  return valuesOf(items, "ourPrice", "costPrice", "currency");
}

const CASES: readonly (readonly [name: string, changed: Changed, ...causes: string[]])[] = [
  ["prices ÷ 100", { price: "1,00" }, "price"],
  ["another currency with the same digits", { currency: "CHF" }, "currency"],
  ["costs of 0,00", { cost: "0,00" }, "cost"],
  ["prices and costs ÷ 100", { price: "1,00", cost: "0,60" }, "price", "cost"],
];

withApp.test("by default a file with other prices, costs or currencies is held with a reason, and is applied by force", async (app) => {
  // New products alone are never held.
  assertEquals((await send(app, articles())).status, "succeeded");
  const before = await pricesOf(app);
  let jobId = "";
  for (const [name, changed, ...moved] of CASES) {
    const rehearsal = await send(app, articles(COUNT, changed), "?dryRun=true");
    assertEquals([rehearsal.status, rehearsal.hold.held], ["succeeded", true], name);

    const held = await send(app, articles(COUNT, changed));
    assertEquals([held.status, held.error.code], ["failed", "price_guard"], name);
    assertEquals(await pricesOf(app), before, name);
    const { samples, guards, ...counts } = held.hold;
    // These prices also look like prices in another unit.
    const others = name.startsWith("prices") ? ["unit_guard"] : [];
    assertEquals(column(guards.slice(1), "code"), others, name);
    const { samples: _, ...guard } = guards[0];
    const figures = { count: COUNT, of: COUNT, sharePct: 20, column: null, remedy: null };
    assertEquals(guard, { code: "price_guard", binds: true, ...figures }, name);
    const causes = { ...NO_CAUSE, ...Object.fromEntries(moved.map((cause) => [cause, COUNT])) };
    assertEquals(counts, { held: true, ...BOUNDS, products: COUNT, moved: COUNT, causes }, name);
    assertEquals(rehearsal.hold, held.hold, name);
    assertEquals(samples.length, 10 * moved.length, name);
    assertEquals([samples[0].cause, samples[0].fromCurrency], [moved[0], "EUR"], name);
    assertEquals(samples[0].toCurrency, changed?.currency ?? "EUR", name);
    match(held.error.message, /20 of 20 products .* force=true/);
    jobId = held.jobId;
  }
  const forced = await app.manager.act(`/api/imports/${jobId}/apply?force=true`);
  assertEquals([forced.status, forced.stats.updated, forced.hold], ["succeeded", COUNT, null]);
});

withApp.test("a file that clears the costs of many products is held, or a later file could set any cost unnoticed", async (app) => {
  await send(app, articles());
  const before = await pricesOf(app);
  const bare = articles().map(({ sku, title }) => ({ sku, title, more: "<COSTPRICE/>" }));
  for (const file of [articles(COUNT, { cost: "" }), bare]) {
    const held = await send(app, file);
    assertEquals([held.status, held.error?.code], ["failed", "price_guard"]);
    const causes = { ...NO_CAUSE, cost: COUNT };
    assertEquals([held.hold.products, held.hold.moved, held.hold.causes], [COUNT, COUNT, causes]);
  }
  assertEquals(await pricesOf(app), before);
  const few = await send(app, [...articles(4, { cost: "" }), ...articles().slice(4)]);
  assertEquals([few.status, few.stats.updated], ["succeeded", 4]);
  // The hold ignores records that contain no price and clear no cost.
  const moved = articles(5, { price: "1,00" }).slice(4);
  const diluted = await send(app, [...bare.slice(0, 4), ...moved]);
  assertEquals([diluted.status, diluted.hold?.products, diluted.hold?.moved], ["failed", 1, 1]);
});

withApp.test("the hold counts each product once, however many records and rows the file has for it", async (app) => {
  await send(app, articles());
  const rows = ["A", "B", "C"].map((tier) =>
    `<SALESPRICE><TIER>${tier}</TIER><PRICE>1,00</PRICE></SALESPRICE>`
  );
  const moved = articles(5, { price: "1,00" })
    .map((item) => ({ ...item, more: item.more + rows.join("") }));
  const others = articles().slice(5);
  const often = (items: readonly Item[], times: number) =>
    Array.from({ length: times }, () => items).flat();

  // The moved products are 25 % of all, but few of the records.
  const diluted = await send(app, [...moved, ...often(others, 20)]);
  assertEquals([diluted.status, diluted.hold.products, diluted.hold.moved], ["failed", 20, 5]);
  // Every product is in the file five times.
  const each = await send(app, often([...moved, ...others], 5));
  assertEquals([each.status, each.hold.products, each.hold.moved], ["failed", 20, 5]);
  // The moved products are 10 % of all, but most of the records.
  const inflated = await send(app, [...often(moved.slice(0, 2), 50), ...articles().slice(2)]);
  assertEquals(inflated.status, "succeeded");
});

withApp.test("new products, records without a price and refused records do not dilute the hold, which one product can cause", async (app) => {
  await send(app, articles());
  const fresh = articles(200).slice(COUNT);
  const bare = Array.from({ length: 100 }, (_, n) => ({ sku: `B-${n}`, title: "Ohne Preis" }));
  await send(app, bare);
  const refused = Array.from({ length: 100 }, () => ({ title: "Ohne Nummer" }));
  const file = [...articles(COUNT, { price: "1,00" }), ...fresh, ...bare, ...refused];
  const held = await send(app, file);
  assertEquals([held.status, held.hold.products, held.hold.moved], ["failed", COUNT, COUNT]);
  assertEquals((await send(app, articles(1, { price: "150,00" }))).status, "succeeded");
  const one = await send(app, articles(1, { price: "1,00" }));
  assertEquals([one.status, one.hold.products, one.hold.moved], ["failed", 1, 1]);
});

withApp.test("without a hold each moved product gets one warning with both prices", async (app) => {
  await send(app, articles());
  const { importHold } = await app.owner.change("/api/settings", { importHold: null });
  assertEquals(importHold, null);
  const moves = [
    { price: "1,00", cost: "0,60" },
    { price: "100,00", cost: "0,60" },
    { price: "150,00", cost: "90,00" },
    { currency: "CHF" },
  ].map((changed, n) => articles(n + 1, changed)[n]!);
  const file = [...moves, ...articles().slice(moves.length)];
  for (const query of ["?dryRun=true", ""]) {
    const job = await send(app, file, query);
    assertEquals([job.status, job.hold, job.warningCount], ["succeeded", null, 3]);
    const moved = ["S-0", "S-1", "S-3"].map((sku) => ["price_moved", sku]);
    assertEquals(valuesOf(job.warnings, "code", "sku"), moved);
    const [both, cost, currency] = job.warnings;
    match(both.message, /price 100\.00 EUR to 1\.00 EUR; cost 60\.00 EUR to 0\.60 EUR/);
    match(cost.message, /: cost 60\.00 EUR to 0\.60 EUR$/);
    match(currency.message, /currency 100\.00 EUR to 100\.00 CHF/);
    assertEquals(column(job.warnings, "value"), ["1.00 EUR", "0.60 EUR", "100.00 CHF"]);
  }
});

withApp.test("the hold compares with current prices, whoever set them", async (app) => {
  const { owner } = app;
  await send(app, articles());
  const { items } = await owner.read("/api/products?limit=200");
  for (const { id } of items) {
    await owner.change(`/api/products/${id}`, { ourPrice: 1_000 });
    await owner.change(`/api/products/${id}`, { ourPrice: 500, costPrice: null });
  }
  const held = await send(app, articles());
  const { samples, guards: _, ...counts } = held.hold;
  const causes = { ...NO_CAUSE, price: COUNT };
  assertEquals(counts, { held: true, ...BOUNDS, products: COUNT, moved: COUNT, causes });
  assertEquals([samples[0].fromCents, samples[0].toCents], [50_000, 10_000]);
});
