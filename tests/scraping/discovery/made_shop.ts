/** Shops with sitemaps or feeds, for tests of discovery. */
import type { MatchSuggestion } from "../../../src/scraping/suggestions/list_suggestions.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { URLS_MAX } from "../../../src/scraping/discovery/shop_step.ts";
import {
  discoveries,
  type Discovery,
  findDiscovery,
} from "../../../src/shops/pages/discovery_store.ts";
import type { ShopPage, StoredSuggestion } from "../../../src/shops/pages/found_page_store.ts";
import type { Caller } from "../../caller.ts";
import type { TestApp } from "../../harness.ts";
import { readUntil } from "../../patience.ts";
import { checkedAfter } from "../../shops/shop.ts";
import { testWith } from "../../opened.ts";
import { article, openShop, type Page, type Shop } from "../hostile_shop.ts";
import { startScrapingApp } from "../scraping_app.ts";
import { gzipSync } from "node:zlib";

export interface Article {
  readonly name: string;
  readonly brand?: string;
  readonly gtin13?: string;
  readonly mpn?: string;
  readonly price?: string;
  readonly condition?: string;
}

/** The clock runs, because fetches wait for a permit of the shop. */
export function startDiscoveryApp(env: Record<string, string> = {}): Promise<TestApp> {
  return startScrapingApp(env, { now: () => new Date() });
}

export const withDiscovery = checkedAfter(testWith(openDiscovery), ({ app }) => app);

async function openDiscovery() {
  const shop = openShop();
  const app = await startDiscoveryApp();
  const competitorId = await addShop(app.manager, shop.base);
  return {
    app,
    shop,
    competitorId,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await shop[Symbol.asyncDispose]();
    },
  };
}

export function articlePage({ name, price = "10.00", condition, ...more }: Article): Page {
  const itemCondition = condition && `https://schema.org/${condition}`;
  return article(name, more, { price, itemCondition });
}

export function urlset(urls: readonly string[]): string {
  const entries = urls.map((url) => `<url><loc>${url}</loc></url>`).join("");
  return `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>`;
}

/** Adds pages and a sitemap of them; returns the sitemap's address. */
export function addListed({ base, pages }: Shop, listed: Readonly<Record<string, Page>>): string {
  const urls = Object.keys(listed).map((path) => base + path);
  Object.assign(pages, listed, { "/map.xml": xml(urlset(urls)) });
  return `${base}/map.xml`;
}

export function articlePages(articles: readonly Article[]): Record<string, Page> {
  return Object.fromEntries(articles.map((one, n) => [`/p/${n}`, articlePage(one)]));
}

export function sitemapIndex(urls: readonly string[]): string {
  const entries = urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join("");
  return `<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</sitemapindex>`;
}

/** All facts about the page are unknown, except those in `known`. */
export function shopPage(url: string, known: Partial<ShopPage> = {}): ShopPage {
  return {
    url,
    title: null,
    brand: null,
    gtin: null,
    gtins: [],
    pack: null,
    foundBy: "visit",
    mpn: null,
    sku: null,
    condition: null,
    price: null,
    currency: null,
    availability: null,
    isOpenVariant: false,
    seenAt: "2026-01-01T00:00:00.000Z",
    ...known,
  };
}

const OPEN = {
  score: 0.9,
  reasons: [],
  packFactor: null,
  status: "open",
  rejectedAs: null,
  decidedAt: null,
  decidedBy: null,
} satisfies Partial<StoredSuggestion>;

export function openSuggestion(made: Omit<StoredSuggestion, keyof typeof OPEN | "createdAt">) {
  return { ...made, ...OPEN, createdAt: made.page.seenAt };
}

export const xml = (text: string): Page => () =>
  new Response(text, { headers: { "Content-Type": "application/xml" } });

export const packed = (text: string): Page => () =>
  new Response(Uint8Array.from(gzipSync(text)), {
    headers: { "Content-Type": "application/octet-stream" },
  });

export const plain = (text: string): Page => () =>
  new Response(text, { headers: { "Content-Type": "text/plain" } });

export async function addShop(caller: Caller, base: string): Promise<string> {
  const domain = new URL(base).host;
  return (await caller.create<{ id: string }>("/api/competitors", { domain })).id;
}

export async function discover(
  app: TestApp,
  competitorId: string,
  settings: Record<string, unknown>,
): Promise<Discovery> {
  const path = `/api/competitors/${competitorId}/discovery`;
  await app.manager.replace(path, { mode: "suggest", ...settings });
  return await untilIdle(app, competitorId);
}

/** Reads all sitemaps and feeds of a shop again, with new settings if `settings` is given. */
export async function runAgain(
  app: TestApp,
  competitorId: string,
  settings?: Record<string, unknown>,
): Promise<Discovery> {
  const path = `/api/competitors/${competitorId}/discovery`;
  if (settings) await app.manager.replace(path, { mode: "suggest", ...settings });
  await app.manager.act(`${path}/run`);
  return await untilIdle(app, competitorId);
}

/** Sets the stored number of pages to one less than allowed. */
export async function fillUp(app: TestApp, competitorId: string): Promise<void> {
  await transact(app, async (write) => {
    const { discovery } = await findDiscovery(app, competitorId);
    const counts = { ...discovery.counts, urls: URLS_MAX - 1 };
    discoveries.put(write, app, { ...discovery, counts });
  });
}

export function untilIdle({ viewer }: TestApp, competitorId: string): Promise<Discovery> {
  const read = () => viewer.read<Discovery>(`/api/competitors/${competitorId}/discovery`);
  return readUntil("the shop's daily job has ended", read, ({ state }) => state.phase === "idle");
}

export async function suggestions(app: TestApp, query = ""): Promise<MatchSuggestion[]> {
  const path = `/api/match-suggestions?limit=200&${query}`;
  return (await app.viewer.read<{ items: MatchSuggestion[] }>(path)).items;
}

type MerchantFields = Readonly<Record<string, string>>;

/** A feed's entry; the fields have the names of Google's format, such as `sale_price`. */
export function merchantItem(fields: MerchantFields): string {
  const tags = Object.entries(fields)
    .map(([name, value]) => `<g:${name}>${value.replaceAll("&", "&amp;")}</g:${name}>`);
  return `<item>${tags.join("")}</item>`;
}

/** A feed's entry for the page `/p/n`: a cup for 1 EUR. */
export function cupItem(base: string, n: number, more: MerchantFields = {}): string {
  const link = `${base}/p/${n}`;
  return merchantItem({ id: `${n}`, title: `Becher ${n}`, link, price: "1 EUR", ...more });
}

export function merchantFeed(items: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss xmlns:g="http://base.google.com/ns/1.0" version="2.0"><channel><title>Feed</title>
${items.join("\n")}
</channel></rss>`;
}

/** Adds a feed with `items`; returns the `feeds` setting that makes discovery read it. */
export function addFeed({ base, pages }: Shop, items: readonly string[]) {
  pages["/feed.xml"] = xml(merchantFeed(items));
  return [{ url: `${base}/feed.xml`, format: "merchant_xml" }];
}
