import fc from "fast-check";
import { DAY_MS, daysBefore, monthsBetween } from "../../src/base/time.ts";
import { sales } from "../../src/catalogue/sales/sales.ts";
import { bodyOf, column, valuesOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { type TestApp, withApp } from "../harness.ts";
import { packMonth, sumOfUnits, unpackMonth } from "../../src/catalogue/sales/sale.ts";
import { withRules } from "../rules/evaluation/market.ts";
import { deepStrictEqual as assertEquals, ok, throws } from "node:assert/strict";

const SALES = "/api/public/v1/sales";

const ago = ({ clock }: TestApp, days: number) =>
  new Date(clock.now().getTime() - days * DAY_MS).toISOString().slice(0, 10);

const add = async (app: TestApp, sku: string): Promise<string> =>
  (await app.owner.create("/api/products", { sku, title: sku })).id;

const send = async (key: Caller, rows: readonly unknown[], status = 200) =>
  (await bodyOf(key.post(SALES, { rows }), status)).data;

const of = async (key: Caller, sku: string, query = "") =>
  (await key.read(`${SALES}?sku=${encodeURIComponent(sku)}${query}`)).data;

withApp.test("a day's sales are written, replaced by a later push, and read on both interfaces", async (app) => {
  const key = await app.key(["products:write"]);
  const id = await add(app, "A/ü");
  await add(app, "B");
  const day = ago(app, 1);
  const rows = [
    { sku: "A/ü", date: day, units: 3, revenue: "59.97" },
    { sku: "B", date: day, units: 1 },
    { sku: "A/ü", date: ago(app, 40), units: 7, revenue: 10, currency: "CHF" },
  ];
  assertEquals(await send(key, rows), { accepted: 3, rejected: 0, errors: [] });
  const known = [
    { date: ago(app, 40), units: 7, revenueCents: 1_000, currency: "CHF" },
    { date: day, units: 3, revenueCents: 5_997, currency: "EUR" },
  ];
  assertEquals(await of(key, "A/ü"), { days: known, units30d: 3 });
  await send(key, [{ sku: "A/ü", date: day, units: 2.5 }, { sku: "A/ü", date: day, units: -1 }]);
  const last = { date: day, units: -1, revenueCents: null, currency: null };
  assertEquals(await of(key, "A/ü"), { days: [known[0], last], units30d: -1 });
  const sinceDay = await app.owner.read(`/api/products/${id}/sales?from=${day}`);
  assertEquals(sinceDay, { days: [last], units30d: -1 });
  assertEquals((await of(key, "B")).units30d, 1);
  const { items } = await app.owner.read("/api/audit-logs?action=sales.push");
  assertEquals(column(items, "after"), [{ rows: 3 }, { rows: 2 }]);
});

withApp.test("units30d counts the last 30 days including today, and is null without sales", async (app) => {
  const key = await app.key(["products:write"]);
  await add(app, "A");
  assertEquals(await of(key, "A"), { days: [], units30d: null });
  await send(key, [{ sku: "A", date: ago(app, 30), units: 100 }]);
  assertEquals((await of(key, "A")).units30d, null);
  await send(key, [{ sku: "A", date: ago(app, 29), units: 0 }]);
  assertEquals((await of(key, "A")).units30d, 0);
  await send(key, [0, 1, 28].map((days) => ({ sku: "A", date: ago(app, days), units: 0.1 })));
  const { days, units30d } = await of(key, "A");
  assertEquals([units30d, column(days, "date")], [0.3, [30, 29, 28, 1, 0].map((n) => ago(app, n))]);
});

withApp.test("each row is independent: its errors are reported by index", async (app) => {
  const key = await app.key(["products:write"]);
  await add(app, "A");
  const day = ago(app, 1);
  const row = { sku: "A", date: day, units: 1 };
  const refused: readonly (readonly [unknown, string])[] = [
    [{ ...row, sku: "nobody" }, "not_found"],
    [{ ...row, units: 1.0005 }, "validation_failed"],
    [{ ...row, date: ago(app, -2) }, "future_date"],
    [{ ...row, date: ago(app, 401) }, "too_old"],
    [{ ...row, date: "2026-02-30" }, "validation_failed"],
    [{ ...row, revenue: 5, currency: "EURO" }, "invalid_currency"],
    [{ ...row, revenue: "5.001" }, "validation_failed"],
    [{ ...row, colour: "red" }, "validation_failed"],
    [null, "validation_failed"],
  ];
  // A date of tomorrow is accepted, because tomorrow has already begun in other time zones.
  const taken = [row, { ...row, date: ago(app, -1) }];
  const told = await send(key, [...taken, ...refused.map(([wrong]) => wrong)]);
  assertEquals([told.accepted, told.rejected], [2, refused.length]);
  const codes = refused.map(([, code], n) => [n + 2, code]);
  assertEquals(valuesOf(told.errors, "index", "code"), codes);
  await send(key, [], 400);
  await bodyOf(key.get(`${SALES}?sku=nobody`), 404);
  await bodyOf(key.get(`${SALES}?sku=A&from=yesterday`), 400);
});

withApp.test("thousands of rows concurrent with product changes lose nothing", async (app) => {
  const key = await app.key(["products:write"]);
  const skus = Array.from({ length: 60 }, (_, n) => `S-${n}`);
  const ids = await Promise.all(skus.map((sku) => add(app, sku)));
  const days = Array.from({ length: 20 }, (_, n) => n);
  const parts = [0, 1, 2, 3].map((part) =>
    skus.flatMap((sku) =>
      days.filter((n) => n % 4 === part).map((n) => ({ sku, date: ago(app, n), units: n + 1 }))
    )
  );
  await Promise.all([
    ...parts.map((rows) => send(key, rows)),
    ...ids.slice(0, 20).map((id) => app.owner.change(`/api/products/${id}`, { brand: "Bosch" })),
  ]);
  for (const sku of skus) {
    const { days: known, units30d } = await of(key, sku);
    assertEquals([known.length, units30d], [20, 210], sku);
  }
});

withApp.test("sales expire by month, and stay when the product is deleted", async (app) => {
  const { store, workspaceId } = app;
  const key = await app.key(["products:write"]);
  const id = await add(app, "A");
  await send(key, [390, 200, 1].map((days) => ({ sku: "A", date: ago(app, days), units: days })));
  await app.owner.remove(`/api/products/${id}`);
  assertEquals((await of(key, "A")).days.length, 3);
  const before = new Date(app.clock.now().getTime() - 300 * DAY_MS);
  assertEquals(await sales.sweep(app, before), 1);
  assertEquals(await sales.sweep(app, before), 0);
  assertEquals((await of(key, "A")).days.length, 2);
  assertEquals((await sales.list({ store, workspaceId })).length, 2);
});

Deno.test("unpackMonth() restores the largest numbers, and refuses bytes that are no month of sales; a month takes at most four bytes per day of whole units, and eleven with revenue", () => {
  const large = { date: "2026-11-29", units: -1e9, revenueCents: 1e12, currency: "EUR" };
  assertEquals(unpackMonth(202_611, packMonth([large])), [large]);
  const whole = packMonth([{ date: "2026-11-30", units: 1_000, revenueCents: 5, currency: "EUR" }]);
  const broken = [new Uint8Array(), Uint8Array.of(2), whole.slice(0, -1), whole.slice(0, 4)];
  for (const bytes of [...broken, Uint8Array.of(1, 32, 0, 2), new Uint8Array(40).fill(255)]) {
    throws(() => unpackMonth(202_611, bytes));
  }
  throws(() => unpackMonth(202_613, whole));
  const plain = Array.from({ length: 30 }, (_, n) => {
    const date = `2026-11-${String(n + 1).padStart(2, "0")}`;
    return { date, units: n % 8, revenueCents: null, currency: null };
  });
  ok(packMonth(plain).length <= 1 + 30 * 4);
  const priced = plain.map((one) => ({ ...one, revenueCents: 99_999, currency: "EUR" }));
  ok(packMonth(priced).length <= 1 + 30 * 11);
});

Deno.test("units are added exactly", () => {
  fc.assert(fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 })), (thousandths) => {
    const sum = thousandths.reduce((total, one) => total + BigInt(one), 0n);
    const days = thousandths.map((one) => ({ units: one / 1_000 }));
    assertEquals(sumOfUnits(days), Number(sum) / 1_000);
  }));
});

Deno.test("monthsBetween() lists each month once, across the end of a year", () => {
  assertEquals(monthsBetween("2025-11-30", "2026-02-01"), [202_511, 202_512, 202_601, 202_602]);
  assertEquals(monthsBetween("2026-02-01", "2026-02-28"), [202_602]);
  assertEquals(monthsBetween("2026-03-01", "2026-02-28"), []);
  assertEquals(daysBefore("2026-03-01", 1), "2026-02-28");
  assertEquals(daysBefore("2024-02-28", -1), "2024-02-29");
});

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
