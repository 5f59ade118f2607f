import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { addProducts, holdRequests, onScreen } from "./browser.ts";

onScreen.test("the form of a product refuses an invalid number and questions an odd price at every save; the form of a link keeps a pack factor of 0.3333, what it does not show, and what others changed", async ({ app, browser }) => {
  const more = { vatRatePct: 7, ourPrice: 30 };
  const [id = ""] = await addProducts(app, [{ sku: "A", title: "Toaster", ...more }]);
  const stored = async () => await app.owner.read(`/api/products/${id}`);
  const page = await browser.open(app, "/products");
  await page.getByRole("row", { name: /Toaster/ }).click();
  await page.getByRole("button", { name: "Stammdaten" }).click();
  const panel = page.getByRole("dialog", { name: "Produkt bearbeiten" });
  const vat = panel.getByLabel("Umsatzsteuer in %");
  await vat.fill("sieben");
  await panel.getByRole("button", { name: "Speichern" }).click();
  await panel.locator(".field-error").waitFor();
  assertEquals(await vat.getAttribute("aria-invalid"), "true");
  assertEquals((await stored()).vatRatePct, 7);

  await vat.fill("7");
  await panel.getByLabel("Unser Preis").fill("3000");
  const question = page.getByRole("dialog", { name: "Der Preis soll das Hundertfache werden?" });
  for (const answer of ["Abbrechen", "Abbrechen", "Ja, übernehmen"]) {
    await panel.getByRole("button", { name: "Speichern" }).click();
    await question.getByRole("button", { name: answer }).click();
    await question.waitFor({ state: "detached" });
  }
  await panel.waitFor({ state: "detached" });
  assertEquals((await stored()).ourPriceCents, 300_000);

  const extractor = { priceSelector: "#price", currency: "CHF", locale: "de-CH" };
  const match = { productId: id, url: "https://shop.example/p/1", packFactor: 0.3333, extractor };
  const link = await app.owner.create("/api/competitor-products", match);
  const path = `/api/competitor-products/${link.id}`;
  const linked = async () => await app.owner.read(path);
  await page.reload();
  const row = page.getByRole("row", { name: /shop\.example/ });
  await row.getByRole("button", { name: "Bearbeiten" }).click();
  const linkPanel = page.getByRole("dialog", { name: "Verknüpfung bearbeiten" });
  const factor = linkPanel.getByLabel("Packungsgröße");
  assertEquals(await factor.inputValue(), "0,3333");
  await linkPanel.getByLabel("Adresse der Produktseite").fill("https://shop.example/p/2");
  await linkPanel.getByLabel("CSS-Selektor des Preises").fill("#preis");
  await factor.fill("drei");
  await linkPanel.getByRole("button", { name: "Speichern", exact: true }).click();
  await linkPanel.locator(".field-error").waitFor();
  assertEquals((await linked()).packFactor, 0.3333);

  await factor.fill("0,3333");
  await app.owner.change(path, { enabled: false });
  await linkPanel.getByRole("button", { name: "Speichern", exact: true }).click();
  await page.getByRole("button", { name: "Meine Eingaben darüber speichern" }).click();
  await linkPanel.waitFor({ state: "detached" });
  const { packFactor, url, enabled, extractor: kept } = await linked();
  assertEquals([packFactor, url, enabled], [0.3333, "https://shop.example/p/2", false]);
  assertEquals(kept, { ...link.extractor, priceSelector: "#preis" });
});

onScreen.test("a form that resets after saving keeps text typed meanwhile, and is then not unsaved", async ({ app, browser }) => {
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const address = "**/api/auth/password";
  await page.route(address, (route) => route.fulfill({ json: { ok: true } }));
  const { isSent, release } = await holdRequests(page, address);
  await page.goto("/settings/account");
  const before = page.getByLabel("Aktuelles Passwort");
  const after = page.getByLabel(/Neues Passwort/);
  await before.fill("sechs blaue Kühlschränke");
  await after.fill("sieben blaue Kühlschränke");
  await page.getByRole("button", { name: "Passwort ändern" }).click();
  await isSent;
  await after.fill("acht");
  release();
  await page.getByText(/Passwort geändert/).waitFor();
  assertEquals([await before.inputValue(), await after.inputValue()], ["", "acht"]);
  await after.fill("");
  await page.getByRole("link", { name: "Markt", exact: true }).click();
  await page.getByRole("heading", { level: 1 }).getByText("Markt").waitFor();
});
