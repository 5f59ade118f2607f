/** Pages of many products are visited at once: as many runs as there is room for, each product once. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { bodyOf } from "../api/answers.ts";
import { openShop, priced } from "./hostile_shop.ts";
import { addTargets, ended, startScrapingApp } from "./scraping_app.ts";

Deno.test("runs are started for each product that has none in hand, and the others are named", async () => {
  await using app = await startScrapingApp();
  const { promise: isFree, resolve: release } = Promise.withResolvers<void>();
  await using shop = openShop({
    "/slow": async (request) => {
      await isFree;
      return await priced("9.99")(request);
    },
    "/a": priced("19.99"),
  });
  const slow = await addTargets(app, `${shop.base}/slow`);
  const quick = await addTargets(app, `${shop.base}/a`);
  const { runId } = await bodyOf(app.manager.post(`/api/products/${slow}/scrape-now`), 202);
  const body = { productIds: [slow, quick, "0".repeat(24), quick] };
  const outcome = await bodyOf(app.manager.post("/api/scrape-runs", body), 202);
  const [{ productId, runId: newId }] = outcome.started;
  assertEquals(
    [outcome.started.length, productId, outcome.inHand, outcome.missing, outcome.noRoom],
    [1, quick, [slow], ["0".repeat(24)], []],
  );
  release();
  assertEquals((await ended(app, runId)).counts.ok, 1);
  assertEquals((await ended(app, newId)).counts.ok, 1);
});
