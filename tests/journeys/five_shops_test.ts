/**
 * With at most ten actions, a person links products to nearly all of their pages in five shops. No
 * page may be linked to a wrong product.
 */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type { Discovery } from "../../src/shops/pages/discovery_store.ts";
import { withCheckDigit } from "../../src/app/demo/demo_catalogue.ts";
import { everyItem } from "../api/answers.ts";
import { untilReads } from "../caller.ts";
import { addProducts, withBrowser } from "../client/browser.ts";
import {
  addListed,
  addShop,
  articlePage,
  plain,
  startDiscoveryApp,
} from "../scraping/discovery/made_shop.ts";
import { until } from "../patience.ts";
import { extent } from "../proof.ts";
import { openShop, type Page, type Shop } from "../scraping/hostile_shop.ts";
import { countPerson } from "./counted_person.ts";

const PRODUCTS = extent(2_000, 20);
const SHOPS = 5;
const SOLD_SHARE = 0.3;
const ACTIONS_MAX = 10;
const FOUND_SHARE = 0.95;
const AT_ONCE = 100;

const BRANDS = ["Nordwerk", "Albrecht", "Lumera", "Havelland", "Ostara"] as const;
const KINDS = ["Stichsäge", "Toaster", "Soundbar", "Waschsauger", "Kühlschrank"] as const;

interface Article {
  readonly sku: string;
  readonly title: string;
  readonly brand: string;
  readonly ean: string;
  readonly mpn: string;
}

function articleAt(n: number): Article {
  const [brand, kind] = [BRANDS[n % 5] ?? "", KINDS[Math.floor(n / 5) % 5] ?? ""];
  const mpn = `${kind.slice(0, 2).toUpperCase()}${10_000 + n * 7}`;
  const ean = withCheckDigit(`952${String(100_000_000 + n)}`);
  return { sku: `K-${n}`, title: `${brand} ${kind} ${mpn}`, brand, ean, mpn };
}

/** Adds the pages of shop number `at`; returns the SKU for each page that may be linked. */
function addPages(articles: readonly Article[], shop: Shop, at: number) {
  const pages: Record<string, Page> = {};
  const truth = new Map<string, string>();
  articles.forEach((article, n) => {
    if ((n * 7 + at * 3) % 10 >= SOLD_SHARE * 10) return;
    const { sku, title, brand, ean, mpn } = article;
    const path = `/p/${sku.toLowerCase()}`;
    truth.set(`${shop.base}${path}`, sku);
    // Seven in ten pages state the GTIN, the others only brand and part number.
    pages[path] = articlePage(
      n % 10 < 7
        ? { name: `${title} kaufen`, gtin13: ean }
        : { name: `${KINDS[n % 5]} ${mpn}`, brand, mpn },
    );
    if (n % 20 === 0) {
      pages[`${path}-tasche`] = articlePage({ name: `Tasche für ${title}`, brand });
      const used = { name: `${title} gebraucht`, gtin13: ean, condition: "UsedCondition" };
      pages[`${path}-gebraucht`] = articlePage(used);
    }
    if (n % 20 === 10) {
      const other = withCheckDigit(`952${String(900_000_000 + n)}`);
      pages[`${path}-rot`] = articlePage({ name: `${title} rot`, gtin13: other });
    }
  });
  const sitemap = addListed(shop, pages);
  shop.pages["/robots.txt"] = plain(`User-agent: *\nAllow: /\nSitemap: ${sitemap}`);
  return truth;
}

withBrowser.test("five shops are linked to a catalogue in at most ten actions, without a wrong link", async (browser) => {
  await using shops = new AsyncDisposableStack();
  const opened = Array.from({ length: SHOPS }, () => shops.use(openShop()));
  await using app = await startDiscoveryApp();
  const articles = Array.from({ length: PRODUCTS }, (_, n) => articleAt(n));
  const products = articles.map((article) => ({ ...article, ourPrice: 10 }));
  for (let at = 0; at < products.length; at += AT_ONCE) {
    await addProducts(app, products.slice(at, at + AT_ONCE));
  }
  const truth = new Map<string, string>();
  const ids: string[] = [];
  for (const [n, shop] of opened.entries()) {
    for (const [url, sku] of addPages(articles, shop, n)) truth.set(url, sku);
    ids.push(await addShop(app.manager, shop.base));
  }
  const page = await browser.open(app, "/");
  const person = countPerson(page);
  await person.click(page.getByRole("link", { name: "Verknüpfen", exact: true }));
  await person.click(page.getByRole("link", { name: "Abdeckung" }).first());
  await person.click(page.getByRole("button", { name: "Seiten suchen lassen …" }));
  await person.write(page.getByLabel("Modus"), "automatic");
  await person.write(page.getByLabel("Seiten am Tag"), "100000");
  await person.click(page.getByRole("button", { name: "In 5 Shops suchen" }));
  person.didAtMost(ACTIONS_MAX);
  await until("all shops are searched", async () => {
    const all = await Promise.all(
      ids.map((id) => app.viewer.read<Discovery>(`/api/competitors/${id}/discovery`)),
    );
    return all.every(({ state: { phase, urls, visited } }) => phase === "idle" && visited >= urls);
  });
  // Some time after reading a page, Kurant links it automatically if the match is certain.
  await untilReads(app.viewer, "/api/match-suggestions/counts", { same: 0 });

  const stored = await everyItem(app.viewer, "/api/products?limit=200");
  const skus = new Map(stored.map(({ id, sku }) => [id, sku]));
  const links = await everyItem(app.viewer, "/api/competitor-products?limit=200");
  const wrong = links.filter(({ url, productId }) => truth.get(url) !== skus.get(productId));
  assertEquals(wrong.map(({ url, productId }) => [url, skus.get(productId)]), []);
  const share = links.length / truth.size;
  ok(share >= FOUND_SHARE, `${links.length} of ${truth.size} links`);
});
