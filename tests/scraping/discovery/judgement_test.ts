import {
  deepStrictEqual as assertEquals,
  notDeepStrictEqual as assertOther,
} from "node:assert/strict";
import {
  judgePage,
  PageIndex,
  ProductIndex,
} from "../../../src/scraping/suggestions/product_indexes.ts";
import { chooseHits } from "../../../src/scraping/discovery/ask_search.ts";
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
} from "./made_shop.ts";
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

const isNear = (ours: number | null, theirs: number | null, currency: string | null = "EUR") =>
  isPriceNear({ ourPriceCents: ours, currency: "EUR" }, { price: theirs, currency });

Deno.test("two prices are near if they have one currency and neither is more than three times the other", () => {
  const cases: [ours: number | null, theirs: number | null, isNear: boolean][] = [
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
  ];
  for (const [ours, theirs, expected] of cases) {
    assertEquals(isNear(ours, theirs), expected, `${ours} and ${theirs}`);
  }
  assertEquals([isNear(1_000, 1_000, "USD"), isNear(1_000, 1_000, null)], [false, false]);
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
