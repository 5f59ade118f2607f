import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { untilReads } from "../caller.ts";
import { openMemoryStore } from "../memory_store.ts";
import { startTestApp } from "../harness.ts";
import { importXml, itemsXml } from "../imports/import_calls.ts";
import { until } from "../patience.ts";
import {
  addProducts,
  follow,
  holdRequests,
  onScreen,
  testsOfOneApp,
  withBrowser,
} from "./browser.ts";
import {
  chooseFile,
  chooseUpload,
  figure,
  figuresOf,
  fileBehind,
  pricesOf,
  whenDrawn,
} from "./on_page.ts";
import { holdJobs } from "../held_store.ts";
import { addProduct, addRule, proposals, pushJudged } from "../rules/evaluation/market.ts";

const FAULTY = new URL("fixtures/faulty_export.xml", import.meta.url);
const MANY = 1_200;

async function rowsOf(table: Locator): Promise<string[]> {
  const rows = await table.locator("tbody tr").allInnerTexts();
  return rows.map((text) => text.replaceAll(/\s+/g, " ").trim());
}

const show = (page: Page, name: RegExp) =>
  page.getByRole("list", { name: "Im Einzelnen" }).getByRole("button", { name }).click();

const press = (page: Page, name: string) => page.getByRole("button", { name }).first().click();

async function rehearse(page: Page): Promise<void> {
  await press(page, "Probelauf starten");
  await page.getByText("Probelauf: Es wurde nichts geändert.").waitFor();
}

async function untilApplied(page: Page): Promise<void> {
  await page.getByText("Probelauf:").waitFor({ state: "detached" });
  await page.locator(".page-title").getByText("übernommen", { exact: true }).waitFor();
}

async function applyRehearsed(page: Page): Promise<void> {
  await press(page, "Jetzt übernehmen");
  await untilApplied(page);
}

onScreen.test("a faulty file is rehearsed: errors by line and as CSV, differences, money; then it is applied", async ({ app, browser }) => {
  await addProducts(app, [
    { sku: "A-1", title: "Kühlschrank KS 300", ourPrice: 999, costPrice: 800 },
    { sku: "A-2", title: "Wasserkocher 1,7 l", ourPrice: 39.9 },
    { sku: "A-3", title: "Mixer", ourPrice: 50 },
  ]);
  const before = await pricesOf(app);
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  await chooseUpload(page, "faulty_export.xml", await Deno.readFile(FAULTY));
  await rehearse(page);

  const counts = await figuresOf(page, ["Neu", "Geändert", "Unverändert", "Abgelehnt"]);
  assertEquals(counts, ["2", "2", "1", "1"]);
  const files = await page.getByRole("table", { name: "Dateien" }).innerText();
  match(files, /faulty_export\.xml\s+6\s[^]*UTF-8\s+Artikelexport des ERP/);
  const impact = ["Preise geändert", "Um mehr als 20 %", "Unter Einkauf"];
  assertEquals(await figuresOf(page, impact), ["2", "1", "1"]);
  await page.getByText("1 teurer, 1 günstiger").waitFor();
  const [largest = ""] = await rowsOf(page.getByRole("table", { name: "Größte Preisänderungen" }));
  assertEquals(largest, "A-1 Kühlschrank KS 300 999,00 € 749,00 € −25,0 % −6,9 %");
  await show(page, /^geändert 2$/);
  const changes = await rowsOf(page.getByRole("table", { name: "Änderungen", exact: true }));
  ok(changes.includes("A-3 Mixer Titel Mixer Mixer, jetzt mit Deckel"), changes.join("\n"));
  ok(changes.includes("A-3 Mixer Unser Preis 50,00 € 55,00 €"), changes.join("\n"));
  // If the cost is known, a price change also shows the margin before and after.
  const cheaper = changes.find((row) => row.startsWith("A-1 Kühlschrank KS 300 Unser Preis"));
  match(cheaper ?? "", /999,00.€ 749,00.€ 19,9.% → −6,9.%$/);

  await show(page, /^neue Produkte 2$/);
  const additions = await rowsOf(page.getByRole("table", { name: "neue Produkte" }));
  ok(additions.includes("A-4 Neuer Artikel 12,50 €"), additions.join("\n"));

  const refused = page.getByRole("region", { name: "Abgelehnt" });
  match(await refused.innerText(), /1 Zeile[^]*Dem Datensatz fehlt[^]*Tragen Sie[^]*Zeile 17/);
  const leftOut = page.getByRole("region", { name: "Ausgelassen" });
  match(await leftOut.innerText(), /3 Werte[^]*„viel“/);
  assertEquals(await page.getByText(/missing_sku|invalid_number|no usable/).count(), 0);

  const faults = page.getByRole("group", { name: "Fehler und Hinweise" });
  const csv = await fileBehind(faults.getByRole("link", { name: "CSV" }));
  const lines = csv.trim().split("\r\n");
  assertEquals(lines.length, 5);
  const said = '"Dem Datensatz fehlt eine brauchbare SKU."';
  ok(lines[1]?.includes('"17"') && lines[1].includes(said), lines[1]);
  ok(!/;"[=+\-@]/.test(csv), "no cell begins a formula");
  assertEquals(await pricesOf(app), before);

  await applyRehearsed(page);
  const after = await pricesOf(app);
  const changed = [after["A-1"], after["A-2"], after["A-3"], after["A-4"]];
  assertEquals(changed, [74_900, 3_990, 5_500, 1_250]);
  await page.locator('a[href*="updatedSince"]').first().click();
  await page.getByRole("button", { name: /^Geändert seit/ }).waitFor();

  await follow(page, "/imports");
  await page.locator('tbody [data-column="errors"]').first().waitFor();
  assertEquals(await page.locator('tbody [data-column="errors"]').allInnerTexts(), ["1", "1"]);
  await follow(page, "/audit-log");
  await page.getByText(/1 Zeile abgelehnt/).first().waitFor();
});

withBrowser.test("an import shows its progress while it works, and its result when it is cancelled", async (browser) => {
  const memory = await openMemoryStore();
  const { kv } = memory;
  const held = holdJobs(memory);
  await using _closed = { [Symbol.asyncDispose]: () => Promise.resolve(kv.close()) };
  await using app = await startTestApp({ store: held.store });
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const skus = Array.from({ length: MANY }, (_, at) => `S-${at}`);
  const items = skus.map((sku) => ({ sku, title: `Artikel ${sku}`, price: "1,00" }));
  await chooseUpload(page, "alles.xml", itemsXml(items));
  await press(page, "Ohne Probelauf übernehmen");
  await page.getByText(/Änderungen werden übernommen: [1-9][\d.]* von 1\.200 Datensätzen/)
    .waitFor();
  await page.getByRole("progressbar").waitFor();

  await press(page, "Abbrechen");
  const question = page.getByRole("dialog", { name: "Import abbrechen?" });
  await question.getByText("Was schon übernommen ist, bleibt").waitFor();
  await question.getByRole("button", { name: "Abbrechen" }).last().click();
  const isAsked = async () => {
    for await (const { value } of kv.list<{ cancelRequested?: boolean }>({ prefix: ["j"] })) {
      if (value.cancelRequested) return true;
    }
    return false;
  };
  await until("the job is asked to stop", isAsked);
  held.release();
  await page.getByText("abgebrochen", { exact: true }).waitFor();
  const inserted = Number((await figure(page, "Neu").textContent())?.replace(".", ""));
  ok(inserted > 0 && inserted < MANY, String(inserted));
  assertEquals((await app.owner.read("/api/products")).total, inserted);
});

const onEmpty = testsOfOneApp(() => Promise.resolve());

onEmpty.test("Enter in the import form starts a rehearsal; an upload that ends after its page was left does not navigate", async ({ app, browser }) => {
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const xml = itemsXml([{ sku: "A-1", title: "Mixer", price: "1,00" }]);
  await chooseUpload(page, "alles.xml", xml);
  // The preview also sends a POST request, but to another path.
  const sent = page.waitForRequest((request) =>
    request.method() === "POST" && new URL(request.url()).pathname === "/api/imports"
  );
  await page.getByLabel("Preisgruppe").press("Enter");
  assertEquals(new URL((await sent).url()).searchParams.get("dryRun"), "true");

  await chooseUpload(page, "alles.xml", xml);
  const { release } = await holdRequests(page, "**/api/imports?*", "POST");
  await press(page, "Probelauf starten");
  await page.getByRole("link", { name: "Markt", exact: true }).click();
  await page.getByRole("button", { name: "Produkt anlegen" }).first().click();
  const panel = page.getByRole("dialog", { name: "Neues Produkt" });
  await panel.getByLabel("Titel").fill("Halb geschrieben");
  release();
  await page.getByText("Import angenommen").waitFor();
  assertEquals(new URL(page.url()).pathname, "/products");
  assertEquals(await panel.getByLabel("Titel").inputValue(), "Halb geschrieben");
});

onEmpty.test("a file that is dropped as soon as its field is drawn is accepted", async ({ app, browser }) => {
  const page = await browser.open(app, "/imports");
  const dropped = await whenDrawn(
    page,
    ".drop",
    `(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["<items/>"], "sofort.xml", { type: "text/xml" }));
      element.dispatchEvent(new DragEvent("drop", { bubbles: true, dataTransfer }));
    })()`,
  );
  await page.getByRole("link", { name: "Datei importieren" }).first().click();
  await dropped();
  const opener = page.getByText("Datei auswählen");
  await chooseFile(page, opener, "danach.xml", "<items/>");
  await page.locator(".drop").getByText("danach.xml").waitFor();
  const files = page.locator(".drop .file-list li > span");
  assertEquals(await files.allInnerTexts(), ["sofort.xml", "danach.xml"]);
});

onScreen.test("spreadsheet cells are pasted, an unticked product stays as it was, and a rehearsal shows each value as written and as read", async ({ app, browser }) => {
  await addProducts(app, [
    { sku: "A-1", title: "Kanne", ourPrice: 10 },
    { sku: "A-2", title: "Tasse", ourPrice: 20 },
  ]);
  app.clock.advance(60_000);
  const page = await browser.open(app, "/imports/new");
  await page.locator(".drop").waitFor();
  const cells = [["SKU", "Preis"], ["A-1", "11,50"], ["A-2", "18,00"]];
  await paste(page, cells.map((row) => `${row.join("\t")}\r\n`).join(""));
  const read = page.getByRole("table", { name: "Die ersten Datensätze" });
  await read.getByText(/11,50\s€/).waitFor();
  await rehearse(page);
  assertEquals(await figuresOf(page, ["Geändert", "Abgelehnt"]), ["2", "0"]);
  await page.getByLabel("A-2 übernehmen").first().uncheck();
  await page.getByLabel("Grund").fill("Tasse ist Aktionsware");
  await press(page, "Ohne 1 Produkt übernehmen");
  await untilApplied(page);
  await page.getByText("1 Produkt blieb auf Wunsch draußen. Grund: „Tasse ist Aktionsware“")
    .waitFor();
  const changed = page.getByRole("definition").getByRole("link", { name: "1", exact: true });
  await changed.first().click();
  await page.waitForURL(/\/products\?updatedSince=/);
  await page.getByRole("row", { name: /A-1/ }).waitFor();
  assertEquals(await page.getByRole("row", { name: /A-2/ }).count(), 0);
  assertEquals(await pricesOf(app), { "A-1": 1_150, "A-2": 2_000 });

  // Next to a value, the dry run shows its spelling in the file if that differs.
  const table = "Artikelnummer;Bezeichnung;VK\r\nA-1;Kanne;11,6\r\n";
  await chooseUpload(page, "preise.csv", table);
  await rehearse(page);
  await show(page, /^geändert \d$/);
  const changes = await rowsOf(page.getByRole("table", { name: "Änderungen", exact: true }));
  match(changes.join("\n"), /Unser Preis 11,50.€ 11,60.€ \(in der Datei: 11,6\)/);
});

onScreen.test("a rehearsal of a file in cents names the column and the remedy", async ({ app, browser }) => {
  const rows = Array.from({ length: 6 }, (_, n) => `A-${n};Artikel ${n};1${n}99;${n + 5},40\r\n`);
  const text = `Nr;Titel;VK;EK\r\n${rows.join("")}`;
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  await chooseUpload(page, "artikel.csv", text);
  await page.getByRole("table", { name: "Die ersten Datensätze" }).waitFor();
  await press(page, "Probelauf starten");
  const note = page.getByRole("alert").filter({ hasText: "So würde dieser Import angehalten" });
  await note.getByText("6 von 6 Preisen stehen wohl in der falschen Einheit").waitFor();
  await note.getByText("„VK“ scheint in Cent zu stehen").waitFor();

  // Now the file has no decimals, so its amounts really are cents; the person chooses this unit.
  await chooseUpload(page, "artikel.csv", text.replace(/,(?=\d\d\r)/g, ""));
  await page.getByText("Schreibweise, feste Werte und anderes").click();
  await page.getByLabel("Beträge").selectOption("minor");
  const read = page.getByRole("table", { name: "Die ersten Datensätze" });
  await read.getByText(/10,99\s€/).first().waitFor();
  await rehearse(page);
  assertEquals(await page.getByText("So würde dieser Import angehalten").count(), 0);
});

onScreen.test("columns of the SKU, of units sold and of their day, chosen by a person, reach the product", async ({ app, browser }) => {
  await addProducts(app, [{ sku: "A-1", title: "Kanne", ourPrice: 10 }]);
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const day = new Date(app.clock.now().getTime() - 86_400_000).toISOString().slice(0, 10);
  const shown = day.split("-").reverse().join(".");
  const table = `KENNWORT;Titel;M7;D7\r\nA-1;Kanne;12;${shown}\r\n`;
  await chooseUpload(page, "absatz.csv", table);
  await page.getByText("Welche Spalte ist die Artikelnummer (SKU)?").waitFor();
  assertEquals(await page.getByRole("button", { name: "Probelauf starten" }).isDisabled(), true);
  await page.getByLabel("Wofür „KENNWORT“ steht").selectOption("sku");
  const lacks = page.getByText("Keine Spalte ist der Verkaufstag");
  await page.getByLabel("Wofür „M7“ steht").selectOption("units");
  await lacks.waitFor();
  await page.getByLabel("Wofür „D7“ steht").selectOption("unitsDate");
  await lacks.waitFor({ state: "detached" });
  const read = page.getByRole("table", { name: "Die ersten Datensätze" });
  await read.getByText(/^Verkaufte Menge 12 \(/).waitFor();
  // On a phone, the page ends at its last button.
  const wide = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 800 });
  const below = "document.documentElement.scrollHeight - innerHeight";
  assertEquals(await page.evaluate<number>(below), 0);
  if (wide) await page.setViewportSize(wide);
  await rehearse(page);
  assertEquals(await figuresOf(page, ["Verkaufstage", "Geändert"]), ["1", "0"]);
  await show(page, /^geändert 1$/);
  const changes = await rowsOf(page.getByRole("table", { name: "Änderungen", exact: true }));
  match(changes.join(), /^A-1 Kanne Verkaufte Menge .* – 12$/);
  await applyRehearsed(page);
  await follow(page, "/products?sku=A-1");
  await page.getByRole("link", { name: "Kanne" }).click();
  await page.locator("dl > div", { hasText: "Verkauft in 30 Tagen" }).getByText("12", {
    exact: true,
  }).waitFor();
});

async function paste(page: Page, plain: string): Promise<void> {
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", ${JSON.stringify(plain)});
    const how = { clipboardData, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new ClipboardEvent("paste", how));
  })()`);
}

onScreen.test("a file shows its unused columns first, and is imported without prices if a person allows it", async ({ app, browser }) => {
  await app.owner.change("/api/settings", { pricesIncludeVat: true });
  const table = "Artikelnummer;Bezeichnung;VK netto;Farbe;Farbe\nA-1;Topf;12,50;rot;blau\n";
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  await chooseUpload(page, "artikel.csv", table);
  const ignored = page.locator(".note", {
    hasText: /Diese Spalten oder Elemente werden nicht eingelesen\.\s*„Farbe“, „Farbe“/,
  });
  await ignored.getByRole("button", { name: "Spalten zuordnen" }).click();
  const row = await page.locator(":focus").evaluate((field) => field.closest("tr")?.innerText);
  match(row ?? "", /^F/);
  await page.getByText("Diese Überschrift steht mehrfach in der Datei").first().waitFor();
  await page.getByText("Kein Preis dieser Spalte ist brauchbar").first().waitFor();
  await press(page, "Ohne Probelauf übernehmen");
  const state = page.locator(".page-title");
  await state.getByText("gescheitert").waitFor();
  await page.getByRole("heading", { name: "Import artikel.csv", level: 1 }).waitFor();
  const refused = page.getByRole("region", { name: "Abgelehnt" });
  await refused.getByText("Kein Preis dieser Spalte ist brauchbar").waitFor();
  assertEquals(await figure(page, "Abgelehnt").count(), 0);
  assertEquals(await refused.getByText("1 Zeile").count(), 0);
  await page.getByRole("checkbox", { name: "Ohne diese Preise einlesen" }).check();
  await press(page, "Jetzt übernehmen");
  await state.getByText("übernommen", { exact: true }).waitFor();
  await ignored.getByRole("link", { name: "Spalten zuordnen" }).waitFor();
  const looking = await browser.open(app, page.url(), { cookie: app.viewerCookie });
  const seen = looking.locator(".note", { hasText: "„Farbe“, „Farbe“" });
  await seen.waitFor();
  assertEquals(await seen.getByRole("link").count(), 0, "viewers import no files");
  assertEquals(await pricesOf(app), { "A-1": null });

  await chooseUpload(page, "artikel.csv", table);
  await page.getByRole("checkbox", { name: "Ohne diese Preise einlesen" }).check();
  await rehearse(page);
  await applyRehearsed(page);
});

onScreen.test("a column that may be a price is shown for review, and read once a person confirms it", async ({ app, browser }) => {
  await app.owner.change("/api/settings", { pricesIncludeVat: true, vatRatePct: 19 });
  const table = "Artikelnummer;Bezeichnung;Betrag netto;Farbe\r\nA-1;Kanne;100,00 €;rot\r\n";
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  await chooseUpload(page, "artikel.csv", table);
  const mapping = page.getByRole("table", { name: "Spalten zuordnen" });
  const row = mapping.getByRole("row", { name: "Betrag netto" });
  await row.getByText("bitte ansehen", { exact: true }).waitFor();
  await page.getByText("2 erkannt, 1 bitte ansehen, 1 übersprungen").waitFor();
  assertEquals(await page.getByLabel("Wofür „Betrag netto“ steht").inputValue(), "");
  await page.getByText("Nichts in der Datei ist unser Preis").first().waitFor();

  await row.getByRole("button", { name: "Als „Unser Preis“ einlesen" }).waitFor();
  const note = page.locator(".note.bad", { hasText: "Nichts in der Datei ist unser Preis" });
  await note.getByRole("button", { name: "„Betrag netto“ ist unser Preis" }).click();
  await note.waitFor({ state: "detached" });
  await row.getByText("gewählt", { exact: true }).waitFor();
  // The mapping of the other column, „Bezeichnung“, does not change.
  await mapping.getByRole("row", { name: "Bezeichnung" }).getByText("erkannt", { exact: true })
    .waitFor();
  assertEquals(await page.getByLabel("Wofür „Betrag netto“ steht").inputValue(), "ownPrice");
  assertEquals(await page.getByLabel("Steuer: Betrag netto").inputValue(), "net");
  await page.getByRole("table", { name: "Die ersten Datensätze" }).getByText(/119,00\s€/).waitFor();
  await page.getByText("3 erkannt, 0 bitte ansehen, 1 übersprungen").waitFor();
  await press(page, "Ohne Probelauf übernehmen");
  await page.locator(".page-title").getByText("übernommen", { exact: true }).waitFor();
  assertEquals(await pricesOf(app), { "A-1": 11_900 });
});

onScreen.test("a held import is the morning's next step and an alert whose main button leads to it, says what moved and what to do, and is applied with a reason", async ({ app, browser }) => {
  await addRule(app.owner);
  await addProduct(app.owner, "Z");
  await pushJudged(app, [["Z", "acme", 90]]);
  const [open] = await proposals(app.owner, "status=open");
  await app.owner.act(`/api/proposals/${open?.id}/reject`, {});
  const skus = ["A", "B", "C", "D", "E", "F"];
  const file = (price: string) =>
    itemsXml([
      ...skus.map((sku) => ({ sku, title: sku, price })),
      { sku: "G", title: "G" },
      { sku: "", title: "H" },
    ]);
  const key = await app.key(["products:write"]);
  await importXml(key, file("1299,00"));
  app.clock.advance(60_000);
  const { data: { jobId } } = await importXml(key, file("12,99"));
  const page = await browser.open(app, "/");
  const step = page.locator(".next-step");
  await step.getByText(/Ein Import ist angehalten: 6 von 6 Preisen/).waitFor();
  await step.getByText(/Übernehmen oder verwerfen bis/).waitFor();
  const link = step.getByRole("link", { name: "Import prüfen" });
  assertEquals(await link.getAttribute("href"), `/imports/${jobId}`);
  await follow(page, "/alerts");
  const row = page.locator(".cause-row").first();
  await row.getByText("6 von 6 Preisen stehen wohl in der falschen Einheit.").waitFor();
  assertEquals(await row.locator("a.button.main").getAttribute("href"), `/imports/${jobId}`);
  await follow(page, "/imports");
  const note = page.locator(".held-note");
  await note.getByText(/2 weitere Datensätze haben keinen Preis .*, davon 1 abgelehnt\./)
    .waitFor();
  await note.getByText(/sonst wird die Datei gelöscht und/).waitFor();
  // While an import is held, the main button leads to it, not to another upload.
  await note.locator("a.main", { hasText: "Import prüfen" }).waitFor();
  assertEquals(await page.locator("a.button.main").count(), 1);
  await page.getByText("angehalten", { exact: true }).waitFor();
  await page.getByRole("link", { name: /^Bis .* entscheiden$/ }).waitFor();
  await page.getByTitle(/^6 von 6 Preisen stehen wohl in der falschen Einheit/).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByText("1 von 8").first().waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });

  await follow(page, `/imports/${jobId}`);
  const told = await page.getByRole("alert").innerText();
  match(told, /6 von 6 Preisen stehen wohl in der falschen Einheit; ohne/);
  await page.getByRole("row", { name: /1\.299,00\s€.*12,99\s€/ }).first().waitFor();
  await page.getByText("Übernehmen übergeht die Schutzgrenze").waitFor();
  await page.getByRole("button", { name: "Trotzdem übernehmen" }).click();
  await page.getByText("Erst einen Grund eingeben").waitFor();
  await page.getByLabel("Grund (nötig)").fill("Räumungsverkauf");
  await page.getByRole("button", { name: "Trotzdem übernehmen" }).click();
  await page.getByText("übernommen", { exact: true }).waitFor();
  await page.getByText("Grund: „Räumungsverkauf“").waitFor();
  const log = await app.owner.read("/api/audit-logs?action=import.finish");
  const reasons = log.items.flatMap(({ reason }: { reason?: string }) => reason ?? []);
  assertEquals(reasons, ["Räumungsverkauf"]);
  const { A, F } = await pricesOf(app);
  assertEquals([A, F], [1_299, 1_299]);
});

onScreen.test("the settings switch the hold off and on, and say what off means", async ({ app, browser }) => {
  const page = await browser.open(app, "/settings/workspace");
  const hold = page.getByLabel("Auffällige Importe anhalten");
  const isSaved = async (importHold: unknown) => {
    await press(page, "Speichern");
    await untilReads(app.owner, "/api/settings", { importHold });
    await page.locator("form button[type=submit]:disabled").waitFor();
  };
  assertEquals(await hold.isChecked(), true);
  await hold.uncheck();
  await page.getByText("Ausgeschaltet: Auch ein Export").waitFor();
  await isSaved(null);
  await hold.check();
  await page.getByLabel("Auffällig ist ein Produkt").fill("33,3");
  await isSaved({ movePct: 33.3, sharePct: 20 });
});

onScreen.test("a value that applies despite a warning is not listed as omitted", async ({ app, browser }) => {
  await app.owner.change("/api/settings", { importHold: null });
  await addProducts(app, [{ sku: "A-1", title: "Topf", ourPrice: 20, minPrice: 15 }]);
  const xml = itemsXml([{ sku: "A-1", price: "9,90" }, { sku: "A-2", title: "Kelle", price: "0" }]);
  const moved = ["Der Preis 0", "außerhalb von", "ändern sich auffällig"];
  await listsAsApplied("application/xml", xml, moved);
  await listsAsApplied("text/csv", "SKU;Titel\n2026-03-01;Topf\n", ["nach einem Datum"]);

  async function listsAsApplied(type: string, file: string, warnings: readonly string[]) {
    const { jobId } = await app.owner.act("/api/imports", file, { "Content-Type": type });
    const page = await browser.open(app, `/imports/${jobId}`);
    await page.locator(".page-title").getByText("übernommen", { exact: true }).waitFor();
    const applied = page.getByRole("region", { name: "Von Kurant berichtigt" });
    for (const warning of warnings) await applied.getByText(warning).waitFor();
    assertEquals(await page.getByRole("region", { name: "Ausgelassen" }).count(), 0);
  }
});

const LABELS = ["Wie zuvor", "Preise zurück", "Neue gelöscht", "Gelöschte zurück", "Bleibt"];

onScreen.test("an import is taken back from its page: a rehearsal with numbers, then the change, and its log entry", async ({ app, browser }) => {
  const key = await app.key(["products:write"]);
  const send = async (price: string, skus: readonly string[]) => {
    app.clock.advance(60_000);
    const items = skus.map((sku) => ({ sku, title: `Artikel ${sku}`, price }));
    return (await importXml(key, itemsXml(items), "?force=true")).data;
  };
  await send("10,00", ["A", "B", "C"]);
  const { jobId, undoableUntil } = await send("1,00", ["A", "B", "C", "D"]);
  const { items } = await app.owner.read("/api/products?q=Artikel");
  const b = items.find(({ sku }: { sku: string }) => sku === "B");
  app.clock.advance(1_000);
  await app.owner.change(`/api/products/${b.id}`, { ourPrice: 12 });

  const page = await browser.open(app, "/imports");
  const [, month, day] = undoableUntil.slice(0, 10).split("-");
  const until = `Zurücknehmen bis ${day}.${month}.`;
  await page.getByRole("link", { name: until }).first().click();
  await page.waitForURL(`**/imports/${jobId}`);
  await page.getByRole("button", { name: until }).click();
  await page.getByText("Probe der Rücknahme: Es wurde nichts geändert.").waitFor();
  await page.getByText("Diese Datei kam von einem Programm").waitFor();
  const goesOn = page.getByLabel("Die Quelle läuft weiter");
  assertEquals(await goesOn.isChecked(), false);
  const kept = page.getByRole("row", {
    name: "Der Preis wurde seit dem Import neu gesetzt; er bleibt.",
  });
  await kept.getByText("Unser Preis").waitFor();
  await kept.getByText("1.200 (kleinste Einheiten)").waitFor();
  assertEquals(await figuresOf(page, LABELS), ["2", "2", "1", "0", "1"]);

  await press(page, "Jetzt zurücknehmen");
  await page.getByText("Probe der Rücknahme:").waitFor({ state: "detached" });
  await page.locator(".page-title").getByText("übernommen").waitFor();
  assertEquals(await figuresOf(page, LABELS), ["2", "2", "1", "0", "1"]);
  assertEquals(await pricesOf(app), { A: 1_000, B: 1_200, C: 1_000 });
  await page.getByRole("link", { name: "Zum Import" }).click();
  await page.getByText("Dieser Import wurde zurückgenommen.").waitFor();
  assertEquals(await page.getByRole("button", { name: /Zurücknehmen/ }).count(), 0);

  const paused = page.locator(".note.warn", { hasText: "Die Quelle „Standard“ ist seit" });
  await page.goto("/imports");
  await paused.getByRole("button", { name: "Fortsetzen" }).click();
  await paused.waitFor({ state: "detached" });
});

onScreen.test("the list and the page of an import lead to the prices of ours that it overwrote", async ({ app, browser }) => {
  const key = await app.key(["products:write"]);
  const file = itemsXml([{ sku: "A", title: "Artikel A", price: "10,00" }]);
  await importXml(key, file);
  app.clock.advance(60_000);
  const { items: [product] } = await app.owner.read("/api/products?q=Artikel");
  await app.owner.change(`/api/products/${product.id}`, { ourPrice: 11 });
  app.clock.advance(60_000);
  await importXml(key, file);

  const page = await browser.open(app, "/imports");
  await page.setViewportSize({ width: 1280, height: 300 });
  const { release } = await holdRequests(page, "**/errors*");
  await page.getByRole("link", { name: "1 Ihrer Preise überschrieben" }).click();
  const figure = page.locator(".figure", { hasText: "Ihre Preise überschrieben" });
  await figure.getByRole("link", { name: "1" }).click();
  await page.waitForURL("**/imports/*#corrected");
  release();
  await page.locator("#corrected").getByText("A", { exact: true }).waitFor();
  await page.waitForFunction(`corrected.getBoundingClientRect().top < innerHeight`);
});
