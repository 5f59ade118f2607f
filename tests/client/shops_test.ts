import fc from "fast-check";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import type { Shop } from "../../src/client/parts/shops.tsx";
import { standingOf } from "../../src/client/parts/shop/shop_check.tsx";
import type { TestApp } from "../harness.ts";
import { follow, holdRequests, onScreen, onTicking, withBrowser } from "./browser.ts";
import { articleMarkup, openArticles, readArticles, twoPrices } from "./scraped.ts";
import { seeAllWays } from "./see_all_ways.ts";
import {
  discoveryBody,
  type DiscoverySettings,
  discoveryValues,
} from "../../src/client/pages/competitors/discovery_card.tsx";
import type { Discovery } from "../../src/shops/pages/discovery_store.ts";
import { anyUrl } from "../any_text.ts";
import { until } from "../patience.ts";
import {
  addListed,
  addShop,
  articlePages,
  startDiscoveryApp,
} from "../scraping/discovery/made_shop.ts";
import { openShop } from "../scraping/hostile_shop.ts";
import { addMatch, addProduct } from "../shops/shop.ts";

const SINCE = "2026-11-25T07:00:00Z";

Deno.test("standingOf() judges a shop by its worst finding", () => {
  type Facts = Partial<Shop["health"]> & { readonly pages?: number; readonly isOff?: true };
  const judged = (
    facts: Facts,
    ...failing: [cause: "robots" | "gone" | "two_prices", number][]
  ) => {
    const { pages = 100, isOff = false, ...some } = facts;
    const health = {
      ...{ ok24h: 50, failed24h: 0, downSince: null, lastError: null, due: 1, perDayMax: 9 },
      ...some,
    };
    const groups = failing.map(([cause, count]) => ({ cause, pages: count, since: SINCE }));
    const shop = { enabled: !isOff, trackedProducts: pages, health };
    const { state, need } = standingOf(shop, groups, 200);
    return [state, need];
  };
  const cases = [
    [judged({}), ["well", null]],
    [judged({ isOff: true, failed24h: 9 }), ["off", null]],
    [judged({ pages: 0 }), ["empty", "find"]],
    [judged({ ok24h: 0 }), ["idle", null]],
    [judged({ ok24h: 0, downSince: SINCE }), ["down", "repair"]],
    [judged({ ok24h: 0, downSince: SINCE }, ["two_prices", 1]), ["down", "teach"]],
    [judged({ failed24h: 4 }, ["two_prices", 4]), ["well", null]],
    [judged({ failed24h: 5 }, ["two_prices", 5]), ["partly", "teach"]],
    [judged({ failed24h: 9 }, ["gone", 6], ["two_prices", 3]), ["partly", "repair"]],
    [judged({ failed24h: 9 }, ["robots", 9]), ["partly", "forbidden"]],
    [judged({ failed24h: 4 }, ["gone", 2], ["robots", 1]), ["partly", "forbidden"]],
    [judged({ due: 10 }), ["slow", "slower"]],
    [judged({ pages: 19 }), ["well", "find"]],
    [judged({ pages: 20 }), ["well", null]],
  ];
  assertEquals(cases.map(([is]) => is), cases.map(([, wanted]) => wanted));
});

/**
 * Articles 1 and 2 have a price in their markup. Later articles have two different prices, between
 * which Kurant cannot choose. `robots.txt` forbids `/geheim/`.
 */
function openOddShop() {
  return openArticles((n) => n === 1 || n === 2 ? articleMarkup(n, 10) : n > 2 ? twoPrices(n) : "");
}

async function linkAndRead(
  app: TestApp,
  base: string,
  pages: readonly number[],
  folder = "artikel",
) {
  await readArticles(app, pages, (n) => ({
    sku: `${new URL(base).port}-${folder}-${n}`,
    url: `${base}/${folder}/${n}`,
  }));
}

onTicking.test("shops that need a person are first, each with the action for its worst finding, which a viewer does not have", async ({ app, browser }) => {
  await using good = openOddShop();
  await using odd = openOddShop();
  await linkAndRead(app, good.url, [1, 2]);
  await linkAndRead(app, odd.url, [1, 3, 4, 5]);
  const nothing = { domain: "leer.example", displayName: "Leerhaus" };
  await app.owner.create("/api/competitors", nothing);
  const page = await browser.open(app, "/competitors");
  const row = (name: string) => page.getByRole("row", { name: new RegExp(name) });

  await row("Leerhaus").getByText("noch keine Seite").waitFor();
  const groups = await page.locator("tr.heading").allInnerTexts();
  assertEquals(groups.map((text) => text.trim()), ["Zu erledigen · 2", "Läuft · 1"]);
  match(await row(odd.host).innerText(), /teilweise lesbar[^]*Mehrere Preise, keiner eindeutig/);
  match(await row(odd.host).innerText(), /1\s+von 4 Seiten/);
  match(await row(good.host).innerText(), /gut lesbar[^]*2\s+von 2 Seiten[^]*nichts zu tun/);
  await page.getByText("3 Shops · 1 gut lesbar, 1 teilweise, 1 ohne Seite").waitFor();
  // On a phone, the list of shops comes before the field for a new shop.
  const topOf = async (part: string) => (await page.locator(part).first().boundingBox())?.y ?? 0;
  ok(await topOf(".shop-check") < await topOf(".shops"));
  await page.setViewportSize({ width: 390, height: 844 });
  ok(await topOf(".shop-check") > await topOf(".shops"));
  await page.setViewportSize({ width: 350, height: 844 });
  const rightOf = (box: { x: number; width: number } | null) => box ? box.x + box.width : NaN;
  const cardEnd = rightOf(await page.locator(".shops").boundingBox());
  for (const beside of await page.locator(".shop-index small").all()) {
    const end = rightOf(await beside.boundingBox());
    ok(end < cardEnd, `${await beside.innerText()} ends at ${end} of ${cardEnd}`);
  }
  for (const bar of await page.locator(".shops [data-column=compared] .stack").all()) {
    ok(((await bar.boundingBox())?.width ?? 0) > 280, await bar.innerText());
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await seeAllWays(page);
  const viewer = await browser.open(app, "/competitors", {
    cookie: app.viewerCookie,
    locale: "en-GB",
  });
  await viewer.getByText("no page yet").first().waitFor();
  assertEquals(await viewer.getByRole("button", { name: "Check the address" }).count(), 0);
  assertEquals(await viewer.locator(".shops tbody .button").count(), 0);

  await row("Leerhaus").getByRole("button", { name: "Seiten suchen" }).click();
  await row("Leerhaus").getByRole("link", { name: "Funde prüfen" }).waitFor();

  await row(odd.host).getByRole("button", { name: "Preis zeigen …" }).click();
  await page.locator(".candidate", { hasText: /\d+,40/ }).click();
  await page.getByRole("button", { name: /speichern und 3 Seiten lesen/i }).click();
  await page.locator("tr.heading", { hasText: "Läuft · 2" }).waitFor();

  await row(good.host).locator("[data-column=state]").click();
  await page.waitForURL(/\/competitors\/[0-9a-f]{24}$/);
  await page.getByText("gut lesbar").waitFor();
});

onTicking.test("the number of a shop's pages without a price leads to all of them", async ({ app, browser }) => {
  await using shop = openOddShop();
  await linkAndRead(app, shop.url, [1, 2, 3]);
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  // One failing page among 100 is normal, so the shop needs nobody's attention.
  await page.route(/\/api\/competitors(\?|$)/, async (route) => {
    const response = await route.fetch();
    const found = await response.json();
    const items = found.items.map((one: object) => ({ ...one, trackedProducts: 100 }));
    await route.fulfill({ response, json: { ...found, items } });
  });
  await page.goto("/competitors");
  const row = page.getByRole("row", { name: new RegExp(shop.host) });
  await row.getByRole("link", { name: "1 zuletzt ohne Preis" }).click();
  // The link leads to all failing pages, not only to those with the most frequent cause.
  await page.waitForURL(/\/competitors\/[0-9a-f]{24}$/);
  await page.getByRole("link", { name: "Artikel 3" }).waitFor();
});

onTicking.test("links to pages that robots.txt forbids are removed, not read again", async ({ app, browser }) => {
  await using shop = openOddShop();
  await linkAndRead(app, shop.url, [1, 2, 3], "geheim");
  const page = await browser.open(app, "/runs");
  for (const address of ["/competitors", "/runs"]) {
    await follow(page, address);
    await page.getByRole("link", { name: "3 Seiten prüfen" }).waitFor();
  }
  await page.getByRole("link", { name: "3 Seiten prüfen" }).click();
  await page.getByRole("button", { name: /: 3 Verknüpfungen lösen$/ }).waitFor();
  await page.getByText("Artikel 1").waitFor();
  assertEquals(await page.getByRole("button", { name: /noch einmal abrufen/i }).count(), 0);
  await seeAllWays(page);

  const links = async () => (await app.owner.read("/api/competitor-products")).count;
  await page.getByRole("button", { name: /-1: Verknüpfung lösen$/ }).click();
  const dialog = page.getByRole("alertdialog").or(page.getByRole("dialog"));
  await dialog.getByRole("button", { name: "Verknüpfung lösen" }).click();
  await page.getByText("1 Verknüpfung gelöst").waitFor();
  assertEquals(await links(), 2);
  await page.getByRole("button", { name: "Rückgängig" }).press("Enter");
  await page.getByText("Zurückgenommen").waitFor();
  assertEquals(await links(), 3);
  await page.reload();
  await page.getByRole("button", { name: /: 2 Verknüpfungen lösen$/ }).click();
  await dialog.getByRole("button", { name: "2 Verknüpfungen lösen" }).click();
  await page.getByText("2 Verknüpfungen gelöst").waitFor();
  // The restored link has not failed again, because its page has not been read since.
  assertEquals([await links(), (await app.owner.read("/api/repairs")).pages], [1, 0]);
  await page.getByText("Jede Seite hat einen Preis.").waitFor();
});

onTicking.test("any pasted address is checked in place; nothing is created without a person's consent", async ({ app, browser }) => {
  await using shop = openOddShop();
  const shops = async () => (await app.owner.read("/api/competitors")).items;
  const page = await browser.open(app, "/competitors");
  await page.getByRole("heading", { name: "Noch kein Shop" }).waitFor();
  assertEquals(await page.getByRole("table").count(), 0);
  await seeAllWays(page);
  const check = async (text: string) => {
    await page.getByLabel("Adresse eines Shops oder einer Produktseite").fill(text);
    await page.getByRole("button", { name: "Adresse prüfen" }).click();
  };

  await check("kein shop");
  await page.getByText("Das ist keine Webadresse.").waitFor();
  await check(`${shop.url}/geheim/1`);
  await page.getByText(/^robots\.txt verbietet den Abruf/).waitFor();
  await page.getByRole("button", { name: "Trotzdem anlegen" }).waitFor();
  await page.getByRole("button", { name: "Verwerfen" }).click();
  await check(shop.url);
  await page.getByText(/^Kein Preis auf dieser Seite/).waitFor();
  await check(`${shop.url}/artikel/2?ref=news`);
  await page.getByText(/^Preis gelesen: 12,00\s€/).waitFor();
  await seeAllWays(page);
  assertEquals(await shops(), []);

  await page.getByRole("button", { name: "Anlegen und Seiten suchen" }).click();
  await page.getByRole("row", { name: new RegExp(shop.host) }).waitFor();
  const [made] = await shops();
  assertEquals(made.domain, shop.host);
  const { mode } = await app.owner.read(`/api/competitors/${made.id}/discovery`);
  assertEquals(mode, "automatic");

  await check(`${shop.url}/artikel/1`);
  await page.getByRole("status").getByRole("link", { name: shop.host }).click();
  await page.waitForURL(`**/competitors/${made.id}`);
});

const PLAIN: DiscoverySettings = {
  ...{ mode: "suggest", sitemaps: "robots", include: [], exclude: [] },
  ...{ pagesPerDay: 5_000, feeds: [], searchTemplate: null },
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

Deno.test("a list has one entry per line, a number may have points, or commas in English, a feed has a format", () => {
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
  const english = { ...typed, pagesPerDay: "12,000" };
  assertEquals(discoveryBody(english, "suggest", "en-GB").pagesPerDay, 12_000);
});

withBrowser.test("the screen of a shop controls its discovery: settings, pause, resume, off", async (browser) => {
  await using shop = openShop();
  addListed(shop, articlePages([1, 2, 3].map((n) => ({ name: `Kanne ${n}` }))));
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
    await dialog.getByLabel("ohne Pfade mit").fill("/p/2");
    await dialog.getByRole("button", { name: "Speichern" }).click();
    await dialog.waitFor({ state: "detached" });
  };
  await settings(`${shop.base}/map.xml\n${shop.base}/dead.xml`);
  await card.getByText("ruht bis morgen").waitFor();
  await card.getByText("2 von 3 Seiten besucht").waitFor();
  await card.getByText("zuletzt abgewiesen").waitFor();
  const { mode, pagesPerDay, exclude, state } = await read();
  assertEquals([mode, pagesPerDay, exclude, state.products], ["suggest", 20_000, ["/p/2"], 2]);

  await card.getByRole("button", { name: "Anhalten" }).click();
  await card.getByText("angehalten").waitFor();
  assertEquals((await read()).state.phase, "paused");
  await card.getByRole("button", { name: "Fortsetzen" }).click();
  await until("it goes on", async () => (await read()).state.phase !== "paused");

  await card.getByRole("button", { name: "Einrichten" }).click();
  await page.getByLabel("Seiten am Tag").fill("viele");
  await page.getByRole("button", { name: "Speichern" }).click();
  await page.getByRole("dialog").locator("[aria-invalid=true]").waitFor();
  await page.getByLabel("Seiten am Tag").fill("5");
  await page.getByLabel("Modus").selectOption({ label: "aus" });
  // The card shows the new settings even before other requests of the page are answered.
  const { release } = await holdRequests(page, "**/fetch-days");
  await page.getByRole("button", { name: "Speichern" }).click();
  await card.locator("header").getByText("aus").waitFor();
  assertEquals((await read()).mode, "off");
  release();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Rückgängig" }).last().press("Enter");
  await until("it is as before", async () => (await read()).mode === "suggest");
  assertEquals((await read()).pagesPerDay, 20_000);
});

onScreen.test("several shops are searched at once, and a coverage cell opens the products of its brand that lack a link at its shop", async ({ app, browser }) => {
  const { manager } = app;
  const shops: string[] = [];
  const names = { "one.example": "Eins", "two.example": "Zweitgrößter Shop" };
  for (const [domain, displayName] of Object.entries(names)) {
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
  const widths = await page.locator(".coverage tbody tr").first().locator(".meter")
    .evaluateAll((bars) => bars.map((bar) => Math.round(bar.getBoundingClientRect().width)));
  assertEquals([widths.length, new Set(widths).size], [2, 1], "bars can be compared");
  const figure = page.locator(".figure", { hasText: "In mindestens 1 Shop verknüpft" });
  const href = await figure.getByRole("link", { name: "2 ohne" }).getAttribute("href");
  assertEquals(href, "/products?missing=any");
  // The cell counts one unlinked product, although no link is suggested.
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
