import {
  deepStrictEqual as assertEquals,
  notDeepStrictEqual as assertOther,
} from "node:assert/strict";
import { chooseHits } from "../../../src/scraping/discovery/ask_search.ts";
import { judgePage, ProductIndex } from "../../../src/scraping/suggestions/product_indexes.ts";
import { addProduct } from "../../shops/shop.ts";
import { openShop } from "../hostile_shop.ts";
import {
  addShop,
  articlePage,
  discover,
  startDiscoveryApp,
  suggestions,
  urlset,
  xml,
} from "../discovery/made_shop.ts";
import { begin, checked, linesOf } from "./link_check_app.ts";
import { addProducts } from "../../rules/evaluation/market.ts";

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
const PAGES = {
  "/rare": { name: "Tavelo Wandbord natur" },
  "/near": { name: "Regal Tavelo Buche" },
  "/number": { name: "Regalboden Tavelo", gtin13: "9521234567899" },
};

Deno.test("a link check judges a page as a suggestion does", async () => {
  await using app = await startDiscoveryApp();
  await using shop = openShop();
  for (const [path, page] of Object.entries(PAGES)) shop.pages[path] = articlePage(page);
  const urls = Object.keys(PAGES).map((path) => shop.base + path);
  shop.pages["/map.xml"] = xml(urlset(urls));
  const { title, ean } = OURS;
  await addProduct(app.manager, "R-1", { title, ean });
  const common = Array.from({ length: COUNTED }, (_, n) => ({
    sku: `C-${n}`,
    title: commonTitle(n),
  }));
  await addProducts(app, common);
  const competitorId = await addShop(app.manager, shop.base);
  await discover(app, competitorId, { sitemaps: [`${shop.base}/map.xml`] });
  const found = (await suggestions(app)).filter(({ product }) => product.title === title)
    .map(({ page, verdict, reasons }) => [page.url, verdict, reasons]);
  const check = await begin(app.manager, { lines: urls.map((url) => ({ sku: "R-1", url })) });
  await checked(app, check);
  const pasted = (await linesOf(app, check)).map((
    { url, verdict, reasons },
  ) => [url, verdict, reasons]);
  const byUrl = (all: readonly unknown[][]) => all.toSorted((a, b) => a[0]! < b[0]! ? -1 : 1);
  assertEquals(byUrl(pasted), byUrl(found));
  assertEquals(new Set(pasted.map(([, verdict]) => verdict)), new Set(["same", "probably"]));
});

Deno.test("search hits are chosen by the words of our catalogue", () => {
  const index = new ProductIndex();
  for (let n = 0; n < COUNTED; n++) {
    index.put({ id: `c${n}`, title: commonTitle(n), brand: null, ean: null, mpn: null });
  }
  const { words } = index;
  const texts = ["Nordwerk Regalboden Buche Kelmar", PAGES["/rare"].name];
  const links = texts.map((text, n) => ({ url: `https://shop.example/p/${n}`, text }));
  const hits = chooseHits(OURS, "9521234567899", links, words);
  assertEquals(hits, ["https://shop.example/p/1"]);
  assertOther(hits, chooseHits(OURS, "9521234567899", links, null));
  const page = { title: texts[1]!, price: 1_000, currency: "EUR" };
  const verdicts = [words, null].map((counted) => judgePage(OURS, page, counted, "link").verdict);
  assertEquals(verdicts, ["probably", "unknown"]);
});
