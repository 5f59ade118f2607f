import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import type { Page } from "playwright-core";
import type { TestApp } from "../harness.ts";
import { article, html, openShop } from "../scraping/hostile_shop.ts";
import { violationsOf } from "./axe_of_page.ts";
import { follow, onTicking } from "./browser.ts";
import { linkAndRead } from "./scraped.ts";

const OURS = {
  sku: "TAB-256",
  title: "Nordlicht Tab 11 256 GB",
  brand: "Nordlicht",
  ean: "4006381333931",
  condition: "refurbished",
  ourPrice: 499,
};
const VARIANTS = [["128 GB", "4005556050178", "399.00"], ["256 GB", OURS.ean, "459.00"]] as const;
const OFFERS = VARIANTS.map(([name, gtin13, price]) => ({
  "@type": "Offer",
  name: `Nordlicht Tab 11 ${name}`,
  gtin13,
  price,
  priceCurrency: "EUR",
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
  const page = await browser.open(app, "/competitors/repairs");
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
