import { bodyOf, refuses, statusOf } from "../api/answers.ts";
import type { ExtractReport, Preview } from "../../src/scraping/teaching/preview_page.ts";
import { addMatch, addProduct } from "../shops/shop.ts";
import { article, html, openShop, priced, redirect, tagged } from "./hostile_shop.ts";
import { onlyResult, scrape, withScrapingApp } from "./scraping_app.ts";
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import { hostilePages } from "../engine/extraction/hostile_pages.ts";
import { withApp } from "../harness.ts";
import { extent } from "../proof.ts";
import type { CompetitorProduct } from "../../src/shops/matches/match.ts";

const PATH = "/api/competitor-products/preview";

withScrapingApp.test("POST /api/competitor-products/preview reads a page and stores nothing", async (app) => {
  await using shop = openShop({ "/p": priced("19.90"), "/old": redirect("/p") });
  for (const path of ["/p", "/old"]) {
    const preview = await app.manager.act<Preview>(PATH, { url: shop.base + path });
    const { status, price, availability, method, confidence, page, candidates } = preview;
    assertEquals([status, price, availability], ["ok", 1990, "in_stock"]);
    assertEquals([method, confidence, page?.title], ["json_ld", 0.9, "X"]);
    assertEquals(
      candidates.map(({ amount, currency, source, text }) => [amount, currency, source, text]),
      [[1990, "EUR", "json_ld", null]],
    );
  }
  for (const list of ["competitors", "competitor-products", "observations", "scrape-runs"]) {
    const page = await app.viewer.read<{ count: number }>(`/api/${list}`);
    assertEquals([list, page.count], [list, 0]);
  }
});

withScrapingApp.test("POST /api/competitor-products/preview refuses what no match may have", async (app) => {
  const url = "https://shop.example/";
  const addresses = ["ftp://shop.example/", "http://10.0.0.1/", "http://a:b@shop.example/", "x"];
  const bodies = [
    ...addresses.map((address) => ({ url: address })),
    { url, extractor: { priceSelector: ":::" } },
  ];
  for (const body of bodies) {
    await refuses(app.manager.post(PATH, body), "validation_failed", JSON.stringify(body));
  }
});

withScrapingApp.test("POST /api/competitor-products/preview compares the page with a product of ours", async (app) => {
  const name = "Bosch Akkuschrauber GSR 12V-15";
  await using shop = openShop({
    "/same": article(name, { gtin13: "4006381333931" }),
    "/other": article(name, { gtin13: "4012345678901" }),
    "/foreign": article("Ravensburger Puzzle Schloss Neuschwanstein"),
    "/used": article(name, { gtin13: "4006381333931", itemCondition: "UsedCondition" }),
  });
  const { id: productId } = await app.manager.create<{ id: string }>("/api/products", {
    sku: "GSR",
    title: name,
    ean: "4006381333931",
  });
  const told = async (path: string) => {
    const body = { url: shop.base + path, productId };
    const { status, price, verdict, reasons } = await app.manager.act<Preview>(PATH, body);
    return [status, price, verdict, ...reasons.map(({ code, side }) => `${code} ${side}`)];
  };
  assertEquals(await told("/same"), ["ok", 1000, "same", "gtin_same for"]);
  assertEquals(await told("/other"), ["ok", 1000, "different", "gtin_differs against"]);
  assertEquals(await told("/foreign"), ["ok", 1000, "different", "title_foreign against"]);
  assertEquals((await told("/used"))[2], "different");
  assertEquals(await told("/gone"), ["failed", null, null]);
  for (const unknown of ["x", app.app.clock.newId()]) {
    const body = { url: `${shop.base}/same`, productId: unknown };
    await refuses(app.manager.post(PATH, body), "not_found");
  }
});

const EXTRACT = "/api/extract";
/** Length of a page. If the response grew with the page, the response would exceed its limit. */
const PAGE_CHARACTERS = extent(200_000, 70_000);
/** The short form tries every fourth hostile page. */
const EVERY = extent(1, 4);
const PAGE =
  `<!doctype html><html lang="de"><title>Gartenbank Eiche</title><h1>Gartenbank Eiche</h1>
<s>279,90 €</s> <b class="price">239,90 €</b><button>In den Warenkorb</button></html>`;

withApp.test("POST /api/extract with a page in its body gives verdict, prices and reasons, and fetches nothing", async (app) => {
  const report = await app.manager.act<ExtractReport>(EXTRACT, { html: PAGE });
  const { status, price, currency, method, confidence, pageStatus, page, httpStatus } = report;
  assertEquals([status, price, currency, method], ["ok", 23_990, "EUR", "shown"]);
  assertEquals([confidence, pageStatus, page?.title, httpStatus], [
    0.8,
    "priced",
    "Gartenbank Eiche",
    200,
  ]);
  assertEquals(report.candidates.map(({ amount }) => amount), [23_990, 27_990]);
  assert(report.trace.some((line) => /^shown: 239\.9 EUR, .*far ahead/.test(line)));
  assert(report.trace.some((line) => /279\.9 EUR, .*struck/.test(line)));
  // If a page has several prices, the price in the product's currency is used.
  const offers = ["EUR", "CHF"].map((priceCurrency) => ({ price: "10.00", priceCurrency }));
  const json = JSON.stringify({ "@type": "Product", name: "Gartenbank", offers });
  const two = `<script type="application/ld+json">${json}</script>`;
  const inFrancs = await app.manager.act<ExtractReport>(EXTRACT, {
    html: two,
    url: "https://shop.example/p/1",
    product: { currency: "CHF" },
  });
  assertEquals(inFrancs.currency, "CHF");
});

withApp.test("POST /api/extract accepts a page in its body up to the maximum length of a fetched page", async (app) => {
  const longest = 4 * 1024 * 1024;
  const filled = PAGE.replace("</html>", `<!--${"ä\n".repeat(2_000_000)}`);
  const sent = (length: number) => app.manager.post(EXTRACT, { html: filled.padEnd(length, "x") });
  assertEquals((await bodyOf(sent(longest), 200)).price, 23_990);
  assertEquals([await statusOf(sent(longest + 1)), await statusOf(sent(3 * longest))], [400, 413]);
});

withScrapingApp.test("POST /api/extract fetches an address with the same pauses and guards as a preview", async (app) => {
  await using shop = openShop({
    "/p": priced("19.90"),
    "/old": redirect("/p"),
    "/closed": priced("1.00"),
    "/metadata": redirect("http://169.254.169.254/"),
    "/asked": () => html("<h1>Gartenbank Eiche</h1><b>Preis auf Anfrage</b>"),
    "/robots.txt": () => new Response("User-agent: *\nDisallow: /closed"),
  });
  const look = (path: string) => app.manager.act<ExtractReport>(EXTRACT, { url: shop.base + path });
  for (const path of ["/p", "/old"]) {
    const { price, httpStatus, trace } = await look(path);
    assertEquals([price, httpStatus], [1_990, 200]);
    assert(trace.some((line) => line.startsWith("json_ld: 19.90 EUR")), trace.join("\n"));
  }
  const codes = ["/closed", "/metadata", "/nowhere", "/asked"].map(async (path) => {
    const { status, errorCode, price } = await look(path);
    assertEquals([status, price], ["failed", null]);
    return errorCode;
  });
  assertEquals(await Promise.all(codes), [
    "robots_disallowed",
    "private_address",
    "gone",
    "on_request",
  ]);
  assert(!shop.asked().includes("/closed"));
  for (const list of ["competitors", "competitor-products", "observations", "scrape-runs"]) {
    const page = await app.viewer.read<{ count: number }>(`/api/${list}`);
    assertEquals([list, page.count], [list, 0]);
  }
});

withApp.test("POST /api/extract is for managers, and refuses unreadable pages and forbidden addresses", async (app) => {
  const bodies: readonly unknown[] = [
    {},
    { html: "" },
    { url: "" },
    { url: "nowhere", html: PAGE },
    { url: "ftp://shop.example/", html: PAGE },
    { url: "http://127.0.0.1/p" },
    { url: "http://169.254.169.254/latest" },
    { url: "file:///etc/passwd" },
    { html: PAGE, extractor: { priceSelector: "b[" } },
    { html: PAGE, product: { sku: "A" } },
    { html: PAGE, trace: true },
  ];
  for (const body of bodies) {
    await refuses(app.manager.post(EXTRACT, body), "validation_failed", JSON.stringify(body));
  }
});

withApp.test("POST /api/extract gives a short response even for a long hostile page", async (app) => {
  const pages = hostilePages(PAGE_CHARACTERS).filter((_, n) => n % EVERY === 0);
  for (const { name, html: page } of pages) {
    const answer = await app.manager.post(EXTRACT, { html: page });
    const text = await answer.text();
    assertEquals(answer.status, 200, name);
    assert(text.length < 50_000, `${name}: ${text.length} characters`);
  }
});

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
    const link = await app.viewer.read<CompetitorProduct>(path);
    return [price, method, warnings, link.warnings];
  };
  const dead = ["selector_dead"];
  assertEquals(await look(), [9_900, "json_ld", dead, dead]);
  const preview = async () => {
    const { price, method, warnings } = await app.manager.act<Preview>(PATH, { url, extractor });
    return [price, method, warnings];
  };
  assertEquals(await preview(), [9_900, "json_ld", dead]);
  // An unchanged page keeps the warning.
  assertEquals(await look(), [9_900, "json_ld", dead, dead]);
  Object.assign(state, { place: '<b class="price-now">95,00 €</b>', etag: "2" });
  assertEquals(await look(), [9_500, "extractor", [], []]);
  assertEquals(await preview(), [9_500, "extractor", []]);
  Object.assign(state, { place: "<p>wenig</p>", etag: "3" });
  assertEquals((await look())[3], dead);
  const without = await app.manager.change(path, { extractor: null });
  assertEquals(without.warnings, []);
  assertEquals(await look(), [9_900, "json_ld", [], []]);
});
