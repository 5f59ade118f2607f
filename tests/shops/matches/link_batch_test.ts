import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type { LinkResult } from "../../../src/shops/matches/link_products.ts";
import type { CompetitorProduct, Visit } from "../../../src/shops/matches/match.ts";
import { commitsOf } from "../../../src/platform/store/kv.ts";
import { schedules } from "../../../src/scraping/schedule/schedule.ts";
import type { TestApp } from "../../harness.ts";
import { openShop, priced } from "../../scraping/hostile_shop.ts";
import {
  onlyResult,
  runTick,
  scrape,
  tickAndEnd,
  withCheckedScrapingApp,
} from "../../scraping/scraping_app.ts";
import { addProducts } from "../../rules/evaluation/market.ts";
import { addProduct, answered, auditOf } from "../shop.ts";

const PATH = "/api/competitor-products/bulk";
const PUBLIC = "/api/public/v1/competitor-products/bulk";

async function link(app: TestApp, links: unknown[]): Promise<LinkResult[]> {
  const body = await answered<{ results: LinkResult[] }>(app.manager.post(PATH, { links }), 200);
  return body.results;
}

withCheckedScrapingApp.test("many links need few commits, even if some are refused", async (app) => {
  const skus = Array.from({ length: 150 }, (_, n) => `SKU-${n}`);
  await addProducts(app, skus.map((sku) => ({ sku })));
  const links = skus.flatMap((sku, n) => [
    { sku, url: `https://shop-${n % 3}.example/p/${n}` },
    { sku: n % 50 === 0 ? `${sku}-none` : sku, url: `https://shop-9.example/p/${n}` },
  ]);
  const before = commitsOf(app.store);
  const results = await link(app, links);
  const commits = commitsOf(app.store) - before;
  ok(commits < 100, `${links.length} links took ${commits} commits`);
  assertEquals(results.map(({ index }) => index), links.map((_, index) => index));
  const codes = Map.groupBy(results, ({ status, error }) => status ?? error?.code);
  assertEquals([...codes].map(([code, of]) => [code, of.length]), [
    ["created", 297],
    ["not_found", 3],
  ]);
  // Each link has its audit row. A repeated request creates nothing.
  const some = results[0]?.competitorProductId;
  const audit = await auditOf(app.owner, `competitor_product:${some}`);
  assertEquals(audit.map(([action]) => action), ["competitor_product.create"]);
  const again = await link(app, links);
  assertEquals(
    again.map(({ competitorProductId }) => competitorProductId),
    results.map(({ competitorProductId }) => competitorProductId),
  );
});

withCheckedScrapingApp.test("a key's link waits for the schedule, a person's is visited at once, and `visit` changes both", async (app) => {
  await using shop = openShop({ "/p": priced("1.00") });
  const key = await app.key(["matches:write"]);
  const stands = async (productId: string): Promise<Visit> => {
    if (await tickAndEnd(app, productId) > 0) return "now";
    return await schedules.find(app, { productId }) === null ? "never" : "scheduled";
  };
  const cases: readonly (readonly [by: "person" | "key", visit: Visit | null, due: string])[] = [
    ["person", null, "now"],
    ["key", null, "scheduled"],
    ["person", "scheduled", "scheduled"],
    ["key", "now", "now"],
    ["key", "never", "never"],
  ];
  for (const [n, [by, visit, due]] of cases.entries()) {
    const productId = await addProduct(app.manager, `V-${n}`);
    const body = { links: [{ sku: `V-${n}`, url: `${shop.base}/p` }], ...(visit && { visit }) };
    const { data: [made] } = by === "key"
      ? await answered<{ data: LinkResult[] }>(key.post(PUBLIC, body), 200)
      : {
        data:
          (await answered<{ results: LinkResult[] }>(app.manager.post(PATH, body), 200)).results,
      };
    const path = `/api/competitor-products/${made?.competitorProductId}`;
    const { visit: stored } = await answered<CompetitorProduct>(app.viewer.get(path), 200);
    assertEquals(stored, due);
    assertEquals(await stands(productId), due, `${by} ${visit}`);
    if (due !== "never") continue;
    // The schedule ignores the link until its `visit` changes.
    await answered(app.manager.patch(path, { visit: "now" }), 200);
    assertEquals(await stands(productId), "now");
  }
});

withCheckedScrapingApp.test("the next visit is due at once when a link or its shop is enabled again", async (app) => {
  await using shop = openShop({ "/p": priced("1.00"), "/q": priced("2.00") });
  const productId = await addProduct(app.manager, "P-1");
  const [made] = await link(app, [{ sku: "P-1", url: `${shop.base}/p` }]);
  assertEquals(onlyResult(await scrape(app, productId)).status, "ok");
  const path = `/api/competitor-products/${made?.competitorProductId}`;
  const { competitorId } = await answered<CompetitorProduct>(app.viewer.get(path), 200);
  for (const paused of [path, `/api/competitors/${competitorId}`]) {
    assertEquals(await runTick(app), 0, paused);
    await answered(app.manager.patch(paused, { enabled: false }), 200);
    assertEquals(await runTick(app), 0, paused);
    app.clock.advance(60_000);
    await answered(app.manager.patch(paused, { enabled: true }), 200);
    assertEquals(await tickAndEnd(app, productId), 1, paused);
  }
});
