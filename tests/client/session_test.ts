import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { Page } from "playwright-core";
import { screenWith } from "./browser.ts";
import { startEmptyApp } from "./empty_app.ts";

const EMAIL = "chef@meier.example";
const PASSWORD = "sechs blaue Kühlschränke";

const panelOf = (page: Page) => page.getByRole("dialog", { name: "Neues Produkt" });
const save = (page: Page) => panelOf(page).getByRole("button", { name: "Anlegen" }).click();

/** Signs in and fills in a form for a new product, without saving it. */
async function openForm(page: Page, setUpPath: string): Promise<void> {
  const token = setUpPath.split("=")[1];
  await page.goto("/login");
  const answer = await page.request.post("/api/setup", {
    data: { token, workspace: "Meier", email: EMAIL, password: PASSWORD },
  });
  assertEquals(answer.status(), 201);
  await page.goto("/products");
  await page.getByRole("button", { name: "Produkt anlegen" }).click();
  await panelOf(page).getByLabel("SKU").fill("4711-A");
  await panelOf(page).getByLabel("Titel").fill("Kühlschrank KS 300");
}

const onEmpty = screenWith(() => startEmptyApp());

onEmpty.test("a session that ends in the middle of a form costs a password, nothing else", async ({ app, browser }) => {
  const { page, context } = await browser.visit(app.base);
  await openForm(page, app.setUpPath);
  await context.clearCookies();
  await save(page);
  const dialog = page.getByRole("dialog", { name: "Bitte neu anmelden" });
  await dialog.getByLabel("Passwort").fill("falsch, ganz falsch");
  await dialog.getByRole("button", { name: "Anmelden" }).click();
  await dialog.getByText("E-Mail-Adresse oder Passwort stimmt nicht").waitFor();
  await dialog.getByLabel("Passwort").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Anmelden" }).click();
  await page.getByText("4711-A angelegt").waitFor();
  await page.getByRole("row", { name: /4711-A/ }).waitFor();
});

onEmpty.test("a form that cannot be sent keeps its input, and is sent once the network is back", async ({ app, browser }) => {
  const { page, context } = await browser.visit(app.base);
  await openForm(page, app.setUpPath);
  await context.setOffline(true);
  await save(page);
  await page.getByText("Keine Verbindung zum Dienst").waitFor();
  assertEquals(await panelOf(page).getByLabel("Titel").inputValue(), "Kühlschrank KS 300");
  await context.setOffline(false);
  await save(page);
  await page.getByText("4711-A angelegt").waitFor();
});

onEmpty.test("a panel with unsaved input asks before it closes", async ({ app, browser }) => {
  const { page } = await browser.visit(app.base);
  await openForm(page, app.setUpPath);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Eingaben verwerfen?" }).waitFor();
  await page.getByRole("button", { name: "Abbrechen" }).last().click();
  assertEquals(await panelOf(page).getByLabel("Titel").inputValue(), "Kühlschrank KS 300");
});

onEmpty.test("a refusal shows the id under which it is in the log", async ({ app, browser }) => {
  const { page } = await browser.visit(app.base);
  await openForm(page, app.setUpPath);
  await panelOf(page).getByLabel("EAN").fill("4006381333930");
  await save(page);
  const note = page.getByRole("alert");
  await note.getByText(/req_[0-9A-Z]{26}/).waitFor();
  await page.locator(".field-error").waitFor();
});
