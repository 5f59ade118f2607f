import { assertFields, column, everyItem, refuses, statusOf, valuesOf } from "../../api/answers.ts";
import { commitsOf } from "../../../src/platform/store/kv.ts";
import { withCheckDigit } from "../../../src/app/demo/demo_catalogue.ts";
import type { KnownPage } from "../../../src/scraping/discovery/discovery_routes.ts";
import type { TestApp } from "../../harness.ts";
import { sheetsOf } from "../../read_table.ts";
import { addMatch, addProduct, linksOf } from "../../shops/shop.ts";
import { article, heldBack, html, openShop, type Page, redirect } from "../hostile_shop.ts";
import {
  addFeed,
  addListed,
  addShop,
  articlePage,
  cupItem,
  discover,
  merchantFeed,
  merchantItem,
  openSuggestion,
  plain,
  runAgain,
  shopPage,
  startDiscoveryApp,
  suggestions,
  untilIdle,
  withDiscovery,
  xml,
} from "./made_shop.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { idBytes } from "../../../src/base/id.ts";
import type { Discovery } from "../../../src/shops/pages/discovery_store.ts";
import { StoredSuggestion } from "../../../src/shops/pages/found_page_store.ts";

const GTIN = "4006381333931";

const pathOf = (competitorId: string) => `/api/competitors/${competitorId}/discovery`;

async function knownPages(app: TestApp, competitorId: string, query = ""): Promise<KnownPage[]> {
  const path = `${pathOf(competitorId)}/pages?limit=200&${query}`;
  const { items } = await app.viewer.read<{ items: KnownPage[] }>(path);
  return items.toSorted((a, b) => a.url < b.url ? -1 : 1);
}

withDiscovery.test("a shop's feeds become known pages and suggestions without a visit", async ({ app, shop, competitorId }) => {
  const { base, pages } = shop;
  const [first, second] = ["4000000000013", "4000000000020"];
  const feed = merchantFeed([
    cupItem(base, 1, {
      title: "STABILO BOSS Textmarker gelb",
      link: `${base}/p/1?utm_source=google`,
      price: "1.99 EUR",
      gtin: GTIN,
      brand: "STABILO",
      condition: "new",
    }),
    cupItem(base, 2, {
      title: "Makita DHP485 Schlagbohrschrauber",
      price: "200.00 EUR",
      sale_price: "149.50 EUR",
      mpn: "DHP485",
      brand: "Makita",
      multipack: "2",
    }),
    cupItem("https://other.example", 3),
    merchantItem({ id: "4", title: "No link", price: "1 EUR" }),
    // These two items are variants on one page.
    cupItem(base, 5, { title: "Becher", price: "5 EUR", gtin: first }),
    cupItem(base, 5, { id: "6", title: "Becher", price: "7 EUR", gtin: second }),
  ]);
  const asked: (string | null)[] = [];
  const body = Uint8Array.from(gzipSync(feed));
  pages["/feed.xml.gz"] = ({ headers }) => {
    const etag = headers.get("If-None-Match");
    asked.push(etag);
    return etag === '"one"'
      ? new Response(null, { status: 304 })
      : new Response(body, { headers: { ETag: '"one"' } });
  };
  pages["/feed.csv"] = plain(
    "id;title;link;price;availability;gtin;multipack\n" +
      `7;Edding 3000 schwarz;${base}/p/7;2.49 EUR;in_stock;4004764003013;10\n`,
  );
  const { manager, viewer } = app;
  const marker = await addProduct(manager, "M-1", { title: "Stabilo Boss", ean: GTIN });
  const makita = { title: "Makita DHP485 Schlagbohrschrauber", brand: "Makita", mpn: "DHP 485" };
  const drill = await addProduct(manager, "D-1", makita);
  const cup = await addProduct(manager, "C-1", { title: "Becher", ean: second });
  const pen = await addProduct(manager, "P-1", { title: "Edding 3000", ean: "4004764003013" });
  const feeds = [
    { url: `${base}/feed.xml.gz`, format: "merchant_xml" },
    { url: `${base}/feed.csv`, format: "csv" },
  ];
  const { state } = await discover(app, competitorId, { feeds });
  assertEquals(valuesOf(state.feeds, "url", "entries", "foreign", "isCut", "errorCode"), [
    [`${base}/feed.xml.gz`, 4, 1, false, null],
    [`${base}/feed.csv`, 1, 0, false, null],
  ]);
  assertFields(state, { urls: 4, visited: 4, products: 4, foreign: 1 });
  assertEquals(shop.asked("/p/"), []);

  const found = await suggestions(app);
  assertEquals(found.length, 4);
  const suggested = found.map(({ product, verdict, packFactor, page }) =>
    [product.id, [verdict, packFactor, page.price]] as const
  );
  const expected = new Map([
    [marker, ["same", null, 199]],
    [drill, ["same", 2, 14_950]],
    [cup, ["same", null, null]],
    [pen, ["same", 10, 249]],
  ]);
  assertEquals(new Map(suggested), expected);
  const known = await knownPages(app, competitorId);
  assertEquals(valuesOf(known, "url", "gtins", "price", "pack", "foundBy"), [
    [`${base}/p/1`, [GTIN], 199, null, "feed"],
    [`${base}/p/2`, [], 14_950, 2, "feed"],
    [`${base}/p/5`, [first, second], null, null, "feed"],
    [`${base}/p/7`, ["4004764003013"], 249, 10, "feed"],
  ]);

  const suggestion = found.find(({ product }) => product.id === marker);
  await manager.act(`/api/match-suggestions/${suggestion?.id}/accept`);
  const filters: Readonly<Record<string, readonly string[]>> = {
    "linked=true": ["/p/1"],
    "linked=false": ["/p/2", "/p/5", "/p/7"],
    "gtin=04000000000020": ["/p/5"],
    "gtin=1": [],
    "q=makita+schlag": ["/p/2"],
    "q=400476": ["/p/7"],
  };
  for (const [query, paths] of Object.entries(filters)) {
    const urls = column(await knownPages(app, competitorId, query), "url");
    assertEquals(urls, paths.map((path) => base + path), query);
  }
  const [linked] = await knownPages(app, competitorId, "linked=true");
  assertEquals(linked?.links.map(({ product }) => product.sku), ["M-1"]);
  const walked = await everyItem(viewer, `${pathOf(competitorId)}/pages?limit=1`);
  assertEquals(column(walked, "url").toSorted(), column(known, "url"));
  const csv = await (await viewer.get(`${pathOf(competitorId)}/pages.csv?q=edding`)).text();
  assertEquals(csv.trim().split(/\r?\n/).length, 2);
  ok(csv.includes("4004764003013") && csv.includes("2,49"), csv);
  const german = `${pathOf(competitorId)}/pages.xlsx?q=edding&lang=de`;
  const workbook = await (await viewer.get(german)).arrayBuffer();
  const { "1": [head = [], row = []] = [] } = await sheetsOf(new Uint8Array(workbook));
  assertEquals([head.length, row.includes("Feed des Shops")], [14, true]);

  const reading = await app.key([]);
  const publicPath = pathOf(competitorId).replace("/api", "/api/public/v1");
  const { data, count } = await reading.read(`${publicPath}/pages?linked=true`);
  assertEquals([data.length, count], [1, 1]);
  assertEquals(await statusOf(reading.get(`${publicPath}/pages.csv`)), 200);

  // An unchanged feed costs one conditional request.
  const again = await runAgain(app, competitorId);
  assertEquals(asked, [null, '"one"']);
  assertEquals(column(again.state.feeds, "errorCode"), [null, null]);
  assertEquals(shop.asked("/p/"), []);
});

withDiscovery.test("the pages of a large feed are stored many in one commit, and those of one GTIN are all listed", async ({ app, shop, competitorId }) => {
  const items = Array.from({ length: 1_200 }, (_, n) => {
    const page = Math.floor(n / 3);
    const gtin = page < 203 ? GTIN : withCheckDigit(`952${String(100_000_000 + n)}`);
    return cupItem(shop.base, page, { id: `${n}`, gtin });
  });
  const feeds = addFeed(shop, items);
  const before = commitsOf(app.store);
  const { state } = await discover(app, competitorId, { feeds });
  assertFields(state, { urls: 400, products: 400 });
  const commits = commitsOf(app.store) - before;
  ok(commits < 100, `${commits} commits`);
  const path = `${pathOf(competitorId)}/pages`;
  const found = await everyItem(app.viewer, `${path}?gtin=${GTIN}&limit=100`);
  assertEquals(new Set(column(found, "url")).size, 203);
  const csv = await (await app.viewer.get(`${path}.csv?gtin=${GTIN}`)).text();
  assertEquals(csv.trim().split(/\r?\n/).length, 204);
});

withDiscovery.test("pages of a feed stay known if the feed is broken or no longer names them", async ({ app, shop, competitorId }) => {
  const all = [1, 2, 3, 4, 5].map((n) => cupItem(shop.base, n));
  await discover(app, competitorId, { feeds: addFeed(shop, all) });
  const whole = merchantFeed(all.slice(0, 3));
  const cases: readonly [Page, error: string | null, isCut: boolean][] = [
    [xml(whole.slice(0, whole.indexOf("Becher 3"))), "malformed_xml", true],
    [xml("<html><body>Wartung</body></html>"), "unknown_format", true],
    [plain("id;title\n1;2"), "malformed_xml", true],
    [xml(whole), null, false],
  ];
  for (const [page, errorCode, isCut] of cases) {
    shop.pages["/feed.xml"] = page;
    const { state } = await runAgain(app, competitorId);
    assertEquals(valuesOf(state.feeds, "errorCode", "isCut"), [[errorCode, isCut]]);
    assertEquals((await knownPages(app, competitorId)).length, 5, `${errorCode}`);
    assertEquals(shop.asked("/p/"), []);
  }
});

const OF_TEN = "14006381333938";

const NUMBERS = ["4004764003013", "4004764003020"];

withDiscovery.test("a page is found by each of its numbers, and a page of a pack suggests its pack factor", async ({ app, shop, competitorId }) => {
  const title = "STABILO BOSS Textmarker gelb";
  const map = addListed(shop, {
    "/both": article("Edding 3000", { gtin13: NUMBERS }),
    "/ten": article(`${title} 10er Pack`, { gtin14: OF_TEN }),
  });
  const { manager, viewer } = app;
  const marker = await addProduct(manager, "M-1", { title, ean: GTIN });
  for (const ean of NUMBERS) await addProduct(manager, ean, { title: "Edding 3000", ean });
  await discover(app, competitorId, { sitemaps: [map] });
  const found = await suggestions(app);
  const suggested = found.map(({ product: { sku }, verdict, packFactor, page }) =>
    [sku, verdict, packFactor, page.url.slice(shop.base.length)].join()
  );
  const both = NUMBERS.map((sku) => `${sku},same,,/both`);
  assertEquals(suggested.toSorted(), [...both, "M-1,different,10,/ten"]);
  const path = `${pathOf(competitorId)}/pages`;
  for (const gtin of NUMBERS) {
    const { items } = await viewer.read(`${path}?gtin=${gtin}`);
    assertEquals(column(items, "url"), [`${shop.base}/both`], gtin);
  }
  // The link that is created has the pack factor of the accepted suggestion.
  const ten = found.find((one) => one.packFactor === 10);
  await manager.act(`/api/match-suggestions/${ten?.id}/accept`);
  const links = await linksOf(viewer, `productId=${marker}`);
  assertEquals(column(links, "packFactor"), [10]);
});

Deno.test("pages that earlier versions stored with one number are read correctly", async () => {
  await using app = await startDiscoveryApp();
  const competitorId = await addShop(app.manager, "https://shop.example");
  const url = "https://shop.example/p/1";
  const price = { price: 199, currency: "EUR", availability: "in_stock" } as const;
  const whole = shopPage(url, { title: "Textmarker", gtin: GTIN, ...price });
  const { gtins: _gtins, pack: _pack, foundBy: _foundBy, ...page } = whole;
  const at = [idBytes(app.workspaceId), idBytes(competitorId)];
  const { kv } = app.store;
  await kv.set(["sp", ...at, new Uint8Array(16)], page);
  await kv.set(["dsc", ...at], {
    settings: { mode: "off", sitemaps: "robots", include: [], exclude: [], pagesPerDay: 7 },
    isPaused: false,
    jobId: null,
    counts: { urls: 1, visited: 1, products: 1 },
    foreign: 0,
    lastError: null,
    lastReadMs: 0,
    nextRunMs: 0,
    day: 0,
    visitedToday: 0,
    orderedFor: 0,
  });
  const path = pathOf(competitorId);
  const known = await app.viewer.read<{ items: KnownPage[] }>(`${path}/pages`);
  assertEquals(known.items, [{ ...page, gtins: [GTIN], pack: null, foundBy: "visit", links: [] }]);
  const discovery = await app.viewer.read<Discovery>(path);
  assertFields(discovery, { feeds: [], searchTemplate: null, pagesPerDay: 7 });
  assertEquals(discovery.state.feeds, []);
  // In exported files of earlier versions, a page may have one GTIN instead of a list.
  const ids = { id: "1", productId: "2", competitorId: "3", urlHash: "0".repeat(32) };
  const made = openSuggestion({ ...ids, page: whole, verdict: "same" });
  const read = StoredSuggestion.parse({ ...made, page });
  ok(read.page.gtins[0] === GTIN && read.page.foundBy === "visit");
});

const NOTHING: Page = () => html("<p>Nichts gefunden</p>");

withDiscovery.test("the shop's search is used for products without a page, by number, and at most three hits are visited", async ({ app, shop }) => {
  await using other = openShop();
  const { base, pages } = shop;
  const asked: string[] = [];
  const hit = (path: string, text: string) => `<li><a href="${path}">${text}</a></li>`;
  pages["/suche"] = (request) => {
    const query = new URL(request.url).searchParams.get("q") ?? "";
    asked.push(query);
    if (query === "DHP485/1 & more") return redirect("/p/makita")(request);
    if (query !== GTIN) return NOTHING(request);
    return html(`<nav>${hit("/p/nav", `Stabilo ${GTIN}`)}</nav>
      <ul>${hit(`${other.base}/p/1`, `Stabilo Boss ${GTIN}`)}
      ${hit("/p/garden", "Rasenmäher")}
      ${hit("/p/boss#top", "Stabilo Boss Textmarker gelb")}
      ${hit("/p/boss-2", "Stabilo Boss Textmarker")}
      ${hit(`/p/boss-3?n=${GTIN}`, "Angebot")}
      ${hit("/p/boss-4", "Stabilo Boss")}
      ${hit("javascript:alert(1)", `Stabilo ${GTIN}`)}</ul>
      <footer>${hit("/p/footer", `Stabilo ${GTIN}`)}</footer>`);
  };
  const drillWords = { brand: "Makita", mpn: "DHP485/1 & more" };
  const title = "Stabilo Boss Textmarker gelb";
  pages["/p/boss"] = articlePage({ name: title, gtin13: GTIN });
  for (const n of [2, 3, 4]) pages[`/p/boss-${n}`] = articlePage({ name: `Stabilo Boss ${n}` });
  pages["/p/makita"] = articlePage({ name: "Makita", ...drillWords });
  pages["/p/linked"] = articlePage({ name: "Linked" });
  const { manager } = app;
  const marker = await addProduct(manager, "M-1", { title, ean: GTIN });
  const drill = await addProduct(manager, "D-1", { title: "Makita Bohrer", ...drillWords });
  await addProduct(manager, "N-1", { title: "No number at all" });
  await addProduct(manager, "I-1", { title: "A number of our own", ean: "2004711000005" });
  const linked = await addProduct(manager, "L-1", { title: "Linked", ean: "4004764003013" });
  const { competitorId } = await addMatch(manager, linked, `${base}/p/linked`);

  const path = pathOf(competitorId);
  const wrong = [
    `${other.base.replace("127.0.0.1", "elsewhere.example")}/?q={query}`,
    `${base}/suche`,
    `${base}/suche?q={query}&r={query}`,
    `${base}/suche#{query}`,
    "https://{query}.example/",
    "ftp://shop.example/{query}",
  ];
  for (const searchTemplate of wrong) {
    const body = { mode: "suggest", searchTemplate };
    await refuses(manager.put(path, body), "validation_failed", searchTemplate);
  }
  const searchTemplate = `${base}/suche?q={query}`;
  const { state } = await discover(app, competitorId, { searchTemplate, pagesPerDay: 100 });
  assertEquals(asked.toSorted(), [GTIN, "DHP485/1 & more"].toSorted());
  assertFields(state, { searched: 2, visited: 4, products: 4 });
  const visited = new Set(["/p/boss-3", "/p/boss", "/p/boss-2", "/p/makita"]);
  assertEquals(new Set(shop.asked("/p/")), visited);
  assertEquals(other.visits, []);
  const found = await suggestions(app, "verdict=same");
  assertEquals(found.map(({ product }) => product.id).toSorted(), [marker, drill].toSorted());

  await addProduct(manager, "E-1", { title: "Edding 3000", ean: "4052305221013" });
  await runAgain(app, competitorId);
  assertEquals(asked.slice(2), ["4052305221013"]);
});

withDiscovery.test("during a shop's searches the pages read before are already known", async ({ app, shop, competitorId: id }) => {
  const { page, requested, release } = heldBack(NOTHING);
  shop.pages["/suche"] = page;
  const { manager } = app;
  await addProduct(manager, "M-1", { title: "Stabilo Boss", ean: GTIN });
  const missing: Page = () => html("", {}, 404);
  const map = addListed(shop, { "/p/1": missing, "/p/2": missing, "/p/3": missing });
  const path = pathOf(id);
  const searchTemplate = `${shop.base}/suche?q={query}`;
  const settings = { mode: "suggest", searchTemplate, sitemaps: [map], pagesPerDay: 100 };
  await manager.replace(path, settings);
  await requested;
  const { state } = await app.viewer.read<Discovery>(path);
  release();
  assertFields(state, { phase: "visiting", urls: 3 });
  assertEquals((await untilIdle(app, id)).state.urls, 3);
});

withDiscovery.test("searches and their hits take at most a fifth of the day, and none if robots.txt forbids them", async ({ app, shop: { base, pages, asked }, competitorId }) => {
  pages["/s"] = NOTHING;
  for (let n = 0; n < 12; n++) {
    await addProduct(app.manager, `P-${n}`, { title: `Product ${n}`, mpn: `KX${100 + n}` });
  }
  const searchTemplate = `${base}/s?q={query}`;
  const first = await discover(app, competitorId, { searchTemplate, pagesPerDay: 100 });
  const searches = () => asked("/s").filter((path) => path === "/s").length;
  // Searches may use 20 of the 100 pages, and each search reserves four, so five run.
  assertEquals([searches(), first.state.searched], [5, 5]);
  await runAgain(app, competitorId);
  assertEquals(searches(), 5);

  const robots = plain("User-agent: *\nDisallow: /s?");
  await using polite = openShop({ "/s": NOTHING, "/robots.txt": robots });
  const closedId = await addShop(app.manager, polite.base);
  const { state } = await discover(app, closedId, { searchTemplate: `${polite.base}/s?q={query}` });
  assertEquals(polite.asked("/s").filter((path) => path === "/s"), []);
  assertFields(state, { phase: "idle", lastError: "robots_disallowed" });
});
