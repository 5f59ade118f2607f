import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { article, openShop } from "../scraping/hostile_shop.ts";
import { onTicking } from "./browser.ts";
import { linkAndRead } from "./scraped.ts";

const OURS = {
  sku: "BO-1",
  title: "Bosch GSR 18V-55 Akkuschrauber",
  brand: "Bosch",
  ean: "4006381333931",
  mpn: "GSR18V55",
  ourPrice: 149,
};
const OTHER = { name: "Puzzle 1000 Teile Burg", gtin13: "4005556050178", brand: "Ravensburger" };

onTicking.test("a page of another product is linked only after insisting, and its link is confirmed or rejected there", async ({ app, browser }) => {
  const { name, ...more } = OTHER;
  const other = article(name, more, { price: "139.00" });
  await using shop = openShop({ "/p/other": other, "/p/other/2": other });
  const { id } = await app.owner.create("/api/products", OURS);
  await linkAndRead(app, id, `${shop.base}/p/other`);
  const page = await browser.open(app, `/products/${id}`);
  const offers = page.locator("table.offers");
  const row = offers.locator("tr", { hasText: "Seite zeigt ein anderes Produkt" });
  match(await row.innerText(), /Die EAN ist eine andere: unsere 4006381333931, dort 4005556050178/);

  await row.getByRole("button", { name: /^Falsch verknüpft/ }).last().click();
  await offers.getByText("als falsch verworfen").last().waitFor();
  await page.getByRole("button", { name: "Rückgängig" }).press("Enter");
  await row.getByRole("button", { name: /^Dasselbe Produkt/ }).last().click();
  await page.getByText("als dasselbe Produkt bestätigt").waitFor();
  await row.waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Seite verknüpfen" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Adresse der Produktseite").fill(`${shop.base}/p/other/2`);
  await dialog.getByRole("button", { name: "Seite probeweise lesen" }).click();
  await dialog.getByText("Ein anderes Produkt", { exact: true }).waitFor();
  await dialog.getByText("≠ 4005556050178").waitFor();
  const save = dialog.getByRole("button", { name: "Speichern" });
  assertEquals(await save.isDisabled(), true);
  await dialog.getByLabel("Trotzdem verknüpfen").check();
  await save.click();
  await dialog.waitFor({ state: "detached" });
  const { items } = await app.owner.read(`/api/competitor-products?productId=${id}`);
  const said = items.map(({ identity }: { identity: { confirmedBy: unknown } | null }) =>
    identity?.confirmedBy !== null
  );
  assertEquals(said, [true, true]);
});
