import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { Locator } from "playwright-core";
import { CURRENCIES } from "../../src/base/money.ts";
import { itemsXml } from "../imports/import_calls.ts";
import { addProducts, follow, onScreen } from "./browser.ts";

const JAPANESE = { sku: "A-1", title: "Mixer", currency: "JPY", ourPrice: 1_000 };
const XML = { "Content-Type": "application/xml" };

onScreen.test("a rehearsal and the audit log show prices in the currency of their product; currency and time zone of the company are chosen among all that are valid", async ({ app, browser }) => {
  const [id = ""] = await addProducts(app, [JAPANESE]);
  const xml = itemsXml([{ sku: "A-1", title: "Mixer", price: "1.200" }]);
  const { jobId } = await app.owner.act("/api/imports?dryRun=true", xml, XML);
  const page = await browser.open(app, `/imports/${jobId}`);
  const pricesIn = async (place: Locator) => {
    const text = await place.getByRole("row", { name: /Unser Preis/ }).innerText();
    return text.replaceAll("\u00a0", " ").split(/\s*[\t\n]\s*/).slice(-2);
  };
  await page.getByRole("button", { name: /^geändert \d/ }).click();
  const changes = page.getByRole("table", { name: "Änderungen", exact: true });
  assertEquals(await pricesIn(changes), ["1.000 ¥", "1.200 ¥"]);

  await app.owner.change(`/api/products/${id}`, { ourPrice: 1_200 });
  await follow(page, "/audit-log?action=product.update");
  await page.getByRole("row", { name: /A-1/ }).click();
  assertEquals(await pricesIn(page.getByRole("dialog")), ["1.000 ¥", "1.200 ¥"]);

  await app.owner.change("/api/settings", { timeZone: "Asia/Calcutta" });
  await page.goto("/settings/workspace");
  const zone = page.getByRole("combobox", { name: "Zeitzone" });
  assertEquals(await zone.inputValue(), "Asia/Calcutta");
  await zone.selectOption("UTC");
  const currency = page.getByRole("combobox", { name: "Währung" });
  const codes = await currency.locator("option").evaluateAll((all) =>
    all.map((option) => option.getAttribute("value"))
  );
  assertEquals(codes, CURRENCIES);
  await currency.selectOption("CHF – Schweizer Franken");
  await page.getByRole("button", { name: "Speichern", exact: true }).click();
  await page.getByText("Gespeichert").waitFor();
  const saved = await app.owner.read("/api/settings");
  assertEquals([saved.timeZone, saved.currency], ["UTC", "CHF"]);
});
