import {
  addProduct,
  addRule,
  automatic,
  proposals,
  type RulesApp,
  startRulesApp,
  withRules,
} from "./market.ts";
import { HOUR_MS } from "../../../src/base/time.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { queueStaleProducts } from "../../../src/rules/evaluation/rejudge_job.ts";
import { bodyOf, column } from "../../api/answers.ts";
import { IMPORT, itemsXml, sendXml } from "../../imports/import_calls.ts";
import { createRuleCache } from "../../../src/rules/rule.ts";
import { openMemoryStore } from "../../memory_store.ts";
import { until } from "../../patience.ts";
import { linksOf } from "../../shops/shop.ts";
import { watchedStore } from "../../watched_store.ts";
import { extent } from "../../proof.ts";
import { firesByRule } from "./fires.ts";

const ALERT = { actions: [{ type: "alert_inapp" }] };

const alerts = async (app: RulesApp): Promise<number> => (await app.alerts()).length;

withRules.test("the pass every 15 minutes finds products with stale prices, once per slot and cooldown, and ends at a stop", async (app) => {
  const when = { trigger: "scrape_stale", staleHours: 10 };
  const stale = await app.addRule({ ...ALERT, cooldownMinutes: 60, when });
  const undercut = await app.addRule(ALERT);
  for (const sku of ["SEEN", "STALE", "ALONE"]) await app.addProduct(sku);
  await app.push([["SEEN", "acme", 110], ["STALE", "acme", 90]]);
  assertEquals((await app.alerts()).length, 1, "undercut at the push");
  await app.pushAfter(11 * HOUR_MS, [["SEEN", "acme", 110]]);
  const pass = async (stop: Partial<Parameters<typeof queueStaleProducts>[0]> = {}) => {
    const setup = { store: app.store, clock: app.app.clock, ruleCache: createRuleCache(), ...stop };
    const found = await queueStaleProducts(setup, app.clock.now());
    await app.judged();
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
  const raised = await app.alerts();
  assertEquals(column(raised, "ruleId"), [undercut, stale, stale]);
  match(raised[1].body, /STALE.*11 h old/);
});

withRules.test("a rank that a change of the rule or of the settings has moved causes no alert", async (app) => {
  const id = await app.addProduct("A");
  await app.push([["A", "acme", 90], ["A", "zeta", 110]]);
  const rule = await app.addRule({ ...ALERT, when: { trigger: "position_change" } });
  await app.judged();
  const [, { competitorId = "" } = {}] = await linksOf(app.owner, `productId=${id}`);
  const when = { trigger: "position_change", competitorIds: [competitorId] };
  await app.owner.change(`/api/rules/${rule}`, { when });
  assertEquals(await alerts(app), 0);
  await app.owner.change("/api/settings", { compareDelivered: true, ownShipping: 20 });
  assertEquals(await alerts(app), 0);
  await app.pushAfter(HOUR_MS, [["A", "zeta", 130]]);
  assertEquals(await alerts(app), 1);
});

withRules.test("an import that reverts a rule's price restarts the rule's cooldown", async (app) => {
  await app.owner.change("/api/settings", { autoApply: true });
  const erp = await app.key(["products:write"]);
  const more = "<COSTPRICE>50,00</COSTPRICE>";
  const file = itemsXml([{ sku: "A", title: "A", price: "100,00", more }]);
  await bodyOf(sendXml(erp, file), 200);
  await app.addRule({ ...automatic(10), cooldownMinutes: 120 });
  const [product] = (await app.owner.read("/api/products")).items;
  await app.pushAfter(HOUR_MS, [["A", "acme", 95]]);
  assertEquals(await app.priceOf(product.id), 9_500);

  app.clock.advance(119 * 60_000);
  const { data } = await bodyOf(sendXml(erp, file), 200);
  assertEquals(await app.priceOf(product.id), 10_000, "the file wins");
  const job = await erp.read(`${IMPORT}/${data.jobId}`);
  assertEquals(job.data.warnings[0].code, "price_reverted");
  // The next push comes 129 minutes after the rule's price, but only 10 minutes after the import.
  await app.pushAfter(10 * 60_000, [["A", "acme", 94]]);
  assertEquals(await app.priceOf(product.id), 10_000);
  await app.pushAfter(2 * HOUR_MS, [["A", "acme", 93]]);
  assertEquals(await app.priceOf(product.id), 9_300);
});

withRules.test("a rule alone is evaluated when it is enabled or changed, not when it is renamed; a product that leaves its scope loses its proposal", async (app) => {
  const stranger = await app.strangerOwner();
  await addRule(stranger);
  await addProduct(stranger, "A");
  await app.addRule({ name: "First", priority: 1, ...ALERT });
  await app.addProduct("A");
  await app.push([["A", "acme", 90]]);
  const id = await app.addRule({ enabled: false });
  assertEquals([await app.statuses(), await alerts(app)], [[], 1]);
  await app.owner.act(`/api/rules/${id}/toggle`);
  assertEquals(await app.statuses(), [["open", 9_000]]);
  const fires = async () => {
    await app.judged();
    return (await app.owner.read(`/api/rules/${id}`)).stats.fires30d;
  };
  assertEquals(await fires(), 1);
  await app.owner.change(`/api/rules/${id}`, { name: "Anders" });
  assertEquals(await fires(), 1);
  const actions = [{ type: "propose_price", formula: "min_competitor_minus_1pct" }];
  await app.owner.change(`/api/rules/${id}`, { actions });
  assertEquals(await app.statuses(), [["superseded", 9_000], ["open", 8_910]]);
  const other = { scope: { mode: "attribute", matches: { brand: ["Bose"] } } };
  for (const [scope, open] of [[other, []], [{ scope: { mode: "all" } }, [["open", 8_910]]]]) {
    await app.owner.change(`/api/rules/${id}`, scope);
    assertEquals(await app.statuses("status=open"), open);
  }
  assertEquals(await alerts(app), 1, "the other rule was not evaluated");
  assertEquals(await proposals(stranger), [], "no rule of another workspace was evaluated");
});

withRules.test("a disabled link or shop and a change of a shop's groups or kind have its products judged, a new name does not", async (app) => {
  const id = await app.addProduct("A");
  const when = { trigger: "competitor_undercut" };
  await app.addRule({ name: "Discounter", when: { ...when, groups: ["discount"] } });
  await app.push([["A", "acme", 90]], { seller: "Bob's", condition: "new" });
  const [link] = await linksOf(app.owner, `productId=${id}`);
  const ofLink = `/api/competitor-products/${link?.id}`;
  const ofShop = `/api/competitors/${link?.competitorId}`;
  const requireOpen = async (count: number, path: string, change: Record<string, unknown>) => {
    await app.owner.change(path, change);
    const open = await app.statuses("status=open");
    assertEquals(open, Array(count).fill(["open", 9_000]), JSON.stringify(change));
  };
  await requireOpen(0, ofShop, { displayName: "Acme & Co" });
  await requireOpen(1, ofShop, { groups: ["Discount"] });
  for (const path of [ofLink, ofShop]) {
    await requireOpen(0, path, { enabled: false });
    await requireOpen(1, path, { enabled: true });
  }
  await requireOpen(0, ofShop, { groups: [] });
  await app.addRule({ name: "Shops", when: { ...when, marketplaces: "without" } });
  await requireOpen(1, ofShop, { displayName: "Acme" });
  await requireOpen(0, ofShop, { isMarketplace: true });
  await requireOpen(1, ofShop, { sellerNames: ["Bob's"] });
  // With the link disabled, the rule uses bolt's offer, except while the price is locked.
  await app.push([["A", "bolt", 95]]);
  await app.owner.change(ofLink, { enabled: false });
  for (const priceLocked of [false, true, false]) {
    await app.owner.change(`/api/products/${id}`, { priceLocked });
    assertEquals(await app.statuses("status=open"), priceLocked ? [] : [["open", 9_500]]);
  }
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
  await using app = await startRulesApp({ store });
  const ruleId = await app.addRule({ ...ALERT, when: { trigger: "margin_below", marginPct: 60 } });
  await app.judged();
  const key = await app.key(["observations:write"]);
  // Evaluation is paused, so that three changes wait at the same time.
  isHeld = true;
  const id = await app.addProduct("A");
  const observation = { sku: "A", url: "https://acme.example/A", price: 90, currency: "EUR" };
  await key.act("/api/public/v1/observations", { observations: [observation] });
  await app.owner.change(`/api/products/${id}`, { costPrice: 51 });
  isHeld = false;
  assertEquals(await alerts(app), 1);
  const rule = await app.owner.read(`/api/rules/${ruleId}`);
  assertEquals(rule.stats.fires30d, 1);
  await app.owner.change(`/api/products/${id}`, { costPrice: 52 });
  assertEquals(await alerts(app), 2, "a change that came after it is judged");
  assertEquals(await app.priceOf(id), 10_000);
  isHeld = true;
  const [link] = await linksOf(app.owner, `productId=${id}`);
  for (const groups of [["b"], ["a", "b"], ["a"]]) {
    await app.owner.change(`/api/competitors/${link?.competitorId}`, { groups });
  }
  isHeld = false;
  assertEquals(await alerts(app), 3, "several changes of the shop");
});

const ROUNDS = extent(20, 2);

withRules.test("a change that waits while a rule is saved is still evaluated by the other rules, including one with ranks", async (app) => {
  const product = await app.addProduct("A");
  await app.push([["A", "acme", 90]]);
  const first = await app.addRule({ ...ALERT, name: "First" });
  const rank = await app.addRule({ ...ALERT, when: { trigger: "position_change" } });
  await app.push([["A", "zeta", 110]]);
  const before = await firesByRule(app.owner);
  for (let round = 1; round <= ROUNDS; round++) {
    const ourPrice = round % 2 === 1 ? 80 : 100;
    // The rule and the price are written at the same time, so either may be evaluated first.
    const [second] = await Promise.all([
      app.addRule({ ...ALERT, name: `Second ${round}` }),
      app.owner.change(`/api/products/${product}`, { ourPrice }),
    ]);
    await app.judged();
    const fires = await firesByRule(app.owner);
    assertEquals(fires[rank], (before[rank] ?? 0) + round, `rank in round ${round}`);
    const undercuts = Math.floor(round / 2);
    assertEquals(fires[first], (before[first] ?? 0) + undercuts, `first in round ${round}`);
    await app.owner.change(`/api/rules/${second}`, { enabled: false });
    await app.judged();
  }
});
