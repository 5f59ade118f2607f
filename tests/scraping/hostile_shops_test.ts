import { deepStrictEqual as assertEquals, match, ok as assert } from "node:assert/strict";
import { withStore } from "../memory_store.ts";
import type { TestApp } from "../harness.ts";
import {
  dripping,
  encoded,
  endless,
  hanging,
  html,
  marked,
  openShop,
  type Page,
  priced,
  productPage,
  redirect,
} from "./hostile_shop.ts";
import {
  addTargets,
  onlyResult,
  openLink,
  scrape,
  startScrapingApp,
  withScrapingApp,
} from "./scraping_app.ts";
import { assertFields, column, refuses, statusOf } from "../api/answers.ts";
import { createGate } from "../patience.ts";
import type { UnsurePage } from "../../src/scraping/page/last_page.ts";
import { addRule, untilJudged } from "../rules/evaluation/market.ts";

const umlauts = new TextEncoder().encode(productPage("12.50").replaceAll("X", "Kühl-Product"));

const sent = (body: BodyInit, type: string): Page => () =>
  new Response(body, { headers: { "Content-Type": type } });
const refused = (status: number, headers?: Record<string, string>): Page => () =>
  html("", headers, status);

/** What a shop sends as its page, and the resulting error code or price in cents. */
const PAGES: readonly [what: string, page: Page, outcome: string | number][] = [
  ["never ends", endless, "too_large"],
  ["sends a gzip bomb", encoded("gzip", new Uint8Array(50_000_000)), "too_large"],
  ["sends 2 MiB", () => html("x".repeat(2 * 1024 * 1024)), "too_large"],
  ["leads in circles", redirect("/p"), "redirect_refused"],
  ["leads to this machine's other ports", redirect("http://10.0.0.5/"), "private_address"],
  ["leads to the metadata of a cloud", redirect("http://169.254.169.254/"), "private_address"],
  ["leads to a file", redirect("file:///etc/passwd"), "redirect_refused"],
  ["answers 429", refused(429, { "Retry-After": "120" }), "blocked"],
  ["answers 403 with a price", () => html("<h1>X</h1><p>12,00 €</p>", {}, 403), "blocked"],
  ["asks whether we are human", () => html("<title>Just a moment...</title>", {}, 503), "blocked"],
  ["asks so with status 200", () => html("<div id=cf-chl-widget>"), "blocked"],
  ["challenges programs", () => html("", { "cf-mitigated": "challenge" }), "blocked"],
  ["sends a picture", sent(new Uint8Array(100), "image/png"), "unsupported_content"],
  ["nests without end", () => html("<div>".repeat(100_000)), "no_price"],
  ["names an unknown encoding", sent(productPage("3.00"), "text/html; charset=x-foo"), 300],
  ["names the wrong encoding", sent(umlauts, "text/html; charset=iso-8859-2"), 1250],
];

const ruled = (text: string): Page => () => new Response(text);

/** What a shop sends as robots.txt, and the resulting error code or price in cents. */
const ROBOTS: readonly [what: string, robots: Page, outcome: string | number][] = [
  ["forbids everything", ruled("User-agent: *\nDisallow: /"), "robots_disallowed"],
  [
    "forbids us alone",
    ruled("User-agent: kurant\nDisallow: /p\n\nUser-agent: *\nAllow: /"),
    "robots_disallowed",
  ],
  ["allows this page", ruled("User-agent: *\nDisallow: /\nAllow: /p$"), 100],
  ["has a robots.txt in trouble", refused(503), "robots_disallowed"],
  ["has a robots.txt without end", endless, 100],
  ["has a robots.txt that leads in circles", redirect("/robots.txt"), 100],
  ["hides its robots.txt", refused(403), 100],
];

type ShopCase = readonly [what: string, pages: Record<string, Page>, outcome: string | number];

const SHOPS: readonly ShopCase[] = [
  ...PAGES.map(([what, page, outcome]): ShopCase => [what, { "/p": page }, outcome]),
  ...ROBOTS.map(([what, robots, outcome]): ShopCase => {
    return [what, { "/p": priced("1.00"), "/robots.txt": robots }, outcome];
  }),
  ["leads to a page that it forbids", {
    "/p": redirect("/secret"),
    "/secret": priced("1.00"),
    "/robots.txt": ruled("User-agent: *\nDisallow: /secret"),
  }, "robots_disallowed"],
  ["leads to another page", { "/p": redirect("/q"), "/q": priced("4.00") }, 400],
];

async function outcomeOf(app: TestApp, url: string): Promise<string | number> {
  const run = await scrape(app, await addTargets(app, url));
  const { status, errorCode, price } = onlyResult(run);
  assertEquals([run.status, run.hasErrors], ["succeeded", status !== "ok"]);
  return status === "ok" ? price! : errorCode!;
}

withScrapingApp.test("a run ends with the right code, whatever a shop does", async (app) => {
  const outcomes = await Promise.all(SHOPS.map(async ([what, pages]) => {
    await using shop = openShop(pages);
    return [what, await outcomeOf(app, `${shop.base}/p`)];
  }));
  assertEquals(outcomes, SHOPS.map(([what, , outcome]) => [what, outcome]));
  assertEquals(await outcomeOf(app, "http://127.0.0.1:9/p"), "unreachable");
});

withStore.test("a run gives up a shop that does not finish its response in time", async (store) => {
  await using hangs = openShop({ "/p": hanging });
  await using drips = openShop({ "/p": dripping });
  await using robotsHang = openShop({ "/p": priced("1.00"), "/robots.txt": hanging });
  {
    // This app stores the robots.txt of both shops, so that the next app requests only the page.
    await using app = await startScrapingApp({}, { store });
    for (const { base } of [hangs, drips]) {
      assertEquals(await outcomeOf(app, `${base}/none`), "gone");
    }
  }
  {
    await using app = await startScrapingApp({ SCRAPE_TIMEOUT_MS: "300" }, { store });
    for (const { base } of [hangs, drips]) {
      assertEquals(await outcomeOf(app, `${base}/p`), "timeout");
    }
    assertEquals(await outcomeOf(app, `${robotsHang.base}/p`), "robots_disallowed");
  }
});

withScrapingApp.test("a redirect to another origin is followed with that origin's own robots.txt, but not back and forth", async (app) => {
  await using end = openShop({ "/q": priced("6.00") });
  await using begin = openShop({ "/p": redirect(`${end.base}/q`) });
  assertEquals(await outcomeOf(app, `${begin.base}/p`), 600);
  assertEquals(end.visits.map(({ path }) => path), ["/robots.txt", "/q"]);

  await using closed = openShop({
    "/q": priced("6.00"),
    "/robots.txt": () => new Response("User-agent: *\nDisallow: /"),
  });
  await using lure = openShop({ "/p": redirect(`${closed.base}/q`) });
  assertEquals(await outcomeOf(app, `${lure.base}/p`), "robots_disallowed");
  assertEquals(closed.visits.map(({ path }) => path), ["/robots.txt"]);

  await using back = openShop({ "/p": redirect(`${begin.base}/back`) });
  begin.pages["/back"] = redirect(`${back.base}/p`);
  assertEquals(await outcomeOf(app, `${begin.base}/back`), "redirect_refused");
});

Deno.test("the server answers while a shop keeps a run busy", async () => {
  await using app = await startScrapingApp({ SCRAPE_MAX_BYTES: "67108864" });
  const [flowing, answered] = [createGate(), createGate()];
  async function* blanks() {
    for (let length = 0;; length += 65_536) {
      yield new Uint8Array(65_536).fill(32);
      if (length > 4_194_304) flowing.open();
      // The rest of the page is sent only after the app has answered another request.
      if (length > 33_554_432) await answered.passed;
    }
  }
  const page: Page = () =>
    new Response(ReadableStream.from(blanks()), { headers: { "Content-Type": "text/html" } });
  await using shop = openShop({ "/p": page });
  const running = outcomeOf(app, `${shop.base}/p`);
  await flowing.passed;
  assertEquals(await statusOf(app.anyone.get("/healthz")), 200);
  answered.open();
  assertEquals(await running, "too_large");
});

const TITLE = "<title>X 200 Werkbank</title><h1>X 200 Werkbank</h1>";
const saying = (words: string): Page => () => html(`${TITLE}<p>${words}</p>`);

const TEN = priced("10.00");
const BROKEN: Page = () => html("oops", {}, 500);

async function startLink(app: TestApp) {
  const product = { title: "X 200 Werkbank", ean: "4006381333931" };
  const link = await openLink(app, TEN, { product, pages: { "/": saying("Willkommen") } });
  const { id, productId, competitorId } = link;
  return {
    ...link,
    async health() {
      const { health } = await app.viewer.read(`/api/competitors/${competitorId}`);
      return [health.ok24h, health.failed24h, health.lastError?.code ?? null];
    },
    async observations() {
      return (await app.viewer.read(`/api/observations?competitorProductId=${id}`)).count;
    },
    async moves() {
      const path = `/api/products/${productId}/timeline?types=move`;
      const kinds = column(column((await app.viewer.read(path)).items, "data"), "kind");
      const { counts } = await app.viewer.read(
        `/api/market/moves?since=2026-03-01&competitorId=${competitorId}`,
      );
      const counted = Object.keys(counts).map((kind) => kinds.filter((one) => one === kind).length);
      assertEquals(Object.values(counts), counted);
      return kinds.toReversed();
    },
  };
}

withScrapingApp.test("a sold-out page without a price has no observation: the offer becomes sold out, and rules are evaluated once", async (app) => {
  await using link = await startLink(app);
  const when = { trigger: "market_index", always: true };
  await addRule(app.owner, { when, actions: [{ type: "alert_inapp" }] });
  const judgedOften = async () => {
    await untilJudged(app);
    return (await app.viewer.read("/api/alerts")).count;
  };
  await link.sees(TEN);
  const before = await judgedOften();
  const result = await link.sees(saying("Leider ausverkauft"));
  assertFields(result, { status: "failed", errorCode: "sold_out", pageStatus: "sold_out" });
  assertFields(result, { price: null, availability: "out_of_stock", inStock: false });
  const match = await link.match();
  assertFields(match, { currentPrice: 1_000, inStock: false, lastStatus: "sold_out" });
  assert(Math.abs(Date.parse(match.lastCheckedAt!) - app.clock.now().getTime()) < 60_000);
  assertEquals(await link.observations(), 1);
  const judged = await judgedOften();
  await link.sees(saying("Leider ausverkauft"));
  assertEquals([judged, await judgedOften()], [before + 1, before + 1]);
  await link.sees(TEN);
  assertEquals(await link.moves(), ["new_offer", "sold_out", "back_in_stock"]);
  assertEquals(await link.health(), [4, 0, null]);
});

withScrapingApp.test("a statement of the shop does not count as a failure, but an unreadable page does", async (app) => {
  await using link = await startLink(app);
  const articles = ["A", "B", "C"].map((name, n) => ({
    "@type": "Product",
    name,
    offers: { price: `${n + 1}.00`, priceCurrency: "EUR" },
  }));
  const list = { "@type": "ItemList", itemListElement: articles };
  const cases: readonly (readonly [Page, "on_request" | "gone" | "listing"])[] = [
    [saying("Preis auf Anfrage"), "on_request"],
    [saying("Dieser Artikel ist nicht mehr erhältlich"), "gone"],
    [() => html("", {}, 410), "gone"],
    [redirect("/"), "gone"],
    [() => html(`<h1>Liste</h1>${marked(list)}`), "listing"],
  ];
  for (const [page, expected] of cases) {
    const result = await link.sees(page);
    assertFields(result, { status: "failed", errorCode: expected, pageStatus: expected });
    assertEquals((await link.match()).lastStatus, expected);
  }
  assertEquals(await link.health(), [cases.length, 0, null]);
  const odd = await link.sees(saying("Massives Holz"));
  assertFields(odd, { errorCode: "no_price", pageStatus: "unread" });
  assertFields(await link.sees(BROKEN), { errorCode: "http_error", pageStatus: "unread" });
  const [, failed, code] = await link.health();
  assertEquals([failed, code], [2, "http_error"]);
});

withScrapingApp.test("a missing page is gone at once, and its article is discontinued when the page is missing again", async (app) => {
  await using link = await startLink(app);
  const missing: Page = () => html("Not found", {}, 404);
  await link.sees(TEN);
  const first = await link.sees(missing);
  assertFields(first, { errorCode: "gone", httpStatus: 404, pageStatus: "gone" });
  assertFields(await link.match(), { inStock: true, currentPrice: 1_000 });
  match(String((await link.match()).lastError), /404/);
  await link.sees(missing);
  assertFields(await link.match(), { inStock: false, currentPrice: 1_000 });
  assertEquals(await link.moves(), ["new_offer", "sold_out"]);
  await using other = await startLink(app);
  for (const page of [TEN, missing, TEN, missing]) await other.sees(page);
  assertEquals(await other.moves(), ["new_offer"]);
});

function offered(...offers: readonly Record<string, unknown>[]): Page {
  const all = offers.map((offer) => ({ priceCurrency: "EUR", ...offer }));
  const article = { "@type": "Product", name: "X 200 Werkbank", offers: all };
  return () => html(marked(article) + TITLE);
}

const by = (name: string) => ({ seller: { "@type": "Organization", name } });

withScrapingApp.test("seller, condition and shipping stay with the offer until a page shows others", async (app) => {
  await using link = await startLink(app);
  const terms = async () => {
    const { condition, seller, shipping } = await link.match();
    return [condition, seller, shipping];
  };
  assertEquals(await terms(), [null, null, null]);
  const long = `Kistenkontor ${"Süd".repeat(40)}`;
  const both = [{ price: "12.00", ...by(long) }, { price: "12.00", ...by("Lager Ost") }];
  const third = await link.sees(offered(...both));
  assertFields(third, { status: "ok", pageStatus: "third_party", price: 1_200 });
  const [, seller] = await terms();
  match(String(seller), /^Kistenkontor Süd.*…$/);
  const shipped = {
    shippingDetails: { shippingRate: { value: "4.95", currency: "EUR" } },
    itemCondition: "https://schema.org/UsedCondition",
  };
  // Until a person confirms the link, a used article counts as another product.
  const refused = await link.sees(offered({ price: "9.00", ...shipped }));
  assertFields(refused, { status: "failed", errorCode: "other_product" });
  await app.manager.act(`${link.path}/confirm`);
  assertFields(await link.sees(), { status: "ok", pageStatus: "priced" });
  assertEquals(await terms(), ["used", null, 495]);
  await app.manager.change(link.path, { packFactor: 2 });
  // A failed fetch keeps the terms of sale. The condition `new` is stored as null.
  await link.sees(BROKEN);
  assertEquals(await terms(), ["used", null, 495]);
  await link.sees(offered({ price: "9.50", itemCondition: "https://schema.org/NewCondition" }));
  assertEquals(await terms(), [null, null, null]);
});

withScrapingApp.test("a shop that refuses programs counts as blocked, and price and stock stay", async (app) => {
  await using link = await startLink(app);
  await link.sees(TEN);
  const result = await link.sees(() => html(`${TITLE}<p>ausverkauft: 12,00 €</p>`, {}, 403));
  assertFields(result, { errorCode: "blocked", pageStatus: "blocked", httpStatus: 403 });
  const offer = { currentPrice: 1_000, inStock: true, lastStatus: "blocked" };
  assertFields(await link.match(), offer);
  assertEquals(await link.observations(), 1);
});

withScrapingApp.test("a page without a certain price is stored with its candidates for a person", async (app) => {
  await using link = await startLink(app);
  const path = `${link.path}/page`;
  await link.sees(TEN);
  await refuses(app.viewer.get(path), "not_found");

  await link.sees(() =>
    html(`<html lang="de">${TITLE}<b>12,00 €</b><i>14,00 €</i><button>In den Warenkorb</button>`)
  );
  const unsure = await app.viewer.read<UnsurePage>(path);
  assertFields(unsure, { errorCode: "ambiguous_price", pageStatus: "unread", price: null });
  assertEquals(unsure.page.title, "X 200 Werkbank");
  const told = unsure.candidates.map(({ amount, text, source }) => `${amount} ${text} ${source}`);
  assertEquals(told.sort(), ["1200 12,00 € shown", "1400 14,00 € shown"]);

  const shown = await link.sees(() =>
    html(`<html lang="de">${TITLE}<b class="price">12,00 €</b><button>In den Warenkorb</button>`)
  );
  assertFields(shown, { status: "ok", confidence: 0.8, method: "shown" });
  const priceless = await app.viewer.read<UnsurePage>(path);
  assertFields(priceless, { price: 1_200, confidence: 0.8, errorCode: null });

  await link.sees(TEN);
  await refuses(app.viewer.get(path), "not_found");
  // A failed fetch stores no page, so the earlier uncertain page is returned again.
  await link.sees(BROKEN);
  const { at } = await app.viewer.read<UnsurePage>(path);
  assertEquals(at, priceless.at);
  // A page that was stored for the link's earlier address is not returned.
  await app.manager.change(link.path, { url: `${link.base}/elsewhere` });
  await refuses(app.viewer.get(path), "not_found");
});
