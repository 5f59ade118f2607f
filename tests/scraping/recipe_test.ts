import { assertFields, bodyOf, refusalOf, refuses, statusOf, valuesOf } from "../api/answers.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type { UnsurePage } from "../../src/scraping/page/last_page.ts";
import type {
  RecipeAnswer,
  Teaching,
  TrialVerdict,
} from "../../src/scraping/teaching/change_recipe.ts";
import { actionsOf, addProduct, auditOf, listShops } from "../shops/shop.ts";
import { type TestApp, withApp } from "../harness.ts";
import { until } from "../patience.ts";
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
import {
  addTargets,
  alertsOf,
  onlyResult,
  openLink,
  scrape,
  withCheckedScrapingApp,
  withScrapingApp,
} from "./scraping_app.ts";
import type { RecipeOutcome } from "../../src/engine/extraction/recipe/learn_recipe.ts";
import { verdictOnAll, verdictOnPage } from "../../src/scraping/teaching/teach_recipe.ts";
import type { ExtractReport, Preview } from "../../src/scraping/teaching/preview_page.ts";
import { hostilePages } from "../engine/extraction/hostile_pages.ts";
import { extent } from "../proof.ts";

/** The page shows two prices in the same way, so that only a recipe can choose one. */
function twoPrices(n: number, cents: number, layout = "rechts"): string {
  const euro = (amount: number) => `${Math.floor(amount / 100)},${amount % 100 + 10} €`;
  return `<html lang="de"><head><title>Product ${n}</title></head><body><h1>Product ${n}</h1>
<div class="links">${euro(cents + 5_000)}</div><div class="${layout}">${euro(cents)}</div>
<button>In den Warenkorb</button></body></html>`;
}

function onePrice(n: number, place: string): string {
  return `<html lang="de"><head><title>Product ${n}</title></head><body><h1>Product ${n}</h1>
<div class="${place}">${20 + 3 * n},90 €</div><button>In den Warenkorb</button></body></html>`;
}

/** Links each page `/p/0`, `/p/1` and so on to a product of its own. */
async function openLinkedShop(app: TestApp, count: number, text: (n: number) => string) {
  const names = Array.from({ length: count }, (_, n) => `/p/${n}`);
  const shop = openShop(Object.fromEntries(names.map((name, n) => [name, () => html(text(n))])));
  const products: string[] = [];
  for (const name of names) products.push(await addTargets(app, shop.base + name));
  const [competitor] = await listShops(app.viewer);
  const { id } = competitor!;
  const path = `/api/competitors/${id}/recipe`;
  const url = `${shop.base}/p/0`;
  return {
    ...shop,
    id,
    url,
    path,
    visit: async (n: number) => onlyResult(await scrape(app, products[n]!)),
    recipe: () => app.viewer.read<RecipeAnswer>(path),
    teach: (body: object) => app.manager.post(`${path}/teach`, { url, ...body }),
    taught: (body: object) => app.manager.act<Teaching>(`${path}/teach`, { url, ...body }),
    save: (body: object) => app.manager.replace<RecipeAnswer>(path, body),
  };
}

withCheckedScrapingApp.test("a shop without markup is learned from three pages, and a change is noticed, reported once and learned", async (app) => {
  let place = "ort";
  await using shop = await openLinkedShop(app, 22, (n) => onePrice(n, place));
  for (const n of [0, 1]) await shop.visit(n);
  assertEquals(await shop.recipe(), { recipe: null, learning: { pages: 2, needed: 3 } });
  await shop.visit(2);
  const { recipe, learning } = await shop.recipe();
  assertEquals(learning, { pages: 3, needed: 3 });
  assertFields(recipe, { source: "learned", status: "active", support: 3, hitRate: 1 });
  // A recipe that was learned from displayed prices alone has a low confidence.
  assertEquals(recipe?.confidenceMost, 0.7);
  ok(recipe?.selectors.some(({ selector }) => selector === "div.ort"), JSON.stringify(recipe));
  for (let n = 3; n < 12; n++) await shop.visit(n);
  place = "anderswo";
  const isNoticed = async () => {
    const now = (await shop.recipe()).recipe;
    const isLearned = now?.selectors.some(({ selector }) => selector === "div.anderswo");
    return isLearned || now?.status === "drifting";
  };
  for (let n = 12; n < 22 && !await isNoticed(); n++) await shop.visit(n);
  ok(await isNoticed(), "not noticed after ten pages");
  const alerts = () => alertsOf(app, "recipe_drifting");
  await until("people are alerted", async () => (await alerts()).length > 0);
  for (let n = 0; n < 3; n++) await shop.visit(n);
  assertEquals((await alerts()).length, 1);
  const after = (await shop.recipe()).recipe;
  assertEquals(after?.status, "active");
  ok(after?.selectors.some(({ selector }) => selector === "div.anderswo"), JSON.stringify(after));
});

withCheckedScrapingApp.test("a person teaches a shop by the price on one page, and all its pages are read with it", async (app) => {
  await using shop = await openLinkedShop(app, 7, (n) => twoPrices(n, 10_000 + 700 * n));
  const { path, url, teach } = shop;
  assertFields(await shop.visit(6), { status: "failed", errorCode: "ambiguous_price" });

  // If the price is not on the page, the refusal contains the nearest prices.
  const { code, details } = await refusalOf(teach({ price: "101,10" }));
  const nearest = [10_010, 15_010].map((price) => ({ price, currency: "EUR" }));
  assertEquals([code, details.nearest], ["validation_failed", nearest]);
  await refuses(teach({}), "validation_failed");
  await refuses(teach({ url: "https://other.example/p", price: "1" }), "validation_failed");
  await refuses(teach({ candidateId: "none" }), "validation_failed");

  const teaching = await shop.taught({ price: "100,10 €" });
  assertEquals([teaching.verdict, teaching.tests.length], ["plausible", 5]);
  assertEquals(teaching.selectors.at(-1), "div.rechts");
  const [first] = teaching.tests;
  assertFields(first, { title: "Product 1", text: "107,10 €", verdict: "plausible" });
  assertEquals(first?.wasPrice, null);
  assertEquals((await shop.recipe()).recipe, null);

  // Only the person who got the token may use it, for 15 minutes.
  const { token } = teaching;
  await refuses(app.manager.put(path, { token: `${token}A` }), "validation_failed");
  await refuses(app.owner.put(path, { token }), "validation_failed");
  const { recipe } = await shop.save({ token });
  assertFields(recipe, { source: "taught", status: "active", confidenceMost: 0.9 });
  assertEquals(recipe?.taughtFrom, url);
  app.clock.advance(16 * 60_000);
  await refuses(app.manager.put(path, { token }), "validation_failed");
  assertFields(await shop.visit(6), { status: "ok", price: 14_210, method: "taught" });

  assertEquals(await app.manager.remove(path), { ok: true });
  assertEquals((await shop.recipe()).recipe, null);
  const actions = (await actionsOf(app.viewer, `recipe:${shop.id}`)).map(String);
  assertEquals(actions.toSorted(), ["recipe.delete", "recipe.teach"]);
});

withCheckedScrapingApp.test("a person teaches a shop by a price of a stored page", async (app) => {
  await using shop = await openLinkedShop(app, 4, (n) => twoPrices(n, 10_000 + 700 * n));
  const { competitorProductId } = await shop.visit(0);
  const link = `/api/competitor-products/${competitorProductId}`;
  const { url, candidates } = await app.viewer.read<UnsurePage>(`${link}/page`);
  assertEquals(url, shop.url);
  const candidateId = candidates.find(({ amount }) => amount === 10_010)?.id;
  await refuses(shop.teach({ price: "100,10", candidateId }), "validation_failed");
  const chosen = await shop.taught({ candidateId });
  const typed = await shop.taught({ price: "100,10" });
  assertEquals([chosen.selectors, chosen.tests], [typed.selectors, typed.tests]);
  await shop.save({ token: chosen.token });
  for (const n of [0, 3]) {
    assertFields(await shop.visit(n), { status: "ok", price: 10_010 + 700 * n, method: "taught" });
  }
  // An extractor has priority over the recipe, and a link's extractor over the shop's.
  const left = { extractor: { priceSelector: ".links" } };
  await app.manager.change(`/api/competitors/${shop.id}`, left);
  assertFields(await shop.visit(0), { price: 15_010, method: "extractor" });
  await app.manager.change(link, { extractor: { priceSelector: ".rechts" } });
  assertFields(await shop.visit(0), { price: 10_010, method: "extractor" });
});

withCheckedScrapingApp.test("a shop whose pages show their price only by script is taught by script data", async (app) => {
  const drawn = (n: number) => {
    const item = { price: 1_990 + 700 * n, currency: "EUR" };
    const state = JSON.stringify({ shipping: { price: 495 }, item });
    return `<html lang="de"><head><title>Product ${n}</title></head><body><h1>Product ${n}</h1>
<div id="app"></div><script>window.__STATE__ = ${state};</script></body></html>`;
  };
  await using shop = await openLinkedShop(app, 4, drawn);
  assertFields(await shop.visit(3), { status: "failed", errorCode: "no_price" });
  const teaching = await shop.taught({ price: "19,90" });
  const place = "__STATE__ $.item.price / 100";
  assertFields(teaching, { verdict: "plausible", selectors: [place] });
  const others = [2_690, 3_390, 4_090].map((price) => [`price: ${price}`, price, "EUR"]);
  assertEquals(valuesOf(teaching.tests, "text", "price", "currency"), others);
  const { recipe } = await shop.save({ token: teaching.token });
  assertEquals(valuesOf(recipe?.selectors ?? [], "selector", "statePath"), [[undefined, place]]);
  const after = await shop.visit(3);
  // A price in script data that is not displayed is too uncertain for automatic rules.
  assertFields(after, { price: 4_090, currency: "EUR", method: "taught", confidence: 0.7 });
  const [[, , noted] = []] = await auditOf(app.viewer, `recipe:${shop.id}`);
  ok(JSON.stringify(noted).includes(place), JSON.stringify(noted));
});

withCheckedScrapingApp.test("a place with another price on a further page is saved only by force, with lower confidence", async (app) => {
  // On page 3, the markup has the left price, and the recipe finds the right one.
  const markup = articleText("Product", {}, { price: "171.10" });
  const text = (n: number) => (n === 3 ? markup : "") + twoPrices(n, 10_000 + 700 * n);
  await using shop = await openLinkedShop(app, 5, text);
  const { verdict, tests, token } = await shop.taught({ price: "100.10" });
  assertEquals(verdict, "differs");
  assertFields(tests.find((test) => test.verdict === "differs"), {
    price: 12_110,
    otherwise: { price: 17_110, currency: "EUR", method: "json_ld" },
  });
  await refuses(app.manager.put(shop.path, { token }), "conflict");
  const { recipe } = await shop.save({ token, force: true });
  assertFields(recipe, { source: "taught", confidenceMost: 0.7 });
});

withCheckedScrapingApp.test("a shop with one page cannot be taught, and learns nothing again before a visit", async (app) => {
  await using shop = await openLinkedShop(app, 1, (n) => twoPrices(n, 10_000));
  await refuses(shop.teach({ price: "100.10" }), "conflict");
  assertEquals(shop.visits.length, 0);
  const nothing = { recipe: null, learning: { pages: 0, needed: 3 } };
  assertEquals(await app.manager.begin(`${shop.path}/relearn`), nothing);
});

Deno.test("verdictOnPage() uses the page's other facts, then the last known price", () => {
  type Kind = RecipeOutcome["kind"] | null;
  const table: readonly [Kind, price: number | null, was: number | null, TrialVerdict][] = [
    ["agrees", 1_000, 9_000, "same"],
    ["contradicts", 1_000, 1_000, "differs"],
    ["misses", null, 1_000, "nothing"],
    [null, null, null, "nothing"],
    ["alone", 1_000, null, "plausible"],
    ["alone", 1_000, 1_000, "same"],
    ["alone", 1_000, 2_000, "plausible"],
    ["alone", 1_000, 2_001, "differs"],
    ["alone", 1_000, 499, "differs"],
  ];
  for (const [kind, price, was, expected] of table) {
    const outcome = kind && { kind, find: null };
    assertEquals(verdictOnPage(outcome, price, was), expected, `${kind} ${price} ${was}`);
  }
});

Deno.test("verdictOnAll() is good from 60 % on, and never with a different price or one amount everywhere", () => {
  const table: readonly [string, TrialVerdict][] = [
    ["same same same same same", "same"],
    ["same plausible", "plausible"],
    ["plausible plausible plausible nothing nothing", "plausible"],
    ["plausible plausible nothing nothing", "nothing"],
    ["same same same same differs", "differs"],
    // Pages that no longer exist are ignored.
    ["same gone gone gone", "same"],
    ["gone", "nothing"],
  ];
  for (const [verdicts, expected] of table) {
    const trials = verdicts.split(" ").map((word, n) => ({
      verdict: word === "gone" ? "nothing" as const : word as TrialVerdict,
      errorCode: word === "gone" ? "http_error" : null,
      price: word === "nothing" || word === "gone" ? null : 1_000 + n,
    }));
    assertEquals([verdicts, verdictOnAll(500, trials)], [verdicts, expected]);
  }
  const constant = { verdict: "plausible" as const, errorCode: null, price: 495 };
  assertEquals(verdictOnAll(495, [constant, constant]), "plausible");
  assertEquals(verdictOnAll(495, [constant, constant, constant]), "differs");
});

const PATH = "/api/competitor-products/preview";

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

withScrapingApp.test("POST /api/competitor-products/preview compares the page with a product of ours", async (app) => {
  const name = "Bosch Akkuschrauber GSR 12V-15";
  await using shop = openShop({
    "/same": article(name, { gtin13: "4006381333931" }),
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
  assertEquals(await told("/foreign"), ["ok", 1000, "different", "title_foreign against"]);
  assertEquals((await told("/used"))[2], "different");
  assertEquals(await told("/gone"), ["failed", null, null]);
  for (const unknown of ["x", app.app.clock.newId()]) {
    const body = { url: `${shop.base}/same`, productId: unknown };
    await refuses(app.manager.post(PATH, body), "not_found");
  }
});

const EXTRACT = "/api/extract";
/** Length of a page in characters; longer pages must not give longer responses. */
const PAGE_CHARACTERS = extent(200_000, 70_000);
const EVERY = extent(1, 4);
const PAGE =
  `<!doctype html><html lang="de"><title>Gartenbank Eiche</title><h1>Gartenbank Eiche</h1>
<s>279,90 €</s> <b class="price">239,90 €</b><button>In den Warenkorb</button></html>`;

withApp.test("POST /api/extract with a page in its body gives verdict, prices and reasons, and fetches nothing", async (app) => {
  const report = await app.manager.act<ExtractReport>(EXTRACT, { html: PAGE });
  assertFields(report, { status: "ok", price: 23_990, currency: "EUR", method: "shown" });
  assertFields(report, { confidence: 0.8, pageStatus: "priced", httpStatus: 200 });
  assertEquals(report.page?.title, "Gartenbank Eiche");
  assertEquals(report.candidates.map(({ amount }) => amount), [23_990, 27_990]);
  ok(report.trace.some((line) => /^shown: 239\.9 EUR, .*far ahead/.test(line)));
  ok(report.trace.some((line) => /279\.9 EUR, .*struck/.test(line)));
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
    ok(trace.some((line) => line.startsWith("json_ld: 19.90 EUR")), trace.join("\n"));
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
  ok(!shop.asked().includes("/closed"));
  await requireNothingStored(app);
});

withApp.test("a preview and POST /api/extract refuse forbidden addresses, unreadable pages and unsound selectors", async (app) => {
  const addresses = ["http://10.0.0.1/", "http://a:b@shop.example/", "x", "file:///etc/passwd"];
  const refused: readonly (readonly [path: string, body: object])[] = [
    ...addresses.flatMap((url) => [[PATH, { url }], [EXTRACT, { url }]] as const),
    [PATH, { url: "https://shop.example/", extractor: { priceSelector: ":::" } }],
    [EXTRACT, { url: "http://169.254.169.254/latest" }],
    [EXTRACT, {}],
    [EXTRACT, { url: "" }],
    [EXTRACT, { html: "" }],
    [EXTRACT, { url: "nowhere", html: PAGE }],
    [EXTRACT, { url: "ftp://shop.example/", html: PAGE }],
    [EXTRACT, { html: PAGE, extractor: { priceSelector: "b[" } }],
    [EXTRACT, { html: PAGE, product: { sku: "A" } }],
    [EXTRACT, { html: PAGE, trace: true }],
  ];
  for (const [path, body] of refused) {
    await refuses(app.manager.post(path, body), "validation_failed", JSON.stringify(body));
  }
});

withApp.test("POST /api/extract gives a short response even for a long hostile page", async (app) => {
  const pages = hostilePages(PAGE_CHARACTERS).filter((_, n) => n % EVERY === 0);
  for (const { name, html: page } of pages) {
    const answer = await app.manager.post(EXTRACT, { html: page });
    const text = await answer.text();
    assertEquals(answer.status, 200, name);
    ok(text.length < 50_000, `${name}: ${text.length} characters`);
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
  // The warning about the extractor stays if the page is fetched again without a change.
  assertEquals(await look(), [9_900, "json_ld", dead, dead]);
  const right = shows('<b class="price-now">95,00 €</b>');
  assertEquals(await look(right), [9_500, "extractor", [], []]);
  assertEquals(await preview(), [9_500, "extractor", []]);
  assertEquals((await look(shows("<p>wenig</p>")))[3], dead);
  assertEquals((await app.manager.change(path, { extractor: null })).warnings, []);
  assertEquals(await look(), [9_900, "json_ld", [], []]);
});
