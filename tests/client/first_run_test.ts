import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { withBrowser } from "./browser.ts";
import { startEmptyApp } from "./empty_app.ts";

const PASSWORD = "sechs blaue Kühlschränke";

withBrowser.test("the set-up link leads to a first product in three steps and a form, and keeps the limits of the hold", async (browser) => {
  await using app = await startEmptyApp();
  const { page } = await browser.visit(app.base);
  await page.goto(app.setUpPath);
  await page.getByLabel("Name des Unternehmens").fill("Elektro Meier");
  await page.getByRole("button", { name: "Weiter" }).click();
  assertEquals(await page.getByLabel("Unsere Preise enthalten").isChecked(), true);
  assertEquals(await page.getByLabel("Auffällige Importe anhalten").isChecked(), true);
  assertEquals(await page.getByLabel("Auffällig ist ein Produkt").inputValue(), "50");
  await page.getByLabel("Anhalten, wenn mehr als").fill("10");
  await page.getByRole("button", { name: "Weiter" }).click();
  await page.getByLabel("E-Mail-Adresse").fill("chef@meier.example");
  await page.getByLabel("Passwort (mindestens").fill("kurz");
  await page.getByRole("button", { name: "Einrichten" }).click();
  // After a refusal, the reason is next to the field and the address is kept.
  await page.locator(".field-error").waitFor();
  assertEquals(await page.getByLabel("E-Mail-Adresse").inputValue(), "chef@meier.example");
  await page.getByLabel("Passwort (mindestens").fill(PASSWORD);
  await page.getByRole("button", { name: "Einrichten" }).click();

  await page.getByRole("link", { name: "Markt", exact: true }).click();
  await page.getByText("Noch keine Produkte").waitFor();
  await page.getByRole("button", { name: "Von Hand anlegen" }).click();
  const panel = page.getByRole("dialog", { name: "Neues Produkt" });
  await panel.getByLabel("SKU").fill("4711-A");
  await panel.getByLabel("Titel").fill("Kühlschrank KS 300");
  await panel.getByLabel("Unser Preis").fill("1.234,56");
  await panel.getByText(/= 1\.234,56\s€/).waitFor();
  await panel.getByRole("button", { name: "Anlegen" }).click();
  const row = page.getByRole("row", { name: /4711-A/ });
  match(await row.innerText(), /1\.234,56\s€/);
  await page.getByRole("link", { name: "Einstellungen" }).click();
  assertEquals(await page.getByLabel("Anhalten, wenn mehr als").inputValue(), "10");
});
