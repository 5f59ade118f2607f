import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { until } from "../patience.ts";
import { follow, testsOfOneApp } from "./browser.ts";
import { fillMorning } from "./morning_shop.ts";
import { cutIn, fitsAllWays } from "./see_all_ways.ts";

const onMorning = testsOfOneApp(fillMorning);

/** Texts that must not appear on English screens: "1.234,5", "12,5", "12 %", "3 €", German days. */
const GERMAN = [
  /\d,\d{1,2}(?!\d)/,
  /\d[\u00a0 \u202f][%€]/,
  /\b\d{1,2}\.\d{1,2}\.(?!\d*%)/,
  /Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag|\b(?:Mo|Di|Mi|Do|Fr|Sa|So)\.,/,
];

onMorning.test("English screens of a German workspace have English figures", async ({ app, browser }) => {
  const english = { cookie: app.ownerCookie, locale: "en-GB", now: app.clock.now() };
  const { page } = await browser.visit(app.base, english);
  for (const path of ["/", "/products", "/proposals", "/audit-log", "/moves", "/competitors"]) {
    await page.goto(path);
    const main = page.locator("#main");
    const isDrawn = async () =>
      (await main.innerText()).length > 100 && await main.locator(".loading").count() === 0;
    await until(`${path} is drawn`, isDrawn);
    await page.waitForLoadState("networkidle");
    // Rule names are the workspace's own words.
    const text = (await main.innerText()).replaceAll(/Kaffee[^\n]*/g, "");
    assertEquals(GERMAN.map((form) => form.exec(text)?.[0] ?? null), GERMAN.map(() => null), path);
    if (path === "/") match(text, /Monday 9 March/);
    if (path === "/products") match(text, /€\d+\.\d\d/);
  }
});

onMorning.test("the font is small, self-hosted and complete, with digits of equal width", async ({ app, browser }) => {
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const loaded = page.waitForResponse((answer) => answer.url().endsWith(".woff2"));
  await page.goto("about:blank");
  await page.goto("/");
  const answer = await loaded;
  assertEquals(answer.headers()["content-type"], "font/woff2");
  match(answer.headers()["cache-control"] ?? "", /immutable/);
  const file = await page.request.get(answer.url());
  ok((await file.body()).length < 60 * 1_024);
  await page.locator("main h1").waitFor();
  assertEquals(await page.evaluate(FACES), ["Inter loaded"]);
  assertEquals(await page.evaluate(LACKING), []);
  assertEquals(await page.evaluate(FIGURE_WIDTHS), 1);
});

/** The screens that people read each morning. */
const MORNING_PATHS = ["/", "/proposals", "/audit-log"];

for (const locale of ["de-DE", "en-GB"]) {
  onMorning.test(`no number of a morning screen is cut at any width in ${locale}`, async ({ app, browser }) => {
    const visit = { cookie: app.ownerCookie, locale, now: app.clock.now() };
    const { page } = await browser.visit(app.base, visit);
    for (const path of MORNING_PATHS) {
      await page.goto(path);
      await page.locator(".heat tbody tr, .table-box tbody tr").first().waitFor();
      await page.waitForLoadState("networkidle");
      await fitsAllWays(page);
    }
  });
}

onMorning.test("no table is wider than a tablet", async ({ app, browser }) => {
  const page = await browser.open(app, "/products", { viewport: { width: 768, height: 1_024 } });
  for (const path of ["/rules", "/audit-log"]) {
    await follow(page, path);
    await page.locator(".table-box tbody tr").first().waitFor();
    assertEquals([path, await cutIn(page.locator(".table-scroll"))], [path, []]);
  }
});

const FACES = "[...document.fonts].map(({ family, status }) => `${family} ${status}`)";

/** Characters that the font lacks. The fallback font draws such characters with its own width. */
const LACKING = `{
  const context = document.createElement("canvas").getContext("2d");
  const widthIn = (text, family) => {
    context.font = "100px " + family;
    return context.measureText(text).width;
  };
  [..."äöüÄÖÜßéèêçœàô€−–„“’…·×↑↓0123456789"]
    .filter((text) => widthIn(text, "Inter, monospace") === widthIn(text, "monospace"));
}`;

const FIGURE_WIDTHS = `new Set(["1111", "0000", "4747"].map((text) => {
  const span = document.createElement("span");
  span.textContent = text;
  document.body.append(span);
  return span.getBoundingClientRect().width;
})).size`;
