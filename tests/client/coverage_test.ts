import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { addMatch, addProduct } from "../shops/shop.ts";
import { onScreen } from "./browser.ts";

onScreen.test("several shops are searched at once, and a coverage cell opens the products of its brand that lack a link at its shop", async ({ app, browser }) => {
  const { manager } = app;
  const shops: string[] = [];
  for (
    const [domain, displayName] of [["one.example", "Eins"], ["two.example", "Zweitgrößter Shop"]]
  ) {
    shops.push((await manager.create("/api/competitors", { domain, displayName })).id);
  }
  const add = (sku: string, brand: string) => addProduct(manager, sku, { title: sku, brand });
  const seen = await add("BO-1", "Bosch");
  await add("BO-2", "Bosch");
  await add("MA-1", "Makita");
  await addMatch(manager, seen, "https://one.example/1");
  const page = await browser.open(app, "/links/coverage");
  await page.getByRole("button", { name: "Seiten suchen lassen …" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Modus").selectOption({ label: "automatisch" });
  await dialog.getByLabel("Seiten am Tag").fill("5.500");
  await dialog.getByRole("button", { name: "In 2 Shops suchen" }).click();
  await dialog.waitFor({ state: "detached" });
  for (const id of shops) {
    const { mode, pagesPerDay } = await manager.read(`/api/competitors/${id}/discovery`);
    assertEquals([mode, pagesPerDay], ["automatic", 5_500]);
  }
  await page.locator(".figure", { hasText: "Verknüpfte Seiten" }).getByText("in 2 Shops").waitFor();
  const widths = await page.locator(".coverage tbody tr").first().locator(".coverage-bar")
    .evaluateAll((bars) => bars.map((bar) => Math.round(bar.getBoundingClientRect().width)));
  assertEquals([widths.length, new Set(widths).size], [2, 1], "bars can be compared");
  const figure = page.locator(".figure", { hasText: "In mindestens 1 Shop verknüpft" });
  assertEquals(
    await figure.getByRole("link", { name: "2 ohne" }).getAttribute("href"),
    "/products?missing=any",
  );
  // A cell shows how many products have no link. The last figure counts all suggestions, including
  // sure suggestions.
  const cell = page.getByRole("link", { name: /^Bosch bei Eins/ }).locator(".coverage-line");
  match(await cell.innerText(), /^50,0\s%\s+1$/);
  await page.locator(".figure", { hasText: "Vorschläge" }).getByText("0 zu prüfen, 0 sicher")
    .waitFor();
  await page.getByRole("link", { name: /^Bosch bei Zweitgrößter Shop: 0,0 % verknüpft, 2 ohne/ })
    .waitFor();
  await page.getByRole("link", { name: /^Bosch bei Eins: 50,0 % verknüpft, 1 ohne/ }).click();
  await page.getByRole("link", { name: "BO-2" }).first().waitFor();
  assertEquals(await page.getByRole("link", { name: /^(BO-1|MA-1)$/ }).count(), 0);
  const { searchParams } = new URL(page.url());
  assertEquals([searchParams.get("brand"), searchParams.has("missing")], ["Bosch", true]);
});
