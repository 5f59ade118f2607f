import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { bodyOf } from "../api/answers.ts";
import { startTestApp } from "../harness.ts";
import { addProducts, browserTest } from "./browser.ts";

browserTest(
  "two people at one product: the second one is told who changed what",
  async (browser) => {
    await using app = await startTestApp();
    const [id = ""] = await addProducts(app, [{ sku: "A-1", title: "Alt", ourPrice: 100 }]);
    const path = `/api/products/${id}`;
    const stored = () => bodyOf(app.owner.get(path), 200);
    const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
    await page.goto(`/products/${id}`);
    const edit = async (title: string) => {
      await page.getByRole("button", { name: "Bearbeiten" }).first().click();
      await page.getByRole("dialog").getByLabel("Titel").fill(title);
    };
    await edit("Von mir");
    assertEquals((await app.owner.patch(path, { ourPrice: 120 })).status, 200);
    const save = page.getByRole("button", { name: "Speichern", exact: true });
    await save.click();
    const note = page.getByRole("dialog").getByRole("alert");
    await note.getByText("100,00 € → 120,00 €").waitFor();
    assertEquals((await stored()).title, "Alt");

    await note.getByRole("button", { name: "Meine Eingaben darüber speichern" }).click();
    await page.locator("dialog[open]").waitFor({ state: "detached" });
    const after = await stored();
    assertEquals([after.title, after.ourPriceCents], ["Von mir", 12_000]);

    await page.getByRole("heading", { name: "Von mir" }).waitFor();
    await edit("Noch einmal");
    assertEquals((await app.owner.patch(path, { title: "Von ihr" })).status, 200);
    await save.click();
    await page.getByRole("button", { name: "Neuere Fassung laden" }).click();
    assertEquals(await page.getByRole("dialog").getByLabel("Titel").inputValue(), "Von ihr");
    assertEquals((await stored()).title, "Von ihr");
  },
);
