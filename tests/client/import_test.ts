/** A file with faults in it, and one that is stopped half-way, as a person meets them in a browser. */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { openMemoryStore } from "../memory_store.ts";
import { bodyOf } from "../api/answers.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { itemsXml } from "../imports/import_calls.ts";
import { until } from "../patience.ts";
import { addProducts, browserTest } from "./browser.ts";
import { chooseFile } from "./choose_file.ts";
import { holdJobs } from "./held_store.ts";

const FAULTY = new URL("fixtures/faulty_export.xml", import.meta.url);
const MANY = 3_000;

async function chooseUpload(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  await page.goto("/imports/new");
  await chooseFile(page, page.getByText("Datei auswählen"), name, bytes);
  await page.getByRole("list", { name: "Ausgewählte Dateien" }).getByText(name).waitFor();
}

const figure = (page: Page, label: string) =>
  page.locator(".figure", { has: page.getByText(label, { exact: true }) }).locator("strong");

async function figuresOf(page: Page, labels: readonly string[]): Promise<(string | null)[]> {
  return await Promise.all(labels.map((label) => figure(page, label).first().textContent()));
}

async function rowsOf(table: Locator): Promise<string[]> {
  const rows = await table.locator("tbody tr").allInnerTexts();
  return rows.map((text) => text.replaceAll(/\s+/g, " ").trim());
}

/** As numbers of minor units, by SKU. */
async function pricesOf(app: TestApp): Promise<Record<string, number | null>> {
  const { items } = await bodyOf(app.owner.get("/api/products"), 200);
  return Object.fromEntries(
    items.map((one: { sku: string; ourPriceCents: number | null }) => [one.sku, one.ourPriceCents]),
  );
}

const press = (page: Page, name: string) => page.getByRole("button", { name }).first().click();

browserTest(
  "a faulty file is rehearsed: errors by line and as CSV, differences, money, and then applied",
  async (browser) => {
    await using app = await startTestApp();
    await addProducts(app, [
      { sku: "A-1", title: "Kühlschrank KS 300", ourPrice: 999, costPrice: 800 },
      { sku: "A-2", title: "Wasserkocher 1,7 l", ourPrice: 39.9 },
      { sku: "A-3", title: "Mixer", ourPrice: 50 },
    ]);
    const before = await pricesOf(app);
    const { page, complaints } = await browser.visit(app.base, { cookie: app.ownerCookie });
    await chooseUpload(page, "faulty_export.xml", await Deno.readFile(FAULTY));
    await press(page, "Probelauf starten");
    await page.getByText("Probelauf: Es wurde nichts geändert.").waitFor();

    assertEquals(await figuresOf(page, ["Neu", "Geändert", "Unverändert", "Fehler"]), [
      "2",
      "2",
      "1",
      "1",
    ]);
    const impact = ["Preisänderungen", "teurer", "günstiger", "über 20 %", "unter Einkauf"];
    assertEquals(await figuresOf(page, impact), ["2", "1", "1", "1", "1"]);
    const [largest = ""] = await rowsOf(
      page.getByRole("table", { name: "Größte Preisänderungen" }),
    );
    assertEquals(largest, "A-1 999,00 € 749,00 € −25,0 %");
    const changes = await rowsOf(page.getByRole("table", { name: "Änderungen", exact: true }));
    ok(changes.includes("A-3 Titel Mixer Mixer, jetzt mit Deckel"), changes.join("\n"));
    ok(changes.includes("A-3 Unser Preis 50,00 € 55,00 €"), changes.join("\n"));

    const findings = page.getByRole("table", { name: "Fehler", exact: true });
    assertEquals((await rowsOf(findings))[0]?.startsWith("17 – Dem Datensatz fehlt"), true);
    await press(page, "Hinweise (3)");
    await findings.getByText("viel", { exact: true }).waitFor();
    assertEquals((await rowsOf(findings)).map((row) => row.split(" ")[0]), ["14", "27", "33"]);

    const downloading = page.waitForEvent("download");
    await page.getByRole("link", { name: "Alle als CSV" }).click();
    const csv = await Deno.readTextFile(await (await downloading).path());
    const lines = csv.trim().split("\r\n");
    assertEquals(lines.length, 5);
    ok(lines[1]?.includes('"17"') && lines[1].includes('"missing_sku"'), lines[1]);
    ok(!/;"[=+\-@]/.test(csv), "no cell begins a formula");
    assertEquals(await pricesOf(app), before);

    await press(page, "Jetzt übernehmen");
    await page.getByText("Probelauf:").waitFor({ state: "detached" });
    await page.locator(".page-title").getByText("fertig mit Fehlern").waitFor();
    const after = await pricesOf(app);
    assertEquals([after["A-1"], after["A-2"], after["A-3"], after["A-4"]], [
      74_900,
      3_990,
      5_500,
      1_250,
    ]);
    assertEquals(complaints, []);
  },
);

browserTest(
  "an import shows how far it is while it works, and what was done when it is stopped",
  async (browser) => {
    const memory = await openMemoryStore();
    const { kv } = memory;
    const held = holdJobs(memory);
    await using _closed = { [Symbol.asyncDispose]: () => Promise.resolve(kv.close()) };
    await using app = await startTestApp({ store: held.store });
    const { page, complaints } = await browser.visit(app.base, { cookie: app.ownerCookie });
    const items = Array.from({ length: MANY }, (_, at) => ({
      sku: `S-${at}`,
      title: `Artikel ${at}`,
      price: "1,00",
    }));
    await chooseUpload(page, "alles.xml", new TextEncoder().encode(itemsXml(items)));
    await press(page, "Ohne Probelauf übernehmen");
    await page.getByText(/Änderungen werden übernommen: [1-9][\d.]* von 3\.000 Datensätzen/)
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
    assertEquals((await bodyOf(app.owner.get("/api/products"), 200)).total, inserted);
    assertEquals(complaints, []);
  },
);

browserTest("Enter in the form of an import starts a rehearsal, no import", async (browser) => {
  await using app = await startTestApp();
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const xml = itemsXml([{ sku: "A-1", title: "Mixer", price: "1,00" }]);
  await chooseUpload(page, "alles.xml", new TextEncoder().encode(xml));
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await page.getByLabel("Preisgruppe").press("Enter");
  assertEquals(new URL((await sent).url()).searchParams.get("dryRun"), "true");
});

browserTest("an upload that ends later leaves its person where they are", async (browser) => {
  await using app = await startTestApp();
  const { page, complaints } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const xml = itemsXml([{ sku: "A-1", title: "Mixer", price: "1,00" }]);
  await chooseUpload(page, "alles.xml", new TextEncoder().encode(xml));
  const { promise: isFree, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/api/imports?*", async (route) => {
    if (route.request().method() !== "POST") return await route.fallback();
    const response = await route.fetch();
    await isFree;
    await route.fulfill({ response });
  });
  await press(page, "Probelauf starten");
  await page.getByRole("link", { name: "Produkte", exact: true }).click();
  await page.getByRole("button", { name: "Produkt anlegen" }).first().click();
  const panel = page.getByRole("dialog", { name: "Neues Produkt" });
  await panel.getByLabel("Titel").fill("Halb geschrieben");
  release();
  await page.getByText("Import angenommen").waitFor();
  assertEquals(new URL(page.url()).pathname, "/products");
  assertEquals(await panel.getByLabel("Titel").inputValue(), "Halb geschrieben");
  assertEquals(complaints, []);
});
