import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { openShop, priced } from "../../scraping/hostile_shop.ts";
import {
  addTargets,
  ended,
  scrape,
  startScrapingApp,
  withScrapingApp,
} from "../../scraping/scraping_app.ts";
import { bodyOf } from "./rows.ts";

type App = Awaited<ReturnType<typeof startScrapingApp>>;

/** One row, on an app that may fetch from this machine. */
function row(name: string, check: (app: App) => Promise<void>): void {
  withScrapingApp.test(`specification ${name}`, async (app) => {
    await check(app);
  });
}

const start = (app: App, productId: string) =>
  bodyOf(app.manager.post(`/api/products/${productId}/scrape-now`), 202);

row("§1 prices of competitors are collected on demand for one product", async (app) => {
  await using shop = openShop({ "/p": priced("279.00") });
  const productId = await addTargets(app, `${shop.base}/p`);
  await scrape(app, productId);
  const product = await bodyOf(app.viewer.get(`/api/products/${productId}`), 200);
  const [entry] = product.competitorPrices;
  assertEquals([entry.price, entry.currency, entry.inStock], [27_900, "EUR", true]);
});

row("§2.1 lastScrapedAt is the time of the run", async (app) => {
  await using shop = openShop({ "/p": priced("1.00") });
  const productId = await addTargets(app, `${shop.base}/p`);
  await scrape(app, productId);
  const product = await bodyOf(app.viewer.get(`/api/products/${productId}`), 200);
  assertEquals(product.lastScrapedAt, app.clock.now().toISOString());
});

row("§2.2 price, stock and time are null until a competitor was observed", async (app) => {
  await using shop = openShop({ "/p": priced("1.00") });
  const productId = await addTargets(app, `${shop.base}/p`);
  const read = async () =>
    (await bodyOf(app.viewer.get(`/api/products/${productId}`), 200)).competitorPrices[0];
  const before = await read();
  assertEquals([before.price, before.inStock, before.lastCheckedAt], [null, null, null]);
  await scrape(app, productId);
  const after = await read();
  assertEquals([after.price, after.inStock, after.lastCheckedAt], [
    100,
    true,
    app.clock.now().toISOString(),
  ]);
});

row("§2.3 a scrape run is identified by its run id", async (app) => {
  const productId = await addTargets(app);
  const { runId } = await start(app, productId);
  match(runId, /^[0-9a-f]{24}$/);
  assertEquals((await bodyOf(app.viewer.get(`/api/scrape-runs/${runId}`), 200)).id, runId);
});

row("§2.3 a match can be enabled or disabled, and only enabled ones are fetched", async (app) => {
  await using shop = openShop({ "/p": priced("1.00") });
  const productId = await addTargets(app, `${shop.base}/p`);
  const path = `/api/competitor-products?productId=${productId}`;
  const [{ id }] = (await bodyOf(app.viewer.get(path), 200)).items;
  await bodyOf(app.manager.patch(`/api/competitor-products/${id}`, { enabled: false }), 200);
  assertEquals((await scrape(app, productId)).counts.targets, 0);
  await bodyOf(app.manager.patch(`/api/competitor-products/${id}`, { enabled: true }), 200);
  assertEquals((await scrape(app, productId)).counts.ok, 1);
});

row("§3.3 a run is started by scrape-now and its status is polled to its end", async (app) => {
  await using shop = openShop({ "/p": priced("1.00") });
  const productId = await addTargets(app, `${shop.base}/p`);
  const { runId, status } = await start(app, productId);
  ok(["queued", "running"].includes(status));
  const seen = new Set<string>();
  for (;;) {
    const run = await bodyOf(app.viewer.get(`/api/scrape-runs/${runId}`), 200);
    seen.add(run.status);
    if (run.finishedAt !== null) break;
  }
  assertEquals([...seen].at(-1), "succeeded");
  ok([...seen].every((word) => ["queued", "running", "succeeded"].includes(word)));
});

row("§4.2 scrape-now takes no body and answers the run id", async (app) => {
  const productId = await addTargets(app);
  const answer = await app.manager.post(`/api/products/${productId}/scrape-now`);
  const body = await bodyOf(answer, 202);
  assertEquals(body.status, "queued");
  assertEquals(answer.headers.get("Location"), `/api/scrape-runs/${body.runId}`);
  await ended(app, body.runId);
});

row("§4.2 scrape-now covers every enabled match of the product, and no other", async (app) => {
  await using one = openShop({ "/a": priced("1.00"), "/b": priced("2.00") });
  await using two = openShop({ "/c": priced("3.00"), "/other": priced("4.00") });
  const productId = await addTargets(app, `${one.base}/a`, `${one.base}/b`, `${two.base}/c`);
  await addTargets(app, `${two.base}/other`);
  const run = await scrape(app, productId);
  assertEquals(run.results.map(({ price }) => price), [100, 200, 300]);
  ok(two.visits.every(({ path }) => path !== "/other"));
});

row("§4.2 scrape-now works with scrapeEnabled false", async (app) => {
  await using shop = openShop({ "/p": priced("1.00") });
  const productId = await addTargets(app, `${shop.base}/p`);
  await bodyOf(app.manager.patch(`/api/products/${productId}`, { scrapeEnabled: false }), 200);
  assertEquals((await scrape(app, productId)).counts.ok, 1);
});

row("§4.2 a run has its fields", async (app) => {
  await using shop = openShop({ "/p": priced("1.00") });
  const productId = await addTargets(app, `${shop.base}/p`);
  const run = await scrape(app, productId);
  assertEquals(Object.keys(run).sort(), [
    "counts",
    "createdAt",
    "finishedAt",
    "hasErrors",
    "id",
    "productId",
    "requestedBy",
    "results",
    "sku",
    "startedAt",
    "status",
    "title",
    "trigger",
  ]);
  assertEquals([run.productId, run.trigger, run.requestedBy.type], [productId, "manual", "user"]);
  assertEquals(Object.keys(run.results[0]!).sort(), [
    "alternatives",
    "availability",
    "competitor",
    "competitorProductId",
    "confidence",
    "currency",
    "durationMs",
    "errorCode",
    "httpStatus",
    "inStock",
    "message",
    "method",
    "pageStatus",
    "price",
    "status",
    "url",
    "warnings",
  ]);
});

row("§4.2 a run of another workspace is not found", async (app) => {
  const run = await scrape(app, await addTargets(app));
  const stranger = await app.strangerOwner();
  await bodyOf(stranger.get(`/api/scrape-runs/${run.id}`), 404);
  await bodyOf(stranger.post(`/api/scrape-runs/${run.id}/cancel`), 404);
  await bodyOf(app.manager.post(`/api/scrape-runs/${run.id}/cancel`), 409);
});
