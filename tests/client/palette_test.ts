import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { addProducts, appTest } from "./browser.ts";

appTest(
  "the palette finds screens and products, and says when it finds none",
  async (app, browser) => {
    const [id] = await addProducts(app, [
      { sku: "A-1", title: "Kühlschrank KS 300" },
      { sku: "A-2", title: "Toaster" },
    ]);
    const page = await browser.open(app, "/products");
    await page.getByText("Toaster").waitFor();
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: "Suchen und springen" });
    await field.fill("gibt es nicht");
    await page.getByText("Nichts gefunden").waitFor();
    await field.fill("kühlschr");
    await page.getByRole("option", { name: /Kühlschrank KS 300/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Kühlschrank KS 300" }).waitFor();
    assertEquals(new URL(page.url()).pathname, `/products/${id}`);
    await page.keyboard.press("Control+k");
    await field.fill("regel");
    await page.getByRole("option", { name: /Regeln/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("Noch keine Regel").waitFor();
  },
);
