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

/** The behaviour of a shop, its pages, and the resulting error code or price in cents. */
const SHOPS: [what: string, pages: Record<string, Page>, outcome: string | number][] = [
  ["never ends", { "/p": endless }, "too_large"],
  ["sends a gzip bomb", { "/p": encoded("gzip", new Uint8Array(50_000_000)) }, "too_large"],
  ["sends 2 MiB", { "/p": () => html("x".repeat(2 * 1024 * 1024)) }, "too_large"],
  ["leads in circles", { "/p": redirect("/p") }, "redirect_refused"],
  [
    "leads to this machine's other ports",
    { "/p": redirect("http://10.0.0.5/") },
    "private_address",
  ],
  [
    "leads to the metadata of a cloud",
    { "/p": redirect("http://169.254.169.254/") },
    "private_address",
  ],
  ["leads to a file", { "/p": redirect("file:///etc/passwd") }, "redirect_refused"],
  ["answers 500", { "/p": () => html("oops", {}, 500) }, "http_error"],
  ["answers 404", {}, "gone"],
  ["answers 429", { "/p": () => html("", { "Retry-After": "120" }, 429) }, "blocked"],
  ["answers 403", { "/p": () => html("", {}, 403) }, "blocked"],
  ["asks whether we are human", {
    "/p": () => html("<title>Just a moment...</title><div id=cf-chl-widget>"),
  }, "blocked"],
  ["sends a picture", {
    "/p": () => new Response(new Uint8Array(100), { headers: { "Content-Type": "image/png" } }),
  }, "unsupported_content"],
  ["has no price", { "/p": () => html("<html><body>Hallo</body></html>") }, "no_price"],
  ["nests without end", { "/p": () => html("<div>".repeat(100_000)) }, "no_price"],
  ["names an unknown encoding", {
    "/p": () => html(productPage("3.00"), { "Content-Type": "text/html; charset=x-foo" }),
  }, 300],
  ["names the wrong encoding", {
    "/p": () =>
      new Response(umlauts, { headers: { "Content-Type": "text/html; charset=iso-8859-2" } }),
  }, 1250],
  ["forbids everything", {
    "/p": priced("1.00"),
    "/robots.txt": () => new Response("User-agent: *\nDisallow: /"),
  }, "robots_disallowed"],
  ["forbids us alone", {
    "/p": priced("1.00"),
    "/robots.txt": () =>
      new Response("User-agent: kurant\nDisallow: /p\n\nUser-agent: *\nAllow: /"),
  }, "robots_disallowed"],
  ["allows this page", {
    "/p": priced("1.00"),
    "/robots.txt": () => new Response("User-agent: *\nDisallow: /\nAllow: /p$"),
  }, 100],
  [
    "has a robots.txt in trouble",
    { "/p": priced("1.00"), "/robots.txt": () => html("", {}, 503) },
    "robots_disallowed",
  ],
  ["has a robots.txt without end", { "/p": priced("1.00"), "/robots.txt": endless }, 100],
  ["has a robots.txt that leads in circles", {
    "/p": priced("1.00"),
    "/robots.txt": redirect("/robots.txt"),
  }, 100],
  ["hides its robots.txt", { "/p": priced("1.00"), "/robots.txt": () => html("", {}, 403) }, 100],
  ["leads to a page that it forbids", {
    "/p": redirect("/secret"),
    "/secret": priced("1.00"),
    "/robots.txt": () => new Response("User-agent: *\nDisallow: /secret"),
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
  let sent = 0;
  const page = () =>
    new ReadableStream({
      async pull(controller) {
        controller.enqueue(new Uint8Array(65_536).fill(32));
        sent += 65_536;
        if (sent > 4_194_304) flowing.open();
        // The rest of the page is not sent until another request has been answered.
        if (sent > 33_554_432) await answered.passed;
      },
    });
  await using shop = openShop({
    "/p": () => new Response(page(), { headers: { "Content-Type": "text/html" } }),
  });
  const running = outcomeOf(app, `${shop.base}/p`);
  await flowing.passed;
  assertEquals(await statusOf(app.anyone.get("/healthz")), 200);
  answered.open();
  assertEquals(await running, "too_large");
});
