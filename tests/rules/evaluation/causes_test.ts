import { HOUR_MS } from "../../../src/base/time.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { queueStaleProducts } from "../../../src/rules/evaluation/rejudge_job.ts";
import { bodyOf } from "../../api/answers.ts";
import { startTestApp, type TestApp, withApp } from "../../harness.ts";
import { IMPORT, itemsXml, sendXml } from "../../imports/import_calls.ts";
import { createRuleCache } from "../../../src/rules/rule.ts";
import {
  addProduct,
  addRule,
  priceOf,
  proposals,
  push,
  pushJudged,
  statuses,
  untilJudged,
} from "./market.ts";
import { openMemoryStore } from "../../memory_store.ts";
import { until } from "../../patience.ts";
import { linksOf } from "../../shops/shop.ts";
import { watchedStore } from "../../watched_store.ts";

const raisedAlerts = async (app: TestApp) => (await app.owner.read("/api/alerts?limit=200")).items;

withApp.test("the pass every 15 minutes finds products with stale prices, once per slot and cooldown, and ends at a stop", async (app) => {
  await addRule(app.owner, {
    cooldownMinutes: 60,
    when: { trigger: "scrape_stale", staleHours: 10 },
    actions: [{ type: "alert_inapp" }],
  });
  const undercut = await addRule(app.owner, { actions: [{ type: "alert_inapp" }] });
  for (const sku of ["SEEN", "STALE", "ALONE"]) await addProduct(app.owner, sku);
  await pushJudged(app, [["SEEN", "acme", 110], ["STALE", "acme", 90]]);
  assertEquals((await raisedAlerts(app)).length, 1, "undercut at the push");
  app.clock.advance(11 * HOUR_MS);
  await pushJudged(app, [["SEEN", "acme", 110]]);
  const pass = async (stop: Partial<Parameters<typeof queueStaleProducts>[0]> = {}) => {
    const setup = { store: app.store, clock: app.app.clock, ruleCache: createRuleCache(), ...stop };
    const found = await queueStaleProducts(setup, app.clock.now());
    await untilJudged(app);
    return found;
  };
  assertEquals([await pass(), await pass()], [1, 0]);
  app.clock.advance(15 * 60_000);
  assertEquals(await pass(), 0, "within the cooldown");
  app.clock.advance(HOUR_MS);
  const stop = new AbortController();
  const now = () => {
    stop.abort();
    return app.clock.now();
  };
  const clock = { ...app.app.clock, now };
  assertEquals(await pass({ clock, stopping: stop.signal }), 0, "stopped after it has begun");
  app.clock.advance(15 * 60_000);
  assertEquals([await pass({ stopping: stop.signal }), await pass()], [0, 1]);
  const raised = await raisedAlerts(app);
  const isUndercut = raised.map(({ ruleId }: { ruleId: string }) => ruleId === undercut);
  assertEquals(isUndercut, [true, false, false]);
  match(raised[1].body, /STALE.*11 h old/);
});

withApp.test("an import that reverts a rule's price restarts the rule's cooldown", async (app) => {
  await app.owner.change("/api/settings", { autoApply: true });
  const erp = await app.key(["products:write"]);
  const more = "<COSTPRICE>50,00</COSTPRICE>";
  const file = itemsXml([{ sku: "A", title: "A", price: "100,00", more }]);
  await bodyOf(sendXml(erp, file), 200);
  await addRule(app.owner, {
    cooldownMinutes: 120,
    marginFloor: { pct: 10 },
    actions: [{ type: "auto_apply_if_safe", formula: "match_cheapest" }],
  });
  const [product] = (await app.owner.read("/api/products")).items;
  app.clock.advance(HOUR_MS);
  await pushJudged(app, [["A", "acme", 95]]);
  assertEquals(await priceOf(app.owner, product.id), 9_500);

  app.clock.advance(119 * 60_000);
  const { data } = await bodyOf(sendXml(erp, file), 200);
  await untilJudged(app);
  assertEquals(await priceOf(app.owner, product.id), 10_000, "the file wins");
  const job = await erp.read(`${IMPORT}/${data.jobId}`);
  assertEquals(job.data.warnings[0].code, "price_reverted");
  // A cooldown that had begun when the rule first fired would have ended by now.
  app.clock.advance(10 * 60_000);
  await pushJudged(app, [["A", "acme", 94]]);
  assertEquals(await priceOf(app.owner, product.id), 10_000);
  app.clock.advance(2 * HOUR_MS);
  await pushJudged(app, [["A", "acme", 93]]);
  assertEquals(await priceOf(app.owner, product.id), 9_300);
});

const ALERT = { actions: [{ type: "alert_inapp" }] };

const alerts = async (app: TestApp): Promise<number> =>
  (await app.owner.read("/api/alerts?limit=200")).count;

withApp.test("a rule alone is evaluated when it is enabled or changed, not when it is renamed; a product that leaves its scope loses its proposal", async (app) => {
  const stranger = await app.strangerOwner();
  await addRule(stranger);
  await addProduct(stranger, "A");
  await addRule(app.owner, { name: "First", priority: 1, ...ALERT });
  await addProduct(app.owner, "A");
  await push(app, [["A", "acme", 90]]);
  const id = await addRule(app.owner, { enabled: false });
  await untilJudged(app);
  assertEquals([await statuses(app.owner), await alerts(app)], [[], 1]);
  await app.owner.act(`/api/rules/${id}/toggle`);
  await untilJudged(app);
  assertEquals(await statuses(app.owner), [["open", 9_000]]);
  const fires = async () => (await app.owner.read(`/api/rules/${id}`)).stats.fires30d;
  assertEquals(await fires(), 1);
  await app.owner.change(`/api/rules/${id}`, { name: "Anders" });
  await untilJudged(app);
  assertEquals(await fires(), 1);
  const actions = [{ type: "propose_price", formula: "min_competitor_minus_1pct" }];
  await app.owner.change(`/api/rules/${id}`, { actions });
  await untilJudged(app);
  assertEquals(await statuses(app.owner), [["superseded", 9_000], ["open", 8_910]]);
  const other = { scope: { mode: "attribute", matches: { brand: ["Bose"] } } };
  for (const [scope, open] of [[other, []], [{ scope: { mode: "all" } }, [["open", 8_910]]]]) {
    await app.owner.change(`/api/rules/${id}`, scope);
    await untilJudged(app);
    assertEquals(await statuses(app.owner, "status=open"), open);
  }
  assertEquals(await alerts(app), 1, "the other rule was not evaluated");
  assertEquals(await proposals(stranger), [], "no rule of another workspace was evaluated");
});

withApp.test("a product that enters a scope, gets other bounds, is locked or unlocked is judged", async (app) => {
  await addRule(app.owner, { scope: { mode: "attribute", matches: { brand: ["Sony"] } } });
  const id = await addProduct(app.owner, "A", { brand: "Bose" });
  await push(app, [["A", "acme", 90]]);
  const change = async (patch: Record<string, unknown>) => {
    await untilJudged(app);
    app.clock.advance(60_000);
    await app.owner.change(`/api/products/${id}`, patch);
    await untilJudged(app);
    return await statuses(app.owner);
  };
  assertEquals(await change({ title: "Anders" }), []);
  assertEquals(await change({ brand: "Sony" }), [["open", 9_000]]);
  assertEquals(await change({ priceLocked: true }), [["superseded", 9_000]]);
  const freed = [["superseded", 9_000], ["open", 9_000]];
  assertEquals(await change({ priceLocked: false }), freed);
  const bound = [["superseded", 9_000], ["superseded", 9_000]];
  assertEquals(await change({ brand: "Bose" }), bound);
});

withApp.test("a disabled link or shop removes its prices from the rules", async (app) => {
  await addRule(app.owner);
  const id = await addProduct(app.owner, "A");
  await pushJudged(app, [["A", "acme", 90], ["A", "bolt", 95]]);
  assertEquals(await statuses(app.owner), [["open", 9_000]]);
  const links = await linksOf(app.owner, `productId=${id}`);
  const acme = links.find(({ url }) => url.includes("acme"));
  await app.owner.change(`/api/competitor-products/${acme?.id}`, { enabled: false });
  await untilJudged(app);
  assertEquals(await statuses(app.owner), [["superseded", 9_000], ["open", 9_500]]);
  const bolt = links.find(({ url }) => url.includes("bolt"));
  await app.owner.change(`/api/competitors/${bolt?.competitorId}`, { enabled: false });
  await untilJudged(app);
  assertEquals((await statuses(app.owner)).map(([status]) => status), ["superseded", "superseded"]);
});

withApp.test("a change of a shop's groups or kind has its products judged, a new name or colour does not", async (app) => {
  const id = await addProduct(app.owner, "A");
  const when = { trigger: "competitor_undercut" };
  await addRule(app.owner, { name: "Discounter", when: { ...when, groups: ["discount"] } });
  const seller = { seller: "Bob's", condition: "new" };
  await pushJudged(app, [["A", "acme", 90]], seller);
  assertEquals(await statuses(app.owner), []);
  const [link] = await linksOf(app.owner, `productId=${id}`);
  const patch = async (body: Record<string, unknown>) => {
    await app.owner.change(`/api/competitors/${link?.competitorId}`, body);
    await untilJudged(app);
  };
  await patch({ displayName: "Acme & Co" });
  assertEquals(await statuses(app.owner), []);
  await patch({ groups: ["Discount"] });
  assertEquals(await statuses(app.owner), [["open", 9_000]]);
  await patch({ groups: [] });
  assertEquals(await statuses(app.owner), [["superseded", 9_000]]);
  // Next, the shop becomes a marketplace with offers from other sellers.
  await addRule(app.owner, { name: "Shops", when: { ...when, marketplaces: "without" } });
  await untilJudged(app);
  assertEquals((await statuses(app.owner)).length, 2);
  await patch({ isMarketplace: true });
  assertEquals((await statuses(app.owner)).map(([status]) => status), ["superseded", "superseded"]);
  await patch({ sellerNames: ["Bob's"] });
  const now = (await statuses(app.owner)).map(([status]) => status).sort();
  assertEquals(now, ["open", "superseded", "superseded"]);
});

Deno.test("several waiting changes of a product or its shop are judged once: a rule without a cooldown fires once", async () => {
  const memory = await openMemoryStore();
  using _kv = memory.kv;
  let isHeld = false;
  const store = watchedStore(memory, {
    listed: async ({ prefix }) => {
      if (prefix?.[0] !== "tq" || prefix.length > 1) return;
      await until("judging goes on", () => Promise.resolve(!isHeld));
    },
  });
  await using app = await startTestApp({ store });
  const ruleId = await addRule(app.owner, {
    when: { trigger: "margin_below", marginPct: 60 },
    ...ALERT,
  });
  await untilJudged(app);
  const key = await app.key(["observations:write"]);
  // Evaluation is paused, so that both causes wait at the same time.
  isHeld = true;
  const id = await addProduct(app.owner, "A");
  const observation = { sku: "A", url: "https://acme.example/A", price: 90, currency: "EUR" };
  await key.act("/api/public/v1/observations", { observations: [observation] });
  await app.owner.change(`/api/products/${id}`, { costPrice: 51 });
  isHeld = false;
  await untilJudged(app);
  assertEquals(await alerts(app), 1);
  const rule = await app.owner.read(`/api/rules/${ruleId}`);
  assertEquals(rule.stats.fires30d, 1);
  await app.owner.change(`/api/products/${id}`, { costPrice: 52 });
  await untilJudged(app);
  assertEquals(await alerts(app), 2, "a change that came after it is judged");
  assertEquals(await priceOf(app.owner, id), 10_000);
  isHeld = true;
  const [link] = await linksOf(app.owner, `productId=${id}`);
  for (const groups of [["b"], ["a", "b"], ["a"]]) {
    await app.owner.change(`/api/competitors/${link?.competitorId}`, { groups });
  }
  isHeld = false;
  await untilJudged(app);
  assertEquals(await alerts(app), 3, "several changes of the shop");
});
