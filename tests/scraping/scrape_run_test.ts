import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type { Run } from "../../src/scraping/runs/run.ts";
import { addMatch, linksOf } from "../shops/shop.ts";
import { article, heldBack, html, openShop, priced, productPage, tagged } from "./hostile_shop.ts";
import {
  addTargets,
  ended,
  onlyResult,
  scrape,
  startRun,
  withScrapingApp,
} from "./scraping_app.ts";
import { bodyOf, column, refuses, valuesOf } from "../api/answers.ts";
import { readEvents } from "../messages/webhooks/past_events.ts";
import { until } from "../patience.ts";
import { listed, pushed } from "../shops/observations/history.ts";

withScrapingApp.test("POST scrape-now fetches every enabled match and stores the results, with a new ETag of the product", async (app) => {
  await using shop = openShop({ "/a": priced("19.99"), "/b": priced("29.50") });
  const productId = await addTargets(app, `${shop.base}/a`, `${shop.base}/b`);
  const readBefore = await app.viewer.get(`/api/products/${productId}`);
  const { updatedAt } = await readBefore.json();
  app.clock.advance(60_000);
  const run = await scrape(app, productId);
  assertEquals([run.status, run.hasErrors, run.counts], [
    "succeeded",
    false,
    { targets: 2, ok: 2, failed: 0, skipped: 0 },
  ]);
  const results = run.results.map((one) => [one.status, one.price, one.currency, one.method]);
  assertEquals(results, [["ok", 1999, "EUR", "json_ld"], ["ok", 2950, "EUR", "json_ld"]]);
  assertEquals(run.results.map(({ inStock }) => inStock), [true, true]);
  const readAfter = await app.viewer.get(`/api/products/${productId}`);
  const product = await readAfter.json();
  assertEquals(column(product.competitorPrices, "price"), [1999, 2950]);
  // The end of a run changes the ETag of its product, not its `updatedAt`.
  const times = [product.updatedAt, product.lastScrapedAt];
  assertEquals(times, [updatedAt, app.clock.now().toISOString()]);
  ok(readBefore.headers.get("ETag") !== readAfter.headers.get("ETag"));
  const page = await app.viewer.read<{ items: { price: number; runId: string; source: string }[] }>(
    `/api/observations?productId=${productId}`,
  );
  assertEquals(page.items.map(({ price, runId, source }) => [price, runId, source]).sort(), [
    [1999, run.id, "scrape"],
    [2950, run.id, "scrape"],
  ]);
  assertEquals(shop.visits.map(({ path }) => path), ["/robots.txt", "/a", "/b"]);
});

withScrapingApp.test("a page is fetched without campaign parameters, and returned with its original URL", async (app) => {
  const asked: string[] = [];
  await using shop = openShop({
    "/a": (request) => {
      asked.push(new URL(request.url).search);
      return priced("19.99")(request);
    },
  });
  const given = `${shop.base}/a?utm_source=erp&id=7&gclid=x#reviews`;
  const productId = await addTargets(app, given);
  const preview = app.manager.post("/api/competitor-products/preview", { url: given });
  assertEquals((await bodyOf(preview, 200)).price, 1999);
  const result = onlyResult(await scrape(app, productId));
  assertEquals([result.status, result.url], ["ok", given]);
  const items = await linksOf(app.viewer, `productId=${productId}`);
  assertEquals(items.map(({ url }) => url), [given]);
  assertEquals(asked, ["?id=7", "?id=7"]);
});

withScrapingApp.test("the event of a changed price has the price before it, and the former prices stay with their observation", async (app) => {
  const shippingDetails = { shippingRate: { value: "4.95", currency: "EUR" } };
  let page = article("X", {}, { shippingDetails });
  await using shop = openShop({ "/p": (request) => page(request) });
  const url = `${shop.base}/p`;
  const productId = await addTargets(app, url);
  const key = await app.key(["observations:write", "events:read"]);
  const fetch = async (shown: typeof page) => {
    page = shown;
    app.clock.advance(60_000);
    await scrape(app, productId);
  };
  const push = async (price: number) => {
    app.clock.advance(60_000);
    await pushed(key, [{ productId, url, price, currency: "EUR" }]);
  };
  await fetch(page);
  await push(8);
  const former = `<p class="price">9,00 €</p><p>statt 12,00 €</p>
    <p>Niedrigster Preis der letzten 30 Tage: 8,50 €</p>`;
  await fetch(() => html(`<html lang="de"><h1>X</h1>${former}<button>In den Warenkorb</button>`));
  await fetch(page);
  const formerOf = async () =>
    valuesOf(await linksOf(app.viewer), "currentPrice", "listPrice", "lowest30");
  assertEquals(await formerOf(), [[900, 1_200, 850]]);
  await push(6);
  assertEquals(await formerOf(), [[600, null, null]]);
  const stored = await listed(key, "");
  const sources = valuesOf(stored, "source", "method", "confidence", "shipping", "availability");
  assertEquals(sources.slice(-2), [
    ["push", null, 1, null, "unknown"],
    ["scrape", "json_ld", 0.9, 495, "in_stock"],
  ]);
  assertEquals(valuesOf(stored, "price", "listPrice", "lowest30"), [
    [600, null, null],
    [900, 1_200, 850],
    [900, 1_200, 850],
    [800, null, null],
    [1_000, null, null],
  ]);
  await until("the events are published", async () => {
    const { events } = await readEvents(key);
    return events.filter(({ type }) => type === "observation.changed").length >= 4;
  });
  const { events } = await readEvents(key);
  const fetched = events.filter(({ data }) => data.source === "scrape").map(({ data }) => data);
  assertEquals(valuesOf(fetched, "previousPrice", "price"), [[null, 1_000], [800, 900]]);
});

withScrapingApp.test("POST scrape-now returns the unfinished run instead of a second one", async (app) => {
  const { page, release } = heldBack(priced("1.00"));
  await using shop = openShop({ "/p": page });
  const productId = await addTargets(app, `${shop.base}/p`);
  const path = `/api/products/${productId}/scrape-now`;
  const answers = await Promise.all([1, 2, 3].map(() => app.manager.post(path)));
  const bodies: { runId: string }[] = await Promise.all(answers.map((answer) => answer.json()));
  assertEquals(answers.map(({ status }) => status), [202, 202, 202]);
  assertEquals(new Set(bodies.map(({ runId }) => runId)).size, 1);
  assertEquals(answers[0]!.headers.get("Location"), `/api/scrape-runs/${bodies[0]!.runId}`);
  release();
});

withScrapingApp.test("a run without an enabled match succeeds with no targets, and a deleted product has none", async (app) => {
  const productId = await addTargets(app);
  const run = await scrape(app, productId);
  assertEquals([run.status, run.hasErrors, run.counts.targets], ["succeeded", false, 0]);
  const product = await app.viewer.read(`/api/products/${productId}`);
  assertEquals(product.lastScrapedAt, null);
  await app.manager.remove(`/api/products/${productId}`);
  await refuses(app.manager.post(`/api/products/${productId}/scrape-now`), "not_found");
});

withScrapingApp.test("disabled matches and those of disabled competitors are not fetched", async (app) => {
  await using shop = openShop({ "/a": priced("1.00"), "/b": priced("2.00") });
  await using closed = openShop({ "/c": priced("3.00") });
  const productId = await addTargets(app, `${shop.base}/a`);
  await addMatch(app.manager, productId, `${shop.base}/b`, { enabled: false });
  const other = await addMatch(app.manager, productId, `${closed.base}/c`);
  await app.manager.change(`/api/competitors/${other.competitorId}`, { enabled: false });
  const run = await scrape(app, productId);
  assertEquals(run.results.map(({ url }) => url), [`${shop.base}/a`]);
  assertEquals(closed.visits, []);
});

withScrapingApp.test("an unchanged page is confirmed by a 304, as a further observation", async (app) => {
  await using shop = openShop({ "/p": tagged(productPage("7.77")) });
  const productId = await addTargets(app, `${shop.base}/p`);
  await scrape(app, productId);
  app.clock.advance(3_600_000);
  const run = await scrape(app, productId);
  const { status, price, httpStatus, method } = onlyResult(run);
  assertEquals([status, price, httpStatus, method], ["ok", 777, 304, "json_ld"]);
  const page = await app.viewer.read<{ items: { price: number; observedAt: string }[] }>(
    `/api/observations?productId=${productId}`,
  );
  assertEquals(page.items.map(({ price }) => price), [777, 777]);
  assertEquals(page.items[0]!.observedAt, app.clock.now().toISOString());

  const [found] = await linksOf(app.viewer, `productId=${productId}`);
  const body = { extractor: { priceSelector: "title" } };
  await app.manager.change(`/api/competitor-products/${found!.id}`, body);
  assertEquals(onlyResult(await scrape(app, productId)).httpStatus, 200);
});

withScrapingApp.test("POST /api/scrape-runs/{runId}/cancel ends a running run and refuses an ended one", async (app) => {
  const { page, requested } = heldBack(priced("1.00"));
  await using shop = openShop({ "/p": page });
  const productId = await addTargets(app, `${shop.base}/p`);
  const runId = await startRun(app, productId);
  await requested;
  const path = `/api/scrape-runs/${runId}/cancel`;
  await app.manager.act<Run>(path);
  const cancelled = await ended(app, runId);
  assertEquals([cancelled.status, cancelled.results], ["cancelled", []]);
  await refuses(app.manager.post(path), "conflict");
});

withScrapingApp.test("GET /api/scrape-runs pages by id, and filters by product and status", async (app) => {
  await using shop = openShop({ "/p": priced("5.00") });
  const one = await addTargets(app, `${shop.base}/p`);
  const two = await addTargets(app);
  const runs: string[] = [];
  for (const productId of [one, two, one, two, one]) runs.push((await scrape(app, productId)).id);
  const list = (query: string) =>
    app.viewer.read<{ items: Run[]; nextCursor: string | null }>(`/api/scrape-runs?${query}`);
  const ids = async (query: string) => (await list(query)).items.map(({ id }) => id);
  assertEquals(await ids(""), runs);
  assertEquals(await ids("order=desc&status=succeeded"), runs.toReversed());
  await refuses(app.viewer.get("/api/scrape-runs?order=up"), "validation_failed");
  assertEquals(await ids(`productId=${one}`), [runs[0], runs[2], runs[4]]);
  assertEquals(await ids("status=succeeded"), runs);
  assertEquals(await ids("status=failed"), []);
  assertEquals(await ids("status=running"), []);
  assertEquals(await ids(`productId=${two}&status=succeeded`), [runs[1], runs[3]]);
  assertEquals(await ids("productId=unknown"), []);
  const first = await list(`productId=${one}&limit=2`);
  const rest = await list(`productId=${one}&limit=2&cursor=${first.nextCursor}`);
  assertEquals([...first.items, ...rest.items].map(({ id }) => id), [runs[0], runs[2], runs[4]]);
  assertEquals(rest.nextCursor, null);
  assertEquals(first.items[0]!.results.length, 1);
});

withScrapingApp.test("an unchanged page is read again if the product's number has changed", async (app) => {
  const page = `<title>X</title><script type="application/ld+json">${
    JSON.stringify({
      "@type": "Product",
      name: "X",
      offers: [
        { "@type": "Offer", price: 10, priceCurrency: "EUR", gtin13: "4012345678901" },
        { "@type": "Offer", price: 20, priceCurrency: "EUR", gtin13: "4006381333931" },
      ],
    })
  }</script>`;
  await using shop = openShop({ "/p": tagged(page) });
  const productId = await addTargets(app, `${shop.base}/p`);
  const look = async () => {
    const { price, httpStatus } = onlyResult(await scrape(app, productId));
    return [price, httpStatus];
  };
  assertEquals([await look(), await look()], [[1000, 200], [1000, 304]]);
  await app.manager.change(`/api/products/${productId}`, { ean: "4006381333931" });
  assertEquals([await look(), await look()], [[2000, 200], [2000, 304]]);
});

withScrapingApp.test("runs are started for each product without one, and the others are listed", async (app) => {
  const { page, release } = heldBack(priced("9.99"));
  await using shop = openShop({ "/slow": page, "/a": priced("19.99") });
  const slow = await addTargets(app, `${shop.base}/slow`);
  const quick = await addTargets(app, `${shop.base}/a`);
  const runId = await startRun(app, slow);
  const body = { productIds: [slow, quick, "0".repeat(24), quick] };
  const outcome = await app.manager.begin("/api/scrape-runs", body);
  const [{ productId, runId: newId }] = outcome.started;
  assertEquals(
    [outcome.started.length, productId, outcome.inHand, outcome.missing, outcome.noRoom],
    [1, quick, [slow], ["0".repeat(24)], []],
  );
  release();
  assertEquals((await ended(app, runId)).counts.ok, 1);
  assertEquals((await ended(app, newId)).counts.ok, 1);
});
