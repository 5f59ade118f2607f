/**
 * The first hour: from an empty workspace to the first competitor price and the first rule. The
 * shop's pages are read at the default rate.
 */
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { withCheckDigit } from "../../src/app/demo/demo_catalogue.ts";
import { violationsOf } from "../client/see_all_ways.ts";
import { startEmptyApp, withBrowser } from "../client/browser.ts";
import { until } from "../patience.ts";
import { extent } from "../proof.ts";
import { addListed, articlePages, plain } from "../scraping/discovery/made_shop.ts";
import { openShop, type Shop } from "../scraping/hostile_shop.ts";
import { countPerson } from "./counted_person.ts";

const PAGES = extent(300, 50);
const ACTIONS_MAX = 12;
const MINUTES_MAX = 5;

const eanAt = (n: number) => withCheckDigit(`952${String(100_000_000 + n)}`);
const titleAt = (n: number) => `Nordwerk Stichsäge ST${1_000 + n}`;

/** The shop sells only the first half of these products. */
function catalogue(): Uint8Array<ArrayBuffer> {
  const rows = Array.from(
    { length: PAGES },
    (_, n) =>
      `N-${n};${titleAt(2 * n)};${(50 + n / 10).toFixed(2).replace(".", ",")};${eanAt(2 * n)}`,
  );
  return new TextEncoder().encode(`SKU;Titel;Unser Preis;GTIN\n${rows.join("\n")}\n`);
}

function addPages(shop: Shop): void {
  const articles = Array.from({ length: PAGES }, (_, n) => (
    { name: titleAt(n), brand: "Nordwerk", gtin13: eanAt(n), price: "59.90" }
  ));
  const sitemap = addListed(shop, articlePages(articles));
  shop.pages["/robots.txt"] = plain(`User-agent: *\nAllow: /\nSitemap: ${sitemap}`);
}

withBrowser.test("the first hour: set up in 5 actions, a competitor price in at most 12 actions and 5 minutes, then a rule and an approved price", async (browser) => {
  await using shop = openShop();
  addPages(shop);
  const { host, port } = new URL(shop.base);
  await using app = await startEmptyApp({ SCRAPE_ALLOW_PRIVATE: host, SCRAPE_ALLOW_PORTS: port });
  const { page } = await browser.visit(app.base, { viewport: { width: 1440, height: 900 } });
  const person = countPerson(page);
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  await person.open(app.setUpPath);
  await person.write(page.getByLabel("Name des Unternehmens"), "Elektro Meier");
  assertEquals(await page.getByLabel("Unsere Preise enthalten").isChecked(), true);
  assertEquals(await page.getByLabel("Auffällige Importe anhalten").isChecked(), true);
  assertEquals(await page.getByLabel("Auffällig ist ein Produkt").inputValue(), "50");
  await page.getByLabel("Anhalten, wenn mehr als").fill("10");
  await person.write(page.getByLabel("E-Mail-Adresse"), "chef@meier.example");
  await page.getByLabel("Passwort (mindestens").fill("kurz");
  await button("Einrichten und loslegen").click();
  await page.locator(".field-error").waitFor();
  assertEquals(await page.getByLabel("E-Mail-Adresse").inputValue(), "chef@meier.example");
  await person.write(page.getByLabel("Passwort (mindestens"), "sechs blaue Kühlschränke");
  await person.click(button("Einrichten und loslegen"));
  person.didAtMost(5);
  await page.getByText("Noch 4 Schritte bis zum ersten Vorschlag").waitFor();
  const settings = await (await page.request.get("/api/settings")).json();
  assertEquals(settings.importHold, { movePct: 50, sharePct: 10 });

  // A paused source can be resumed on the page of the first steps, too.
  const pausedAt = new Date().toISOString();
  await page.request.patch("/api/import-sources/default", { data: { pausedAt } });
  await page.reload();
  const paused = page.locator(".note.warn", { hasText: "Die Quelle „Standard“ ist seit" });
  await paused.getByRole("button", { name: "Fortsetzen" }).click();
  await paused.waitFor({ state: "detached" });

  const begunMs = Date.now();
  const step = (n: number) => page.locator(".first-steps > li").nth(n);
  const next = () => page.locator('[aria-current="step"] h2').innerText();
  match(await next(), /Ihre Produkte/);
  await person.drop(step(0), "artikel_november.csv", catalogue(), "text/csv");
  await person.click(button("Ohne Probelauf übernehmen"));
  await person.click(page.getByRole("link", { name: "Weiter: Shops einfügen" }));
  await step(0).getByText(`${PAGES} Produkte`).waitFor();
  match(await step(0).innerText(), /aus artikel_november\.csv/);
  await page.getByText("Noch 3 Schritte bis zum ersten Vorschlag").waitFor();
  match(await next(), /Shops/);

  const address = step(1).getByLabel("Adresse eines Shops");
  await person.write(address, `${shop.base}/p/7`);
  await person.click(button("Adresse prüfen"));
  await step(1).getByText(/Preis gelesen: 59,90\s€/).waitFor();
  await person.click(button("Anlegen und Seiten suchen"));
  await step(1).getByText(`von ${PAGES} Seiten gelesen`).waitFor();
  await step(1).getByRole("list", { name: "Zuletzt gefunden" }).getByText(/ST1/).first()
    .waitFor();
  const said = step(1).locator(".found-matches [role=status]");
  await said.getByText(/Gefunden: Nordwerk/).waitFor();
  await step(1).getByText(/noch etwa \d+ Min\./).waitFor();
  await person.click(button(/sichere? verknüpfen$/));
  await step(2).getByText(/Sie sind (günstiger|teurer)/).first().waitFor();
  match(await step(2).innerText(), /127\.0\.0\.1.* verlangt 59,90\s€/);
  const minutes = (Date.now() - begunMs) / 60_000;
  ok(minutes <= MINUTES_MAX, `${minutes} minutes`);
  person.didAtMost(ACTIONS_MAX);

  await step(3).getByText(/heute \d+ Vorsch/).nth(2).waitFor();
  match(await next(), /Ihre erste Regel/);
  assertEquals(await violationsOf(page), []);
  const compared = step(2).getByRole("link", { name: /Vergleiche? ansehen$/ });
  const change = step(3).locator(".best").getByRole("link");
  assertEquals(await Promise.all([compared, change].map((link) => link.getAttribute("href"))), [
    "/products?rankMin=1&sort=gapPct&order=desc",
    "/rules/new?template=room",
  ]);
  await person.click(step(3).locator(".best").getByRole("button"));
  await page.waitForURL(/proposals/);
  await page.getByText(/„Spielraum nutzen“ ist an: \d Vorsch/).first().waitFor();
  await page.goto("/");
  await page.getByText("Entscheiden Sie über Ihren ersten Vorschlag").waitFor();
  assertEquals(await violationsOf(page), []);
  await person.click(step(3).getByRole("link", { name: /Vorschl(ag|äge) ansehen$/ }));
  await page.getByRole("row", { name: /Nordwerk/ }).first().waitFor();
  await person.press("j", "a");
  await page.getByText(/ angenommen$/).first().waitFor();
  await until("a price is approved", async () => {
    const answer = await page.request.get("/api/proposals?status=applied&limit=1");
    return (await answer.json()).count === 1;
  });
  await page.goto("/");
  await page.getByText("Wo stehen wir?").waitFor();
  for (const path of ["/", "/imports", "/imports/sources"]) {
    await page.goto(path);
    await page.getByRole("link", { name: "artikel_november.csv", exact: true }).waitFor();
  }
});
