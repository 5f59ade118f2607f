/** The language of a person decides how dates, numbers and money look, whatever the workspace uses. */
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { testsOfOneApp } from "./browser.ts";
import { fillMorning } from "./morning_shop.ts";

const morningTest = testsOfOneApp(fillMorning);

/** "1.234,5", "12,5", "12 %", "3 €" and German days: none of them is English. */
const GERMAN = [
  /\d,\d{1,2}(?!\d)/,
  /\d[\u00a0 \u202f][%€]/,
  /\b\d{1,2}\.\d{1,2}\.(?!\d*%)/,
  /Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag|\b(?:Mo|Di|Mi|Do|Fr|Sa|So)\.,/,
];

morningTest("English screens of a German workspace have English figures", async (app, browser) => {
  const { page } = await browser.visit(app.base, {
    cookie: app.ownerCookie,
    locale: "en-GB",
    now: app.clock.now(),
  });
  for (const path of ["/", "/products", "/proposals", "/audit-log", "/moves", "/competitors"]) {
    await page.goto(path);
    await page.locator("main h1").waitFor();
    await page.waitForLoadState("networkidle");
    // Names of rules are the workspace's own words.
    const text = (await page.locator("#main").innerText()).replaceAll(/Kaffee[^\n]*/g, "");
    ok(text.length > 100, path);
    assertEquals(GERMAN.map((form) => form.exec(text)?.[0] ?? null), GERMAN.map(() => null), path);
  }
  await page.goto("/");
  await page.getByText("Monday 9 March").waitFor();
  await page.goto("/products");
  await page.locator("tbody tr").first().waitFor();
  match(await page.locator("tbody tr").first().innerText(), /€\d+\.\d\d/);
});

morningTest(
  "the typeface is small, ours and complete, with figures of one width",
  async (app, browser) => {
    const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
    const loaded = page.waitForResponse((answer) => answer.url().endsWith(".woff2"));
    await page.goto("/");
    const answer = await loaded;
    assertEquals(answer.headers()["content-type"], "font/woff2");
    match(answer.headers()["cache-control"] ?? "", /immutable/);
    ok((await answer.body()).length < 60 * 1_024);
    await page.locator("main h1").waitFor();
    assertEquals(await page.evaluate(FACES), ["Inter loaded"]);
    assertEquals(await page.evaluate(LACKING), []);
    assertEquals(await page.evaluate(FIGURE_WIDTHS), 1);
  },
);

const FACES = "[...document.fonts].map(({ family, status }) => `${family} ${status}`)";

/** What the typeface lacks is drawn by the next one, and as wide as there. */
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
