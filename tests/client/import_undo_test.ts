/** A person takes an import back in the browser: first a rehearsal with numbers, then the change. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { importXml, itemsXml } from "../imports/import_calls.ts";
import { follow, holdRequests, onScreen } from "./browser.ts";
import { figuresOf, pricesOf } from "./shown.ts";

const LABELS = ["Wie zuvor", "Preise zurück", "Neue gelöscht", "Gelöschte zurück", "Bleibt"];

onScreen.test("an import is taken back from its page: a rehearsal with numbers, then the change, and its log entry", async ({ app, browser }) => {
  const key = await app.key(["products:write"]);
  const send = async (price: string, skus: readonly string[]) => {
    app.clock.advance(60_000);
    const items = skus.map((sku) => ({ sku, title: `Artikel ${sku}`, price }));
    return (await importXml(key, itemsXml(items), "?force=true")).data;
  };
  await send("10,00", ["A", "B", "C"]);
  const { jobId, undoableUntil } = await send("1,00", ["A", "B", "C", "D"]);
  const { items } = await app.owner.read("/api/products?q=Artikel");
  const b = items.find(({ sku }: { sku: string }) => sku === "B");
  app.clock.advance(1_000);
  await app.owner.change(`/api/products/${b.id}`, { ourPrice: 12 });

  const page = await browser.open(app, "/imports");
  const [, month, day] = undoableUntil.slice(0, 10).split("-");
  const until = `Zurücknehmen bis ${day}.${month}.`;
  await page.getByRole("link", { name: until }).first().click();
  await page.waitForURL(`**/imports/${jobId}`);
  await page.getByRole("button", { name: until }).click();
  await page.getByText("Probe der Rücknahme: Es wurde nichts geändert.").waitFor();
  await page.getByText("Diese Datei kam von einem Programm").waitFor();
  const goesOn = page.getByLabel("Die Quelle läuft weiter");
  assertEquals(await goesOn.isChecked(), false);
  const kept = page.getByRole("row", {
    name: "Der Preis wurde seit dem Import neu gesetzt; er bleibt.",
  });
  await kept.getByText("Unser Preis").waitFor();
  await kept.getByText("1.200 (kleinste Einheiten)").waitFor();
  assertEquals(await figuresOf(page, LABELS), ["2", "2", "1", "0", "1"]);

  await page.getByRole("button", { name: "Jetzt zurücknehmen" }).click();
  await page.getByText("Probe der Rücknahme:").waitFor({ state: "detached" });
  await page.locator(".page-title").getByText("übernommen").waitFor();
  assertEquals(await figuresOf(page, LABELS), ["2", "2", "1", "0", "1"]);
  assertEquals(await pricesOf(app), { A: 1_000, B: 1_200, C: 1_000 });
  await page.getByRole("link", { name: "Zum Import" }).click();
  await page.getByText("Dieser Import wurde zurückgenommen.").waitFor();
  assertEquals(await page.getByRole("button", { name: /Zurücknehmen/ }).count(), 0);

  const paused = page.locator(".note.bad", { hasText: "Die Quelle „Standard“ ist seit" });
  await follow(page, "/imports/sources");
  await page.getByRole("button", { name: "Standard" }).click();
  await paused.waitFor();
  await page.goto("/imports");
  await paused.waitFor();
  await paused.getByRole("button", { name: "Weiterlaufen lassen" }).click();
  await paused.waitFor({ state: "detached" });
  const source = await app.owner.read("/api/import-sources/default");
  assertEquals(source.pausedAt, null);
});

onScreen.test("the list and the page of an import lead to the prices of ours that it overwrote", async ({ app, browser }) => {
  const key = await app.key(["products:write"]);
  const file = itemsXml([{ sku: "A", title: "Artikel A", price: "10,00" }]);
  await importXml(key, file);
  app.clock.advance(60_000);
  const { items: [product] } = await app.owner.read("/api/products?q=Artikel");
  await app.owner.change(`/api/products/${product.id}`, { ourPrice: 11 });
  app.clock.advance(60_000);
  await importXml(key, file);

  const page = await browser.open(app, "/imports");
  await page.setViewportSize({ width: 1280, height: 300 });
  const { release } = await holdRequests(page, "**/errors*");
  await page.getByRole("link", { name: "1 Ihrer Preise überschrieben" }).click();
  const figure = page.locator(".figure", { hasText: "Ihre Preise überschrieben" });
  await figure.getByRole("link", { name: "1" }).click();
  await page.waitForURL("**/imports/*#corrected");
  release();
  await page.locator("#corrected").getByText("A", { exact: true }).waitFor();
  await page.waitForFunction(`corrected.getBoundingClientRect().top < innerHeight`);
});
