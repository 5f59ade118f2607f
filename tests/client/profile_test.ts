/** A file that no built-in profile knows is taught to the service by looking at it. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { bodyOf } from "../api/answers.ts";
import { startTestApp } from "../harness.ts";
import { browserTest } from "./browser.ts";
import { chooseFile } from "./choose_file.ts";

const FOREIGN = new URL("fixtures/foreign_catalogue.xml", import.meta.url);

browserTest(
  "a profile is written beside what it reads, refused without loss, saved and used",
  async (browser) => {
    await using app = await startTestApp();
    const bytes = await Deno.readFile(FOREIGN);
    const { page, complaints } = await browser.visit(app.base, { cookie: app.ownerCookie });
    await page.goto("/settings/profiles");
    await page.getByRole("link", { name: "Profil anlegen" }).click();
    const preview = page.getByRole("region", { name: "Vorschau" });
    await chooseFile(page, preview.getByText("Beispieldatei wählen"), "katalog.xml", bytes);
    await preview.getByText("Sobald das Profil vollständig ist").waitFor();
    await preview.getByRole("button", { name: "Leere Felder aus der Datei" }).click();
    assertEquals(await page.getByLabel("Weg zum Datensatz").inputValue(), "Katalog/Stammsatz");
    assertEquals(await page.getByLabel("Titel").inputValue(), "Bezeichnung");

    // The number is an attribute, and the price has a name that nobody could have guessed.
    await page.getByLabel("SKU (nötig)").fill("@nr");
    await preview.locator(".verdict", { hasText: "000123" }).waitFor();
    await page.locator(".path-row", { hasText: "SKU" }).getByLabel("Umformen")
      .selectOption({ label: "ohne führende Nullen" });
    const prices = page.getByRole("group", { name: "Preise", exact: true });
    await prices.getByLabel("Steht in der Datei").check();
    await prices.getByLabel("Weg zur Preiszeile").fill("Staffel");
    await prices.getByLabel("Betrag").fill("Wert");
    await page.getByLabel("Zahlen").selectOption({ label: "englisch: 1,234.56" });
    const first = preview.locator(".verdict", { hasText: /^123/ });
    await first.getByText(/39,90\s€/).first().waitFor();
    await first.locator("summary").click();
    await first.getByText("Nordwerk").waitFor();
    const second = preview.locator(".verdict", { hasText: /^124/ });
    await second.getByText("1 Hinweis").waitFor();
    await second.locator("summary").click();
    await second.getByText("Das ist keine lesbare Zahl.").waitFor();
    assertEquals((await bodyOf(app.owner.get("/api/products"), 200)).items, []);

    await page.getByLabel("Name", { exact: true }).fill("Katalog der Zentrale");
    await page.getByLabel("Kennung").fill("erp-default");
    await page.getByRole("button", { name: "Speichern" }).click();
    await page.getByRole("alert").getByText(/^req_/).waitFor();
    assertEquals(await page.getByLabel("Betrag").inputValue(), "Wert");
    await page.getByLabel("Kennung").fill("katalog");
    await page.getByRole("button", { name: "Speichern" }).click();
    await page.getByRole("heading", { level: 1, name: "Katalog der Zentrale" }).waitFor();
    const stored = await bodyOf(app.owner.get("/api/import-profiles/katalog"), 200);
    assertEquals(
      [stored.fields.sku, stored.prices.amount, stored.numberFormat, stored.builtIn],
      [{ path: "@nr", transform: "strip_leading_zeros" }, "Wert", "en", false],
    );

    // The root picks the new profile by itself.
    const job = await bodyOf(
      app.owner.post("/api/imports", bytes, { "Content-Type": "application/xml" }),
      200,
    );
    assertEquals([job.files[0].profile, job.stats.inserted], ["katalog", 2]);
    assertEquals(complaints, []);
  },
);

browserTest(
  "a built-in profile is looked at, tried out and copied, never changed",
  async (browser) => {
    await using app = await startTestApp();
    const { page, complaints } = await browser.visit(app.base, { cookie: app.ownerCookie });
    await page.goto("/settings/profiles/erp-default");
    await page.getByText("Eingebaute Profile lassen sich nicht ändern").waitFor();
    assertEquals(await page.getByLabel("SKU (nötig)").isDisabled(), true);
    assertEquals(await page.getByRole("button", { name: "Speichern" }).count(), 0);
    const erp = await Deno.readFile(new URL("fixtures/erp_export.xml", import.meta.url));
    const preview = page.getByRole("region", { name: "Vorschau" });
    await chooseFile(page, preview.getByText("Beispieldatei wählen"), "erp.xml", erp);
    await preview.getByText("von 3 Datensätzen gelesen").waitFor();
    await page.getByRole("link", { name: "Kopie anlegen" }).click();
    await page.getByRole("heading", { level: 1, name: "Neues Importprofil" }).waitFor();
    assertEquals(await page.getByLabel("Kennung").inputValue(), "erp-default-2");
    assertEquals(complaints, []);
  },
);
