import { DAY_MS, HOUR_MS } from "../../src/base/time.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { addProduct } from "../rules/evaluation/market.ts";
import { onScreen } from "./browser.ts";

onScreen.test("price evidence opens from the product, shows VAT, source and mark of each price, and prints alone", async ({ app, browser }) => {
  const id = await addProduct(app.owner, "A-1", { title: "Kaffeemühle", vatRatePct: 19 });
  const set = async (ourPrice: number) => {
    app.clock.advance(DAY_MS);
    await app.owner.change(`/api/products/${id}`, { ourPrice, reason: "Past" });
  };
  await set(1);
  await set(90);
  await set(95);
  const { items } = await app.owner.read(`/api/products/${id}/price-history`);
  const wrong = items.find(({ toCents }: { toCents: number }) => toCents === 100);
  const mark = { isError: true, neverShown: true, reason: "Shop war aus" };
  const path = `/api/products/${id}/price-history/${wrong.at}/mark`;
  await app.owner.act(path, mark);
  app.clock.advance(DAY_MS);
  await app.owner.change(`/api/products/${id}`, { ourPrice: 80, reason: "Now" });
  const stored = await app.owner.read(`/api/products/${id}/price-evidence`);

  const page = await browser.open(app, `/products/${id}`);
  await page.getByRole("link", { name: "Nachweis", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Preisnachweis" }).waitFor();
  await page.locator(".evidence tbody tr").first().waitFor();
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 794, height: 1_123 });
  const said = (await page.locator(".evidence").innerText()).replaceAll("\u00a0", " ");
  const wanted = ["Kaffeemühle", "SKU A-1", "90,00 €", "19", "Shop war aus", "nie gezeigt"];
  for (const text of [...wanted, stored.sha256]) ok(said.includes(text), `${text} in ${said}`);
  assertEquals(await page.locator(".evidence tbody tr").count(), stored.rows.length);
  for (const name of [".nav", ".bar", ".page-actions", ".back"]) {
    assertEquals(await page.locator(name).first().isVisible(), false, name);
  }
  const [wide, room] = [await page.evaluate("document.documentElement.scrollWidth"), 794];
  ok(Number(wide) <= room, `${wide} px on paper of ${room}`);
});

onScreen.test("a price reduced just now is compared with the 30 days before it, whatever the browser's clock says", async ({ app, browser }) => {
  const id = await addProduct(app.owner, "A-2");
  app.clock.advance(DAY_MS);
  const page = await browser.open(app, `/products/${id}`, {
    now: new Date(app.clock.now().getTime() - HOUR_MS),
  });
  const view = () => page.locator(".lowest").first().innerText();
  match(await view(), /^Niedrigster Preis der letzten 30 Tage:\s+100,00/);
  await app.owner.change(`/api/products/${id}`, { ourPrice: 80 });
  await page.reload();
  match(await view(), /^Niedrigster Preis in den 30 Tagen vor der letzten Senkung:\s+100,00/);
});
