import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { bodyOf, valuesOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { type TestApp, withApp } from "../harness.ts";
import { findDisagreements } from "../../src/app/commands/check_store.ts";

const BATCH = "/api/public/v1/products/batch";

interface Result {
  readonly index: number;
  readonly sku: string | null;
  readonly id: string | null;
  readonly outcome: string;
  readonly error: { readonly code: string; readonly fields: readonly { path: string }[] } | null;
}

async function put(key: Caller, items: readonly unknown[], query = ""): Promise<Result[]> {
  const { data, count } = await key.act(BATCH + query, { items });
  assertEquals([count, data.length], [items.length, items.length]);
  return data;
}

const outcomes = (results: readonly Result[]) => results.map(({ outcome }) => outcome);
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
  const results = await put(key, [
    { sku: "NEW", title: "Neu" },
    { sku: "UNTITLED" },
    { title: "no SKU" },
    { sku: "A", ourPrice: "1.999" },
    { sku: "A", colour: "red", ean: "123" },
    "A",
    null,
    { sku: "GONE", title: "Da" },
    { sku: "A", ourPrice: 999 },
    { sku: "A", prices: [{ amount: 1 }, { tier: "", amount: 2 }] },
    { sku: "LAST", title: "Letztes" },
  ]);
  const told = results.map(({ outcome, error }) => [
    outcome,
    error && `${error.code} ${error.fields.map(({ path }) => path)}`,
  ]);
  assertEquals(told, [
    ["created", null],
    ["refused", "validation_failed title"],
    ["refused", "validation_failed sku"],
    ["refused", "validation_failed ourPrice"],
    ["refused", "validation_failed ean,colour"],
    ["refused", "validation_failed "],
    ["refused", "validation_failed "],
    ["refused", "sku_exists "],
    ["refused", "price_unit_suspicious ourPrice"],
    ["refused", "validation_failed prices.1"],
    ["created", null],
  ]);
  assertEquals(results.map(({ sku }) => sku).slice(1, 7), ["UNTITLED", null, "A", "A", null, null]);
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
  assertEquals(
    outcomes(await put(key, items, "?dryRun=true&mode=insert")),
    ["skipped", "created", "refused"],
  );
  assertEquals(
    outcomes(await put(key, items, "?mode=update&dryRun=true")),
    ["updated", "skipped", "skipped"],
  );
  assertEquals(await rowsOf(), before);
  assertEquals(outcomes(await put(key, items, "?mode=update")), ["updated", "skipped", "skipped"]);
  assertEquals(outcomes(await put(key, items, "?mode=insert")), ["skipped", "created", "refused"]);
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
