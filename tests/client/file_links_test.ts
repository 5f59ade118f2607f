/** What tables show as files, and what stands beside each other on the screens that have them. */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { addProduct } from "../evaluation/market.ts";
import { startTestApp } from "../harness.ts";
import { importFile } from "../imports/import_calls.ts";
import { sheetsOf } from "../read_workbook.ts";
import { browserTest } from "./browser.ts";

browserTest(
  "every table that can be exported has a CSV and a workbook of what it shows",
  async (browser) => {
    await using app = await startTestApp();
    await addProduct(app.owner, "A-1");
    const key = await app.key(["products:write"]);
    const { data } = await importFile(key, "SKU;Titel;Preis\n;Tasse;1,00\n", "text/csv");
    const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
    const screens = [
      ["/products", "sku"],
      ["/proposals", "Artikelnummer"],
      ["/audit-log", "at"],
      [`/imports/${data.jobId}`, "severity"],
    ] as const;
    for (const [path, first] of screens) {
      await page.goto(path);
      const links = page.locator(".file-links a");
      await links.nth(1).waitFor();
      assertEquals(await links.allInnerTexts(), ["CSV", "XLSX"], path);
      const [csv, xlsx] = await Promise.all([0, 1].map(async (n) => {
        const answer = await page.request.get(await links.nth(n).getAttribute("href") ?? "");
        assertEquals(answer.status(), 200, path);
        return await answer.body();
      }));
      ok(csv && xlsx);
      ok(
        new TextDecoder("utf-8", { ignoreBOM: true }).decode(csv).startsWith(`\ufeff"${first}"`),
        path,
      );
      assertEquals((await sheetsOf(new Uint8Array(xlsx)))["1"]?.[0]?.[0], first, path);
    }
    const refused = page.getByRole("link", { name: "Abgelehnte Zeilen" });
    const rows = await page.request.get(await refused.getAttribute("href") ?? "");
    ok((await rows.text()).includes('"";"Tasse";"1,00";"'));
  },
);
