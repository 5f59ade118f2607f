import { HOUR_MS } from "../../../src/base/time.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { queueStaleProducts } from "../../../src/rules/evaluation/rejudge_job.ts";
import { bodyOf } from "../../api/answers.ts";
import { type TestApp, withApp } from "../../harness.ts";
import { IMPORT, itemsXml, sendXml } from "../../imports/import_calls.ts";
import { createRuleCache } from "../../../src/rules/rule_store.ts";
import { addProduct, addRule, priceOf, proposals, pushJudged, untilJudged } from "./market.ts";

const alerts = async (app: TestApp) =>
  (await bodyOf(app.owner.get("/api/alerts?limit=200"), 200)).items;

withApp.test("the pass every 15 minutes finds products with stale prices, once per slot and cooldown", async (app) => {
  await addRule(app.owner, {
    cooldownMinutes: 60,
    when: { trigger: "scrape_stale", staleHours: 10 },
    actions: [{ type: "alert_inapp" }],
  });
  const undercut = await addRule(app.owner, { actions: [{ type: "alert_inapp" }] });
  for (const sku of ["SEEN", "STALE", "ALONE"]) await addProduct(app.owner, sku);
  await pushJudged(app, [["SEEN", "acme", 110], ["STALE", "acme", 90]]);
  assertEquals((await alerts(app)).length, 1, "undercut at the push");
  app.clock.advance(11 * HOUR_MS);
  await pushJudged(app, [["SEEN", "acme", 110]]);
  const pass = async () => {
    const setup = { store: app.store, clock: app.app.clock, ruleCache: createRuleCache() };
    const found = await queueStaleProducts(setup, app.clock.now());
    await untilJudged(app);
    return found;
  };
  assertEquals([await pass(), await pass()], [1, 0]);
  app.clock.advance(15 * 60_000);
  assertEquals(await pass(), 0, "within the cooldown");
  app.clock.advance(HOUR_MS);
  assertEquals(await pass(), 1);
  const raised = await alerts(app);
  assertEquals(raised.map((one: { ruleId: string }) => one.ruleId === undercut), [
    true,
    false,
    false,
  ]);
  match(raised[1].body, /STALE.*11 h old/);
});

withApp.test("an import that reverts a rule's price restarts the rule's cooldown", async (app) => {
  await bodyOf(app.owner.patch("/api/settings", { autoApply: true }), 200);
  const erp = await app.key(["products:write"]);
  const file = itemsXml([{
    sku: "A",
    title: "A",
    price: "100,00",
    more: "<COSTPRICE>50,00</COSTPRICE>",
  }]);
  await bodyOf(sendXml(erp, file), 200);
  await addRule(app.owner, {
    cooldownMinutes: 120,
    marginFloor: { pct: 10 },
    actions: [{ type: "auto_apply_if_safe", formula: "match_cheapest" }],
  });
  const [product] = (await bodyOf(app.owner.get("/api/products"), 200)).items;
  app.clock.advance(HOUR_MS);
  await pushJudged(app, [["A", "acme", 95]]);
  assertEquals(await priceOf(app.owner, product.id), 9_500);

  app.clock.advance(119 * 60_000);
  const { data } = await bodyOf(sendXml(erp, file), 200);
  await untilJudged(app);
  assertEquals(await priceOf(app.owner, product.id), 10_000, "the file wins");
  const job = await bodyOf(erp.get(`${IMPORT}/${data.jobId}`), 200);
  assertEquals(job.data.warnings[0].code, "price_reverted");
  // A cooldown that began with the first fire would be over now.
  app.clock.advance(10 * 60_000);
  await pushJudged(app, [["A", "acme", 94]]);
  assertEquals(await priceOf(app.owner, product.id), 10_000);
  app.clock.advance(2 * HOUR_MS);
  await pushJudged(app, [["A", "acme", 93]]);
  assertEquals(await priceOf(app.owner, product.id), 9_300);
});

withApp.test("a large import is evaluated like a small one: only rules that fire have effects", async (app) => {
  await addRule(app.owner, {
    when: { trigger: "margin_below", marginPct: 20 },
    actions: [{ type: "alert_inapp", severity: "high" }, {
      type: "propose_price",
      formula: "target_margin_pct",
    }],
  });
  const erp = await app.key(["products:write"]);
  const items = Array.from({ length: 1_500 }, (_, n) => ({
    sku: `SKU-${n}`,
    title: `Artikel ${n}`,
    price: "100,00",
    more: `<COSTPRICE>${n % 100 === 0 ? "90" : "50"},00</COSTPRICE>`,
  }));
  await bodyOf(sendXml(erp, itemsXml(items)), 200);
  await untilJudged(app);
  const made = await proposals(app.owner);
  assertEquals(made.length, 15);
  assertEquals(new Set(made.map(({ proposedCents }) => proposedCents)), new Set([11_250]));
  assertEquals((await alerts(app)).length, 15);
});

withApp.test("only changes of price or cost by a person are judged", async (app) => {
  await addRule(app.owner, {
    when: { trigger: "margin_below", marginPct: 30 },
    actions: [{ type: "alert_inapp" }],
  });
  const id = await addProduct(app.owner, "A");
  const change = async (patch: Record<string, unknown>) => {
    await bodyOf(app.owner.patch(`/api/products/${id}`, patch), 200);
    await untilJudged(app);
    return (await alerts(app)).length;
  };
  assertEquals(await change({ title: "Anders" }), 0);
  assertEquals(await change({ costPrice: 80 }), 1);
  assertEquals(await change({ title: "Wieder anders" }), 1);
  assertEquals(await change({ ourPrice: 101 }), 2);
});

withApp.test("a push in one workspace fires no rule of another", async (app) => {
  const stranger = await app.strangerOwner();
  await addRule(stranger);
  await addProduct(stranger, "A");
  await addProduct(app.owner, "A");
  await pushJudged(app, [["A", "acme", 90]]);
  assertEquals(await proposals(stranger), []);
  assertEquals(await proposals(app.owner), []);
});
