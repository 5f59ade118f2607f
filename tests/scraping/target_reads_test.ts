import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { openMemoryStore } from "../memory_store.ts";
import { notingReads } from "../noted_reads.ts";
import { answered } from "../shops/shop.ts";
import type { TestApp } from "../harness.ts";
import { heldBack, openShop, priced } from "./hostile_shop.ts";
import { addTargets, scrape, startScrapingApp } from "./scraping_app.ts";

/** Key prefixes of products, offers and matches. */
const TABLES = ["p", "o", "m"] as const;

Deno.test("consecutive targets share reads of their product, and offers are read only to be written", async () => {
  const { store, takeCalls } = notingReads(await openMemoryStore());
  await using app = await startScrapingApp({}, { store });
  const paths = Array.from({ length: 5 }, (_, n) => `/p/${n}`);
  await using shop = openShop(Object.fromEntries(paths.map((path) => [path, priced("10.00")])));
  const [one, five] = [
    await addTargets(app, `${shop.base}/p/0`),
    await addTargets(app, ...paths.map((path) => `${shop.base}${path}`)),
  ];
  // The first run caches the shop's robots.txt.
  await scrape(app, one);
  takeCalls();
  const run = await scrape(app, one);
  const readsOfOne = takeCalls();
  const runOfFive = await scrape(app, five);
  const readsOfFive = takeCalls();
  assertEquals([run.counts.ok, runOfFive.counts.ok], [1, 5]);
  const count = (calls: readonly string[], table: string) =>
    calls.filter((call) => call.split(/[ ,]/).includes(table)).length;
  const perTarget = TABLES.map((table) =>
    (count(readsOfFive, table) - count(readsOfOne, table)) / 4
  );
  assertEquals(perTarget, [0, 1, 0]);
});

/** Runs `meanwhile` while the run of a target waits for its page. */
async function scrapeWhile(meanwhile: (app: TestApp, productId: string) => Promise<unknown>) {
  const app = await startScrapingApp();
  const { page, requested, release } = heldBack(priced("10.00"));
  await using shop = openShop({ "/p": page });
  const productId = await addTargets(app, `${shop.base}/p`);
  const run = scrape(app, productId);
  await requested;
  await meanwhile(app, productId);
  release();
  const { counts, status } = await run;
  const visits = shop.asked("/p").length;
  const seen = await Array.fromAsync(app.store.kv.list({ prefix: ["ob"] }));
  await app[Symbol.asyncDispose]();
  return { status, ok: counts.ok, visits, observations: seen.length };
}

Deno.test("a product that changes during its fetch gets its price, and the page is fetched once", async () => {
  const rename = async (app: TestApp, id: string) =>
    await answered(app.manager.patch(`/api/products/${id}`, { title: "Renamed" }), 200);
  const outcome = await scrapeWhile(rename);
  assertEquals(outcome, { status: "succeeded", ok: 1, visits: 1, observations: 1 });
});

Deno.test("nothing is stored for a product that is deleted during its fetch", async () => {
  const remove = async (app: TestApp, id: string) =>
    await answered(app.manager.delete(`/api/products/${id}`), 200);
  const { visits, observations } = await scrapeWhile(remove);
  assertEquals({ visits, observations }, { visits: 1, observations: 0 });
});
