import { deepStrictEqual as assertEquals, notStrictEqual } from "node:assert/strict";
import { addMatch, linksOf } from "../shops/shop.ts";
import {
  article,
  heldBack,
  html,
  marked,
  openShop,
  type Page,
  priced,
  redirect,
  tagged,
} from "./hostile_shop.ts";
import {
  addTargets,
  ended,
  onlyResult,
  openLink,
  openShopOfOne,
  scrape,
  startRun,
  startScrapingApp,
  untilItWaits,
  withCheckedScrapingApp,
  withScrapingApp,
} from "./scraping_app.ts";
import { assertFields, bodyOf, column, etagOf, refuses, valuesOf } from "../api/answers.ts";
import { readEvents } from "../messages/receiver.ts";
import { until } from "../patience.ts";
import { listed, pushed } from "../shops/observations/made_observations.ts";
import { withStore } from "../memory_store.ts";
import { watchedStore } from "../watched_store.ts";

withScrapingApp.test("POST scrape-now fetches every enabled match without campaign parameters, and stores the results, with a new ETag of the product", async (app) => {
  const searches: string[] = [];
  const page: Page = (request) => {
    searches.push(new URL(request.url).search);
    return priced("19.99")(request);
  };
  await using shop = openShop({ "/a": page, "/b": priced("29.50") });
  const given = [`${shop.base}/a?utm_source=erp&id=7&gclid=x#reviews`, `${shop.base}/b`];
  const productId = await addTargets(app, ...given);
  const path = `/api/products/${productId}`;
  const { updatedAt } = await app.viewer.read(path);
  const etag = await etagOf(app.viewer.get(path));
  app.clock.advance(60_000);
  const run = await scrape(app, productId);
  assertFields(run, { status: "succeeded", hasErrors: false });
  assertEquals(run.counts, { targets: 2, ok: 2, failed: 0, skipped: 0 });
  const results = valuesOf(run.results, "status", "price", "currency", "method", "inStock");
  assertEquals(results, [1999, 2950].map((price) => ["ok", price, "EUR", "json_ld", true]));
  const product = await app.viewer.read(path);
  assertEquals(column(product.competitorPrices, "price"), [1999, 2950]);
  // The end of a run changes the product's ETag, but not its `updatedAt`.
  assertFields(product, { updatedAt, lastScrapedAt: app.clock.now().toISOString() });
  notStrictEqual(await etagOf(app.viewer.get(path)), etag);
  const { items } = await app.viewer.read(`/api/observations?productId=${productId}`);
  const observed = valuesOf(items, "price", "runId", "source").sort();
  assertEquals(observed, [[1999, run.id, "scrape"], [2950, run.id, "scrape"]]);
  assertEquals(column(shop.visits, "path"), ["/robots.txt", "/a", "/b"]);
  await app.manager.act("/api/competitor-products/preview", { url: given[0] });
  assertEquals([searches, column(run.results, "url")], [["?id=7", "?id=7"], given]);
});

withScrapingApp.test("the event of a changed price has the price before it, and the former prices stay with their observation", async (app) => {
  const shippingDetails = { shippingRate: { value: "4.95", currency: "EUR" } };
  await using link = await openLink(app, article("X", {}, { shippingDetails }));
  const { url, productId, sees } = link;
  const key = await app.key(["observations:write", "events:read"]);
  const push = async (price: number) => {
    app.clock.advance(60_000);
    await pushed(key, [{ productId, url, price, currency: "EUR" }]);
  };
  await sees();
  await push(8);
  const former = `<p class="price">9,00 €</p><p>statt 12,00 €</p>
    <p>Niedrigster Preis der letzten 30 Tage: 8,50 €</p>`;
  await sees(() => html(`<html lang="de"><h1>X</h1>${former}<button>In den Warenkorb</button>`));
  await sees();
  const formerOf = async () =>
    valuesOf(await linksOf(app.viewer), "currentPrice", "listPrice", "lowest30");
  assertEquals(await formerOf(), [[900, 1_200, 850]]);
  await push(6);
  assertEquals(await formerOf(), [[600, null, null]]);
  const stored = await listed(key, "");
  const sources = valuesOf(stored, "source", "method", "confidence", "shipping", "availability");
  const oldest = [["push", null, 1, null, "unknown"], ["scrape", "json_ld", 0.9, 495, "in_stock"]];
  assertEquals(sources.slice(-2), oldest);
  assertEquals(valuesOf(stored, "price", "listPrice", "lowest30"), [
    [600, null, null],
    [900, 1_200, 850],
    [900, 1_200, 850],
    [800, null, null],
    [1_000, null, null],
  ]);
  const changes = async () =>
    (await readEvents(key)).events.flatMap(({ type, data }) =>
      type === "observation.changed" ? [data] : []
    );
  await until("the events are published", async () => (await changes()).length >= 4);
  const fetched = (await changes()).filter(({ source }) => source === "scrape");
  assertEquals(valuesOf(fetched, "previousPrice", "price"), [[null, 1_000], [800, 900]]);
});

withScrapingApp.test("POST scrape-now returns the unfinished run instead of a second one", async (app) => {
  const { page, release } = heldBack(priced("1.00"));
  await using shop = await openShopOfOne(app, { "/p": page });
  const path = `/api/products/${shop.productId}/scrape-now`;
  const answers = await Promise.all([1, 2, 3].map(() => app.manager.post(path)));
  const bodies = await Promise.all(answers.map((answer) => bodyOf(answer, 202)));
  const [runId, ...others] = new Set(column(bodies, "runId"));
  assertEquals(others, []);
  assertEquals(answers[0]!.headers.get("Location"), `/api/scrape-runs/${runId}`);
  release();
});

withScrapingApp.test("disabled matches and those of disabled competitors are not fetched; a run without an enabled match succeeds", async (app) => {
  await using shop = openShop({ "/a": priced("1.00"), "/b": priced("2.00") });
  await using closed = openShop({ "/c": priced("3.00") });
  const productId = await addTargets(app);
  const path = `/api/products/${productId}`;
  const none = await scrape(app, productId);
  assertFields(none, { status: "succeeded", hasErrors: false, results: [] });
  assertEquals((await app.viewer.read(path)).lastScrapedAt, null);
  await addMatch(app.manager, productId, `${shop.base}/a`);
  await addMatch(app.manager, productId, `${shop.base}/b`, { enabled: false });
  const other = await addMatch(app.manager, productId, `${closed.base}/c`);
  await app.manager.change(`/api/competitors/${other.competitorId}`, { enabled: false });
  const { results } = await scrape(app, productId);
  assertEquals(column(results, "url"), [`${shop.base}/a`]);
  assertEquals(closed.visits, []);
  await app.manager.remove(path);
  await refuses(app.manager.post(`${path}/scrape-now`), "not_found");
});

withScrapingApp.test("an unchanged page is confirmed by a 304, as a further observation, but read again after the product's number or the selector changes", async (app) => {
  const offers = [{ price: 10, gtin13: "4012345678901" }, { price: 20, gtin13: "4006381333931" }]
    .map((offer) => ({ "@type": "Offer", priceCurrency: "EUR", ...offer }));
  const page = `<title>X</title>${marked({ "@type": "Product", name: "X", offers })}`;
  await using link = await openLink(app, tagged(page));
  const look = async () => {
    const { status, price, httpStatus, method } = await link.sees();
    return [status, price, httpStatus, method];
  };
  assertEquals(await look(), ["ok", 1000, 200, "json_ld"]);
  assertEquals(await look(), ["ok", 1000, 304, "json_ld"]);
  const { items } = await app.viewer.read(`/api/observations?productId=${link.productId}`);
  assertEquals(column(items, "price"), [1000, 1000]);
  assertEquals(items[0].observedAt, app.clock.now().toISOString());
  await app.manager.change(`/api/products/${link.productId}`, { ean: "4006381333931" });
  assertEquals(await look(), ["ok", 2000, 200, "json_ld"]);
  assertEquals(await look(), ["ok", 2000, 304, "json_ld"]);
  await app.manager.change(link.path, { extractor: { priceSelector: "title" } });
  assertEquals((await link.sees()).httpStatus, 200);
});

withScrapingApp.test("POST /api/scrape-runs/{runId}/cancel ends a running run and refuses an ended one", async (app) => {
  const { page, requested } = heldBack(priced("1.00"));
  await using shop = await openShopOfOne(app, { "/p": page });
  const runId = await startRun(app, shop.productId);
  await requested;
  const path = `/api/scrape-runs/${runId}/cancel`;
  await app.manager.act(path);
  assertFields(await ended(app, runId), { status: "cancelled", results: [] });
  await refuses(app.manager.post(path), "conflict");
});

withScrapingApp.test("GET /api/scrape-runs filters by product and status, with the results", async (app) => {
  await using shop = await openShopOfOne(app, { "/p": priced("5.00") });
  const one = shop.productId;
  const two = await addTargets(app);
  const runs: string[] = [];
  for (const productId of [one, two, one, two, one]) runs.push((await scrape(app, productId)).id);
  const filters: readonly [query: string, found: readonly number[]][] = [
    ["", [0, 1, 2, 3, 4]],
    ["order=desc&status=succeeded", [4, 3, 2, 1, 0]],
    [`productId=${one}`, [0, 2, 4]],
    [`productId=${two}&status=succeeded`, [1, 3]],
    ["status=failed", []],
    ["productId=unknown", []],
  ];
  for (const [query, found] of filters) {
    const { items } = await app.viewer.read(`/api/scrape-runs?${query}`);
    assertEquals(column(items, "id"), found.map((n) => runs[n]), query);
  }
  const { items: [first] } = await app.viewer.read("/api/scrape-runs");
  assertEquals(first.results.length, 1);
});

withStore.test("a run of five free shops takes eight commits", async (memory) => {
  const states = new Set<string>();
  const store = watchedStore(memory, {
    setting([table], value) {
      // Ignores commits that only extend the lease of a job.
      const row = Object(value);
      if (table === "j") states.add(JSON.stringify([row.jobId, row.status, row.cursor]));
    },
  });
  await using shops = new AsyncDisposableStack();
  await using app = await startScrapingApp({}, { store });
  const five = [1, 2, 3, 4, 5].map(() => shops.use(openShop({ "/p": priced("10.00") })));
  const productId = await addTargets(app, ...five.map(({ base }) => `${base}/p`));
  // Caches the robots.txt of each shop, so that the next run need not fetch it.
  await scrape(app, productId);
  const run = await scrape(app, productId);
  assertEquals([run.status, run.counts.ok], ["succeeded", 5]);
  // Three commits request, claim and begin the run, and one stores each of the five pages.
  const ofRun = states.values().filter((state) => state.includes(run.id)).toArray();
  assertEquals(ofRun.length, 8, ofRun.join("\n"));
});

withScrapingApp.test("nothing is stored for a product that is deleted during its fetch; one that changes gets its price, from one fetch", async (app) => {
  const cases = [
    (path: string) => app.manager.change(path, { title: "Renamed" }),
    (path: string) => app.manager.remove(path),
  ];
  for (const meanwhile of cases) {
    const { page, requested, release } = heldBack(priced("10.00"));
    await using shop = await openShopOfOne(app, { "/p": page });
    const run = scrape(app, shop.productId);
    await requested;
    await meanwhile(`/api/products/${shop.productId}`);
    release();
    await run;
    assertEquals(shop.asked(), ["/p"]);
    // Only the changed product, which comes first, gets an observation.
    assertEquals((await Array.fromAsync(app.store.kv.list({ prefix: ["ob"] }))).length, 1);
  }
});

withCheckedScrapingApp.test("a page that is fetched while its link moves or is removed counts for neither", async (app) => {
  const { manager } = app;
  for (const hosts of [1, 2]) {
    const slow = heldBack(priced("1.00"));
    await using other = openShop({ "/slow": slow.page });
    const first = hosts === 1 ? slow.page : redirect(`${other.base}/slow`);
    await using link = await openLink(app, first, { pages: { "/q": priced("2.00") } });
    const run = scrape(app, link.productId);
    await slow.requested;
    await manager.change(link.path, { url: `${link.base}/q` });
    slow.release();
    assertFields(onlyResult(await run), { url: `${link.base}/q`, price: 200 });
    assertEquals((await link.match()).currentPrice, 200);
  }
  const slow = heldBack(priced("1.00"));
  await using link = await openLink(app, slow.page);
  const run = scrape(app, link.productId);
  await slow.requested;
  await manager.remove(link.path);
  slow.release();
  assertEquals(onlyResult(await run).status, "skipped");
});

withScrapingApp.test("a redirect is not followed if its link moves before", async (app) => {
  const slow = heldBack(priced("1.00"));
  await using busy = await openShopOfOne(app, { "/slow": slow.page, "/p": priced("9.00") });
  const pages = { "/q": priced("2.00") };
  await using link = await openLink(app, redirect(`${busy.base}/p`), { pages });
  const first = scrape(app, busy.productId);
  await slow.requested;
  const run = await startRun(app, link.productId);
  await untilItWaits(app, run);
  assertEquals(link.asked(), ["/p/x"]);
  await app.manager.change(link.path, { url: `${link.base}/q` });
  slow.release();
  await first;
  assertFields(onlyResult(await ended(app, run)), { url: `${link.base}/q`, price: 200 });
});
