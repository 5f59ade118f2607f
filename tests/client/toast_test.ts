import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { addProducts, onScreen } from "./browser.ts";
import { resize } from "./see_all_ways.ts";

onScreen.test("a message covers no content, in a wide window or on a phone", async ({ app, browser }) => {
  await addProducts(app, [{ sku: "A-1", title: "A", ourPrice: 10 }]);
  const page = await browser.open(app, "/products");
  await page.locator("tbody tr.opens").first().waitFor();
  for (const key of ["j", "x"]) await page.keyboard.press(key);
  await page.getByRole("button", { name: "Preis sperren (1)" }).click();
  const toast = page.locator(".toast");
  await toast.waitFor();
  for (const width of [1280, 390]) {
    await resize(page, width);
    const [box, main] = await Promise.all([
      toast.boundingBox(),
      page.locator("main").boundingBox(),
    ]);
    ok(box && main && box.y + box.height <= main.y, JSON.stringify([width, box, main]));
    assertEquals(await toast.getByText("1 geändert").count(), 1);
  }
});
