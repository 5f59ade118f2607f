import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import type { Run } from "../../src/scraping/runs/run.ts";
import { addMatch, addProduct, answered, refused } from "../competitors/shop.ts";
import { html, openShop, priced, productPage } from "./hostile_shop.ts";
import { addTargets, onlyResult, scrape, startScrapingApp } from "./scraping_app.ts";

Deno.test("POST scrape-now fetches every enabled match and stores what it saw", async () => {
  await using app = await startScrapingApp();
  await using shop = openShop({ "/a": priced("19.99"), "/b": priced("29.50") });
  const productId = await addTargets(app, `${shop.base}/a`, `${shop.base}/b`);
  const run = await scrape(app, productId);
  assertEquals([run.status, run.hasErrors, run.counts], [
    "succeeded",
    false,
    { targets: 2, ok: 2, failed: 0, skipped: 0 },
  ]);
  assertEquals(
    run.results.map(({ status, price, currency, method, inStock }) => [
      status,
      price,
      currency,
      method,
      inStock,
    ]),
    [["ok", 1999, "EUR", "json_ld", true], ["ok", 2950, "EUR", "json_ld", true]],
  );
  const product = await answered<{
    lastScrapedAt: string;
    competitorPrices: { price: number; lastCheckedAt: string }[];
  }>(app.viewer.get(`/api/products/${productId}`), 200);
  assertEquals(product.competitorPrices.map(({ price }) => price), [1999, 2950]);
  assertEquals(product.lastScrapedAt, app.clock.now().toISOString());
  const page = await answered<{ items: { price: number; runId: string; source: string }[] }>(
    app.viewer.get(`/api/observations?productId=${productId}`),
    200,
  );
  assertEquals(page.items.map(({ price, runId, source }) => [price, runId, source]).sort(), [
    [1999, run.id, "scrape"],
    [2950, run.id, "scrape"],
  ]);
  assertEquals(shop.visits.map(({ path }) => path), ["/robots.txt", "/a", "/b"]);
});
