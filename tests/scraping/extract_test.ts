import type { ExtractReport } from "../../src/scraping/teaching/preview_page.ts";
import { hostilePages } from "../engine/extraction/hostile_pages.ts";
import { withApp } from "../harness.ts";
import { extent } from "../proof.ts";
import { answered, refused } from "../shops/shop.ts";
import { html, openShop, priced, redirect } from "./hostile_shop.ts";
import { withScrapingApp } from "./scraping_app.ts";
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";

const PATH = "/api/extract";
/** Length of a page. If the response grew with the page, the response would exceed its limit. */
const PAGE_CHARACTERS = extent(200_000, 70_000);
const PAGE =
  `<!doctype html><html lang="de"><title>Gartenbank Eiche</title><h1>Gartenbank Eiche</h1>
<s>279,90 €</s> <b class="price">239,90 €</b><button>In den Warenkorb</button></html>`;

withApp.test("POST /api/extract with a page in its body gives verdict, prices and reasons, and fetches nothing", async (app) => {
  const report = await answered<ExtractReport>(app.manager.post(PATH, { html: PAGE }), 200);
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
  const inFrancs = await answered<ExtractReport>(
    app.manager.post(PATH, {
      html: two,
      url: "https://shop.example/p/1",
      product: { currency: "CHF" },
    }),
    200,
  );
  assertEquals(inFrancs.currency, "CHF");
});

withApp.test("POST /api/extract accepts a page in its body up to the maximum length of a fetched page", async (app) => {
  const longest = 4 * 1024 * 1024;
  const filled = PAGE.replace("</html>", `<!--${"ä\n".repeat(2_000_000)}`);
  const sent = (length: number) => app.manager.post(PATH, { html: filled.padEnd(length, "x") });
  const { price } = await answered<ExtractReport>(sent(longest), 200);
  assertEquals(price, 23_990);
  await refused(sent(longest + 1), 400);
  await refused(sent(3 * longest), 413);
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
  const look = (path: string) =>
    answered<ExtractReport>(app.manager.post(PATH, { url: shop.base + path }), 200);
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
    const page = await answered<{ count: number }>(app.viewer.get(`/api/${list}`), 200);
    assertEquals([list, page.count], [list, 0]);
  }
});

withApp.test("POST /api/extract is for managers, and refuses unreadable pages and forbidden addresses", async (app) => {
  const failing = (body: unknown) => refused(app.manager.post(PATH, body), 400);
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
    assertEquals(await failing(body), "validation_failed", JSON.stringify(body).slice(0, 80));
  }
});

withApp.test("POST /api/extract gives a short response even for a long hostile page", async (app) => {
  for (const { name, html: page } of hostilePages(PAGE_CHARACTERS)) {
    const answer = await app.manager.post(PATH, { html: page });
    const text = await answer.text();
    assertEquals(answer.status, 200, name);
    assert(text.length < 50_000, `${name}: ${text.length} characters`);
  }
});
