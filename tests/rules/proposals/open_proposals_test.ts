import { withApp } from "../../harness.ts";
import { type RulesApp, rulesAppOf, withRules } from "../evaluation/market.ts";
import { HOUR_MS } from "../../../src/base/time.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { rewriteProposals } from "../../../src/rules/proposals/proposal_store.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { idBytes } from "../../../src/base/id.ts";
import { bodyOf, pagesOf, refusedField, refuses, valuesOf } from "../../api/answers.ts";
import { contextOf, seedOffers } from "../../bench/seed_catalogue.ts";
import { itemsXml } from "../../imports/import_calls.ts";

/** Adds two rules and nine products at 100.00. acme asks 99.00 to 91.00, and bolt 120.00. */
async function fill(app: RulesApp, sold?: Readonly<Record<string, number>>): Promise<void> {
  const ofBrand = (brand: string) => ({ mode: "attribute", matches: { brand: [brand] } });
  await app.addRule({ name: "B: odd ones", scope: ofBrand("Odd") });
  await app.addRule({ name: "A: even ones", scope: ofBrand("Even") });
  const skus = Array.from({ length: 9 }, (_, n) => `SKU-${n + 1}`);
  await app.addProducts(skus.map((sku, n) => {
    const brand = n % 2 === 0 ? "Odd" : "Even";
    return { sku, title: `Kühlschrank ${n + 1}`, brand, costPrice: 85 };
  }));
  if (sold) await app.sell(sold);
  await app.push(skus.flatMap((sku, n) => [[sku, "acme", 99 - n], [sku, "bolt", 120]] as const));
}

/** Returns the numbers of the SKUs, in the list's order if the query has one, otherwise sorted. */
const skusOf = async (app: RulesApp, query: string) =>
  inOrder((await app.proposals(query)).map(({ sku }) => Number(sku.slice(4))), query);

const inOrder = (numbers: number[], query: string) =>
  query.includes("sort=") ? numbers : numbers.toSorted((a, b) => a - b);

withRules.test("proposals can be filtered and sorted while they are open, and found afterwards", async (app) => {
  await fill(app);
  const rules = await app.owner.read("/api/rules");
  const even = rules.find(({ name }: { name: string }) => name.startsWith("A")).id;
  const filters = [
    ["direction=up", []],
    ["direction=down", [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ["changeBelowPct=3", [1, 2]],
    ["changeBelowPct=3.0001", [1, 2, 3]],
    ["marginBelowPct=7", [9]],
    ["q=even%20k%C3%9CHL", [2, 4, 6, 8]],
    ["q=sku-4", [4]],
    ["q=nichts", []],
    [`ruleId=${even}&changeBelowPct=5`, [2, 4]],
    ["sku=SKU-7&later=false", [7]],
    ["sku=SKU-7&later=true", []],
    ["sku=NONE&later=false", []],
    ["expiresBefore=2026-03-09T09:00:00Z", []],
    ["expiresBefore=2026-03-09T09:00:01Z", [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ["createdBefore=2026-03-02", []],
    ["status=open&q=9", [9]],
    ["status=rejected&q=9", []],
    ["sort=effect", [9, 8, 7, 6, 5, 4, 3, 2, 1]],
    ["sort=effect&order=desc", [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ["sort=rule", [8, 6, 4, 2, 9, 7, 5, 3, 1]],
  ] as const;
  for (const [query, expected] of filters) {
    assertEquals(await skusOf(app, query), [...expected], query);
  }
  const refused = [
    ["status=applied&sort=effect", "sort"],
    ["status=rejected&later=true", "later"],
    ["changeBelowPct=-1", "changeBelowPct"],
    ["changeBelowPct=1.00001", "changeBelowPct"],
    ["expiresBefore=soon", "expiresBefore"],
  ] as const;
  for (const [query, path] of refused) {
    assertEquals(await refusedField(app.owner.get(`/api/proposals?${query}`)), path, query);
  }

  const [one, other] = await app.proposals();
  ok(one && other);
  await app.manager.act(`/api/proposals/${one.id}/reject`);
  const ofOne = [`sku=${one.sku}`, `productId=${one.productId}`];
  for (const query of [...ofOne, ofOne.join("&"), `ruleId=${one.ruleId}&status=rejected`]) {
    assertEquals((await app.proposals(query)).map(({ id }) => id), [one.id], query);
  }
  const none = [
    `productId=${one.ruleId}`,
    `productId=${one.productId}&sku=${other.sku}`,
    `productId=${one.productId}&sku=NONE`,
  ];
  for (const query of none) assertEquals(await app.proposals(query), [], query);
});

withRules.test("a search also covers decided proposals, and its page ends after many rows", async (app) => {
  await fill(app);
  for (const { id } of await app.proposals("q=even")) {
    await app.manager.act(`/api/proposals/${id}/reject`);
  }
  assertEquals(await skusOf(app, "q=k%C3%BChl%206"), [6]);
  const rejected = await app.proposals("status=rejected&q=even&order=desc");
  const ids = rejected.map(({ id }) => id);
  assertEquals([ids.length, ids], [4, ids.toSorted().reverse()]);
  const page = await app.owner.read("/api/proposals?q=k%C3%BChl&limit=4");
  assertEquals([page.count, page.total], [4, null]);
});

withRules.test("the pages of open proposals show each proposal once, in every order; the rule with the largest effect is first", async (app) => {
  // SKU-1 has sold 100 pieces, so its rule has the largest effect.
  await fill(app, { "SKU-1": 100 });
  assertEquals(await skusOf(app, "sort=ruleEffect"), [1, 9, 7, 5, 3, 8, 6, 4, 2]);
  const sorts = ["effect", "effect&order=desc", "expires", "rule", "ruleEffect"];
  const queries = ["status=open", ...sorts.map((sort) => `status=open&sort=${sort}`)];
  for (const query of queries) {
    const whole = await skusOf(app, query);
    const seen: number[] = [];
    let first = "";
    for await (const { items, total } of pagesOf(app.manager, `/api/proposals?${query}&limit=2`)) {
      assertEquals(total, first === "" ? 9 : 8, query);
      seen.push(...items.map(({ sku }: { sku: string }) => Number(sku.slice(4))));
      if (first !== "") continue;
      first = items[0].id;
      await app.manager.act(`/api/proposals/${first}/reject`);
    }
    assertEquals(inOrder(seen, query), whole, query);
    await app.manager.act(`/api/proposals/${first}/reopen`);
  }
});

withRules.test("the summary counts what the filters find; a decision by filter takes all matches, and none that came later", async (app) => {
  await fill(app);
  const [first] = await app.proposals("sku=SKU-9");
  await app.manager.act(`/api/proposals/${first?.id}/later`, { until: app.inTime(HOUR_MS) });
  await app.push([["SKU-1", "bolt", 119]]);
  const [small, thin] = ["changeBelowPct=5", "marginBelowPct=10"];
  const expiring = "expiresBefore=2026-03-10T00:00:00Z";
  const path = `/api/proposals/summary?${small}&${thin}&${expiring}`;
  const counts = await app.viewer.read(path);
  const found = async (more: string) => (await app.proposals(`later=false&${more}`)).length;
  const { rules, ...numbers } = counts;
  assertEquals(numbers, {
    open: await found(""),
    later: (await app.proposals("later=true")).length,
    up: await found("direction=up"),
    down: await found("direction=down"),
    small: await found(small),
    thin: await found(thin),
    expiring: await found(expiring),
    moved: await found("hasMarketMoved=true"),
    effectCents: -3_600,
    effect30dCents: null,
  });
  assertEquals([numbers.open, numbers.later, numbers.small, numbers.moved], [8, 1, 4, 1]);
  const counted = [["A: even ones", 4], ["B: odd ones", 4]];
  assertEquals(valuesOf(rules, "ruleName", "count"), counted);
  const bare = await app.viewer.read("/api/proposals/summary?q=even");
  assertEquals([bare.open, bare.small, bare.thin, bare.expiring], [4, null, null, null]);

  app.clock.advance(HOUR_MS);
  const createdBefore = app.clock.now().toISOString();
  await app.addProduct("SKU-10", { brand: "Odd", costPrice: 85 });
  await app.push([["SKU-10", "acme", 99]]);
  const filter = { changeBelowPct: "4", createdBefore };
  const body = { action: "approve", filter, reason: "klein" };
  const { results, nextCursor } = await app.manager.act("/api/proposals/bulk", body);
  assertEquals([results.length, nextCursor], [3, null]);
  assertEquals(await skusOf(app, "status=applied"), [1, 2, 3]);
  assertEquals(await skusOf(app, "status=open&changeBelowPct=4"), [10]);
});

withRules.test("a proposal has the market at its creation and now, and the place of the new price", async (app) => {
  await app.addRule();
  await app.owner.change("/api/settings", { pricesIncludeVat: true, vatRatePct: 19 });
  await app.addProduct("A");
  await app.push([["A", "acme", 90], ["A", "bolt", 95]]);
  const [before] = (await app.owner.read("/api/proposals?status=open")).items;
  const then = {
    offers: 2,
    cheapestCents: 9_000,
    cheapestCompetitorId: before.marketThen.cheapestCompetitorId,
    cheapestCompetitor: "acme.example",
    averageCents: 9_250,
    gapCents: 1_000,
    gapPct: 11.11,
    rank: 3,
    of: 3,
  };
  assertEquals(before.marketThen, then);
  assertEquals([before.marketNow, before.hasMarketMoved], [then, false]);
  assertEquals([before.marketAfter.rank, before.marketAfter.gapCents], [1, 0]);
  assertEquals(before.effect, { cents: -840, basis: "piece" });
  // Net of 19 % VAT, 100.00 is 84.03 and 90.00 is 75.63; the cost is 50.00.
  assertEquals([before.marginPct, before.marginAfterPct], [40.5, 33.88]);
  assertEquals((await app.proposals("hasMarketMoved=false")).length, 1);

  await app.pushAfter(HOUR_MS, [["A", "bolt", 92]]);
  const [after] = (await app.owner.read("/api/proposals?hasMarketMoved=true")).items;
  assertEquals([after.id, after.hasMarketMoved], [before.id, true]);
  assertEquals(after.marketThen, then);
  assertEquals(after.marketNow, { ...then, averageCents: 9_100 });
  const one = await app.owner.read(`/api/proposals/${before.id}`);
  assertEquals(
    valuesOf(one.offers, "competitor", "thenCents", "unitCents", "counts"),
    [["acme.example", 9_000, 9_000, true], ["bolt.example", 9_500, 9_200, true]],
  );
  const decided = await app.manager.act(`/api/proposals/${before.id}/reject`);
  assertEquals(
    [decided.marketThen, decided.marketNow, decided.marketAfter, decided.hasMarketMoved],
    [then, null, null, null],
  );
});

withApp.test("a filter with more than 500 matches is decided by cursors", async (tested) => {
  const app = rulesAppOf(tested);
  await seedOffers(contextOf(app), { products: 505, shops: 1 });
  await app.addRule({
    when: { trigger: "market_index", always: true },
    actions: [{ type: "propose_price", price: { adjust: { pct: -50 } } }],
  });
  await app.judged();
  const bulk = (more: Record<string, unknown>) =>
    app.manager.post("/api/proposals/bulk", { action: "reject", filter: {}, ...more });
  const first = await bodyOf(bulk({}), 200);
  assertEquals(first.results.length, 500);
  assertEquals((await app.proposals("status=open")).length, 5);
  const second = await bodyOf(bulk({ cursor: first.nextCursor }), 200);
  assertEquals([second.results.length, second.nextCursor], [5, null]);
});

withRules.test("open proposals of earlier versions are listed, decided and checked as stored", async (app) => {
  await fill(app);
  const [one] = await app.proposals("sku=SKU-9");
  ok(one);
  const key = (...parts: Deno.KvKeyPart[]) => [...parts, idBytes(one.id)];
  const workspace = idBytes(app.workspaceId);
  const row = await app.store.kv.get<Record<string, unknown>>(key("pr", workspace));
  const newer = ["heldUntil", "reopenedFrom", "appliedCents", "decisionReason", "marketThen"];
  const former = Object.entries(row.value ?? {}).filter(([name]) => !newer.includes(name));
  await app.store.kv.set(row.key, Object.fromEntries(former));
  await app.store.kv.set(key("prs", workspace, "open"), new Uint8Array());
  await transact(app, (write) => rewriteProposals(write, app, null));
  const { items: [shown] } = await app.owner.read("/api/proposals?q=sku-9&later=false");
  assertEquals(
    [shown.id, shown.heldUntil, shown.marketThen, shown.hasMarketMoved, shown.effect.cents],
    [one.id, null, null, null, -900],
  );
  await app.manager.act(`/api/proposals/${one.id}/later`, { until: app.inTime(HOUR_MS) });
  assertEquals(await skusOf(app, "later=true"), [9]);

  // `decidedSince` lists proposals that were decided or superseded since a time.
  const reject = async (sku: string) => {
    const [found] = await app.proposals(`status=open&sku=${sku}`);
    ok(found, sku);
    await app.owner.act(`/api/proposals/${found.id}/reject`, {});
  };
  await reject("SKU-9");
  app.clock.advance(HOUR_MS);
  // At 90.00, we are cheaper than all offers, so no proposal follows.
  const xml = itemsXml(["SKU-1", "SKU-2"].map((sku) => ({ sku, title: sku, price: "90,00" })));
  const headers = { "Content-Type": "application/xml" };
  const { jobId } = await app.owner.act("/api/imports?force=true", xml, headers);
  const { startedAt } = await app.owner.read(`/api/imports/${jobId}`);
  await app.judged();
  app.clock.advance(HOUR_MS);
  await reject("SKU-8");
  const later = app.clock.now().toISOString();

  const decided = [
    [`status=superseded&decidedSince=${startedAt}`, [1, 2]],
    [`decidedSince=${startedAt}`, [1, 2, 8]],
    [`decidedSince=${later}&order=desc`, [8]],
    [`status=superseded&decidedSince=${later}`, []],
    ["decidedSince=2026-01-01", [1, 2, 8, 9]],
    [`decidedSince=${startedAt}&sku=SKU-2`, [2]],
    [`decidedSince=${startedAt}&q=sku-8`, [8]],
  ] as const;
  for (const [query, expected] of decided) {
    assertEquals(await skusOf(app, query), [...expected], query);
  }
  for (const ofOpen of ["status=open", "direction=up"]) {
    const path = `/api/proposals?${ofOpen}&decidedSince=2026-01-01`;
    await refuses(app.owner.get(path), "validation_failed", ofOpen);
  }
});
