import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { bodyOf, column, valuesOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { type TestApp, withApp } from "../harness.ts";
import { findDisagreements } from "../../src/app/commands/check_store.ts";

const BATCH = "/api/public/v1/products/batch";

async function put(key: Caller, items: readonly unknown[], query = "") {
  const { data, count } = await key.act(BATCH + query, { items });
  assertEquals([count, data.length], [items.length, items.length]);
  return data;
}

const outcomes = (results: Awaited<ReturnType<typeof put>>) => column(results, "outcome");
const productOf = async (app: TestApp, id: string | null | undefined) =>
  await app.owner.read(`/api/products/${id}`);

withApp.test("a batch creates and updates by SKU: absent fields stay, null clears, no change is unchanged", async (app) => {
  const key = await app.key(["products:write"]);
  const items = [
    { sku: "A", title: "Kanne", ourPrice: "19.99", brand: "Bosch", stock: 5 },
    { sku: "B", title: "Topf", costPriceCents: 500, attributes: { Farbe: "rot" } },
  ];
  const made = await put(key, items);
  assertEquals(outcomes(made), ["created", "created"]);
  assertEquals(outcomes(await put(key, items)), ["unchanged", "unchanged"]);
  const [first] = await put(key, [{ sku: "A", ourPrice: 17.5, brand: null }]);
  assertEquals(first, { ...made[0], outcome: "updated" });
  const { title, ourPriceCents, brand, stock } = await productOf(app, first?.id);
  assertEquals([title, ourPriceCents, brand, stock], ["Kanne", 1_750, null, 5]);
  const { items: history } = await app.owner.read(`/api/products/${first?.id}/price-history`);
  assertEquals(history.length, 2);
  assertEquals(await Array.fromAsync(findDisagreements(app.store)), []);
});

withApp.test("each item is independent: its errors are reported by index, SKU and field", async (app) => {
  const key = await app.key(["products:write"]);
  const [gone] = await put(key, [{ sku: "GONE", title: "Weg" }]);
  await app.owner.remove(`/api/products/${gone?.id}`);
  await put(key, [{ sku: "A", title: "A", ourPrice: 9.99 }]);
  const twice = [{ amount: 1 }, { tier: "", amount: 2 }];
  const items: readonly (readonly [item: unknown, sku: string | null, told: string])[] = [
    [{ sku: "NEW", title: "Neu" }, "NEW", "created"],
    [{ sku: "UNTITLED" }, "UNTITLED", "validation_failed title"],
    [{ title: "no SKU" }, null, "validation_failed sku"],
    [{ sku: "A", ourPrice: "1.999" }, "A", "validation_failed ourPrice"],
    [{ sku: "A", colour: "red", ean: "123" }, "A", "validation_failed ean,colour"],
    ["A", null, "validation_failed "],
    [null, null, "validation_failed "],
    [{ sku: "GONE", title: "Da" }, "GONE", "sku_exists "],
    [{ sku: "A", ourPrice: 999 }, "A", "price_unit_suspicious ourPrice"],
    [{ sku: "A", prices: twice }, "A", "validation_failed prices.1"],
    [{ sku: "LAST", title: "Letztes" }, "LAST", "created"],
  ];
  const results = await put(key, items.map(([item]) => item));
  for (const [n, { outcome, sku, error }] of results.entries()) {
    const [item, ...expected] = items[n]!;
    const told = error ? `${error.code} ${column(error.fields, "path")}` : outcome;
    assertEquals([sku, told], expected, JSON.stringify(item));
    assertEquals(outcome, error ? "refused" : "created");
  }
  const [large] = await put(key, [{ sku: "A", ourPrice: 999 }], "?allowLargeChange=true");
  assertEquals(large?.outcome, "updated");
});

withApp.test("modes skip items that they exclude, and a dry run writes nothing", async (app) => {
  const key = await app.key(["products:write"]);
  await put(key, [{ sku: "A", title: "A" }]);
  const items = [{ sku: "A", title: "Alt" }, { sku: "N", title: "Neu" }, { sku: "X" }];
  const rowsOf = async () =>
    (await Array.fromAsync(app.store.kv.list({ prefix: ["p"] })))
      .map(({ key, versionstamp }) => `${String(key[2])} ${versionstamp}`);
  await put(key, items, "?dryRun=true");
  const before = await rowsOf();
  assertEquals(outcomes(await put(key, items, "?dryRun=true")), ["updated", "created", "refused"]);
  const modes = {
    insert: ["skipped", "created", "refused"],
    update: ["updated", "skipped", "skipped"],
  };
  for (const [mode, expected] of Object.entries(modes)) {
    const planned = await put(key, items, `?dryRun=true&mode=${mode}`);
    assertEquals([outcomes(planned), await rowsOf()], [expected, before], mode);
  }
  // The update comes first, because the insertion creates the product that an update skips.
  for (const [mode, expected] of Object.entries(modes).reverse()) {
    assertEquals(outcomes(await put(key, items, `?mode=${mode}`)), expected, mode);
  }
});

withApp.test("tier prices replace those of the product, as far as they are valid today", async (app) => {
  const key = await app.key(["products:write"]);
  const day = (days: number) =>
    new Date(app.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
  const [made] = await put(key, [{
    sku: "A",
    title: "A",
    ourPrice: 10,
    prices: [
      { tier: "B2B", amount: "8.50", minQty: 10, validFrom: day(-5), validUntil: day(0) },
      { tier: "B2B", amount: 9, currency: "CHF" },
      { amount: 10, validUntil: day(-1) },
      { tier: "B2C", amount: 11, validFrom: day(1) },
      { tier: null, amount: 12.5, validUntil: "2036-01-01T00:00:00Z" },
    ],
  }]);
  const { prices, ourPriceCents } = await productOf(app, made?.id);
  assertEquals(ourPriceCents, 1_000);
  assertEquals(
    valuesOf(prices, "tier", "amountCents", "currency", "minQty"),
    [["B2B", 850, "EUR", 10], ["B2B", 900, "CHF", null], [null, 1_250, "EUR", null]],
  );
  match(prices[0].validFrom, /T\d\d:00:00\.000Z$/);
  assertEquals(outcomes(await put(key, [{ sku: "A", brand: "Bosch" }])), ["updated"]);
  assertEquals((await productOf(app, made?.id)).prices.length, 3);
  assertEquals(outcomes(await put(key, [{ sku: "A", prices: null }])), ["updated"]);
  assertEquals((await productOf(app, made?.id)).prices, []);
});

withApp.test("NDJSON works the same: one item per line, and a line without JSON is refused alone", async (app) => {
  const key = await app.key(["products:write"]);
  const lines = ['{"sku":"A","title":"A"}', "", "{oops", "  ", '{"sku":"Ü","title":"Ü"}\r'];
  const headers = { "Content-Type": "application/x-ndjson" };
  const { data } = await key.act(BATCH, lines.join("\n"), headers);
  assertEquals(outcomes(data), ["created", "refused", "created"]);
  await bodyOf(key.post(BATCH, "\n\n", headers), 400);
  await bodyOf(key.post(BATCH, "a,b", { "Content-Type": "text/csv" }), 415);
  await bodyOf(key.post("/api/public/v1/sales", "{}", headers), 415);
});
