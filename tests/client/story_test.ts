import { match } from "node:assert/strict";
import type { Page } from "playwright-core";
import { until } from "../patience.ts";
import { withBrowser } from "./browser.ts";
import { dropFile } from "./drop_file.ts";
import { startEmptyApp } from "./empty_app.ts";
import { startShopDouble } from "./shop_double.ts";

const EMAIL = "chef@meier.example";
const PASSWORD = "sechs blaue Kühlschränke";
const ERP_FILE = new URL("fixtures/erp_export.xml", import.meta.url);

const press = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: true }).click();

const goTo = (page: Page, name: string) =>
  page.getByRole("navigation").getByRole("link", { name }).click();

async function setUp(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByLabel("Name des Unternehmens").fill("Elektro Meier");
  await press(page, "Weiter");
  await press(page, "Weiter");
  await page.getByLabel("E-Mail-Adresse").fill(EMAIL);
  await page.getByLabel("Passwort (mindestens").fill(PASSWORD);
  await press(page, "Einrichten und loslegen");
  await page.getByText(/bis zum ersten Vorschlag/).waitFor();
}

async function signInAgain(page: Page): Promise<void> {
  await page.locator(".me summary").click();
  await press(page, "Abmelden");
  await page.getByLabel("E-Mail-Adresse").fill(EMAIL);
  await page.getByLabel("Passwort").fill(PASSWORD);
  await press(page, "Anmelden");
  await page.getByText(/bis zum ersten Vorschlag/).waitFor();
}

async function importErpFile(page: Page): Promise<void> {
  await goTo(page, "Importe");
  await page.getByRole("link", { name: "Datei importieren" }).first().click();
  await dropFile(page.locator(".drop"), "erp_export.xml", await Deno.readFile(ERP_FILE));
  await press(page, "Ohne Probelauf übernehmen");
  await page.locator(".figure", { hasText: "Neu" }).getByText("3", { exact: true }).waitFor();
  await page.getByText("Keine Fehler und keine Hinweise").waitFor();
  await goTo(page, "Markt");
  for (const sku of ["4711-A", "4712", "4713"]) {
    await page.getByRole("row", { name: new RegExp(sku) }).waitFor();
  }
  const row = page.getByRole("row", { name: /4711-A/ });
  match(await row.innerText(), /Kühlschrank KS 300[^]*1\.234,56\s€/);
}

/** Adds a shop: the page at its address is read first, then the shop gets a name. */
async function addCompetitor(page: Page, url: string): Promise<void> {
  await goTo(page, "Shops");
  await page.getByLabel("Adresse eines Shops oder einer Produktseite").fill(url);
  await press(page, "Adresse prüfen");
  await page.getByText(/Preis gelesen: 34,90\s€/).waitFor();
  await press(page, "Anlegen und Seiten suchen");
  const { host } = new URL(url);
  await page.getByText(`${host} angelegt`).waitFor();
  await page.getByRole("row").getByRole("link", { name: host }).click();
  await press(page, "Einstellungen");
  await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Preisfuchs");
  await press(page, "Speichern");
  await page.getByRole("heading", { name: "Preisfuchs" }).waitFor();
}

/** Previews the page before it is linked; the preview stores nothing. */
async function linkPage(page: Page, url: string): Promise<void> {
  await goTo(page, "Markt");
  await page.getByRole("link", { name: "Wasserkocher 1,7 l" }).click();
  await page.getByRole("heading", { name: "Keine Verknüpfung" }).waitFor();
  await press(page, "Seite verknüpfen");
  const panel = page.getByRole("dialog", { name: "Seite verknüpfen" });
  await panel.getByLabel("Adresse der Produktseite").fill(url);
  await panel.getByRole("button", { name: "Seite probeweise lesen" }).click();
  await panel.getByText(/34,90\s€/).first().waitFor();
  await panel.getByRole("button", { name: "Speichern" }).click();
  await panel.waitFor({ state: "detached" });
}

const offerRow = (page: Page) =>
  page.getByRole("table", { name: "Angebote" }).getByRole("row", { name: /Preisfuchs/ });

async function scrape(page: Page, price: RegExp): Promise<void> {
  await press(page, "Jetzt abrufen");
  await page.getByText("Abruf fertig: 1 von 1 Seite gelesen").waitFor();
  await offerRow(page).getByText(price).first().waitFor();
}

/** While the rule is written, the simulation next to the form shows what it would do. */
async function writeRule(page: Page): Promise<void> {
  await goTo(page, "Regeln");
  await page.getByRole("link", { name: /Wettbewerbern folgen/ }).click();
  const trial = page.getByRole("region", { name: "Wirkung auf heutige Preise" });
  const judged = trial.locator(".verdict summary", { hasText: "4712" });
  await judged.getByText(/34,90\s€/).waitFor();
  await page.getByLabel("nie unter … % Marge").fill("60");
  await judged.getByText("Mindestmarge liegt über dem heutigen Preis").waitFor();
  await page.getByLabel("nie unter … % Marge").fill("25");
  await judged.getByText(/34,90\s€/).waitFor();
  await page.getByLabel("Name der Regel").fill("Preisfuchs folgen");
  await press(page, "Speichern");
  await page.getByRole("heading", { level: 1, name: "Preisfuchs folgen" }).waitFor();
  await page.getByRole("switch").click();
  await page.getByText("„Preisfuchs folgen“ ist eingeschaltet").first().waitFor();
}

async function openProduct(page: Page): Promise<void> {
  await goTo(page, "Markt");
  await page.getByRole("link", { name: "Wasserkocher 1,7 l" }).click();
  await page.getByRole("heading", { level: 1, name: "Wasserkocher 1,7 l" }).waitFor();
}

/** Rules are evaluated asynchronously after prices arrive: waits for the proposal. */
async function untilProposed(page: Page): Promise<void> {
  await until("the rule has proposed a price", async () => {
    const answer = await page.request.get("/api/proposals?status=open&limit=1");
    return (await answer.json()).count > 0;
  });
}

async function approve(page: Page): Promise<void> {
  await untilProposed(page);
  await goTo(page, "Vorschläge");
  const row = page.getByRole("row", { name: /Wasserkocher 1,7 l/ });
  await row.getByText(/33,90\s€/).waitFor();
  await row.getByText("Wasserkocher 1,7 l").click();
  const why = page.getByRole("complementary", { name: "Warum dieser Preis?" });
  await why.locator("summary", { hasText: "So entstand der Preis" }).click();
  await why.getByText("Formel „wie der günstigste Wettbewerber“").waitFor();
  await why.getByText("Preisfuchs", { exact: false }).first().waitFor();
  await why.getByRole("button", { name: /^Annehmen/ }).click();
  await page.getByText(/ angenommen$/).first().waitFor();
  await page.getByText("Nichts zu entscheiden").waitFor();
}

withBrowser.test("the first start ends with a price that a person has approved", async (browser) => {
  await using shop = startShopDouble("34.90");
  await using app = await startEmptyApp(shop.env);
  const { page } = await browser.visit(app.base);
  await setUp(page, app.setUpPath);
  await signInAgain(page);
  await importErpFile(page);
  await addCompetitor(page, `${shop.url}/p/wasserkocher`);
  await linkPage(page, `${shop.url}/p/wasserkocher`);
  await scrape(page, /34,90\s€/);
  await writeRule(page);

  // The shop lowers its price again: the rule, now enabled, answers with a proposal.
  shop.price = "33.90";
  await openProduct(page);
  await scrape(page, /33,90\s€/);
  await approve(page);

  await openProduct(page);
  const price = page.locator(".figure", { hasText: "Unser Preis" });
  await price.getByText(/^33,90\s€$/).waitFor();
  const change = page.getByRole("listitem").filter({ hasText: "nimmt den Vorschlag an" });
  match(await change.innerText(), /chef@meier\.example[^]*39,90\s€[^]*33,90\s€/);
  await goTo(page, "Protokoll");
  await page.getByRole("row", { name: /Vorschlag angenommen[^]*4712[^]*chef@meier\.example/ })
    .first()
    .waitFor();
});
