import fc from "fast-check";
import {
  deepStrictEqual as assertEquals,
  notDeepStrictEqual as assertOther,
  ok,
  ok as assert,
} from "node:assert/strict";
import {
  judgePage,
  PageIndex,
  PageIndexes,
  ProductIndex,
} from "../../../src/scraping/suggestions/product_indexes.ts";
import { judgePair, sidesOf } from "../../engine/matching/labelled_pairs.ts";
import { ourTitles, shopTitles } from "../../engine/matching/made_titles.ts";
import { chooseHits } from "../../../src/scraping/discovery/ask_search.ts";
import { addProduct } from "../../shops/shop.ts";
import { openShop } from "../hostile_shop.ts";
import {
  addShop,
  articlePage,
  discover,
  shopPage,
  startDiscoveryApp,
  suggestions,
  urlset,
  xml,
} from "./made_shop.ts";
import { begin, checked, linesOf } from "../link_checks/link_check_app.ts";
import { addProducts } from "../../rules/evaluation/market.ts";
import { isPriceNear } from "../../../src/scraping/suggestions/link_by_itself.ts";
import { MINUTE_MS } from "../../../src/base/time.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { foundPages, savePage } from "../../../src/shops/discovery/page_store.ts";
import { urlHashOf } from "../../../src/shops/domain.ts";
import { withStore } from "../../memory_store.ts";

Deno.test("judgePage() agrees with the function whose quality is measured, also for words and prices", () => {
  const [ours, theirs] = [ourTitles(200), shopTitles(200)];
  const pairs = ours.map(({ title, brand = null }, at) => ({
    a: { title, brand, mpns: [`MPN-${at}`], text: null, price: 1_000 + at },
    b: { ...theirs[at]!, mpns: at % 3 === 0 ? [`MPN-${at}`] : [], text: null, price: 900 + 7 * at },
    isSame: at % 2 === 0,
    set: "made",
  }));
  const { vocabulary } = sidesOf(pairs);
  const verdicts = pairs.map((pair) => {
    const { a, b } = pair;
    const product = {
      title: a.title,
      brand: a.brand,
      ean: null,
      mpn: a.mpns[0] ?? null,
      condition: null,
      ourPriceCents: a.price,
      currency: "EUR",
    };
    const page = {
      title: b.title,
      brand: null,
      gtin: null,
      gtins: [],
      mpn: b.mpns[0] ?? null,
      sku: null,
      condition: null,
      price: b.price,
      currency: "EUR",
      isOpenVariant: false,
      pack: null,
    };
    const judged = judgePage(product, page, vocabulary);
    assertEquals(judged, judgePair(pair, vocabulary));
    return judged.verdict;
  });
  assert(new Set(verdicts).size > 1);
});

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

Deno.test("nearness of two prices is symmetric", () => {
  const cents = fc.integer({ min: 0, max: 2 ** 40 });
  fc.assert(fc.property(cents, cents, (one, other) => isNear(one, other) === isNear(other, one)));
});

const workspaceId = "0".repeat(23) + "1";
const [SHOP, OTHER] = ["a".repeat(24), "b".repeat(24)] as const;
const going = new AbortController().signal;

const page = (title: string) => shopPage("https://shop.example/p", { title });

const placeOf = (competitorId: string, n: number) => ({
  competitorId,
  urlHash: urlHashOf(new URL(`https://shop.example/p/${n}`)),
});

withStore.test("an index of a shop's pages has all pages that any process wrote, and no deleted ones", async (store) => {
  const workspace = { store, workspaceId };
  const put = (n: number, title: string | null, competitorId: string = SHOP) =>
    transact(workspace, async (write) => {
      const place = placeOf(competitorId, n);
      const after = title === null ? null : page(title);
      savePage(
        write,
        workspaceId,
        place,
        (await foundPages.find(workspace, place))?.row.page ?? null,
        after,
      );
    });
  const indexes = new PageIndexes();
  const likely = async (title: string, own = indexes) => {
    const index = await own.of(workspace, SHOP, 0, going);
    return index?.likelyFor({ title, brand: null, mpn: null }).map(({ urlHash }) => urlHash);
  };
  const drill = "Makita Akku-Schlagbohrschrauber DHP485";
  assertEquals(await likely(drill), []);
  // With 200 pages, every part of the shop has some pages.
  for (let n = 0; n < 200; n++) await put(n, `Artikel Nummer ${1_000 + n} Sorte ${n % 7}`);
  await put(77, "Makita Schlagbohrschrauber DHP485 ohne Akku");
  await put(78, "Makita Schlagbohrschrauber DHP485", OTHER);
  const first = placeOf(SHOP, 77).urlHash;
  assertEquals((await likely(drill))?.[0], first);
  assertEquals((await likely(drill))?.includes(placeOf(SHOP, 78).urlHash), false);
  await put(77, "Gartenschlauch 20 m");
  await put(150, "Makita Schlagbohrschrauber DHP485");
  assertEquals(await likely(drill), [placeOf(SHOP, 150).urlHash]);
  await put(150, null);
  assertEquals(await likely(drill), []);
  assertEquals(await likely("Gartenschlauch 20 m"), [first]);
  // A new index, such as that of another process, gives the same result.
  assertEquals(await likely("Gartenschlauch 20 m", new PageIndexes()), [first]);
  assertEquals(indexes.size, 199);
});

withStore.test("page indexes stay within their limit, and an unused one is dropped for another shop's", async (store) => {
  const workspace = { store, workspaceId };
  await transact(workspace, (write) => {
    for (const shop of [SHOP, OTHER]) {
      for (let n = 0; n < 60; n++) {
        savePage(write, workspaceId, placeOf(shop, n), null, page(`Artikel ${n}`));
      }
    }
  });
  const indexes = new PageIndexes(100);
  ok(await indexes.of(workspace, SHOP, 0, going));
  assertEquals(await indexes.of(workspace, OTHER, 5 * MINUTE_MS, going), null);
  assertEquals(indexes.size, 60);
  // After a refusal, the index is not loaded for ten minutes, even if there is room.
  assertEquals(await indexes.of(workspace, OTHER, 11 * MINUTE_MS, going), null);
  ok(await indexes.of(workspace, OTHER, 16 * MINUTE_MS, going));
  assertEquals(indexes.size, 60);
  indexes.keepOnly(new Set());
  assertEquals(indexes.size, 0);
});

Deno.test("a page index after many changes finds the same as a new one", () => {
  const titles = fc.constantFrom(null, "Makita DHP485", "Bosch GSR 18V", "Stabilo Boss gelb", "");
  const places = fc.constantFrom("00", "0f", "7a", "ff");
  fc.assert(
    fc.property(fc.array(fc.tuple(places, titles), { maxLength: 30 }), (changes) => {
      const [lived, last] = [new PageIndex(), new Map<string, string | null>()];
      for (const [place, title] of changes) {
        lived.put(place, { title, brand: null, mpn: null });
        last.set(place, title);
      }
      const fresh = [...last].filter(([, title]) => title !== null && title !== "");
      assertEquals(lived.size, fresh.length);
      assertEquals(lived.within("00", null).toSorted(), fresh.map(([place]) => place).toSorted());
      for (const title of ["Makita DHP485", "Stabilo Boss gelb"]) {
        const found = lived.likelyFor({ title, brand: null, mpn: null }).map((one) => one.urlHash);
        const equal = fresh.filter(([, own]) => own === title).map(([place]) => place);
        assertEquals(found.toSorted().slice(0, 3).length, Math.min(3, equal.length), title);
        ok(found.every((place) => equal.includes(place)));
      }
    }),
  );
});
