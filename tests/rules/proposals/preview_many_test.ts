import { startRulesApp, withRules } from "../evaluation/market.ts";
import { HOUR_MS } from "../../../src/base/time.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { column, refusedField, statusOf, valuesOf } from "../../api/answers.ts";
import { until } from "../../patience.ts";
import { testWithOne } from "../../opened.ts";
import { type Article, ARTICLES, fillMoney } from "./money_scene.ts";

const PREVIEW = "/api/proposals/bulk/preview";

/** Net effect in minor units, rounded half up, calculated only with integers. */
function effectOf({ ours, rival, sold }: Article): bigint | null {
  if (sold === null) return null;
  const gross = BigInt(rival - ours) * BigInt(sold) * 100n;
  const twice = 2n * gross + 119n;
  return twice >= 0n || twice % 238n === 0n ? twice / 238n : twice / 238n - 1n;
}

function isBelow(pct: number, { rival, cost }: Article): boolean {
  // Integer form of (net − cost) ÷ net < `pct` %, where net is `rival` ÷ 1.19.
  return (rival * 100 - cost * 119) * 100 < pct * rival * 100;
}

const isLarge = ({ ours, rival }: Article) => Math.abs(rival - ours) * 100 > 8 * ours;

const meanOf = (some: readonly Article[]) =>
  some.length === 0 ? null : Number(
    (some.reduce((sum, { ours, rival }) => sum + (rival / ours - 1) * 100, 0) / some.length)
      .toFixed(1),
  );

function sumsOf(some: readonly Article[]) {
  return ["CHF", "EUR"].flatMap((currency) => {
    const known = some.filter((one) => one.currency === currency && one.sold !== null);
    const cents = known.reduce((sum, one) => sum + (effectOf(one) ?? 0n), 0n);
    return known.length === 0 ? [] : [{ currency, cents: Number(cents) }];
  });
}

function figuresOf(some: readonly Article[]) {
  const [down, up] = [
    some.filter((one) => one.rival < one.ours),
    some.filter((one) => one.rival > one.ours),
  ];
  const changes = new Array<number>(10).fill(0);
  for (const { ours, rival } of some) {
    const bin = Math.floor((rival - ours) * 100 / (2 * ours)) + 5;
    const at = Math.min(9, Math.max(0, bin));
    changes[at] = (changes[at] ?? 0) + 1;
  }
  return {
    count: some.length,
    down: { count: down.length, meanPct: meanOf(down) },
    up: { count: up.length, meanPct: meanOf(up) },
    meanPct: meanOf(some),
    thin: some.filter((one) => isBelow(10, one)).length,
    belowCost: some.filter((one) => isBelow(0, one)).length,
    effects30d: sumsOf(some),
    settles: 0,
    withoutSales: some.filter(({ sold }) => sold === null).length,
    changes,
  };
}

/** The tests share these proposals, so the test that accepts most of them comes last. */
const onMoney = testWithOne(async () => {
  const app = await startRulesApp();
  await fillMoney(app);
  return app;
});

onMoney.test("a preview sums up all proposals by currency, and also the excluded ones", async (app) => {
  const skus = new Set((await app.proposals("status=open")).map(({ sku }) => sku));
  const open = ARTICLES.filter(({ sku }) => skus.has(sku));
  ok(open.length > 30, `only ${open.length} are open`);
  const [thin, large] = [open.filter((one) => isBelow(10, one)), open.filter(isLarge)];
  const unsold = open.filter(({ sold }) => sold === 0);
  const unpaid = open.filter((one) => isBelow(0, one));
  ok(thin.length > 2 && large.length > 2 && unsold.length > 2 && unpaid.length > 1);

  const all = await app.manager.act(PREVIEW, { filter: {} });
  assertEquals(all.found, figuresOf(open));
  assertEquals(all.accepted, all.found);
  assertEquals(all.edges, [-8, -6, -4, -2, 0, 2, 4, 6, 8]);
  // The summary has only the effect in the company's currency.
  const { effect30dCents } = await app.viewer.read("/api/proposals/summary");
  const euros = sumsOf(open).find(({ currency }) => currency === "EUR");
  assertEquals(effect30dCents, euros?.cents);

  const leaveOut = { kinds: ["below_cost", "thin", "unsold"], ids: [] as string[] };
  const some = await app.manager.act(PREVIEW, { filter: {}, leaveOut });
  const left = open.filter((one) => !thin.includes(one) && !unsold.includes(one));
  assertEquals(some.found, figuresOf(open));
  assertEquals(some.accepted, figuresOf(left));
  const isAlso = (of: readonly Article[]) => of.filter((one) => !left.includes(one)).length;
  assertEquals(
    valuesOf(some.kinds, "kind", "pct", "count", "effects30d"),
    [
      ["below_cost", 0, unpaid.length, sumsOf(unpaid)],
      ["thin", 10, thin.length, sumsOf(thin)],
      ["moved", null, 0, []],
      ["large", 8, large.length, sumsOf(large)],
      ["unsold", null, unsold.length, sumsOf(unsold)],
    ],
  );
  assertEquals(some.kinds[3].already, isAlso(large));
  const others = [...unsold, ...unpaid];
  assertEquals(some.kinds[1].already, thin.filter((one) => others.includes(one)).length);

  // `leaveOut` accepts kinds and ids together.
  const rows = await app.proposals("status=open&sort=effect");
  const five = rows.slice(0, 5).map(({ sku }) => sku);
  assertEquals(column(some.largest, "sku"), five);
  const [first] = rows;
  ok(first);
  const named = { kinds: leaveOut.kinds, ids: [first.id] };
  const fewer = await app.manager.act(PREVIEW, { filter: {}, leaveOut: named });
  assertEquals(fewer.accepted, figuresOf(left.filter(({ sku }) => sku !== first.sku)));
  assertEquals(fewer.largest[0].isLeftOut, true);
});

onMoney.test("applying a rule is previewed by its simulation, with the same figures as its proposals", async (app) => {
  const [first] = await app.proposals("status=open");
  ok(first);
  const stored = await app.viewer.read(`/api/rules/${first.ruleId}`);
  const { name, when, scope, actions } = stored;
  const body = { rule: { name, when, scope, actions }, ruleId: first.ruleId };
  const { id } = await app.manager.begin("/api/simulations", body);
  const path = `/api/simulations/${id}/preview`;
  await until("the simulation has ended", async () => await statusOf(app.viewer.get(path)) === 200);
  const { found, accepted, largest } = await app.viewer.read(path);
  assertEquals(found, figuresOf(ARTICLES));
  assertEquals(accepted, found);
  const proposed = await app.manager.act(PREVIEW, { filter: {} });
  const shown = ["sku", "productTitle"];
  assertEquals(valuesOf(largest, ...shown), valuesOf(proposed.largest, ...shown));
});

onMoney.test("a preview of given ids, with or without counter-prices, counts those that are still open, each once", async (app) => {
  const rows = await app.proposals("status=open");
  const [gone, ...kept] = rows.slice(0, 9);
  ok(gone);
  await app.manager.act(`/api/proposals/${gone.id}/reject`);
  const ids = [gone, ...kept, ...kept].map(({ id }) => id);
  const { found } = await app.manager.act(PREVIEW, { ids: [...ids, "none"] });
  const articles = kept.map(({ sku }) => ARTICLES.find((one) => one.sku === sku)!);
  assertEquals(found, figuresOf(articles));
  const elsewhere = await app.strangerOwner();
  assertEquals((await elsewhere.act(PREVIEW, { ids })).found.count, 0);

  const priced = articles.map((article, n) => (
    { ...article, rival: Math.round(article.ours * (0.8 + n * 0.05) + 1) }
  ));
  const pricesOf = kept.map(({ id }, n) => ({ id, priceCents: priced[n]!.rival }));
  const prices = [...pricesOf, { id: gone.id, priceCents: 1 }, { id: "none", priceCents: 1 }];
  const preview = await app.manager.act(PREVIEW, { prices });
  assertEquals(preview.found, figuresOf(priced));
  const given = new Map(pricesOf.map(({ id, priceCents }) => [id, priceCents]));
  for (const { id, proposedCents } of preview.largest) assertEquals(proposedCents, given.get(id));
  assertEquals(preview.largest.length, 5);
});

onMoney.test("an acceptance takes exactly what was previewed: excluded proposals stay open", async (app) => {
  const before = await app.proposals("status=open");
  const [moved] = before;
  ok(moved);
  const shown = ARTICLES.find(({ sku }) => sku === moved.sku);
  ok(shown);
  // A dearer offer moves the market but not the proposed price, so the proposal stays.
  const dear = [[moved.sku, "bolt", shown.rival / 50]] as const;
  await app.pushAfter(HOUR_MS, dear, { currency: shown.currency });
  const leaveOut = { kinds: ["below_cost", "thin", "moved", "large"], ids: [] };
  const asked = { filter: { createdBefore: app.clock.now().toISOString() }, leaveOut };
  const { accepted, kinds } = await app.manager.act(PREVIEW, asked);
  const { already: _, ...kind } = kinds[2];
  assertEquals(kind, { kind: "moved", pct: null, count: 1, effects30d: sumsOf([shown]) });
  const body = { action: "approve", ...asked };
  const { results } = await app.manager.act("/api/proposals/bulk", body);
  assertEquals(results.filter(({ ok }: { ok: boolean }) => !ok), []);
  const applied = new Set((await app.proposals("status=applied")).map(({ sku }) => sku));
  const expected = ARTICLES.filter((one) =>
    before.some(({ sku }) => sku === one.sku) && !isBelow(10, one) && !isLarge(one) &&
    one.sku !== moved.sku
  );
  assertEquals(applied, new Set(expected.map(({ sku }) => sku)));
  assertEquals(accepted, figuresOf(expected));
  // The remaining proposals are all left out, so approving them decides nothing.
  const open = (await app.proposals("status=open")).map(({ id }) => id);
  const again = { action: "approve", ids: open, leaveOut };
  assertEquals((await app.manager.act("/api/proposals/bulk", again)).results, []);
});

withRules.test("an acceptance settles the prices of later rules, and counts them", async (app) => {
  const rule = (name: string, priority: number, pct: number) =>
    app.addRule({
      ...{ name, priority, when: { trigger: "market_index", always: true } },
      actions: [{ type: "propose_price", price: { adjust: { pct } } }],
    });
  for (const n of [0, 1, 2]) await rule(`Rule ${n}`, n + 1, n);
  for (const sku of ["A", "B"]) await app.addProduct(sku);
  await app.push([["A", "acme", 90], ["B", "acme", 95]]);
  const ids = (await app.proposals("status=open")).map(({ id }) => id);
  assertEquals(ids.length, 2);
  assertEquals((await app.manager.act(PREVIEW, { ids })).found.settles, 4);
  const body = { action: "approve", ids };
  const { results } = await app.manager.act("/api/proposals/bulk", body);
  assertEquals(results, ids.map((id) => ({ id, ok: true, settles: 2 })));
  assertEquals(await app.proposals("status=open"), []);
});

withRules.test("readers of proposals may preview, and invalid requests are refused", async (app) => {
  assertEquals(await statusOf(app.anyone.post(PREVIEW, { filter: {} })), 401);
  const empty = await app.manager.act(PREVIEW, { filter: {} });
  assertEquals([empty.found, empty.largest], [figuresOf([]), []]);
  const refused = [
    [{}, "ids"],
    [{ ids: ["a"], filter: {} }, "ids"],
    [{ filter: { status: "open" } }, "filter.status"],
  ] as const;
  for (const [body, path] of refused) {
    assertEquals(await refusedField(app.manager.post(PREVIEW, body)), path);
  }
  const body = { action: "reject", ids: ["a"], leaveOut: { kinds: ["thin"] } };
  assertEquals(await refusedField(app.manager.post("/api/proposals/bulk", body)), "leaveOut");
});
