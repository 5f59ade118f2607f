/** Adds products and has their linked pages read, for browser tests. */
import type { TestApp } from "../harness.ts";
import { serveHere } from "../local_server.ts";
import { until } from "../patience.ts";
import { html } from "../scraping/hostile_shop.ts";

export async function linkAndRead({ owner }: TestApp, productId: string, url: string) {
  const { id } = await owner.create("/api/competitor-products", { productId, url });
  await owner.begin(`/api/products/${productId}/scrape-now`);
  await until("the page was read", async () => {
    return (await owner.read(`/api/competitor-products/${id}`)).lastStatus !== null;
  });
}

/** Adds a product with a link for each `n` of `pages`, and has the linked pages read. */
export async function readArticles(
  { owner }: TestApp,
  pages: readonly number[],
  pageOf: (n: number) => { readonly sku: string; readonly url: string },
): Promise<void> {
  const links = pages.map(pageOf);
  const productIds: string[] = [];
  for (const [at, { sku }] of links.entries()) {
    const n = pages[at] ?? 0;
    const product = { sku, title: `Artikel ${n}`, ourPrice: n + 11 };
    productIds.push((await owner.create("/api/products", product)).id);
  }
  await owner.act("/api/competitor-products/bulk", { links });
  await owner.begin("/api/scrape-runs", { productIds });
  await until("all pages are read", async () => {
    const { items } = await owner.read("/api/scrape-runs?limit=200");
    return items.every(({ status }: { status: string }) => status === "succeeded");
  });
}

/** A shop with `bodyOf(n)` on the page of article `n`. Its `robots.txt` forbids `/geheim/`. */
export function openArticles(bodyOf: (n: number) => string) {
  return serveHere((request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/robots.txt") return new Response("User-agent: *\nDisallow: /geheim/\n");
    const n = Number(pathname.replace("/artikel/", ""));
    return html(`<!doctype html><title>Laden ${n}</title><h1>Artikel ${n}</h1>${bodyOf(n)}`);
  });
}

/** Structured data (JSON-LD) with a price of `n + more` euros. */
export function articleMarkup(n: number, more: number): string {
  const offers = { "@type": "Offer", price: `${n + more}.00`, priceCurrency: "EUR" };
  const product = { "@context": "https://schema.org", "@type": "Product", name: `Artikel ${n}` };
  return `<script type="application/ld+json">${JSON.stringify({ ...product, offers })}</script>`;
}

/** Two equally plausible prices, between which Kurant cannot choose. */
export const twoPrices = (n: number) =>
  `<div class="zeile"><span class="kolibri">${n + 10},90 €</span></div>
   <div class="zeile"><span class="zaunwicke">${n + 12},40 €</span></div>`;
