import { sumOf } from "../../../src/base/collections.ts";
import { DAY_MS } from "../../../src/base/time.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import {
  countedAmong,
  figuresOf,
  type LearntChange,
} from "../../../src/rules/evaluation/learning.ts";
import { addRule, automatic, proposals, withRules } from "./market.ts";
import { learntRule } from "./learnt_rule.ts";
import fc from "fast-check";

const dates = (from: number) =>
  Array.from({ length: 14 }, (_, n) => new Date((from + n) * DAY_MS).toISOString().slice(0, 10));
const [BEFORE, AFTER] = [dates(100), dates(115)];
const COUNTING = { currency: "EUR", end: AFTER.at(-1) ?? "", leastDays: 14 };

const change = (given: Partial<LearntChange>): LearntChange => ({
  productId: "0".repeat(24),
  sku: "SKU-1",
  at: "1970-04-25T10:00:00.000Z",
  fromCents: 11_900,
  toCents: 9_520,
  currency: "EUR",
  terms: { costPriceCents: 5_000, pricesIncludeVat: true, vatRatePct: 19 },
  before: BEFORE,
  after: AFTER,
  date: dates(114)[0] ?? "",
  cleanDays: 14,
  units: new Map([...BEFORE.map((date) => [date, 1_000] as const), [AFTER[0] ?? "", 28_000]]),
  ...given,
});

Deno.test("the newest 100 counted changes are listed, with net margins; few changes have no figures", () => {
  const at = (n: number) => new Date(115 * DAY_MS + n).toISOString();
  const many = Array.from({ length: 120 }, (_, n) => change({ sku: `SKU-${n}`, at: at(n) }));
  const young = change({ sku: "YOUNG", at: at(500), date: AFTER[0] ?? "" });
  const { counted } = countedAmong([young, ...many], COUNTING);
  const { items } = figuresOf(counted, []);
  assertEquals([counted.length, items.length], [120, 100]);
  // Net prices: 100.00, then 80.00; cost 50.00.
  const { sku, marginBeforePct, marginAfterPct } = items[0]!;
  assertEquals([sku, marginBeforePct, marginAfterPct], ["SKU-119", 50, 37.5]);
  assertEquals(items.at(-1)?.sku, "SKU-20");
  // A rule has figures only from twenty price changes on.
  const few = figuresOf(many.slice(0, 19), many.slice(0, 19));
  assertEquals(few, { before: null, after: null, category: null, items: [] });
});

Deno.test("each excluded change counts once, by the first reason that holds", () => {
  const reasons: readonly [string, Partial<LearntChange>][] = [
    ["tooYoung", { date: AFTER[0] ?? "" }],
    ["otherChange", { cleanDays: 13 }],
    ["otherCurrency", { currency: "CHF" }],
    ["noSales", { units: new Map([["1999-01-01", 5]]) }],
    ["noCost", { terms: null }],
  ];
  fc.assert(fc.property(fc.array(fc.subarray([0, 1, 2, 3, 4]), { maxLength: 60 }), (picks) => {
    const given = picks.map((pick) =>
      change(Object.assign({}, ...pick.map((n) => reasons[n]?.[1])))
    );
    const { leftOut, counted } = countedAmong(given, COUNTING);
    const byReason = Map.groupBy(picks, (pick) => Math.min(...pick));
    const wanted = reasons.map(([name], n) => [name, byReason.get(n)?.length ?? 0]);
    assertEquals(leftOut, Object.fromEntries(wanted));
    const clean = picks.filter((pick) => pick.length === 0).length;
    assertEquals(counted.length, clean);
  }));
});

withRules.test("GET /api/rules/{id}/learning reads approved changes, their sales and those of their category, and …/outcome sums what followed", async (app) => {
  const { ruleId, skus, changedAt, month, owner } = await learntRule(app);
  const path = `/api/rules/${ruleId}/learning`;
  const found = await owner.read(`${path}?month=${month}`);
  assertEquals([found.month, found.changes, found.counted], [month, 21, 20]);
  const none = { tooYoung: 0, noSales: 0, noCost: 0, otherCurrency: 0 };
  assertEquals(found.leftOut, { ...none, otherChange: 1 });
  // The day of the change itself does not count.
  assertEquals(found.before.units, found.counted);
  assertEquals(found.after.units, 2 * found.counted);
  // Prices: 100.00, then 90.00; cost 50.00.
  assertEquals(found.before.marginCents, found.counted * 5_000);
  assertEquals(found.after.marginCents, found.counted * 2 * 4_000);
  assertEquals(found.category.before, found.counted * (20 * 14 + 7) / 14);
  assertEquals(found.category.after, found.counted * 20 * 2);
  assertEquals(found.items.length, 20);
  const [{ sku, at, productId, ...figures }] = found.items;
  assertEquals([skus.slice(0, 20).includes(sku), Date.parse(at)], [true, changedAt]);
  assertEquals((await owner.read(`/api/products/${productId}`)).sku, sku);
  assertEquals(figures, {
    fromCents: 10_000,
    toCents: 9_000,
    marginBeforePct: 50,
    marginAfterPct: 44.44,
    unitsBefore: 1,
    unitsAfter: 2,
  });
  const empty = await owner.read(`${path}?month=2025-01`);
  assertEquals([empty.changes, empty.before, empty.category], [0, null, null]);

  // The outcome sums up sales before and after all changes, over the same number of days.
  const outcome = await owner.read(`/api/rules/${ruleId}/outcome`);
  const { onSince, moves, leftOut, before, after, ...rest } = outcome;
  const rule = await owner.read(`/api/rules/${ruleId}`);
  assertEquals(onSince, rule.createdAt);
  assertEquals(moves, {
    ...{ total: 21, applied: 0, accepted: 21, takenBack: 0, up: 0, down: 21 },
    cents: 21 * -1_000,
  });
  // Sales are known for two days after each change, so two days before it are compared.
  assertEquals(rest, {
    ...{ offSince: null, daysLeft: 0, currency: "EUR", isCut: false },
    ...{ counted: 21, days: 42 },
  });
  assertEquals(before, { units: 21 * 14, marginCents: 21 * 14 * 5_000 });
  assertEquals(after, { units: 21 * 28, marginCents: 21 * 28 * 4_000 });
  assertEquals(Object.values(leftOut), [0, 0, 0, 0, 0]);
});

withRules.test("the outcome of a rule starts on its first day, grows daily, and shows what is unknown", async (app) => {
  await app.owner.change("/api/settings", { autoApply: true });
  const skus = ["A", "B", "UNSOLD", "TAKEN"];
  for (const sku of skus) await app.addProduct(sku);
  const selling = await app.key(["products:write"]);
  const begin = app.clock.now().getTime();
  const day = (n: number) => new Date(begin + n * DAY_MS).toISOString().slice(0, 10);
  app.clock.advance(15 * DAY_MS);
  let owner = await app.newCaller("owner");
  const ruleId = await addRule(owner, { ...automatic(10), enabled: false });
  const outcome = async () => await owner.read(`/api/rules/${ruleId}/outcome`);
  const never = await outcome();
  assertEquals([never.onSince, never.moves.total, never.before], [null, 0, null]);
  await owner.act(`/api/rules/${ruleId}/toggle`);
  // Within 10 %, the rule sets a price itself; larger changes are proposed.
  await app.push(skus.map((sku) => [sku, "acme", sku === "A" ? 95 : 80]));
  const open = await proposals(owner, "status=open");
  for (const { id } of open) await owner.act(`/api/proposals/${id}/approve`);
  const taken = open.find(({ sku }) => sku === "TAKEN");
  await owner.act(`/api/proposals/${taken?.id}/rollback`);
  await app.judged();
  const first = await outcome();
  assertEquals([first.daysLeft, first.counted, first.leftOut.tooYoung], [14, 0, 3]);
  assertEquals(first.moves, {
    ...{ total: 3, applied: 1, accepted: 2, takenBack: 1, up: 0, down: 3 },
    cents: -500 - 2_000 - 2_000,
  });
  const unitsOn = (n: number) => ({ A: n % 5 + 1, B: n % 3 });
  const rows = Array.from({ length: 20 }, (_, n) => n + 1).flatMap((n) =>
    Object.entries(unitsOn(n)).map(([sku, units]) => ({ sku, date: day(n), units }))
  );
  // Today is day 21. The rule was enabled on day 15, and sales are known up to day 20.
  app.clock.advance(6 * DAY_MS);
  await selling.act("/api/public/v1/sales", { rows });
  owner = await app.newCaller("owner");
  const known = await outcome();
  assertEquals([known.daysLeft, known.counted, known.days], [9, 2, 10]);
  const sumOn = (days: readonly number[], marginA: number, marginB: number) => {
    const sold = days.map(unitsOn);
    const units = sumOf(sold, ({ A, B }) => A + B);
    return { units, marginCents: sumOf(sold, ({ A, B }) => A * marginA + B * marginB) };
  };
  assertEquals(known.before, sumOn([10, 11, 12, 13, 14], 5_000, 5_000));
  assertEquals(known.after, sumOn([16, 17, 18, 19, 20], 4_500, 3_000));
  assertEquals([known.leftOut.noSales, known.leftOut.tooYoung], [1, 0]);
  await owner.act(`/api/rules/${ruleId}/toggle`);
  const off = await outcome();
  assertEquals([off.onSince, off.moves], [known.onSince, known.moves]);
  assertEquals(off.offSince, app.clock.now().toISOString());
});

withRules.test("the report of a month has a proposal that was put off for months", async (app) => {
  const { id, ruleId } = await app.propose();
  for (let months = 0; months < 3; months++) {
    const owner = await app.newCaller("owner");
    await owner.act(`/api/proposals/${id}/later`, { until: app.inTime(29 * DAY_MS) });
    app.clock.advance(29 * DAY_MS);
  }
  await app.push([["A", "acme", 90]]);
  await app.judged();
  const owner = await app.newCaller("owner");
  await owner.act(`/api/proposals/${id}/approve`);
  const month = app.clock.now().toISOString().slice(0, 7);
  const { changes } = await owner.read(`/api/rules/${ruleId}/learning?month=${month}`);
  assertEquals(changes, 1);
});
