import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type { Locator } from "playwright-core";
import { csvCells } from "../csv_cells.ts";
import { addProduct, addRule, push, untilJudged } from "../rules/evaluation/market.ts";
import { importFile } from "../imports/import_calls.ts";
import { ended } from "../scraping/scraping_app.ts";
import { follow, onScreen } from "./browser.ts";
import { fileBehind } from "./shown.ts";

const hrefOf = async (link: Locator) => await link.getAttribute("href") ?? "";

onScreen.test("every table that can be exported has a CSV and a workbook of what it shows", async ({ app, browser }) => {
  await addProduct(app.owner, "A-1");
  const key = await app.key(["products:write"]);
  const { data } = await importFile(key, "SKU;Titel;Preis\n;Tasse;1,00\n", "text/csv");
  const actions = [
    { type: "propose_price", formula: "match_cheapest" },
    { type: "alert_inapp", severity: "high" },
  ];
  await addRule(app.owner, { actions });
  await push(app, [["A-1", "acme", 90]]);
  await untilJudged(app);
  const [product] = (await app.owner.read("/api/products")).items;
  const run = `/api/products/${product.id}/scrape-now`;
  const { runId } = await app.owner.begin(run);
  await ended(app, runId);
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const screens = [
    ["/products", "SKU"],
    ["/proposals", "Angelegt am"],
    ["/audit-log", "Zeitpunkt"],
    ["/imports", "Beginn"],
    ["/imports/sources", "Kennung"],
    ["/competitors", "Name"],
    ["/rules", "Rang"],
    ["/runs", "Angelegt am"],
    [`/runs/${runId}`, "Shop"],
    ["/moves", "Gesehen"],
    ["/alerts?view=all", "Angelegt am"],
    [`/imports/${data.jobId}`, "Dringlichkeit"],
  ] as const;
  await page.goto("/");
  for (const [path, first] of screens) {
    await follow(page, path);
    if (path === "/proposals") await page.locator(".page-head summary").click();
    const links = page.locator(".file-links").first().locator("a");
    await links.nth(1).waitFor();
    assertEquals(await links.allInnerTexts(), ["CSV", "XLSX"], path);
    const [csv, xlsx] = [await hrefOf(links.nth(0)), await hrefOf(links.nth(1))];
    assertEquals(xlsx, csv.replace("csv", "xlsx"), path);
    ok((await fileBehind(links.nth(0))).startsWith(`\ufeff"${first}"`), path);
    assertEquals((await page.request.head(xlsx)).status(), 200, path);
  }
  await follow(page, "/proposals");
  // The page has two files in the same formats, so one menu contains both.
  assertEquals(await page.locator(".table-foot .file-links").count(), 0);
  await page.locator(".page-head summary").click();
  const csvOf = async (what: string) => {
    const link = page.getByRole("group", { name: what }).getByRole("link", { name: "CSV" });
    return csvCells(await fileBehind(link), ";");
  };
  const [, ...rows] = await csvOf("Vorschläge dieser Liste");
  assertEquals(rows.map((row) => row[2]), ["A-1"]);
  const [[first = ""] = []] = await csvOf("Freigegebene und geänderte Preise der letzten 30 Tage");
  assertEquals(first.replace("\ufeff", ""), "Artikelnummer");

  await follow(page, `/imports/${data.jobId}`);
  const refused = page.getByRole("link", { name: "Als CSV zum Berichtigen laden" });
  ok((await fileBehind(refused)).includes('"";"Tasse";"1,00";"'));
});
