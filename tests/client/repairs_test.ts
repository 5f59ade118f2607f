import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import type { TestApp } from "../harness.ts";
import { countPerson } from "../journeys/counted_person.ts";
import { until } from "../patience.ts";
import { extent } from "../proof.ts";
import { linksOf } from "../shops/shop.ts";
import { seeAllWays, violationsOf } from "./see_all_ways.ts";
import { follow, onTicking } from "./browser.ts";
import { articleMarkup, linkAndRead, openArticles, readArticles, twoPrices } from "./scraped.ts";
import type { Page } from "playwright-core";
import { article, html, openShop } from "../scraping/hostile_shop.ts";

const LINKS = extent(137, 24);

/** Matches the second price of `twoPrices()` on every page: any page may be shown first. */
const PRICE_SHOWN = /\d+,40/;

async function linkAllAndRead(app: TestApp, base: string, count: number): Promise<void> {
  const pages = Array.from({ length: count }, (_, n) => n + 1);
  await readArticles(app, pages, (n) => ({
    sku: `A-${String(n).padStart(3, "0")}`,
    url: `${base}/artikel/${n}`,
  }));
}

onTicking.test("a shop with many failing links is repaired in four actions", async ({ app, browser }) => {
  await using shop = openArticles(twoPrices);
  await linkAllAndRead(app, shop.url, LINKS);
  const page = await browser.open(app, "/competitors");
  const person = countPerson(page);
  await person.click(page.locator("tbody tr.opens").first());
  await person.click(page.getByRole("button", { name: "Preis zeigen …", exact: true }));
  await person.click(page.locator(".candidate", { hasText: PRICE_SHOWN }));
  await person.click(page.getByRole("button", { name: `Speichern und ${LINKS} Seiten lesen` }));
  await page.getByText(`${LINKS} von ${LINKS} Seiten haben wieder einen Preis`).waitFor();
  await page.getByText("Jede Seite hat einen Preis.").waitFor();
  person.didAtMost(4);
  const wrong = (await linksOf(app.owner)).filter(({ url, currentPrice }) =>
    currentPrice !== (Number(url.split("/").at(-1)) + 12) * 100 + 40
  );
  assertEquals(wrong, []);
});

onTicking.test("a fallback price is named as one, and saved only after insisting", async ({ app, browser }) => {
  // The person selects an element that only one page has. On the other pages, Kurant falls back to
  // the price in the structured data (JSON-LD).
  const markup = (n: number) => `${articleMarkup(n, 30)}<p>${n + 30},00 €</p>`;
  let isRead = false;
  // Number of the page that the person sees: the first one that is requested after the change.
  let taught: number | null = null;
  await using shop = openArticles((n) => {
    if (isRead) taught ??= n;
    return !isRead || n === taught ? twoPrices(n) : markup(n);
  });
  await linkAllAndRead(app, shop.url, 3);
  isRead = true;
  const page = await browser.open(app, "/competitors");
  await page.locator("tbody tr.opens").first().click();
  await page.getByRole("button", { name: "Preis zeigen …", exact: true }).click();
  await page.locator(".candidate", { hasText: PRICE_SHOWN }).click();
  const trials = page.getByRole("region", { name: /^Probe an/ });
  const told = (await trials.innerText()).replaceAll("\u00a0", " ");
  match(told, /Die Preisstelle ist leer; JSON-LD sagt 3[1-3],00 €/);
  match(told, /nichts gefunden/);
  const plain = page.getByRole("button", { name: "Speichern und 3 Seiten lesen", exact: true });
  assertEquals(await plain.count(), 0);
  await page.getByRole("button", { name: "Trotzdem speichern und 3 Seiten lesen" }).click();
  await page.getByText(/von 3 Seiten haben wieder einen Preis/).waitFor();
  const { items: [one] } = await app.owner.read("/api/competitors");
  const { recipe } = await app.owner.read(`/api/competitors/${one.id}/recipe`);
  ok(recipe.confidenceMost <= 0.7, String(recipe.confidenceMost));
});

onTicking.test("one click marks pages as without price, undo reverts it; a price is chosen by keys alone; a viewer changes nothing", async ({ app, browser }) => {
  await using shop = openArticles(twoPrices);
  await linkAllAndRead(app, shop.url, 4);
  const failing = async () => (await app.owner.read("/api/repairs")).pages;
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const listed: (string | null)[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === "/api/repairs/pages") listed.push(searchParams.get("cause"));
  });
  await page.goto("/competitors");
  await page.locator("tbody tr.opens").first().getByRole("link").first().press("Enter");
  await page.waitForURL(/\/competitors\/[0-9a-f]{24}$/);
  await page.locator("tbody tr", { hasText: "A-003" }).waitFor();
  assertEquals(new Set(listed), new Set(["two_prices"]));

  await page.getByRole("button", { name: "Preis zeigen …", exact: true }).press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Seite 1 von 3").waitFor();
  await page.keyboard.press("ArrowRight");
  await dialog.getByText("Seite 2 von 3").waitFor();
  await dialog.locator(".candidate").first().waitFor();
  await page.keyboard.press("2");
  await dialog.getByText("Die Preisstelle stimmt. Das reicht.").waitFor();
  const pressed = dialog.locator('.candidate[aria-pressed="true"]', { hasText: PRICE_SHOWN });
  await pressed.waitFor();
  await seeAllWays(page);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });

  const looking = await browser.open(app, page.url(), { cookie: app.viewerCookie });
  await looking.locator("tbody tr", { hasText: "A-002" }).waitFor();
  await looking.getByRole("img", {
    name: "Anteil gelesener Seiten je Tag: im Mittel 0\u00a0%, heute 0\u00a0%",
  }).waitFor();
  await looking.getByText("Wer Preise verwaltet, kann auf einer Seite zeigen").waitFor();
  const main = looking.getByRole("main");
  await main.getByText("4 · Mehrere Preise, keiner eindeutig").waitFor();
  for (const role of ["button", "switch", "checkbox"] as const) {
    assertEquals([role, await main.getByRole(role).count()], [role, 0]);
  }
  assertEquals(await violationsOf(looking), []);

  await seeAllWays(page);
  const row = page.locator("tbody tr", { hasText: "A-002" });
  await row.getByRole("button", { name: "Als preislos markieren: A-002" }).click();
  await row.waitFor({ state: "detached" });
  assertEquals((await app.owner.read("/api/repairs")).pages, 3);
  await page.getByRole("button", { name: "Rückgängig" }).press("Enter");
  await row.waitFor();
  assertEquals((await app.owner.read("/api/repairs")).pages, 4);

  await page.getByRole("button", { name: "Auf 4 Seiten kein Preis" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Ja" }).click();
  await page.getByText("Jede Seite hat einen Preis.").waitFor();
  assertEquals(await failing(), 0);

  // The decision about all four pages can be undone in the audit log.
  await follow(page, "/audit-log");
  await page.getByRole("button", { name: "zurücknehmen" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "zurücknehmen" }).click();
  await until("the pages fail again", async () => await failing() === 4);
});

const OURS = {
  ...{ sku: "TAB-256", title: "Nordlicht Tab 11 256 GB", brand: "Nordlicht" },
  ...{ ean: "4006381333931", condition: "refurbished", ourPrice: 499 },
};
const VARIANTS = [["128 GB", "4005556050178", "399.00"], ["256 GB", OURS.ean, "459.00"]] as const;
const OFFERS = VARIANTS.map(([name, gtin13, price]) => ({
  ...{ "@type": "Offer", name: `Nordlicht Tab 11 ${name}`, gtin13, price, priceCurrency: "EUR" },
  itemCondition: "https://schema.org/RefurbishedCondition",
  availability: "https://schema.org/InStock",
}));

const MARKUP = JSON.stringify({
  ...{ "@context": "https://schema.org", "@type": "Product", name: "Nordlicht Tab 11" },
  ...{ brand: "Nordlicht", offers: OFFERS },
});
const TABLET = `<script type="application/ld+json">${MARKUP}</script><h1>Nordlicht Tab 11</h1>
  <p class="price">459,00 €</p><p><s>statt 529,00 €</s></p><p>30-Tage-Bestpreis: 449,00 €</p>
  <button>In den Warenkorb</button>`;
const BY_RATE = `<h1>Nordlicht Tab 11 256 GB</h1><div class="zeile">19,90 € pro Monat</div>
  <div class="zeile"><s>529,00 €</s></div><button>Jetzt finanzieren</button>`;

async function addAndRead(app: TestApp, url: string): Promise<string> {
  const { id } = await app.owner.create("/api/products", OURS);
  await linkAndRead(app, id, url);
  return id;
}

async function textIn(page: Page, selector: string): Promise<string> {
  return (await page.locator(selector).first().innerText()).replaceAll("\u00a0", " ");
}

onTicking.test("an offer shows its variant with the reason, its condition, and its former price; a run says how reliable each confidence was", async ({ app, browser }) => {
  await using shop = openShop({ "/tab": () => html(TABLET) });
  const id = await addAndRead(app, `${shop.base}/tab`);
  const page = await browser.open(app, `/products/${id}`);
  await page.locator("table.offers", { hasText: "gewählt nach GTIN" }).waitFor();
  const told = await textIn(page, "table.offers");
  match(told, /Variante .*256 GB.*, gewählt nach GTIN, generalüberholt/);
  match(told, /statt 529,00 €/);
  match(told, /30-Tage-Tief 449,00 €/);

  await page.getByRole("button", { name: "Seite verknüpfen" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Adresse der Produktseite").fill(`${shop.base}/tab?`);
  await dialog.getByRole("button", { name: "Seite probeweise lesen" }).click();
  await dialog.locator("dl.facts").waitFor();
  const preview = await textIn(page, "dialog dl.facts, [role=dialog] dl.facts");
  match(preview, /gewählt nach GTIN/);
  match(preview, /529,00 €[^]*449,00 €[^]*generalüberholt/);
  match(preview, /\d(,\d)?: \d+ von \d+ richtig/);

  const { items: [run] } = await app.owner.read("/api/scrape-runs");
  await follow(page, `/runs/${run.id}`);
  await page.getByText(/^\d(,\d)?: \d+ von \d+ richtig$/).waitFor();
});

onTicking.test("the repair screen says why each price of a page was rejected", async ({ app, browser }) => {
  await using shop = openShop({ "/rate": () => html(BY_RATE) });
  await addAndRead(app, `${shop.base}/rate`);
  const page = await browser.open(app, "/competitors");
  await page.locator("tbody tr.opens").first().click();
  await page.getByRole("button", { name: "Preis zeigen …", exact: true }).click();
  await page.locator(".candidate").first().waitFor();
  const told = await textIn(page, ".candidates");
  match(told, /19,90 €[^]*Rate/);
  match(told, /529,00 €[^]*durchgestrichen/);
  assertEquals(await violationsOf(page), []);
});

onTicking.test("a page of another product is linked only after insisting, and its link is confirmed or rejected there", async ({ app, browser }) => {
  const other = article("Puzzle 1000 Teile Burg", { gtin13: "4005556050178" });
  await using shop = openShop({ "/p/other": other, "/p/other/2": other });
  const id = await addAndRead(app, `${shop.base}/p/other`);
  const page = await browser.open(app, `/products/${id}`);
  const offers = page.locator("table.offers");
  const row = offers.locator("tr", { hasText: "Seite zeigt ein anderes Produkt" });
  match(await row.innerText(), /Die EAN ist eine andere: unsere 4006381333931, dort 4005556050178/);

  await row.getByRole("button", { name: /^Falsch verknüpft/ }).last().click();
  await offers.getByText("als falsch verworfen").last().waitFor();
  await page.getByRole("button", { name: "Rückgängig" }).press("Enter");
  await row.getByRole("button", { name: /^Dasselbe Produkt/ }).last().click();
  await page.getByText("als dasselbe Produkt bestätigt").waitFor();
  await row.waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Seite verknüpfen" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Adresse der Produktseite").fill(`${shop.base}/p/other/2`);
  await dialog.getByRole("button", { name: "Seite probeweise lesen" }).click();
  await dialog.getByText("Ein anderes Produkt", { exact: true }).waitFor();
  await dialog.getByText("≠ 4005556050178").waitFor();
  const save = dialog.getByRole("button", { name: "Speichern" });
  assertEquals(await save.isDisabled(), true);
  await dialog.getByLabel("Trotzdem verknüpfen").check();
  await save.click();
  await dialog.waitFor({ state: "detached" });
  const { items } = await app.owner.read(`/api/competitor-products?productId=${id}`);
  const said = items.map(({ identity }: { identity: { confirmedBy: unknown } | null }) =>
    identity?.confirmedBy !== null
  );
  assertEquals(said, [true, true]);
});
