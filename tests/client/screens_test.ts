import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { PATH_NAMES, type PathName, PATHS } from "../../src/client/paths.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { hostileTitles } from "./hostile_titles.ts";
import { addProducts, browserTest } from "./browser.ts";
import { fillPricing } from "./pricing_screens.ts";

interface Screen {
  readonly path: string;
  /** Something that is there once the screen is. */
  readonly sign: string;
  /** What is done on it before it is judged. */
  readonly act?: (page: Page) => Promise<void>;
}

const openRow = (page: Page) => page.locator("tbody tr.opens td:not(.pick)").first().click();

const openLink = (page: Page) => page.locator("tbody button.link").first().click();

function screensOf(productId: string, jobId: string, runId: string): readonly Screen[] {
  return [
    { path: "/products", sign: "tbody tr.opens" },
    { path: "/products", sign: "tbody tr.opens", act: openRow },
    { path: "/products?q=gibt+es+nicht", sign: ".empty" },
    { path: `/products/${productId}`, sign: ".chart-box" },
    { path: "/competitors", sign: "tbody tr.opens", act: openRow },
    { path: "/imports", sign: "tbody tr.opens" },
    { path: "/imports/new", sign: ".drop" },
    { path: `/imports/${jobId}`, sign: ".figures" },
    { path: "/", sign: ".tiles" },
    { path: "/alerts", sign: "tbody tr.opens", act: openRow },
    { path: "/alerts?severity=low", sign: ".empty" },
    { path: "/runs", sign: "tbody tr.opens" },
    { path: `/runs/${runId}`, sign: ".figures" },
    { path: "/audit-log", sign: "tbody tr.opens", act: openRow },
    { path: "/settings", sign: ".form" },
    { path: "/settings/people", sign: "tbody tr" },
    { path: "/settings/keys", sign: "tbody tr" },
    { path: "/settings/webhooks", sign: "tbody tr", act: openLink },
    { path: "/settings/profiles", sign: "tbody tr" },
    { path: "/settings/profiles/bmecat", sign: ".editor" },
    { path: "/settings/new-profile", sign: ".editor" },
    { path: "/settings/account", sign: ".form" },
    { path: "/gibt/es/nicht", sign: ".empty" },
    { path: "/products", sign: "tbody tr.opens", act: (page) => page.keyboard.press("Control+k") },
    { path: "/products", sign: "tbody tr.opens", act: (page) => page.keyboard.press("?") },
    { path: "/setup#token=x", sign: ".alone-card" },
    { path: "/invitation#token=x", sign: ".alone-card" },
  ];
}

/** Shown to those alone who are signed out. */
const SIGNED_OUT: readonly PathName[] = ["login"];

/** The screens that no line above is about; one whose address has a parameter needs a line. */
function othersThan(screens: readonly Screen[]): readonly Screen[] {
  const seen = new Set(screens.map(({ path }) => {
    const { pathname } = new URL(path, "http://127.0.0.1");
    return PATH_NAMES.find((name) => new URLPattern({ pathname: PATHS[name] }).test({ pathname }));
  }));
  const others = PATH_NAMES.filter((name) => !seen.has(name) && !SIGNED_OUT.includes(name));
  const nameless = others.map((name) => PATHS[name]).filter((path) => path.includes(":"));
  assertEquals(nameless, [], "tests/client/screens_test.ts does not know what to open there");
  return others.map((name) => ({ path: PATHS[name], sign: "main h1" }));
}

/** One of everything that a screen shows, each with titles that would like to be more than text. */
async function fill(app: TestApp): Promise<readonly Screen[]> {
  const titles = hostileTitles();
  const products = titles.map((title, at) => ({
    sku: `X-${at}`,
    title,
    brand: title.slice(0, 200),
    ourPrice: 10 + at,
  }));
  const [id = "", unmatchedId = ""] = await addProducts(app, products);
  const url = "https://shop.example/p/1";
  const match = await app.owner.post("/api/competitor-products", { productId: id, url });
  assertEquals(match.status, 201, await match.text());
  const xml = `<ITEMS><ITEM><SKU>X-0</SKU><TITLE>a</TITLE><COSTPRICE>?</COSTPRICE></ITEM></ITEMS>`;
  const job = await app.owner.post("/api/imports?dryRun=true", xml, {
    "Content-Type": "application/xml",
  });
  const { jobId } = await job.json();
  // Of a product without a page to visit: nothing is asked of anybody.
  const run = await app.owner.post(`/api/products/${unmatchedId}/scrape-now`);
  const { runId } = await run.json();
  // Switched off: nobody looks that name up.
  const webhook = { url: "https://erp.example/h", events: ["rule.fired"], enabled: false };
  const made = await app.owner.post("/api/webhooks", webhook);
  assertEquals(made.status, 201, await made.text());
  // A file that is none raises an alert.
  await app.owner.post("/api/imports", "<ITEMS>", { "Content-Type": "application/xml" });
  const screens = [...screensOf(id, jobId, runId), ...await fillPricing(app, id)];
  return [...screens, ...othersThan(screens)];
}

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

interface AxeResult {
  readonly violations: readonly Violation[];
  readonly passes: readonly unknown[];
}

/** What axe-core calls serious or worse. */
async function violationsOf(page: Page): Promise<string[]> {
  // Through the protocol: the policy of the page lets nobody add a script to it.
  await page.evaluate(axe.source);
  const { violations, passes } = await page.evaluate<AxeResult>("axe.run()");
  ok(passes.length > 5, `${page.url()} was hardly judged`);
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
}

for (const colorScheme of ["light", "dark"] as const) {
  browserTest(`no screen keeps anybody out, in ${colorScheme} colours`, async (browser) => {
    await using app = await startTestApp();
    const screens = await fill(app);
    const { page, complaints } = await browser.visit(app.base, {
      cookie: app.ownerCookie,
      colorScheme,
    });
    for (const { path, sign, act } of screens) {
      await page.goto("about:blank");
      await page.goto(path);
      await page.locator(sign).first().waitFor();
      await act?.(page);
      const violations = await violationsOf(page);
      assertEquals([path, violations], [path, []]);
    }
    assertEquals(complaints, []);
  });
}

browserTest("titles that would like to be scripts are text on every screen", async (browser) => {
  await using app = await startTestApp();
  const screens = await fill(app);
  const { page, complaints } = await browser.visit(app.base, { cookie: app.ownerCookie });
  for (const { path, sign, act } of screens) {
    await page.goto("about:blank");
    await page.goto(path);
    await page.locator(sign).first().waitFor();
    await act?.(page);
    assertEquals([path, await page.evaluate("String(window.__pwned)")], [path, "undefined"]);
    assertEquals(await page.locator("main img, main script, main iframe, main object").count(), 0);
  }
  await page.goto("/products");
  const shown = await page.locator("tbody td:nth-child(3)").first().textContent();
  assertEquals(shown, hostileTitles()[0]);
  assertEquals(complaints, []);
});

browserTest("no screen is wider than a phone", async (browser) => {
  await using app = await startTestApp();
  const screens = await fill(app);
  const { page } = await browser.visit(app.base, {
    cookie: app.ownerCookie,
    viewport: { width: 390, height: 844 },
  });
  for (const { path, sign } of screens) {
    await page.goto("about:blank");
    await page.goto(path);
    await page.locator(sign).first().waitFor();
    const tooWide = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    assertEquals([path, tooWide], [path, 0]);
  }
});

browserTest("the whole client weighs less than 250 KB on its way", async (browser) => {
  await using app = await startTestApp();
  const { page } = await browser.visit(app.base);
  const sizes: Promise<number>[] = [];
  page.on("response", (response) => {
    if (!response.url().endsWith(".js")) return;
    sizes.push(response.request().sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.goto("/login");
  await page.locator(".alone-card").waitFor();
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  assertEquals([bytes > 10_000, bytes < 250 * 1_024], [true, true], `${bytes} bytes`);
});
