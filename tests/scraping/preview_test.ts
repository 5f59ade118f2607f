import { assertFields, bodyOf, column, refuses, statusOf, valuesOf } from "../api/answers.ts";
import type { ExtractReport, Preview } from "../../src/scraping/teaching/preview_page.ts";
import { addProduct } from "../shops/shop.ts";
import {
  article,
  articleText,
  html,
  openShop,
  type Page,
  priced,
  redirect,
  tagged,
} from "./hostile_shop.ts";
import { openLink, withScrapingApp } from "./scraping_app.ts";
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import { hostilePages } from "../engine/extraction/hostile_pages.ts";
import { type TestApp, withApp } from "../harness.ts";
import { extent } from "../proof.ts";

const PATH = "/api/competitor-products/preview";

/** Checks that reading pages has created neither shops nor links, prices or runs. */
async function requireNothingStored({ viewer }: TestApp): Promise<void> {
  for (const list of ["competitors", "competitor-products", "observations", "scrape-runs"]) {
    assertEquals((await viewer.read(`/api/${list}`)).count, 0, list);
  }
}

withScrapingApp.test("POST /api/competitor-products/preview reads a page and stores nothing", async (app) => {
  await using shop = openShop({ "/p": priced("19.90"), "/old": redirect("/p") });
  for (const path of ["/p", "/old"]) {
    const preview = await app.manager.act<Preview>(PATH, { url: shop.base + path });
    assertFields(preview, { status: "ok", price: 1990, availability: "in_stock" });
    assertFields(preview, { method: "json_ld", confidence: 0.9 });
    assertEquals(preview.page?.title, "X");
    const candidates = valuesOf(preview.candidates, "amount", "currency", "source", "text");
    assertEquals(candidates, [[1990, "EUR", "json_ld", null]]);
  }
  await requireNothingStored(app);
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
  const ours = { title: name, ean: "4006381333931" };
  const productId = await addProduct(app.manager, "GSR", ours);
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
  assertFields(report, { status: "ok", price: 23_990, currency: "EUR", method: "shown" });
  assertFields(report, { confidence: 0.8, pageStatus: "priced", httpStatus: 200 });
  assertEquals(report.page?.title, "Gartenbank Eiche");
  assertEquals(column(report.candidates, "amount"), [23_990, 27_990]);
  assert(report.trace.some((line) => /^shown: 239\.9 EUR, .*far ahead/.test(line)));
  assert(report.trace.some((line) => /279\.9 EUR, .*struck/.test(line)));
  // If a page has several prices, the price in the product's currency is used.
  const offers = ["EUR", "CHF"].map((priceCurrency) => ({ price: "10.00", priceCurrency }));
  const json = JSON.stringify({ "@type": "Product", name: "Gartenbank", offers });
  const two = `<script type="application/ld+json">${json}</script>`;
  const body = { html: two, url: "https://shop.example/p/1", product: { currency: "CHF" } };
  assertEquals((await app.manager.act(EXTRACT, body)).currency, "CHF");
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
  const refused = {
    "/closed": "robots_disallowed",
    "/metadata": "private_address",
    "/nowhere": "gone",
    "/asked": "on_request",
  } as const;
  for (const [path, errorCode] of Object.entries(refused)) {
    assertFields(await look(path), { status: "failed", errorCode, price: null }, path);
  }
  assert(!shop.asked().includes("/closed"));
  await requireNothingStored(app);
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

withScrapingApp.test("a selector without a result is a warning in result and link, even if markup has a price, until it works or is removed", async (app) => {
  const extractor = { priceSelector: ".price-now", currency: "EUR" };
  const markup = articleText("Werkbank Eiche", {}, { price: "99.00" });
  const shows = (place: string) => tagged(markup + place, `"${place.length}"`);
  const product = { title: "Werkbank Eiche" };
  await using link = await openLink(app, shows(""), { product, terms: { extractor } });
  const { url, path } = link;
  const look = async (page?: Page) => {
    const { price, method, warnings } = await link.sees(page);
    return [price, method, warnings, (await link.match()).warnings];
  };
  const preview = async () => {
    const { price, method, warnings } = await app.manager.act(PATH, { url, extractor });
    return [price, method, warnings];
  };
  const dead = ["selector_dead"];
  assertEquals(await look(), [9_900, "json_ld", dead, dead]);
  assertEquals(await preview(), [9_900, "json_ld", dead]);
  // An unchanged page keeps the warning.
  assertEquals(await look(), [9_900, "json_ld", dead, dead]);
  const right = shows('<b class="price-now">95,00 €</b>');
  assertEquals(await look(right), [9_500, "extractor", [], []]);
  assertEquals(await preview(), [9_500, "extractor", []]);
  assertEquals((await look(shows("<p>wenig</p>")))[3], dead);
  assertEquals((await app.manager.change(path, { extractor: null })).warnings, []);
  assertEquals(await look(), [9_900, "json_ld", [], []]);
});
