import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import type { Page } from "playwright-core";
import { HOUR_MS } from "../../src/base/time.ts";
import {
  addProduct,
  addProducts,
  addRule,
  push,
  pushJudged,
  untilJudged,
} from "../rules/evaluation/market.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { resize, TOO_WIDE } from "./see_all_ways.ts";
import {
  follow,
  holdRequests,
  onNow,
  onScreen,
  screenWith,
  type TestBrowser,
  testsOfOneApp,
} from "./browser.ts";
import { plain, pricesOf } from "./on_page.ts";
import { movedBetween } from "../../src/client/pages/products/products_screen.tsx";
import { fitting, pctOf } from "../../src/client/pages/products/product_filter_bar.tsx";
import { sameQuery } from "../../src/client/pages/products/one_product.tsx";

async function fill(app: TestApp): Promise<void> {
  const { owner } = app;
  await addProduct(owner, "DEAR", { title: "Teurer Toaster", category: "Küche" });
  await addProduct(owner, "CHEAP", { title: "Günstiger Kessel", category: "Küche" });
  await addProduct(owner, "MIDDLE", { title: "Mittlerer Mixer" });
  await addProduct(owner, "NONE", { title: "Ohne Rivalen", costPrice: 95 });
  await addProduct(owner, "WIDE", { title: "Breite Bühne", ourPrice: 123_456_789.99 });
  await push(app, [
    ["DEAR", "acme", 80],
    ["DEAR", "bolt", 90],
    ["CHEAP", "acme", 120],
    ["CHEAP", "bolt", 130],
    ["MIDDLE", "acme", 99],
    ["MIDDLE", "bolt", 101],
    ["WIDE", "bolt", 123_456_790.98],
  ]);
  await untilJudged(app);
}

const onMarket = testsOfOneApp(fill);

async function visit(browser: TestBrowser, app: TestApp, path = "/products", width = 1440) {
  const page = await browser.open(app, path, { viewport: { width, height: 900 } });
  await page.locator("tbody tr.opens").first().waitFor();
  return page;
}

const titles = async (page: Page) =>
  await page.locator('tbody [data-column="article"] a').allInnerTexts();

const textOf = async (page: Page, sku: string, column: string) =>
  (await page.locator("tbody tr", { hasText: sku }).locator(`[data-column="${column}"]`)
    .innerText()).replaceAll("\u00a0", " ").replaceAll("\n", " | ");

onMarket.test("products show their position, begin with the largest gap, and are sorted both ways; the navigation opens compared ones", async ({ app, browser }) => {
  const page = await visit(browser, app);
  const head = page.locator('thead [data-column="gapPct"]');
  const sortedBy = (column: string, order: string) =>
    page.locator(`thead [data-column="${column}"][aria-sort="${order}"]`).waitFor();
  const press = (name: string) => page.locator("thead").getByRole("button", { name }).click();
  await sortedBy("gapPct", "descending");
  assertEquals((await titles(page))[0], "Teurer Toaster");
  // Products without a gap come last in both directions.
  assertEquals((await titles(page)).at(-1), "Ohne Rivalen");
  await press("Abstand");
  await page.waitForURL("**/products?sort=gapPct");
  await page.locator("tbody tr").first().getByText("Günstiger Kessel").waitFor();
  await sortedBy("gapPct", "ascending");
  assertEquals((await titles(page)).at(-1), "Ohne Rivalen");
  await page.reload();
  await page.locator("tbody tr").first().getByText("Günstiger Kessel").waitFor();
  await press("Preisindex");
  await page.waitForURL("**/products?sort=index&order=desc");
  await press("Preisindex");
  await page.waitForURL("**/products?sort=index");
  assertEquals(await head.getAttribute("aria-sort"), null);
  await press("Preisindex");
  await page.waitForURL("**/products");
  await sortedBy("gapPct", "descending");

  await page.getByText("5 Einträge").waitFor();
  match(await textOf(page, "DEAR", "cheapest"), /80,00 €/);
  match(await textOf(page, "DEAR", "cheapest"), /acme/);
  assertEquals(await textOf(page, "DEAR", "gapPct"), "+20,0 % | +20,00 €");
  assertEquals(await textOf(page, "CHEAP", "gapPct"), "−20,0 % | −20,00 €");
  match(await textOf(page, "DEAR", "rank"), /3\/3$/);
  assertEquals(await textOf(page, "DEAR", "index"), "117,7");
  assertEquals(await textOf(page, "NONE", "cheapest"), "ohne Verknüpfung");
  const range = page.locator("tbody tr", { hasText: "DEAR" }).locator("svg.mini-range");
  const spoken = plain(await range.getAttribute("aria-label"));
  assertEquals(spoken, "2 Angebote von 80,00 € bis 90,00 €, wir 100,00 €");

  await page.locator('.nav-links a[href="/products?rankMin=1&sort=gapPct&order=desc"]').click();
  await page.waitForURL("**/products?rankMin=1&sort=gapPct&order=desc");
  await page.getByText("4 Einträge").waitFor();
  assertEquals((await titles(page))[0], "Teurer Toaster");
  await page.getByRole("main").locator('a[href="/products"]').first().click();
  await page.getByText("5 Einträge").waitFor();
  await page.reload();
  await page.getByText("5 Einträge").waitFor();
  await page.locator("tbody tr", { hasText: "DEAR" }).locator('[data-column="rank"]').click();
  await page.getByRole("heading", { level: 1, name: "Teurer Toaster" }).waitFor();
});

const onLargeMarket = screenWith(() => startTestApp({ env: { MARKET_MEMORY_BYTES: "1" } }));

onLargeMarket.test("a market without room leaves products unsorted, and never unseen", async ({ app, browser }) => {
  await addProduct(app.owner, "A");
  const page = await visit(browser, app);
  await page.locator("tbody tr.opens").getByText("A", { exact: true }).waitFor();
  assertEquals(await page.locator("thead [aria-sort]").count(), 0);
  await page.setViewportSize({ width: 390, height: 844 });
  const order = page.getByLabel("Sortieren").locator("option:checked");
  assertEquals(await order.innerText(), "Standard");
});

onMarket.test("filters take one row, and on a phone products begin in the upper half", async ({ app, browser }) => {
  const page = await visit(browser, app, "/products?hasProposal=false");
  const chips = page.locator(".market-bar > .menu, .market-bar .chip");
  const middles = await chips.evaluateAll((all) =>
    all.map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => (top + bottom) / 2)
  );
  assertEquals(new Set(middles).size, 1, `${middles.length} filters at ${middles}`);
  await page.setViewportSize({ width: 390, height: 844 });
  const labelOf = (column: string) =>
    page.locator("tbody tr", { hasText: "DEAR" }).locator(`[data-column="${column}"]`)
      .evaluate((cell) => getComputedStyle(cell, "::before").content);
  assertEquals(await labelOf("cheapest"), '"Günstigster"');
  const legend = page.locator('thead [data-column="range"] .range-legend');
  assertEquals(await legend.locator("span").allInnerTexts(), ["günstig", "wir", "teuer"]);
  ok(await legend.isVisible(), "the ends of the ranges are named");
  ok(await page.getByText("Sortieren", { exact: true }).isVisible());
  const rights = await page.locator(".market-bar .chip:has(.chip-count)").first()
    .evaluate((chip) => chip.querySelector(".chip-count")?.getBoundingClientRect().right ?? 999);
  ok(rights < 390, `the first count ends at ${rights}`);
  const topOf = async (part: string) => (await page.locator(part).first().boundingBox())?.y ?? 0;
  ok(await topOf(".file-links") > await topOf("tbody tr.opens"), "files come after the products");
  await page.getByText("Alle geladenen Zeilen markieren").click();
  await page.getByText("5 markiert").waitFor();
  const orders = await page.getByLabel("Sortieren").locator("option").allInnerTexts();
  assertEquals(orders.includes("Standard"), false, "the default order has a name already");
  const { y = 844 } = await page.locator("tbody tr.opens").first().boundingBox() ?? {};
  ok(y < 844 / 2 - 100, `the first product begins at ${y}`);
});

onNow.test("marked prices are held and released, and set: a preview shows the effect, doubtful ones are left out, all are undone", async ({ app, browser }) => {
  await fill(app);
  const locked = { sku: "LOCKED", title: "Fest", ourPrice: 20, priceLocked: true };
  await app.owner.create("/api/products", locked);
  const before = await pricesOf(app);
  const page = await visit(browser, app);
  await page.locator("tbody tr", { hasText: "DEAR" }).locator(".pick input").click();
  await page.getByRole("button", { name: "Halten bis … (1)" }).click();
  const holding = page.getByRole("dialog");
  await holding.getByLabel("Halten bis").fill("2036-12-24");
  await holding.getByRole("button", { name: "Preis halten" }).click();
  const mark = page.locator("tbody tr", { hasText: "DEAR" }).getByText("gehalten bis 24.12.2036");
  await mark.waitFor();
  await page.getByRole("button", { name: /^gehalten/ }).click();
  await page.waitForURL(/isHeld=true/);
  await page.locator("tbody tr").nth(1).waitFor({ state: "detached" });
  await page.locator("tbody tr", { hasText: "DEAR" }).waitFor();
  await page.getByRole("button", { name: "Rückgängig" }).press("Enter");
  await page.locator(".empty").waitFor();

  await follow(page, "/products");
  await page.locator("tbody tr.opens").nth(5).waitFor();
  // Bulk prices are computed from the rows on the page, so wait until none is marked as held.
  await mark.waitFor({ state: "detached" });
  await page.locator("thead .pick input").click();
  await page.getByRole("button", { name: "Preis setzen … (6)" }).click();
  const dialog = page.getByRole("dialog", { name: "Preise setzen" });
  await dialog.getByLabel("Prozent").fill("−10");
  await dialog.getByText("4 Preise ändern sich").waitFor();
  const plan = (await dialog.locator(".bulk-plan").innerText()).replaceAll("\u00a0", " ");
  match(plan, /4 sinken, 0 steigen/);
  match(plan, /Bleiben: 1 gesperrt/);
  // The new price of NONE would be below its net cost of 95.00.
  const cost = dialog.getByLabel("1 unter Einkauf (nur mit Grund)");
  await cost.check();
  const set = dialog.getByRole("button", { name: "5 Preise setzen" });
  await set.click();
  await dialog.getByText("Erst einen Grund eingeben").waitFor();
  assertEquals(await pricesOf(app), before);
  await dialog.getByLabel("Grund (nötig)").fill("Räumung");
  await set.click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("Preise gesetzt: 5").waitFor();
  const lowered = { DEAR: 9_000, CHEAP: 9_000, MIDDLE: 9_000, NONE: 9_000, WIDE: 11_111_111_099 };
  assertEquals(await pricesOf(app), { ...lowered, LOCKED: 2_000 });
  await page.getByRole("button", { name: "Rückgängig" }).press("Enter");
  await page.getByText("Preise zurückgenommen: 5").waitFor();
  assertEquals(await pricesOf(app), before);
});

onNow.test("prices go to the cheapest for all that a filter finds, loaded or not", async ({ app, browser }) => {
  const skus = Array.from({ length: 203 }, (_, n) => `S-${1_000 + n}`);
  await addProducts(app, skus.map((sku, n) => ({ sku, title: `Artikel ${n}` })));
  await pushJudged(app, skus.map((sku) => [sku, "acme", 95]));
  const page = await visit(browser, app, "/products?q=Artikel&sort=sku");
  await page.getByText("200 von 203 geladen").waitFor();
  await page.locator("thead .pick input").click();
  await page.getByRole("button", { name: "alle 203 dieser Ansicht markieren" }).click();
  await page.getByRole("button", { name: "Preis setzen … (203)" }).click();
  const dialog = page.getByRole("dialog", { name: "Preise setzen" });
  await dialog.getByLabel("Neuer Preis").selectOption({ label: "Günstigster ± Betrag" });
  await dialog.getByLabel("Betrag in EUR").fill("−0,01");
  await dialog.getByRole("button", { name: "203 Preise setzen" }).click();
  await page.getByText("Preise gesetzt: 203").waitFor();
  const { total } = await app.viewer.read("/api/products?position=cheapest&limit=1");
  assertEquals(total, 203);
});

onMarket.test("every count opens exactly its products", async ({ app, browser }) => {
  const kitchen = { name: "Küche", query: "category=K%C3%BCche", isShared: true };
  await app.owner.create("/api/views", kitchen);
  const page = await visit(browser, app);
  const counted = page.locator(".chip, .views a");
  // Chips without matches disappear once all counts are known.
  const untilCounted = async () => {
    await page.locator(".views a").nth(1).waitFor();
    await page.locator(".chip").nth(3).waitFor();
    await page.waitForFunction(() =>
      !document.querySelector(".chip:not(:has(.chip-count)), .views a:not(:has(.chip-count))")
    );
  };
  await untilCounted();
  const count = await counted.count();
  ok(count >= 6, `${count} counts`);
  for (let at = 0; at < count; at++) {
    await follow(page, "/products");
    await untilCounted();
    const one = counted.nth(at);
    const name = await one.innerText();
    const said = Number(await one.locator(".chip-count").innerText());
    await one.click();
    ok(said > 0, name);
    await page.getByText(`${said} ${said === 1 ? "Eintrag" : "Einträge"}`).waitFor();
    assertEquals([name, await page.locator("tbody tr.opens").count()], [name, said]);
  }
  await page.goto("/products");
  await page.getByRole("link", { name: "4 mit Vergleich" }).click();
  await page.getByText("4 Einträge").waitFor();
  await page.locator(".nav-foot").getByRole("link", { name: "5 Produkte" }).click();
  await page.getByText("5 Einträge").waitFor();
  await page.locator(".nav-foot").getByRole("link", { name: "2 Shops" }).click();
  await page.waitForURL("**/competitors");
  await page.locator("tbody tr.opens").nth(1).waitFor();
  assertEquals(await page.locator("tbody tr.opens").count(), 2);
});

onScreen.test("a number of compared products opens these, without those that have no own price", async ({ app, browser }) => {
  await addProduct(app.owner, "OURS", { category: "Küche" });
  await addProduct(app.owner, "FREE", { category: "Küche", ourPrice: null });
  // With an observed price and a rule that only alerts, the overview has no set-up steps.
  await addRule(app.owner, { actions: [{ type: "alert_inapp" }] });
  await push(app, [["OURS", "acme", 120], ["FREE", "acme", 120]]);
  await untilJudged(app);
  const { items: [{ id }] } = await app.owner.read("/api/competitors");
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const summary = await holdRequests(page, "**/api/market/summary?by=competitor");
  await page.goto("/competitors");
  await page.locator('[data-column="compared"]:text-is("–")').waitFor();
  summary.release();
  const counts = [
    ["/competitors", '[data-column="compared"] a', "1"],
    [`/competitors/${id}`, 'a:text("verglichenen")', "von 1 verglichenen Produkten"],
    ["/", ".heat tbody td:last-child a", "1"],
  ] as const;
  for (const [path, link, name] of counts) {
    await follow(page, path);
    const count = page.locator(link).first();
    assertEquals(await count.innerText(), name);
    await count.click();
    await page.waitForURL("**/products?*");
    await page.getByText(/^\d Ein(?:trag|träge)$/).waitFor();
    assertEquals(await page.locator("tbody tr.opens").count(), 1, path);
  }
});

onScreen.test("a model number with a hyphen stays on one line, and figures on the phone have labels", async ({ app, browser }) => {
  const titles = Array.from({ length: 8 }, (_, n) => `${"Kühlen ".repeat(n + 1)}DV3853-001`);
  await addProducts(app, titles.map((title, n) => ({ sku: `KG-${n}`, title })));
  const page = await browser.open(app, "/products");
  await page.getByText("KG-7").waitFor();
  for (const width of [1280, 390]) {
    await resize(page, width);
    const lines = await page.locator("tbody a .unbroken", { hasText: /^DV3853-001$/ })
      .evaluateAll((all) =>
        all.map((one) =>
          Math.round(
            one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight),
          )
        )
      );
    assertEquals([width, lines], [width, titles.map(() => 1)]);
  }
  const label = page.locator('[data-column="ourPrice"]').last()
    .evaluate((cell) => getComputedStyle(cell, "::before").content);
  assertEquals(await label, '"Unser Preis"');
});

onMarket.test("columns, chips, files and the matrix follow the address of the list", async ({ app, browser }) => {
  const page = await visit(browser, app, "/products?columns=ourPrice,rank");
  const heads = async () =>
    await page.locator("thead th[data-column]").evaluateAll((all) =>
      all.map((one) => one.getAttribute("data-column"))
    );
  assertEquals(await heads(), ["article", "ourPrice", "rank"]);
  await page.getByText("Spalten", { exact: true }).click();
  await page.getByLabel("Median").check();
  await page.waitForURL("**/products?columns=ourPrice%2Crank%2Cmedian");
  assertEquals(await heads(), ["article", "ourPrice", "rank", "median"]);
  await page.setViewportSize({ width: 800, height: 900 });
  const many = "ourPrice,cheapest,gapPct,rank,range,index,newestAt,margin,proposal";
  await follow(page, `/products?columns=${many}`);
  await page.locator("tbody tr.opens").first().waitFor();
  const left = await heads();
  ok(left.length > 3 && left.length < 10, left.join());
  assertEquals(left, ["article", ...many.split(",")].slice(0, left.length));

  // A click on an active chip removes its filter. An empty list offers to remove a filter, and says
  // how many products would then match.
  await page.setViewportSize({ width: 1440, height: 900 });
  await follow(page, "/products?category=k%C3%BCche&undercutAbovePct=3");
  await page.getByText("1 Eintrag").waitFor();
  const pressed = page.locator(".chip[aria-pressed=true]");
  assertEquals(await pressed.count(), 2);
  await pressed.filter({ hasText: "über 3 % unterboten" }).click();
  await page.getByText("2 Einträge").waitFor();
  assertEquals(new URL(page.url()).search, "?category=k%C3%BCche");
  await follow(page, "/products?category=k%C3%BCche&state=no_links&sort=rank");
  await page.getByText("Kein Produkt passt zu diesen 2 Filtern").waitFor();
  await page.getByRole("button", { name: "„ohne Verknüpfung“ wegnehmen (2 Treffer)" }).click();
  await page.getByText("2 Einträge").waitFor();
  assertEquals(new URL(page.url()).searchParams.get("sort"), "rank");

  await follow(page, "/products?marginBelowPct=7.5");
  const margin = page.getByLabel("Marge kleiner als, in %");
  await margin.waitFor({ state: "attached" });
  assertEquals(await margin.inputValue(), "7,5");
  await page.locator("search summary").click();
  await margin.fill("acht");
  await page.getByText("Keine Zahl. Beispiele").waitFor();
  await margin.fill("8,25");
  await page.waitForURL("**/products?marginBelowPct=8.25");

  const path = "/products?dearerThanPct=0.5&sort=gapPct&order=desc&columns=ourPrice,gapPct,rank";
  await follow(page, path);
  for (const form of ["CSV", "XLSX"]) {
    const href = await page.getByRole("link", { name: form }).getAttribute("href") ?? "";
    const { pathname, searchParams } = new URL(href, app.base);
    assertEquals(pathname, `/api/products.${form.toLowerCase()}`);
    const columns = "sku,title,ourPrice,gapPct,gap,rank,of";
    const wanted = { dearerThanPct: "0.5", sort: "gapPct", order: "desc", columns, lang: "de" };
    assertEquals(Object.fromEntries(searchParams), wanted);
  }

  await follow(page, "/products?sort=sku");
  await page.getByRole("button", { name: "Matrix" }).click();
  await page.waitForURL("**/products?sort=sku&shape=matrix");
  const shop = page.locator("thead th", { hasText: "acme" });
  const key = await shop.getAttribute("data-column") ?? "";
  await page.locator("tbody tr.opens").first().waitFor();
  assertEquals(await textOf(page, "Teurer", key), "80,00 €");
  const classes = await page.locator("tbody tr", { hasText: "Teurer" })
    .locator(`[data-column="${key}"] .matrix-price`).getAttribute("class");
  match(classes ?? "", /heat-above least/);
  const legend = await page.locator(".matrix-legend").innerText();
  match(legend, /wir teurer als dieser Shop/);
  match(legend, /günstigster Shop.*\+ keine Verknüpfung/s);
  await page.getByRole("columnheader", { name: "Abstand" }).waitFor();
  const link = page.locator("tbody tr", { hasText: "Ohne Rivalen" })
    .getByRole("link", { name: /Seite bei acme/ });
  await link.click();
  await page.getByRole("heading", { level: 1, name: "Ohne Rivalen" }).waitFor();
});

onScreen.test("the offers behind a range are previewed, by mouse and by keys; the list is saved as a view; moved rows are announced, and sorted only on request", async ({ app, browser }) => {
  await fill(app);
  const seenAt = app.clock.now();
  await push(app, [["DEAR", "dent", 70]], { inStock: false });
  const page = await visit(browser, app);
  const row = page.locator("tbody tr", { hasText: "DEAR" });
  const preview = page.locator(".offers-preview");
  await row.locator(".mini-range").hover();
  await preview.getByText("2 Angebote zählen, 1 nicht").waitFor();
  const lines = await preview.locator("li").allInnerTexts();
  const said = lines.map((text) => /80,00|90,00|100,00|nicht\s+lieferbar/.exec(text)?.[0]);
  assertEquals(said.map(plain), ["80,00", "90,00", "100,00", "nicht lieferbar"]);
  const grounds = await preview.locator("li.own, .shop-badge.own")
    .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
  assertEquals(new Set(grounds).size, 2, "our badge stands out from its row");
  await page.mouse.move(0, 0);
  await preview.waitFor({ state: "detached" });
  await row.locator(".offers-open").focus();
  await preview.waitFor();
  await page.keyboard.press("Escape");
  await preview.waitFor({ state: "detached" });
  // A click on the offers of a row opens the preview, and stays on the list.
  await row.locator(".offers-open").click();
  await preview.waitFor();
  assertEquals(new URL(page.url()).pathname, "/products");

  await follow(page, "/products?dearerThanPct=3&sort=gapPct&order=desc");
  const views = page.getByRole("navigation", { name: "Ansichten" });
  await views.getByRole("button", { name: "Ansicht sichern" }).click();
  const dialog = page.getByRole("dialog", { name: "Ansicht sichern" });
  await dialog.getByLabel("Name").fill("Zu teuer");
  await dialog.getByLabel("Für alle im Arbeitsbereich").check();
  await dialog.getByRole("button", { name: "Speichern" }).click();
  await page.getByText("Ansicht „Zu teuer“ gesichert").waitFor();
  const tab = views.getByRole("link", { name: /Zu teuer/ });
  await tab.getByText("1", { exact: true }).waitFor();
  assertEquals(await tab.getAttribute("aria-current"), "page");
  const { items: [kept] } = await app.viewer.read("/api/views");
  assertEquals(kept.query, "dearerThanPct=3&order=desc&sort=gapPct");
  assertEquals(kept.columns[0], "ourPrice");

  await views.getByRole("link", { name: /Alle/ }).click();
  await page.getByText("5 Einträge").waitFor();
  await tab.click();
  await page.getByText("1 Eintrag").waitFor();
  const { searchParams } = new URL(page.url());
  assertEquals([searchParams.get("dearerThanPct"), searchParams.get("sort")], ["3", "gapPct"]);
  await page.locator(".chip[aria-pressed=true]").click();
  await views.getByText("geändert").waitFor();

  await views.getByRole("button", { name: "Ansicht ändern" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Löschen" }).click();
  const question = page.getByRole("dialog", { name: "Ansicht löschen?" });
  await question.getByText("„Zu teuer“ wird gelöscht.").waitFor();
  await question.getByRole("button", { name: "Löschen" }).click();
  await tab.waitFor({ state: "detached" });

  // The row shows the age of its cheapest price, not that of a newer price.
  app.clock.advance(11 * HOUR_MS);
  await push(app, [["DEAR", "bolt", 91]]);
  await page.goto("/products?sort=gapPct&order=desc");
  const age = page.locator("tbody tr", { hasText: "DEAR" }).locator('[data-column="cheapestAt"]');
  const hour = new Intl.DateTimeFormat("de", { hour: "2-digit", timeZone: "Europe/Berlin" });
  const seen = await age.locator("[title]").getAttribute("title") ?? "";
  match(seen, new RegExp(` ${hour.format(seenAt).slice(0, 2)}:`));
  await page.locator("tbody tr").first().getByText("Teurer Toaster").waitFor();
  await push(app, [["CHEAP", "acme", 50]]);
  const comesBack = () =>
    page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
  await comesBack();
  await page.getByText("1 hat sich bewegt").waitFor();
  assertEquals((await titles(page))[0], "Teurer Toaster");
  await page.getByRole("button", { name: "Neu laden" }).click();
  await page.locator("tbody tr").first().getByText("Günstiger Kessel").waitFor();
  await page.getByText("1 hat sich bewegt").waitFor({ state: "detached" });
});

const onExtremes = testsOfOneApp(async (app) => {
  await fill(app);
  await addProduct(app.owner, "FAR", { title: "Ferner Föhn", ourPrice: 9_876_543.21 });
  await addProduct(app.owner, "NEAR", { title: "Naher Napf", ourPrice: 0.01, costPrice: 9_999 });
  for (const title of ["Kestrel Over-Ear-Kopfhörer ANC AU3107", "WASCHMASCHINE WUMM WM-4711"]) {
    await addProduct(app.owner, title.slice(-6), { title, ourPrice: 10 });
  }
  await pushJudged(app, [["FAR", "acme", 0.01], ["NEAR", "bolt", 9_876_543.21]]);
});

/** Lists numbers and names that are cut off, and buttons that reach beyond the window. */
const FAULTS = `(() => {
  const textsOf = (selector, isFaulty) =>
    [...document.querySelectorAll(selector)].filter(isFaulty).map((one) => one.textContent);
  return [
    ...textsOf("tbody .number, tbody .number :not(svg, svg *, .sr-only)",
      (one) => one.scrollWidth > one.clientWidth),
    ...textsOf("tbody :is(.pair > a, .matrix-article)", (one) =>
      one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1),
    ...textsOf(".page-actions :is(a, button)",
      (one) => one.getBoundingClientRect().right > innerWidth),
  ];
})()`;

/** On a phone, rows are cards. Lists each text with the cell that covers a part of it. */
const COVERED = `[...document.querySelectorAll("tbody tr")].flatMap((row) => {
  const range = document.createRange();
  const cells = [...row.querySelectorAll("td[data-column]")];
  return [row.querySelector("th small"), ...cells].flatMap((text) => {
    range.selectNodeContents(text);
    const rects = [...range.getClientRects()];
    return cells.filter((cell) => cell !== text).flatMap((cell) => {
      const over = cell.getBoundingClientRect();
      return rects.some(({ left, right, top, bottom }) =>
        right > over.left + 1 && left < over.right - 1 &&
          bottom > over.top + 4 && top < over.bottom - 4
      ) ? [[text.textContent, cell.textContent]] : [];
    });
  });
})`;

onExtremes.test("no number of the market is cut, in a wide window or on a phone", async ({ app, browser }) => {
  const page = await visit(browser, app, "/products", 1440);
  for (const path of ["/products", "/products?shape=matrix"]) {
    await page.goto(path);
    await page.locator("tbody tr.opens").first().waitFor();
    await page.locator(".shop-badge").first().waitFor({ state: "attached" });
    for (const width of [1440, 1280, 390]) {
      await resize(page, width);
      const found = [await page.evaluate(FAULTS), await page.evaluate(TOO_WIDE)];
      assertEquals([path, width, ...found], [path, width, [], 0]);
    }
  }
});

onScreen.test("on a phone, a long price covers neither the line of SKU and category nor another number", async ({ app, browser }) => {
  const more = { category: "Waschmaschinen", costPrice: 900_000 };
  await addProduct(app.owner, "LONG-4711", { ...more, ourPrice: 1_234_567.89 });
  await addProduct(app.owner, "LONG-4712", { ...more, ourPrice: 12_345_678.9 });
  await addProduct(app.owner, "LOW-4713", { ...more, ourPrice: 0.01 });
  await pushJudged(app, [
    ["LOW-4713", "acme", 9_876_543.21],
    ["LONG-4711", "acme", 1_134_567.89],
    ["LONG-4711", "bravo", 1_434_567.89],
    ["LONG-4712", "acme", 11_345_678.89],
  ]);
  const page = await visit(browser, app, "/products", 390);
  await page.locator("tbody tr").nth(2).waitFor();
  // Texts for screen readers only are invisible, but would count as covered.
  await page.evaluate(
    "document.querySelectorAll('.sr-only').forEach((one) => one.style.display = 'none')",
  );
  assertEquals(await page.evaluate(COVERED), []);
});

onScreen.test("changes of products beyond the first page count as moved", async ({ app, browser }) => {
  await addProducts(app, Array.from({ length: 202 }, (_, at) => ({ sku: `M-${at}` })));
  await untilJudged(app);
  const page = await visit(browser, app);
  const { items } = await app.owner.read("/api/products?sort=gapPct&order=desc&limit=200");
  const first = new Set(items.map(({ sku }: { readonly sku: string }) => sku));
  const beyond = Array.from({ length: 202 }, (_, at) => `M-${at}`).find((sku) => !first.has(sku));
  const { items: [last] } = await app.owner.read(`/api/products?sku=${beyond}`);
  app.clock.advance(HOUR_MS);
  await app.owner.change(`/api/products/${last.id}`, { ourPrice: 101 });
  await untilJudged(app);
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
  await page.getByText("1 hat sich bewegt").waitFor();
});

Deno.test("movedBetween() counts rows that changed, came or went", () => {
  const row = (id: string, ourPriceCents = 1) => (
    { id, ourPriceCents, updatedAt: "", market: null }
  );
  const [a, b, c] = [row("a"), row("b"), row("c")];
  const moved = (...after: ReturnType<typeof row>[]) => movedBetween([a, b, c], after);
  assertEquals(moved(a, b, c), 0);
  assertEquals(moved(b, a, c), 0);
  assertEquals(moved(row("a", 2), b, c), 1);
  assertEquals(moved(a, b), 1);
  assertEquals(moved(a, row("b", 2), row("d")), 3);
});

Deno.test("pctOf() takes percentages as people type them, with at most two decimals", () => {
  const typed = ["3", "3,5", " 3.25 % ", "−2", "3,555", "drei", "", "1e3"];
  assertEquals(typed.map(pctOf), ["3", "3.5", "3.25", "-2", "", "", "", ""]);
});

Deno.test("fitting() drops the last columns first, but never the only one", () => {
  const columns = [{ width: 100 }, { width: 50 }, { width: 80 }];
  assertEquals([230, 229, 150, 149, 10].map((px) => fitting(columns, px).length), [3, 2, 2, 1, 1]);
});

Deno.test("sameQuery() has one form for equal lists, however they are written", () => {
  const one = sameQuery("sort=gapPct&order=desc&dearerThanPct=3");
  assertEquals(sameQuery("dearerThanPct=3&order=desc&sort=gapPct&brand=&unknown=1"), one);
  assertEquals(sameQuery("sort=rank"), sameQuery("order=asc&sort=rank"));
  assertEquals(sameQuery("order=desc"), "");
});

onScreen.test("marked products get a rule, or the filter of all products does; without compared products the navigation opens all", async ({ app, browser }) => {
  for (const sku of ["O1", "O2", "O3"]) {
    await addProduct(app.owner, sku, { brand: sku === "O1" ? "Ostara" : "Morava" });
  }
  const page = await browser.open(app, "/products");
  await page.locator('.nav-links a[href="/products"]').waitFor();
  await page.getByRole("row", { name: /O2/ }).getByRole("checkbox").check();
  await page.getByRole("button", { name: "Regel für diese (1)" }).click();
  await page.waitForURL(/rules\/new$/);
  await page.getByText(/1 SKU/).first().waitFor();

  const write = async (count: number) => {
    await page.getByRole("row", { name: /O3/ }).getByRole("checkbox").check();
    await page.getByRole("button", { name: `alle ${count} dieser Ansicht markieren` }).click();
    await page.getByRole("button", { name: `Regel für diese (${count})` }).click();
  };
  await page.goto("/products?brand=morava");
  await write(2);
  await page.waitForURL(/rules\/new\?brand=morava$/);
  await page.getByText(/morava/).first().waitFor();
  await page.goto("/products?state=no_links");
  await write(3);
  await page.waitForURL(/rules\/new$/);
  await page.getByText(/3 SKU/).first().waitFor();
});
