import type { Preview } from "../../src/scraping/teaching/preview_page.ts";
import { answered, refused } from "../shops/shop.ts";
import { article, html, openShop, priced, redirect } from "./hostile_shop.ts";
import { withScrapingApp } from "./scraping_app.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const PATH = "/api/competitor-products/preview";

withScrapingApp.test("POST /api/competitor-products/preview reads a page and stores nothing", async (app) => {
  await using shop = openShop({ "/p": priced("19.90"), "/old": redirect("/p") });
  for (const path of ["/p", "/old"]) {
    const preview = await answered<Preview>(app.manager.post(PATH, { url: shop.base + path }), 200);
    assertEquals(preview, {
      status: "ok",
      price: 1990,
      currency: "EUR",
      inStock: true,
      availability: "in_stock",
      method: "json_ld",
      confidence: 0.9,
      listPrice: null,
      lowest30: null,
      alternatives: [],
      pageStatus: "priced",
      warnings: [],
      page: {
        title: "X",
        brand: null,
        gtin: null,
        mpn: null,
        sku: null,
        condition: null,
        seller: null,
        isThirdParty: false,
        unitPrice: null,
        variant: null,
      },
      candidates: preview.candidates,
      errorCode: null,
      message: null,
      verdict: null,
      reasons: [],
    });
    assertEquals(
      preview.candidates.map((
        { amount, currency, source, text },
      ) => [amount, currency, source, text]),
      [[1990, "EUR", "json_ld", null]],
    );
  }
  for (const list of ["competitors", "competitor-products", "observations", "scrape-runs"]) {
    const page = await answered<{ count: number }>(app.viewer.get(`/api/${list}`), 200);
    assertEquals([list, page.count], [list, 0]);
  }
});

withScrapingApp.test("POST /api/competitor-products/preview tries an extractor", async (app) => {
  await using shop = openShop({
    "/p": () => html('<html lang="de"><p class="price">1.234,56 €</p></html>'),
  });
  const url = `${shop.base}/p`;
  const without = await answered<Preview>(app.manager.post(PATH, { url }), 200);
  assertEquals([without.status, without.errorCode], ["failed", "no_price"]);
  const extractor = { priceSelector: ".price" };
  const found = await answered<Preview>(app.manager.post(PATH, { url, extractor }), 200);
  assertEquals([found.status, found.price, found.currency, found.method], [
    "ok",
    123_456,
    "EUR",
    "extractor",
  ]);
});

withScrapingApp.test("POST /api/competitor-products/preview has the same pauses as a run", async (app) => {
  await using closed = openShop({
    "/p": priced("1.00"),
    "/robots.txt": () => new Response("User-agent: *\nDisallow: /"),
  });
  const url = `${closed.base}/p`;
  const disallowed = await answered<Preview>(app.manager.post(PATH, { url }), 200);
  assertEquals([disallowed.status, disallowed.errorCode], ["failed", "robots_disallowed"]);
  assertEquals(closed.visits.map(({ path }) => path), ["/robots.txt"]);

  await using busy = openShop({ "/p": () => html("", { "Retry-After": "600" }, 429) });
  const first = await answered<Preview>(app.manager.post(PATH, { url: `${busy.base}/p` }), 200);
  assertEquals([first.status, first.errorCode], ["failed", "blocked"]);
  const second = await answered<Preview>(app.manager.post(PATH, { url: `${busy.base}/p` }), 200);
  assertEquals([second.status, second.errorCode], ["skipped", "backing_off"]);
});

withScrapingApp.test("POST /api/competitor-products/preview refuses what no match may have", async (app) => {
  for (const url of ["ftp://shop.example/", "http://10.0.0.1/", "http://a:b@shop.example/", "x"]) {
    assertEquals(await refused(app.manager.post(PATH, { url }), 400), "validation_failed", url);
  }
  const extractor = { priceSelector: ":::" };
  const url = "https://shop.example/";
  assertEquals(await refused(app.manager.post(PATH, { url, extractor }), 400), "validation_failed");
});

withScrapingApp.test("POST /api/competitor-products/preview compares the page with a product of ours", async (app) => {
  const name = "Bosch Akkuschrauber GSR 12V-15";
  await using shop = openShop({
    "/same": article(name, { gtin13: "4006381333931" }),
    "/other": article(name, { gtin13: "4012345678901" }),
    "/foreign": article("Ravensburger Puzzle Schloss Neuschwanstein"),
    "/used": article(name, { gtin13: "4006381333931", itemCondition: "UsedCondition" }),
  });
  const { id: productId } = await answered<{ id: string }>(
    app.manager.post("/api/products", { sku: "GSR", title: name, ean: "4006381333931" }),
    201,
  );
  const told = async (path: string) => {
    const body = { url: shop.base + path, productId };
    const { status, price, verdict, reasons } = await answered<Preview>(
      app.manager.post(PATH, body),
      200,
    );
    return [status, price, verdict, ...reasons.map(({ code, side }) => `${code} ${side}`)];
  };
  assertEquals(await told("/same"), ["ok", 1000, "same", "gtin_same for"]);
  assertEquals(await told("/other"), ["ok", 1000, "different", "gtin_differs against"]);
  assertEquals(await told("/foreign"), ["ok", 1000, "different", "title_foreign against"]);
  assertEquals((await told("/used"))[2], "different");
  assertEquals(await told("/gone"), ["failed", null, null]);
  for (const unknown of ["x", app.app.clock.newId()]) {
    const body = { url: `${shop.base}/same`, productId: unknown };
    assertEquals(await refused(app.manager.post(PATH, body), 404), "not_found");
  }
});
