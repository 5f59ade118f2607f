import { addMatch, addProduct } from "../shops/shop.ts";
import { html, openShop } from "./hostile_shop.ts";
import { onlyResult, scrape, withScrapingApp } from "./scraping_app.ts";
import type { Preview } from "../../src/scraping/teaching/preview_page.ts";
import type { CompetitorProduct } from "../../src/shops/matches/match.ts";
import type { TestApp } from "../harness.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const OURS = "4006381333931";

interface Variant {
  readonly sku: string;
  readonly price: string;
  readonly gtin?: string | undefined;
  readonly url?: string;
}

/** A page of an article with variants. The page displays the price of the first variant. */
function pageOf(variants: readonly Variant[]): string {
  const markup = {
    "@context": "https://schema.org",
    "@type": "ProductGroup",
    name: "Talheim Bratpfanne Pro",
    hasVariant: variants.map(({ sku, price, gtin, url }) => ({
      "@type": "Product",
      name: "Talheim Bratpfanne Pro",
      ...{ sku, gtin13: gtin, url },
      offers: { "@type": "Offer", url, price, priceCurrency: "EUR" },
    })),
  };
  return `<script type="application/ld+json">${JSON.stringify(markup)}</script>` +
    `<h1>Talheim Bratpfanne Pro</h1><p class="price">${
      variants[0]?.price.replace(".", ",")
    } €</p>` +
    "<button>In den Warenkorb</button>";
}

async function read(app: TestApp, productId: string, linkId: string) {
  app.clock.advance(3_600_000);
  const { status, price, confidence } = onlyResult(await scrape(app, productId));
  const path = `/api/competitor-products/${linkId}`;
  const { currentPrice, identity } = await app.viewer.read<CompetitorProduct>(path);
  return [status, price, confidence, currentPrice, identity?.page?.variant?.by ?? null];
}

withScrapingApp.test("the shop's number stored with a link chooses the variant if the page no longer has GTINs, also in a preview", async (app) => {
  const state = { large: "39.99", gtins: ["4006381333948", OURS] };
  await using shop = openShop({
    "/p": () =>
      html(pageOf([
        { sku: "PF-20", price: "19.99", gtin: state.gtins[0] },
        { sku: "PF-32", price: state.large, gtin: state.gtins[1] },
      ])),
  });
  const url = `${shop.base}/p`;
  const product = { title: "Talheim Bratpfanne Pro", ean: OURS };
  const productId = await addProduct(app.manager, "WB-1", product);
  const { id } = await addMatch(app.manager, productId, url);
  assertEquals(await read(app, productId, id), ["ok", 3_999, 0.9, 3_999, "gtin"]);
  Object.assign(state, { large: "37.99", gtins: [] });
  const preview = async (productId: string) => {
    const body = { url: `${url}?utm_source=x#top`, productId };
    const path = "/api/competitor-products/preview";
    const { price, page } = await app.manager.act<Preview>(path, body);
    return [price, page?.variant?.by ?? null];
  };
  assertEquals(await preview(productId), [3_799, "sku"]);
  assertEquals(await read(app, productId, id), ["ok", 3_799, 0.9, 3_799, "sku"]);
  state.large = "36.99";
  assertEquals(await read(app, productId, id), ["ok", 3_699, 0.9, 3_699, "sku"]);
  const other = await addProduct(app.manager, "WB-2", { title: "Talheim Bratpfanne Pro" });
  assertEquals(await preview(other), [1_999, null]);
});

withScrapingApp.test("the fragment of a link's URL chooses the variant", async (app) => {
  await using shop = openShop({
    "/p": () =>
      html(pageOf([
        { sku: "PF-20", price: "19.99", url: "/p#/26-groesse-20cm" },
        { sku: "PF-32", price: "39.99", url: "/p#/27-groesse-32cm" },
      ])),
  });
  const productId = await addProduct(app.manager, "WB-1", { title: "Talheim Bratpfanne Pro" });
  const { id } = await addMatch(app.manager, productId, `${shop.base}/p?utm_source=x#PF-32`);
  const [status, price, , current, by] = await read(app, productId, id);
  assertEquals([status, price, current, by], ["ok", 3_999, 3_999, "address"]);
});
