import { everyItem } from "../../api/answers.ts";
import { commitsOf } from "../../../src/platform/store/kv.ts";
import { withCheckDigit } from "../../../src/app/demo/demo_catalogue.ts";
import type { KnownPage } from "../../../src/scraping/discovery/discovery_routes.ts";
import type { TestApp } from "../../harness.ts";
import { sheetsOf } from "../../read_workbook.ts";
import { addProduct } from "../../shops/shop.ts";
import type { Page } from "../hostile_shop.ts";
import { merchantFeed, merchantItem } from "./made_feeds.ts";
import {
  articlePage,
  discover,
  plain,
  runAgain,
  suggestions,
  withDiscovery,
  xml,
} from "./made_shop.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { gzipSync } from "node:zlib";

const GTIN = "4006381333931";

const pathOf = (competitorId: string) => `/api/competitors/${competitorId}/discovery`;

async function knownPages(app: TestApp, competitorId: string, query = ""): Promise<KnownPage[]> {
  const path = `${pathOf(competitorId)}/pages?limit=200&${query}`;
  const { items } = await app.viewer.read<{ items: KnownPage[] }>(path);
  return items.toSorted((a, b) => a.url < b.url ? -1 : 1);
}

withDiscovery.test("a shop's feeds become known pages and suggestions without a visit", async ({ app, shop, competitorId }) => {
  const { base, pages } = shop;
  const feed = merchantFeed([
    merchantItem({
      id: "1",
      title: "STABILO BOSS Textmarker gelb",
      link: `${base}/p/1?utm_source=google`,
      price: "1.99 EUR",
      gtin: GTIN,
      brand: "STABILO",
      condition: "new",
    }),
    merchantItem({
      id: "2",
      title: "Makita DHP485 Schlagbohrschrauber",
      link: `${base}/p/2`,
      price: "200.00 EUR",
      salePrice: "149.50 EUR",
      mpn: "DHP485",
      brand: "Makita",
      multipack: "2",
    }),
    merchantItem({
      id: "3",
      title: "Elsewhere",
      link: "https://other.example/p/3",
      price: "1 EUR",
    }),
    merchantItem({ id: "4", title: "No link", price: "1 EUR" }),
    // Two variants that share a page.
    merchantItem({
      id: "5",
      title: "Becher",
      link: `${base}/p/5`,
      price: "5 EUR",
      gtin: "4000000000013",
    }),
    merchantItem({
      id: "6",
      title: "Becher",
      link: `${base}/p/5`,
      price: "7 EUR",
      gtin: "4000000000020",
    }),
  ]);
  const packed = Uint8Array.from(gzipSync(feed));
  const asked: (string | null)[] = [];
  pages["/feed.xml.gz"] = (request) => {
    asked.push(request.headers.get("If-None-Match"));
    return request.headers.get("If-None-Match") === '"one"'
      ? new Response(null, { status: 304 })
      : new Response(packed, { headers: { ETag: '"one"' } });
  };
  pages["/feed.csv"] = plain(
    "id;title;link;price;availability;gtin;multipack\n" +
      `7;Edding 3000 schwarz;${base}/p/7;2.49 EUR;in_stock;4004764003013;10\n`,
  );
  const { manager, viewer } = app;
  const marker = await addProduct(manager, "M-1", { title: "Stabilo Boss", ean: GTIN });
  const drill = await addProduct(manager, "D-1", {
    title: "Makita DHP485 Schlagbohrschrauber",
    brand: "Makita",
    mpn: "DHP 485",
  });
  const cup = await addProduct(manager, "C-1", { title: "Becher", ean: "4000000000020" });
  const pen = await addProduct(manager, "P-1", { title: "Edding 3000", ean: "4004764003013" });
  const feeds = [
    { url: `${base}/feed.xml.gz`, format: "merchant_xml" },
    { url: `${base}/feed.csv`, format: "csv" },
  ];
  const { state } = await discover(app, competitorId, { feeds });
  assertEquals(
    state.feeds.map(({ url, entries, foreign, isCut, errorCode }) => [
      url.slice(base.length),
      entries,
      foreign,
      isCut,
      errorCode,
    ]),
    [["/feed.xml.gz", 4, 1, false, null], ["/feed.csv", 1, 0, false, null]],
  );
  assertEquals([state.urls, state.visited, state.products, state.foreign], [4, 4, 4, 1]);
  assertEquals(shop.asked("/p/"), []);

  const found = await suggestions(app);
  assertEquals(
    found.map(({ product, verdict, packFactor, page }) => [
      product.id,
      verdict,
      packFactor,
      page.price,
    ]).toSorted(),
    [
      [marker, "same", null, 199],
      [drill, "same", 2, 14_950],
      [cup, "same", null, null],
      [pen, "same", 10, 249],
    ].toSorted(),
  );
  const known = await knownPages(app, competitorId);
  assertEquals(
    known.map(({ url, gtins, price, pack, foundBy }) => [
      url.slice(base.length),
      gtins,
      price,
      pack,
      foundBy,
    ]),
    [
      ["/p/1", [GTIN], 199, null, "feed"],
      ["/p/2", [], 14_950, 2, "feed"],
      ["/p/5", ["4000000000013", "4000000000020"], null, null, "feed"],
      ["/p/7", ["4004764003013"], 249, 10, "feed"],
    ],
  );

  // The list of known pages can be filtered by links, numbers and words.
  const suggestion = found.find(({ product }) => product.id === marker);
  await manager.act(`/api/match-suggestions/${suggestion?.id}/accept`);
  const urls = async (query: string) =>
    (await knownPages(app, competitorId, query)).map(({ url }) => url.slice(base.length));
  assertEquals(await urls("linked=true"), ["/p/1"]);
  assertEquals(await urls("linked=false"), ["/p/2", "/p/5", "/p/7"]);
  assertEquals(await urls("gtin=04000000000020"), ["/p/5"]);
  assertEquals(await urls("gtin=1"), []);
  assertEquals(await urls("q=makita+schlag"), ["/p/2"]);
  assertEquals(await urls("q=400476"), ["/p/7"]);
  const [linked] = await knownPages(app, competitorId, "linked=true");
  assertEquals(linked?.links.map(({ product }) => product.sku), ["M-1"]);
  const walked = await everyItem(viewer, `${pathOf(competitorId)}/pages?limit=1`);
  assertEquals(walked.map(({ url }) => url).toSorted(), known.map(({ url }) => url));
  const csv = await (await viewer.get(`${pathOf(competitorId)}/pages.csv?q=edding`)).text();
  assertEquals(csv.trim().split(/\r?\n/).length, 2);
  ok(csv.includes("4004764003013") && csv.includes("2,49"), csv);
  const german = `${pathOf(competitorId)}/pages.xlsx?q=edding&lang=de`;
  const workbook = await (await viewer.get(german)).arrayBuffer();
  const { "1": [head = [], row = []] = [] } = await sheetsOf(new Uint8Array(workbook));
  assertEquals([head.length, row.includes("Feed des Shops")], [14, true]);
  const reading = await app.key([]);
  const publicPath = `/api/public/v1/competitors/${competitorId}/discovery/pages`;
  const { data, count } = await reading.read(`${publicPath}?linked=true`);
  assertEquals([data.length, count], [1, 1]);
  assertEquals((await reading.get(`${publicPath}.csv`)).status, 200);

  // For an unchanged feed, only one conditional request is made.
  const again = await runAgain(app, competitorId);
  assertEquals(asked, [null, '"one"']);
  assertEquals(again.state.feeds.map(({ errorCode }) => errorCode), [null, null]);
  assertEquals(shop.asked("/p/"), []);
});

withDiscovery.test("the pages of a feed are stored many in one commit", async ({ app, shop: { base, pages }, competitorId }) => {
  const items = Array.from({ length: 1_200 }, (_, n) =>
    merchantItem({
      id: `${n}`,
      title: "Becher",
      link: `${base}/p/${Math.floor(n / 3)}`,
      price: "1 EUR",
      gtin: withCheckDigit(`952${String(100_000_000 + n)}`),
    }));
  pages["/feed.xml"] = xml(merchantFeed(items));
  const before = commitsOf(app.store);
  const feeds = [{ url: `${base}/feed.xml`, format: "merchant_xml" }];
  const { state } = await discover(app, competitorId, { feeds });
  assertEquals([state.urls, state.products], [400, 400]);
  const commits = commitsOf(app.store) - before;
  ok(commits < 200, `${commits} commits`);
});

withDiscovery.test("pages that a feed no longer names are visited, unless the feed is truncated or broken", async ({ app, shop: { base, pages, asked }, competitorId }) => {
  const item = (n: number) =>
    merchantItem({ id: `${n}`, title: `Becher ${n}`, link: `${base}/p/${n}`, price: `${n} EUR` });
  const all = [1, 2, 3, 4].map(item);
  pages["/feed.xml"] = xml(merchantFeed(all));
  pages["/p/4"] = articlePage({ name: "Becher 4", price: "4.00" });
  await discover(app, competitorId, {
    feeds: [{ url: `${base}/feed.xml`, format: "merchant_xml" }],
  });
  assertEquals((await knownPages(app, competitorId)).length, 4);
  const visits = () => asked("/p/");

  const whole = merchantFeed(all.slice(0, 3));
  const cases: [Page, string | null][] = [
    [xml(whole.slice(0, whole.indexOf("Becher 3"))), "malformed_xml"],
    [xml("<html><body>Wartung</body></html>"), "unknown_format"],
    [plain("id;title\n1;2"), "malformed_xml"],
    // A feed that has lost more than half of its entries is treated as incomplete.
    [xml(merchantFeed(all.slice(0, 1))), null],
  ];
  for (const [page, errorCode] of cases) {
    pages["/feed.xml"] = page;
    const { state } = await runAgain(app, competitorId);
    const [feed] = state.feeds;
    assertEquals(feed?.errorCode, errorCode);
    assertEquals((await knownPages(app, competitorId)).length, 4, `${errorCode}`);
    assertEquals(visits(), []);
  }
  pages["/feed.xml"] = xml(whole);
  const { state } = await runAgain(app, competitorId);
  assertEquals(state.feeds.map(({ entries, isCut }) => [entries, isCut]), [[3, false]]);
  assertEquals(visits(), ["/p/4"]);
  const left = await knownPages(app, competitorId);
  assertEquals(left.map(({ foundBy }) => foundBy), ["feed", "feed", "feed", "visit"]);
});
