import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { Page } from "playwright-core";
import { addFirstPerson, PASSWORD } from "../accounts/people.ts";
import { onScreen } from "./browser.ts";

const EMAIL = "chef@meier.example";

const panelOf = (page: Page) => page.getByRole("dialog", { name: "Neues Produkt" });
const save = (page: Page) => panelOf(page).getByRole("button", { name: "Anlegen" }).click();

/** Signs in and fills in a form for a new product, without saving it. */
async function openForm(page: Page, sku: string): Promise<void> {
  const data = { email: EMAIL, password: PASSWORD };
  assertEquals((await page.request.post("/api/auth/login", { data })).status(), 200);
  await page.goto("/products");
  await page.getByRole("button", { name: /^(Von Hand|Produkt) anlegen$/ }).first().click();
  await panelOf(page).getByLabel("SKU").fill(sku);
  await panelOf(page).getByLabel("Titel").fill("Kühlschrank KS 300");
  await panelOf(page).getByLabel("Unser Preis").fill("1.234,56");
  await panelOf(page).getByText(/= 1\.234,56\s€/).waitFor();
}

onScreen.test("a session that ends in the middle of a form costs a password, nothing else; a form keeps its input when it is closed by mistake, cannot be sent or is refused", async ({ app, browser }) => {
  await addFirstPerson(app, EMAIL);
  const { page, context } = await browser.visit(app.base);
  await openForm(page, "4711-A");
  await context.clearCookies();
  await save(page);
  const dialog = page.getByRole("dialog", { name: "Bitte neu anmelden" });
  await dialog.getByLabel("Passwort").fill("falsch, ganz falsch");
  await dialog.getByRole("button", { name: "Anmelden" }).click();
  await dialog.getByText("E-Mail-Adresse oder Passwort stimmt nicht").waitFor();
  await dialog.getByLabel("Passwort").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Anmelden" }).click();
  await page.getByText("4711-A angelegt").waitFor();
  await page.getByRole("row", { name: /4711-A.*1\.234,56\s€/ }).waitFor();

  // A form keeps its input when it is closed by mistake, cannot be sent or is refused.
  await openForm(page, "4711-B");
  const title = () => panelOf(page).getByLabel("Titel").inputValue();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Eingaben verwerfen?" }).waitFor();
  await page.getByRole("button", { name: "Abbrechen" }).last().click();
  assertEquals(await title(), "Kühlschrank KS 300");

  await context.setOffline(true);
  await save(page);
  await page.getByText("Keine Verbindung zum Dienst").waitFor();
  assertEquals(await title(), "Kühlschrank KS 300");
  await context.setOffline(false);

  // A refusal shows the request id, with which people find the refusal in the log.
  await panelOf(page).getByLabel("EAN").fill("4006381333930");
  await save(page);
  await page.getByRole("alert").getByText(/req_[0-9A-Z]{26}/).waitFor();
  await page.locator(".field-error").waitFor();
  await panelOf(page).getByLabel("EAN").fill("4006381333931");
  await save(page);
  await page.getByText("4711-B angelegt").waitFor();
});
