import { deepStrictEqual as assertEquals, notDeepStrictEqual as differs } from "node:assert/strict";
import {
  judgePage,
  PageIndex,
  ProductIndex,
} from "../../../src/scraping/suggestions/product_indexes.ts";
import { chooseHits } from "../../../src/scraping/discovery/ask_search.ts";
import { column } from "../../api/answers.ts";
import { addProduct } from "../../shops/shop.ts";
import { article, openShop } from "../hostile_shop.ts";
import { addListed, addShop, discover, startDiscoveryApp, suggestions } from "./made_shop.ts";
import { begin, checked, linesOf } from "../link_checks/link_check_app.ts";
import { addProducts } from "../../rules/evaluation/market.ts";
import { isPriceNear } from "../../../src/scraping/suggestions/link_by_itself.ts";

/** With this many titles, words are weighted by their frequency. */
const COUNTED = 220;
const OURS = {
  title: "Nordwerk Regalboden Buche Tavelo",
  brand: null,
  ean: "9521234567899",
  mpn: null,
  condition: null,
  ourPriceCents: 1_000,
  currency: "EUR",
};
const commonTitle = (n: number) => `Nordwerk Regalboden Buche geölt Fach ${n}`;
const RARE = "Tavelo Wandbord natur";

Deno.test("a link check judges a page as a suggestion does", async () => {
  await using app = await startDiscoveryApp();
  await using shop = openShop();
  const map = addListed(shop, {
    "/rare": article(RARE),
    "/near": article("Regal Tavelo Buche"),
    "/number": article("Regalboden Tavelo", { gtin13: OURS.ean }),
  });
  const { title, ean } = OURS;
  await addProduct(app.manager, "R-1", { title, ean });
  const titles = Array.from({ length: COUNTED }, (_, n) => commonTitle(n));
  await addProducts(app, titles.map((title, n) => ({ sku: `C-${n}`, title })));
  const competitorId = await addShop(app.manager, shop.base);
  await discover(app, competitorId, { sitemaps: [map] });
  const found = (await suggestions(app)).filter(({ product }) => product.sku === "R-1")
    .map(({ page, ...judged }) => ({ ...judged, url: page.url }));
  const urls = ["/rare", "/near", "/number"].map((path) => shop.base + path);
  const check = await begin(app.manager, { lines: urls.map((url) => ({ sku: "R-1", url })) });
  await checked(app, check);
  const pasted = await linesOf(app, check);
  const judgements = (rows: readonly { url: string; verdict: unknown; reasons: unknown }[]) =>
    new Map(rows.map(({ url, verdict, reasons }) => [url, [verdict, reasons]]));
  assertEquals([pasted.length, found.length], [3, 3]);
  assertEquals(judgements(pasted), judgements(found));
  assertEquals(new Set(column(pasted, "verdict")), new Set(["same", "probably"]));
});

Deno.test("search hits are chosen by the words of our catalogue", () => {
  const index = new ProductIndex();
  for (let n = 0; n < COUNTED; n++) {
    index.put({ id: `c${n}`, title: commonTitle(n), brand: null, ean: null, mpn: null });
  }
  const { words } = index;
  const texts = ["Nordwerk Regalboden Buche Kelmar", RARE];
  const links = texts.map((text, n) => ({ url: `https://shop.example/p/${n}`, text }));
  const hits = chooseHits(OURS, OURS.ean, links, words);
  assertEquals(hits, ["https://shop.example/p/1"]);
  differs(hits, chooseHits(OURS, OURS.ean, links, null));
  const page = { title: RARE, price: 1_000, currency: "EUR" };
  const verdicts = [words, null].map((counted) => judgePage(OURS, page, counted, "link").verdict);
  assertEquals(verdicts, ["probably", "unknown"]);
});

Deno.test("two prices are near if they have one currency and neither is more than three times the other", () => {
  type Price = number | null;
  type Case = [ours: Price, theirs: Price, isNear: boolean, currency?: string | null];
  const cases: readonly Case[] = [
    [1_000, 1_000, true],
    [1_000, 3_000, true],
    [1_000, 3_001, false],
    [3_000, 1_000, true],
    [3_001, 1_000, false],
    [1, 3, true],
    [0, 0, false],
    [1_000, 0, false],
    [0, 1_000, false],
    [null, 1_000, false],
    [1_000, null, false],
    [null, null, false],
    [1_000, 1_000, false, "USD"],
    [1_000, 1_000, false, null],
  ];
  for (const [ourPriceCents, price, expected, currency = "EUR"] of cases) {
    const isNear = isPriceNear({ ourPriceCents, currency: "EUR" }, { price, currency });
    assertEquals(isNear, expected, `${ourPriceCents} and ${price} ${currency}`);
  }
});

Deno.test("a page index finds the pages with the title of a product, and no page without a title", () => {
  const index = new PageIndex();
  const titles = [null, "", "Makita DHP485", "Stabilo Boss gelb", "Makita DHP485"];
  for (const [n, title] of titles.entries()) {
    index.put(`page ${n}`, { title, brand: null, mpn: null });
  }
  assertEquals(index.size, 3);
  const likely = index.likelyFor({ title: "Makita DHP485", brand: null, mpn: null });
  assertEquals(likely.map(({ urlHash }) => urlHash), ["page 2", "page 4"]);
});
