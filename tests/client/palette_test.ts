import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { addRule } from "../rules/evaluation/market.ts";
import { addProducts, onScreen } from "./browser.ts";

onScreen.test("the palette finds screens, products, rules, shops, settings and actions, and opens them", async ({ app, browser }) => {
  const [id] = await addProducts(app, [
    { sku: "A-1", title: "Kühlschrank KS 300" },
    { sku: "A-2", title: "Toaster" },
  ]);
  await addRule(app.owner, { name: "Kaffee folgen" });
  await app.owner.post("/api/competitors", { domain: "kaffeehaus.example" });
  const page = await browser.open(app, "/products");
  await page.getByText("Toaster").waitFor();
  const field = page.getByRole("combobox", { name: "Suchen oder öffnen" });
  const search = async (text: string) => {
    // The shortcut works only when no dialog is open.
    await field.waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await field.fill(text);
  };
  const find = async (text: string, option: RegExp) => {
    await search(text);
    await page.getByRole("option", { name: option }).first().waitFor();
  };
  await search("gibt es nicht");
  await page.getByText("Nichts gefunden").waitFor();
  await page.keyboard.press("Escape");
  await find("kühlschr", /Kühlschrank KS 300/);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Kühlschrank KS 300" }).waitFor();
  assertEquals(new URL(page.url()).pathname, `/products/${id}`);
  await find("regeln", /Regeln/);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Regeln" }).waitFor();
  await find("kaffee", /kaffeehaus\.example\s*Shop/);
  await page.getByRole("option", { name: /Kaffee folgen\s*Regel/ }).click();
  await page.getByRole("heading", { level: 1, name: "Kaffee folgen" }).waitFor();
  await find("personen", /Personen\s*Einstellungen/);
  await page.keyboard.press("Enter");
  await page.waitForURL(/settings\/people$/);
  await find("einladen", /Person einladen\s*Aktion/);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Person einladen" }).getByLabel("Name").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.goBack();
  // Going back does not open the invitation again.
  assertEquals(new URL(page.url()).search, "");
  await find("regel: marge", /Neue Regel: Marge unter 10.*Aktion/);
  await page.keyboard.press("Enter");
  await page.waitForURL(/rules\/new\?template=margin/);
  await find("dunkle", /Dunkle Ansicht\s*Aktion/);
  await page.keyboard.press("Enter");
  await page.locator("html[data-theme=dark]").waitFor();

  // A palette that is opened right after a change of screen stays open.
  const visit = (name: string) => page.locator(".nav").getByRole("link", { name }).click();
  for (const name of ["Regeln", "Importe"]) {
    await visit(name);
    await page.getByRole("heading", { level: 1, name }).waitFor();
  }
  const isOpen = page.evaluate(async () => {
    const link = document.querySelector<HTMLAnchorElement>(`.nav a[href="/rules"]`);
    link?.click();
    while (link?.ariaCurrent !== "page") await new Promise((resolve) => setTimeout(resolve));
    dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true }));
    await new Promise((resolve) => setTimeout(resolve, 300));
    return document.querySelector("dialog[open]") !== null;
  });
  assertEquals(await isOpen, true);
});
