import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { withStore } from "../memory_store.ts";
import type { TestApp } from "../harness.ts";
import {
  dripping,
  encoded,
  endless,
  hanging,
  html,
  openShop,
  type Page,
  priced,
  productPage,
  redirect,
} from "./hostile_shop.ts";
import {
  addTargets,
  onlyResult,
  scrape,
  startScrapingApp,
  withScrapingApp,
} from "./scraping_app.ts";
import { statusOf } from "../api/answers.ts";
import { createGate } from "../patience.ts";

const umlauts = new TextEncoder().encode(productPage("12.50").replaceAll("X", "Kühl-Product"));

const sent = (body: BodyInit, type: string): Page => () =>
  new Response(body, { headers: { "Content-Type": type } });
const refused = (status: number, headers?: Record<string, string>): Page => () =>
  html("", headers, status);

const challenge: Page = () => html("<title>Just a moment...</title><div id=cf-chl-widget>");

/** What a shop sends instead of a page, and the resulting error code or price in cents. */
const PAGES: readonly [what: string, page: Page, outcome: string | number][] = [
  ["never ends", endless, "too_large"],
  ["sends a gzip bomb", encoded("gzip", new Uint8Array(50_000_000)), "too_large"],
  ["sends 2 MiB", () => html("x".repeat(2 * 1024 * 1024)), "too_large"],
  ["leads in circles", redirect("/p"), "redirect_refused"],
  ["leads to this machine's other ports", redirect("http://10.0.0.5/"), "private_address"],
  ["leads to the metadata of a cloud", redirect("http://169.254.169.254/"), "private_address"],
  ["leads to a file", redirect("file:///etc/passwd"), "redirect_refused"],
  ["answers 500", refused(500), "http_error"],
  ["answers 404", refused(404), "gone"],
  ["answers 429", refused(429, { "Retry-After": "120" }), "blocked"],
  ["answers 403", refused(403), "blocked"],
  ["asks whether we are human", challenge, "blocked"],
  ["sends a picture", sent(new Uint8Array(100), "image/png"), "unsupported_content"],
  ["has no price", () => html("<html><body>Hallo</body></html>"), "no_price"],
  ["nests without end", () => html("<div>".repeat(100_000)), "no_price"],
  ["names an unknown encoding", sent(productPage("3.00"), "text/html; charset=x-foo"), 300],
  ["names the wrong encoding", sent(umlauts, "text/html; charset=iso-8859-2"), 1250],
];

const ruled = (text: string): Page => () => new Response(text);

/** What a shop with a readable page sends as its robots.txt. */
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
});

withStore.test("a run gives up a shop that does not finish its response in time", async (store) => {
  await using hangs = openShop({ "/p": hanging });
  await using drips = openShop({ "/p": dripping });
  await using robotsHang = openShop({ "/p": priced("1.00"), "/robots.txt": hanging });
  {
    // This app caches robots.txt first, so that the short timeout below applies only to the page.
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

withScrapingApp.test("a run reports unreachable or dns_error for a missing shop", async (app) => {
  assertEquals(await outcomeOf(app, "http://127.0.0.1:9/p"), "unreachable");
});

withScrapingApp.test("a redirect to another origin is followed with that origin's own robots.txt", async (app) => {
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
});

withScrapingApp.test("two shops that redirect to each other end as redirect_refused", async (app) => {
  const target = { base: "" };
  await using one = openShop({ "/p": (request) => redirect(`${target.base}/p`)(request) });
  await using two = openShop({ "/p": redirect(`${one.base}/p`) });
  target.base = two.base;
  assertEquals(await outcomeOf(app, `${one.base}/p`), "redirect_refused");
});

Deno.test("the server answers while a shop keeps a run busy", async () => {
  await using app = await startScrapingApp({ SCRAPE_MAX_BYTES: "67108864" });
  const [flowing, answered] = [createGate(), createGate()];
  async function* blanks() {
    for (let length = 0;; length += 65_536) {
      yield new Uint8Array(65_536).fill(32);
      if (length > 4_194_304) flowing.open();
      // The rest of the page is not sent until another request has been answered.
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
