import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { bodyOf } from "../api/answers.ts";
import { addProducts, onScreen } from "./browser.ts";

onScreen.test("an odd price is questioned at every save until it is confirmed", async ({ app, browser }) => {
  const [id = ""] = await addProducts(app, [{ sku: "A", title: "Toaster", ourPrice: 30 }]);
  const page = await browser.open(app, "/products");
  await page.getByRole("row", { name: /Toaster/ }).click();
  await page.getByRole("button", { name: "Stammdaten" }).click();
  const panel = page.getByRole("dialog", { name: "Produkt bearbeiten" });
  await panel.getByLabel("Unser Preis").fill("3000");
  const question = page.getByRole("dialog", { name: "Der Preis soll das Hundertfache werden?" });
  for (const answer of ["Abbrechen", "Abbrechen", "Ja, übernehmen"]) {
    await panel.getByRole("button", { name: "Speichern" }).click();
    await question.getByRole("button", { name: answer }).click();
    await question.waitFor({ state: "detached" });
  }
  await panel.waitFor({ state: "detached" });
  const { ourPriceCents } = await bodyOf(app.owner.get(`/api/products/${id}`), 200);
  assertEquals(ourPriceCents, 300_000);
});

onScreen.test("an invalid number is refused next to its field, not ignored", async ({ app, browser }) => {
  const more = { vatRatePct: 7, ourPrice: 30 };
  const [id = ""] = await addProducts(app, [{ sku: "A", title: "Toaster", ...more }]);
  const page = await browser.open(app, "/products");
  await page.getByRole("row", { name: /Toaster/ }).click();
  await page.getByRole("button", { name: "Stammdaten" }).click();
  const panel = page.getByRole("dialog", { name: "Produkt bearbeiten" });
  await panel.getByLabel("Umsatzsteuer in %").fill("sieben");
  await panel.getByRole("button", { name: "Speichern" }).click();
  await panel.locator(".field-error").waitFor();
  assertEquals(await panel.getByLabel("Umsatzsteuer in %").getAttribute("aria-invalid"), "true");
  const { vatRatePct } = await bodyOf(app.owner.get(`/api/products/${id}`), 200);
  assertEquals(vatRatePct, 7);
});

onScreen.test("a pack factor of 0.3333 stays while its link is changed", async ({ app, browser }) => {
  const [productId = ""] = await addProducts(app, [{ sku: "A", title: "Toaster", ourPrice: 30 }]);
  const match = { productId, url: "https://shop.example/p/1", packFactor: 0.3333 };
  const { id } = await bodyOf(app.owner.post("/api/competitor-products", match), 201);
  const stored = async () => await bodyOf(app.owner.get(`/api/competitor-products/${id}`), 200);
  const page = await browser.open(app, `/products/${productId}`);
  const row = page.getByRole("row", { name: /shop\.example/ });
  await row.getByRole("button", { name: "Bearbeiten" }).click();
  const panel = page.getByRole("dialog", { name: "Verknüpfung bearbeiten" });
  const factor = panel.getByLabel("Packungsgröße");
  assertEquals(await factor.inputValue(), "0,3333");
  await panel.getByLabel("Adresse der Produktseite").fill("https://shop.example/p/2");
  await factor.fill("drei");
  await panel.getByRole("button", { name: "Speichern" }).click();
  await panel.locator(".field-error").waitFor();
  assertEquals((await stored()).packFactor, 0.3333);
  await factor.fill("0,3333");
  await panel.getByRole("button", { name: "Speichern" }).click();
  await panel.waitFor({ state: "detached" });
  const { packFactor, url } = await stored();
  assertEquals([packFactor, url], [0.3333, "https://shop.example/p/2"]);
});

onScreen.test("a page keeps what its form does not show, and what others changed", async ({ app, browser }) => {
  const [productId = ""] = await addProducts(app, [{ sku: "A", title: "Toaster", ourPrice: 30 }]);
  const extractor = { priceSelector: "#price", currency: "CHF", locale: "de-CH" };
  const url = "https://shop.example/p/1";
  const made = app.owner.post("/api/competitor-products", { productId, url, extractor });
  const path = `/api/competitor-products/${(await bodyOf(made, 201)).id}`;
  const page = await browser.open(app, `/products/${productId}`);
  const row = page.getByRole("row", { name: /shop\.example/ });
  await row.getByRole("button", { name: "Bearbeiten" }).click();
  const panel = page.getByRole("dialog", { name: "Verknüpfung bearbeiten" });
  await panel.getByLabel("CSS-Selektor des Preises").fill("#preis");
  await bodyOf(app.owner.patch(path, { packFactor: 6, enabled: false }), 200);
  await panel.getByRole("button", { name: "Speichern", exact: true }).click();
  await page.getByRole("button", { name: "Meine Eingaben darüber speichern" }).click();
  await panel.waitFor({ state: "detached" });
  const stored = await bodyOf(app.owner.get(path), 200);
  assertEquals([stored.packFactor, stored.enabled], [6, false]);
  assertEquals(stored.extractor, {
    priceSelector: "#preis",
    stockSelector: null,
    jsonPath: null,
    currency: "CHF",
    locale: "de-CH",
  });
});

onScreen.test("a webhook's panel sends only changed fields", async ({ app, browser }) => {
  const hook = { url: "https://erp.example/1", events: ["price.changed"] };
  const { id } = await bodyOf(app.owner.post("/api/webhooks", hook), 201);
  const page = await browser.open(app, "/settings/webhooks");
  const opener = page.getByRole("button", { name: "https://erp.example/1" });
  assertEquals(await opener.innerText(), "erp.example");
  await opener.click();
  const panel = page.getByRole("dialog");
  await panel.waitFor();
  const path = `/api/webhooks/${id}`;
  await bodyOf(app.owner.patch(path, { enabled: false, events: ["rule.fired"] }), 200);
  await panel.getByLabel("Adresse").fill("https://erp.example/2");
  await panel.getByRole("button", { name: "Speichern", exact: true }).click();
  // Another person has saved in the meantime. Changes of other fields by that person are kept.
  await page.getByRole("button", { name: "Meine Eingaben darüber speichern" }).click();
  await panel.waitFor({ state: "detached" });
  const stored = await bodyOf(app.owner.get(path), 200);
  assertEquals([stored.url, stored.enabled, stored.events], [
    "https://erp.example/2",
    false,
    ["rule.fired"],
  ]);
});

onScreen.test("a form that resets after saving keeps text typed meanwhile, and is then not unsaved", async ({ app, browser }) => {
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const { promise: isFree, resolve: release } = Promise.withResolvers<void>();
  const { promise: isSent, resolve: sent } = Promise.withResolvers<void>();
  await page.route("**/api/auth/password", async (route) => {
    sent();
    await isFree;
    await route.fulfill({ json: { ok: true } });
  });
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
