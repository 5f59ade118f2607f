import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { addProducts, onScreen } from "./browser.ts";

for (const width of [1280, 390]) {
  onScreen.test(`a message covers no content in a window of ${width} pixels`, async ({ app, browser }) => {
    await addProducts(app, [{ sku: "A-1", title: "A", ourPrice: 10 }]);
    const page = await browser.open(app, "/products", { viewport: { width, height: 800 } });
    await page.locator("tbody tr.opens").first().waitFor();
    for (const key of ["j", "x"]) await page.keyboard.press(key);
    await page.getByRole("button", { name: "Preis sperren (1)" }).click();
    const toast = page.locator(".toast");
    await toast.waitFor();
    const [box, main] = await Promise.all([
      toast.boundingBox(),
      page.locator("main").boundingBox(),
    ]);
    ok(box && main && box.y + box.height <= main.y, JSON.stringify([box, main]));
    assertEquals(await toast.getByText("1 geändert").count(), 1);
  });
}
