import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { assertFields, column } from "../../api/answers.ts";
import type { LinkResult } from "../../../src/shops/matches/link_products.ts";
import type { CompetitorProduct, Visit } from "../../../src/shops/matches/match.ts";
import type { TestApp } from "../../harness.ts";
import { addMatch, addProduct, withCheckedApp, withProduct } from "../shop.ts";
import { commitsOf } from "../../../src/platform/store/kv.ts";
import { addProducts } from "../../rules/evaluation/market.ts";
import { schedules } from "../../../src/scraping/schedule/schedule.ts";
import { openShop, priced } from "../../scraping/hostile_shop.ts";
import {
  onlyResult,
  runTick,
  scrape,
  tickAndEnd,
  withCheckedScrapingApp,
} from "../../scraping/scraping_app.ts";

const PATH = "/api/competitor-products/bulk";
const PUBLIC = "/api/public/v1/competitor-products/bulk";

async function link(app: TestApp, links: unknown[]): Promise<LinkResult[]> {
  const body = await app.manager.act<{ results: LinkResult[] }>(PATH, { links });
  return body.results;
}

withProduct.test("POST /api/competitor-products/bulk gives each link its own result, in order", async ({ app, productId }) => {
  const old = await addMatch(app.manager, productId, "https://shop.de/old");
  await addProduct(app.manager, "A-2");
  const gone = await addProduct(app.manager, "A-3");
  await app.manager.remove(`/api/products/${gone}`);
  const cases: readonly [link: object, outcome: string][] = [
    [{ sku: "A-2", url: "https://shop.de/2", packFactor: 6 }, "created"],
    [{ sku: "A-1", url: "https://shop.de/old#x" }, "existing"],
    [{ sku: "A-1", url: "https://shop.de/old", packFactor: 2 }, "changed"],
    [{ sku: "A-1", url: "https://shop.de/old", packFactor: 2 }, "existing"],
    [{ sku: "A-9", url: "https://shop.de/9" }, "not_found"],
    [{ sku: "A-3", url: "https://shop.de/3" }, "not_found"],
    [{ sku: "A-1", url: "http://10.0.0.1/" }, "validation_failed"],
    [{ sku: "A-1", url: "https://shop.de/x", packFactor: 0 }, "validation_failed"],
    [{ sku: "A-1", url: "https://shop.de/x", colour: "red" }, "validation_failed"],
    [{ sku: "A-1" }, "validation_failed"],
  ];
  const results = await link(app, cases.map(([one]) => one));
  const outcomes = results.map(({ status, error }) => status ?? error?.code);
  assertEquals(outcomes, cases.map(([, outcome]) => outcome));
  assertEquals(column(results, "index"), [...results.keys()]);
  assertEquals(column(results, "ok"), results.map(({ error }) => error === null));
  assertEquals(column(results.slice(1, 4), "competitorProductId"), Array(3).fill(old.id));
  const path = `/api/competitor-products/${results[0]?.competitorProductId}`;
  const made = await app.viewer.read<CompetitorProduct>(path);
  assertFields(made, { packFactor: 6, source: "manual" });
  // The public API gives the same results.
  const key = await app.key(["matches:write"]);
  const links = [{ sku: "A-2", url: "https://shop.de/2" }, { sku: "nobody", url: "no address" }];
  const { data, count } = await key.act(PUBLIC, { links });
  assertEquals([count, column(data, "ok")], [2, [true, false]]);
  assertEquals(data[0].competitorProductId, made.id);
});

withCheckedApp.test("many links need few commits, even if some are refused", async (app) => {
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
  assertEquals(results.filter(({ status }) => status === "created").length, 297);
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
    const made = by === "key" ? await key.act(PUBLIC, body) : await app.manager.act(PATH, body);
    const [{ competitorProductId }] = made.data ?? made.results;
    const path = `/api/competitor-products/${competitorProductId}`;
    assertEquals((await app.viewer.read(path)).visit, due);
    assertEquals(await stands(productId), due, `${by} ${visit}`);
    if (due !== "never") continue;
    // The schedule ignores the link until its `visit` changes.
    await app.manager.change(path, { visit: "now" });
    assertEquals(await stands(productId), "now");
  }
});

withCheckedScrapingApp.test("the next visit is due at once when a link or its shop is enabled again", async (app) => {
  await using shop = openShop({ "/p": priced("1.00"), "/q": priced("2.00") });
  const productId = await addProduct(app.manager, "P-1");
  const [made] = await link(app, [{ sku: "P-1", url: `${shop.base}/p` }]);
  assertEquals(onlyResult(await scrape(app, productId)).status, "ok");
  const path = `/api/competitor-products/${made?.competitorProductId}`;
  const { competitorId } = await app.viewer.read<CompetitorProduct>(path);
  for (const paused of [path, `/api/competitors/${competitorId}`]) {
    assertEquals(await runTick(app), 0, paused);
    await app.manager.change(paused, { enabled: false });
    assertEquals(await runTick(app), 0, paused);
    app.clock.advance(60_000);
    await app.manager.change(paused, { enabled: true });
    assertEquals(await tickAndEnd(app, productId), 1, paused);
  }
});
