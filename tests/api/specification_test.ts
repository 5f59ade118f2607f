/** Requirements of the customer's specification that no other test checks, by section. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { SPECIFIED_ACTIONS, SPECIFIED_TRIGGERS } from "../engine/pricing/specified_lists.ts";
import { type TestApp, withApp } from "../harness.ts";
import { addProduct, push, UNDERCUT } from "../rules/evaluation/market.ts";
import { openShop, priced } from "../scraping/hostile_shop.ts";
import { addTargets, scrape, withScrapingApp } from "../scraping/scraping_app.ts";
import { bodyOf, column, refusedField, valuesOf } from "./answers.ts";

const V1 = "/api/public/v1";

withApp.test("specification §2.5: a rule needs a name, a trigger, a scope and actions", async (app) => {
  for (const name of ["name", "when", "scope", "actions"]) {
    const answer = app.owner.post("/api/rules", { ...UNDERCUT, [name]: undefined });
    assertEquals(await refusedField(answer), name);
  }
});

withApp.test("specification §3.2, §4.5: GET /api/rules answers an array of all rules but deleted ones", async (app) => {
  const names = ["A", "B", "C"];
  for (const name of names) await app.owner.create("/api/rules", { ...UNDERCUT, name });
  const rules = await app.owner.read("/api/rules");
  assertEquals(column(rules, "name"), names);
  await app.owner.remove(`/api/rules/${rules[0].id}`);
  await bodyOf(app.owner.post(`/api/rules/${rules[0].id}/toggle`), 404);
  assertEquals(column(await app.owner.read("/api/rules"), "name"), ["B", "C"]);
});

withApp.test("specification §4.6: Triggers and Actions are listed on both interfaces, for keys and people", async (app) => {
  const key = await app.key([]);
  for (const base of ["/api/rules", `${V1}/rules`]) {
    for (const caller of [key, app.viewer]) {
      const triggers = column((await caller.read(`${base}/triggers`)).data, "value");
      assertEquals(triggers.slice(0, SPECIFIED_TRIGGERS.length), SPECIFIED_TRIGGERS);
      const actions = column((await caller.read(`${base}/actions`)).data, "value");
      assertEquals(actions, SPECIFIED_ACTIONS);
    }
  }
});

/** Adds products at 100.00, half of them of the brand Bose; the shop acme offers each at 90.00. */
async function market(app: TestApp, count: number): Promise<string[]> {
  const ids: string[] = [];
  const skus = Array.from({ length: count }, (_, n) => `SKU-${String(n).padStart(2, "0")}`);
  for (const [n, sku] of skus.entries()) {
    ids.push(await addProduct(app.owner, sku, { brand: n % 2 ? "Bose" : "Sony" }));
  }
  await push(app, skus.map((sku) => [sku, "acme", 90]));
  return ids;
}

withApp.test("specification §4.5: simulate looks at 25 products, lists the first five, and changes nothing", async (app) => {
  await market(app, 30);
  const { id } = await app.owner.create("/api/rules", { ...UNDERCUT, enabled: false });
  const answer = await app.viewer.act(`/api/rules/${id}/simulate`, {});
  assertEquals([answer.results.length, answer.evaluated, answer.fired], [25, 25, 25]);
  const five = ["SKU-00", "SKU-01", "SKU-02", "SKU-03", "SKU-04"].map((sku) => [sku, 9_000]);
  assertEquals(valuesOf(answer.firstFive, "sku", "proposedCents"), five);
  assertEquals((await app.owner.read("/api/proposals")).count, 0);
  assertEquals((await app.owner.read("/api/alerts")).count, 0);
  const { stats } = await app.owner.read(`/api/rules/${id}`);
  assertEquals(stats, { fires30d: 0, lastFiredAt: null });
});

withApp.test("specification §4.5: simulate takes the products that it is given, each once, 25 at most", async (app) => {
  const ids = await market(app, 3);
  const scope = { mode: "attribute", matches: { brand: "Sony" } };
  const { id } = await app.owner.create("/api/rules", { ...UNDERCUT, scope });
  const simulate = (sampleProductIds: unknown[], status: number) =>
    bodyOf(app.owner.post(`/api/rules/${id}/simulate`, { sampleProductIds }), status);
  const unknown = "0123456789abcdef01234567";
  const { results, ignored } = await simulate([ids[1], ids[0], ids[1], unknown, "nonsense"], 200);
  assertEquals(valuesOf(results, "sku", "wouldFire"), [["SKU-01", false], ["SKU-00", true]]);
  assertEquals(results[0].reason, "out of scope: brand is Bose");
  assertEquals(
    valuesOf(ignored, "id", "reason").sort(),
    [[unknown, "not_found"], ["nonsense", "malformed"]],
  );
  const many = Array.from({ length: 26 }, (_, n) => n.toString(16).padStart(24, "0"));
  await simulate(many, 400);
  await simulate([...many.slice(1), many[1]], 200);
});

withScrapingApp.test("specification §4.2: scrape-now works with scrapeEnabled false", async (app) => {
  await using shop = openShop({ "/p": priced("1.00") });
  const productId = await addTargets(app, `${shop.base}/p`);
  await app.manager.change(`/api/products/${productId}`, { scrapeEnabled: false });
  assertEquals((await scrape(app, productId)).counts.ok, 1);
});

withApp.test("specification §8: 600 requests per minute and key on the external interface", async (app) => {
  const answer = await (await app.key([])).get(`${V1}/products`);
  await answer.body?.cancel();
  assertEquals(answer.headers.get("RateLimit-Policy"), '"key";q=600;w=60');
});
