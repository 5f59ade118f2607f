import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import fc from "fast-check";
import {
  discoveryBody,
  type DiscoverySettings,
  discoveryValues,
} from "../../src/client/pages/competitors/discovery_card.tsx";
import type { Discovery } from "../../src/shops/pages/discovery_store.ts";
import { anyUrl } from "../any_text.ts";
import { until } from "../patience.ts";
import {
  addShop,
  articlePage,
  startDiscoveryApp,
  urlset,
  xml,
} from "../scraping/discovery/made_shop.ts";
import { openShop, type Page } from "../scraping/hostile_shop.ts";
import { addMatch, addProduct } from "../shops/shop.ts";
import { holdRequests, onScreen, withBrowser } from "./browser.ts";

const PLAIN: DiscoverySettings = {
  mode: "suggest",
  sitemaps: "robots",
  include: [],
  exclude: [],
  pagesPerDay: 5_000,
  feeds: [],
  searchTemplate: null,
};

const path = anyUrl().map((text) => new URL(text).pathname);
const url = anyUrl(["https"]);

const settings: fc.Arbitrary<DiscoverySettings> = fc.record({
  mode: fc.constantFrom("off" as const, "suggest" as const),
  sitemaps: fc.oneof(fc.constant("robots" as const), fc.array(url, { minLength: 1, maxLength: 5 })),
  include: fc.array(path, { maxLength: 5 }),
  exclude: fc.array(path, { maxLength: 5 }),
  pagesPerDay: fc.integer({ min: 1, max: 100_000 }),
  feeds: fc.array(
    fc.record({ url, format: fc.constantFrom("merchant_xml" as const, "csv" as const) }, {
      noNullPrototype: true,
    }),
  ),
  searchTemplate: fc.option(url),
}, { noNullPrototype: true });

Deno.test("an unchanged form sends the settings that it shows", () => {
  fc.assert(fc.property(settings, (one) => {
    assertEquals(discoveryBody(discoveryValues(one), one.mode, "de-DE"), one);
  }));
});

Deno.test("a list has one entry per line, a number may have points, a feed has a format", () => {
  const typed = {
    ...discoveryValues(PLAIN),
    pagesPerDay: " 12.000 ",
    sitemaps: "\n https://shop.example/a.xml \n\nhttps://shop.example/b.xml",
    include: "/p/\n",
    feeds: "CSV https://shop.example/f.csv\nhttps://shop.example/f.xml",
    searchTemplate: "https://shop.example/s?q={query}",
  };
  assertEquals(discoveryBody(typed, "suggest", "de-DE"), {
    ...PLAIN,
    pagesPerDay: 12_000,
    sitemaps: ["https://shop.example/a.xml", "https://shop.example/b.xml"],
    include: ["/p/"],
    feeds: [
      { url: "https://shop.example/f.csv", format: "csv" },
      { url: "https://shop.example/f.xml", format: "merchant_xml" },
    ],
    searchTemplate: "https://shop.example/s?q={query}",
  });
  ok(Number.isNaN(discoveryBody({ ...typed, pagesPerDay: "" }, "suggest", "de-DE").pagesPerDay));
  ok(Number.isNaN(discoveryBody({ ...typed, pagesPerDay: "viele" }, "off", "de-DE").pagesPerDay));
});

Deno.test("an English number of pages may have commas", () => {
  const typed = { ...discoveryValues(PLAIN), pagesPerDay: "12,000" };
  assertEquals(discoveryBody(typed, "suggest", "en-GB").pagesPerDay, 12_000);
});

withBrowser.test("the screen of a shop controls its discovery: settings, pause, resume, off", async (browser) => {
  const pages: Record<string, Page> = {};
  await using shop = openShop(pages);
  for (const n of [1, 2, 3]) pages[`/p/${n}`] = articlePage({ name: `Kanne ${n}` });
  pages["/map.xml"] = xml(urlset([1, 2, 3].map((n) => `${shop.base}/p/${n}`)));
  await using app = await startDiscoveryApp();
  const id = await addShop(app.manager, shop.base);
  const read = () => app.viewer.read<Discovery>(`/api/competitors/${id}/discovery`);
  const page = await browser.open(app, `/competitors/${id}`);
  const card = page.getByRole("region", { name: "Seitensuche" });
  await card.getByText("Eingeschaltet findet sie Seiten des Shops zu Ihren Produkten.").waitFor();

  const settings = async (sitemaps: string) => {
    await card.getByRole("button", { name: "Einrichten" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Modus").selectOption({ label: "vorschlagen" });
    await dialog.getByText("Gefundene Seiten werden vorgeschlagen").waitFor();
    await dialog.getByLabel("Seiten am Tag").fill("20.000");
    await dialog.getByLabel("Sitemaps").fill(sitemaps);
    await dialog.getByLabel("ohne Pfade mit").fill("/p/3");
    await dialog.getByRole("button", { name: "Speichern" }).click();
    await dialog.waitFor({ state: "detached" });
  };
  await settings(`${shop.base}/map.xml\n${shop.base}/dead.xml`);
  await card.getByText("ruht bis morgen").waitFor();
  await card.getByText("2 von 3 Seiten besucht").waitFor();
  // The shop's refusals are shown in words.
  await card.getByText("zuletzt abgewiesen").waitFor();
  const { mode, pagesPerDay, exclude, state } = await read();
  assertEquals([mode, pagesPerDay, exclude, state.products], ["suggest", 20_000, ["/p/3"], 2]);

  await card.getByRole("button", { name: "Anhalten" }).click();
  await card.getByText("angehalten").waitFor();
  assertEquals((await read()).state.phase, "paused");
  await card.getByRole("button", { name: "Fortsetzen" }).click();
  await until("it goes on", async () => (await read()).state.phase !== "paused");

  // An invalid number stays in the form, with the error next to it.
  await card.getByRole("button", { name: "Einrichten" }).click();
  await page.getByLabel("Seiten am Tag").fill("viele");
  await page.getByRole("button", { name: "Speichern" }).click();
  await page.getByRole("dialog").locator("[aria-invalid=true]").waitFor();
  await page.getByLabel("Seiten am Tag").fill("5");
  await page.getByLabel("Modus").selectOption({ label: "aus" });
  // The card shows the new settings before the form has read all other data again.
  const { release } = await holdRequests(page, "**/fetch-days");
  await page.getByRole("button", { name: "Speichern" }).click();
  await card.locator("header").getByText("aus").waitFor();
  assertEquals((await read()).mode, "off");
  release();
  // The message with the undo appears only after all changed data were read again.
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Rückgängig" }).last().press("Enter");
  await until("it is as before", async () => (await read()).mode === "suggest");
  assertEquals((await read()).pagesPerDay, 20_000);
});

onScreen.test("several shops are searched at once, and a coverage cell opens the products of its brand that lack a link at its shop", async ({ app, browser }) => {
  const { manager } = app;
  const shops: string[] = [];
  for (
    const [domain, displayName] of [["one.example", "Eins"], ["two.example", "Zweitgrößter Shop"]]
  ) {
    shops.push((await manager.create("/api/competitors", { domain, displayName })).id);
  }
  const add = (sku: string, brand: string) => addProduct(manager, sku, { title: sku, brand });
  const seen = await add("BO-1", "Bosch");
  await add("BO-2", "Bosch");
  await add("MA-1", "Makita");
  await addMatch(manager, seen, "https://one.example/1");
  const page = await browser.open(app, "/links/coverage");
  await page.getByRole("button", { name: "Seiten suchen lassen …" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Modus").selectOption({ label: "automatisch" });
  await dialog.getByLabel("Seiten am Tag").fill("5.500");
  await dialog.getByRole("button", { name: "In 2 Shops suchen" }).click();
  await dialog.waitFor({ state: "detached" });
  for (const id of shops) {
    const { mode, pagesPerDay } = await manager.read(`/api/competitors/${id}/discovery`);
    assertEquals([mode, pagesPerDay], ["automatic", 5_500]);
  }
  await page.locator(".figure", { hasText: "Verknüpfte Seiten" }).getByText("in 2 Shops").waitFor();
  const widths = await page.locator(".coverage tbody tr").first().locator(".coverage-bar")
    .evaluateAll((bars) => bars.map((bar) => Math.round(bar.getBoundingClientRect().width)));
  assertEquals([widths.length, new Set(widths).size], [2, 1], "bars can be compared");
  const figure = page.locator(".figure", { hasText: "In mindestens 1 Shop verknüpft" });
  const href = await figure.getByRole("link", { name: "2 ohne" }).getAttribute("href");
  assertEquals(href, "/products?missing=any");
  // A cell shows how many products have no link. The last figure counts all suggestions, including
  // sure suggestions.
  const cell = page.getByRole("link", { name: /^Bosch bei Eins/ }).locator(".coverage-line");
  match(await cell.innerText(), /^50,0\s%\s+1$/);
  await page.locator(".figure", { hasText: "Vorschläge" }).getByText("0 zu prüfen, 0 sicher")
    .waitFor();
  await page.getByRole("link", { name: /^Bosch bei Zweitgrößter Shop: 0,0 % verknüpft, 2 ohne/ })
    .waitFor();
  await page.getByRole("link", { name: /^Bosch bei Eins: 50,0 % verknüpft, 1 ohne/ }).click();
  await page.getByRole("link", { name: "BO-2" }).first().waitFor();
  assertEquals(await page.getByRole("link", { name: /^(BO-1|MA-1)$/ }).count(), 0);
  const { searchParams } = new URL(page.url());
  assertEquals([searchParams.get("brand"), searchParams.has("missing")], ["Bosch", true]);
});
