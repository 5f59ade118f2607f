import { bodyOf } from "../api/answers.ts";
import type { Preview } from "../../src/scraping/teaching/preview_page.ts";
import type { CompetitorProduct } from "../../src/shops/matches/match.ts";
import { addMatch, addProduct, answered } from "../shops/shop.ts";
import { openShop, tagged } from "./hostile_shop.ts";
import { onlyResult, scrape, withScrapingApp } from "./scraping_app.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const MARKUP = `<script type="application/ld+json">${
  JSON.stringify({
    "@type": "Product",
    name: "Werkbank Eiche",
    offers: { "@type": "Offer", price: "99.00", priceCurrency: "EUR" },
  })
}</script><h1>Werkbank Eiche</h1>`;

withScrapingApp.test("a selector without a result is a warning in result and link, even if markup has a price, until it works or is removed", async (app) => {
  const state = { place: "", etag: "1" };
  await using shop = openShop({
    "/p": (request) => {
      return tagged(MARKUP + state.place, `"${state.etag}"`)(request);
    },
  });
  const url = `${shop.base}/p`;
  const extractor = { priceSelector: ".price-now", currency: "EUR" };
  const productId = await addProduct(app.manager, "WB-1", { title: "Werkbank Eiche" });
  const { id } = await addMatch(app.manager, productId, url, { extractor });
  const path = `/api/competitor-products/${id}`;
  const look = async () => {
    app.clock.advance(3_600_000);
    const { price, method, warnings } = onlyResult(await scrape(app, productId));
    const link = await answered<CompetitorProduct>(app.viewer.get(path), 200);
    return [price, method, warnings, link.warnings];
  };
  const dead = ["selector_dead"];
  assertEquals(await look(), [9_900, "json_ld", dead, dead]);
  const preview = await answered<Preview>(
    app.manager.post("/api/competitor-products/preview", { url, extractor }),
    200,
  );
  assertEquals([preview.price, preview.warnings], [9_900, dead]);
  // An unchanged page keeps the warning.
  assertEquals(await look(), [9_900, "json_ld", dead, dead]);
  Object.assign(state, { place: '<b class="price-now">95,00 €</b>', etag: "2" });
  assertEquals(await look(), [9_500, "extractor", [], []]);
  Object.assign(state, { place: "<p>wenig</p>", etag: "3" });
  assertEquals((await look())[3], dead);
  const without = await bodyOf(app.manager.patch(path, { extractor: null }), 200);
  assertEquals(without.warnings, []);
  assertEquals(await look(), [9_900, "json_ld", [], []]);
});
