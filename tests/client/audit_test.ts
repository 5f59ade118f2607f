import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { startTestApp } from "../harness.ts";
import { addProducts, browserTest } from "./browser.ts";

browserTest(
  "the log says what was before and after, of one SKU and of one person",
  async (browser) => {
    await using app = await startTestApp();
    const [id = ""] = await addProducts(
      app,
      ["A-1", "B-1"].map((sku) => ({ sku, title: sku, ourPrice: 100 })),
    );
    assertEquals((await app.manager.patch(`/api/products/${id}`, { ourPrice: 120 })).status, 200);
    const { page, complaints } = await browser.visit(app.base, { cookie: app.ownerCookie });
    await page.goto("/audit-log");
    await page.getByRole("row", { name: /A-1.*100,00 € → 120,00 €/ }).waitFor();
    await page.getByPlaceholder("SKU").fill("A-1");
    await page.waitForURL("**/audit-log?sku=A-1");
    await page.getByText("2 Einträge").waitFor();
    await page.getByLabel("Wer").selectOption({ index: 2 });
    await page.waitForURL(/actor=/);
    await page.goto("/audit-log?sku=nobody");
    await page.locator(".empty").waitFor();
    assertEquals(complaints, []);
  },
);
