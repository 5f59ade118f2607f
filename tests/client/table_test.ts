import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type { Page } from "playwright-core";
import type { TestApp } from "../harness.ts";
import { importXml, itemsXml } from "../imports/import_calls.ts";
import { addProducts, onScreen, type TestBrowser, testsOfOneApp } from "./browser.ts";
import { widthsOf } from "../../src/client/parts/table/virtual_rows.ts";

/** One row more than the service changes at once. */
const COUNT = 1_001;

/** Imports products as a nightly file does. */
async function importMany(app: TestApp, count = COUNT): Promise<void> {
  const items = Array.from({ length: count }, (_, at) => ({
    sku: `S-${String(at).padStart(5, "0")}`,
    title: `Produkt ${at}`,
    price: `${at + 1},00`,
    more: `<BRAND>${at % 100 === 7 ? "Selten" : "Bosch"}</BRAND>`,
  }));
  await importXml(await app.key(["products:write"]), itemsXml(items));
}

/** Tests that share these products. Each test may change only what no other test reads. */
const onThousand = testsOfOneApp(importMany);

/** Opens the table of these products and waits for its first page. */
async function visitMany(browser: TestBrowser, app: TestApp): Promise<Page> {
  const page = await browser.open(app, "/products");
  await page.getByText("200 von 1.001 geladen").waitFor();
  return page;
}

onThousand.test("a change while the next page is loading does not lose that page", async ({ app, browser }) => {
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const held = Promise.withResolvers<void>();
  // The first request for the next page gets no response.
  await page.route("**/api/products?*cursor=*", () => held.resolve(), { times: 1 });
  await page.goto("/products");
  await page.getByText("200 von 1.001 geladen").waitFor();
  for (const key of ["j", "x"]) await page.keyboard.press(key);
  await page.locator(".table-scroll")
    .evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await held.promise;
  await page.getByRole("button", { name: "Preis sperren (1)" }).click();
  await page.getByText("400 von 1.001 geladen").waitFor();
});

onThousand.test("with reduced motion, a growing row has its final height at once; text typed while the filter takes effect is kept", async ({ app, browser }) => {
  const page = await visitMany(browser, app);
  const gap = page.locator("tr.gap td").last();
  await gap.waitFor({ state: "attached" });
  const heightPx = await gap.evaluate((cell) => {
    cell.style.height = "9000px";
    return cell.getBoundingClientRect().height;
  });
  assertEquals(heightPx, 9_000);
  const search = page.getByPlaceholder("SKU, Titel oder EAN");
  await search.pressSequentially("produkt ");
  await page.waitForURL("**/products?q=produkt");
  await page.getByText("200 von 1.001 geladen").waitFor();
  assertEquals(await search.inputValue(), "produkt ");
  // The next key arrives after the address has changed and before the page is drawn.
  await page.evaluate(`{
    const replace = history.replaceState;
    history.replaceState = (...state) => {
      history.replaceState = replace;
      replace.apply(history, state);
      const input = document.activeElement;
      input.value += "7";
      input.dispatchEvent(new Event("input", { bubbles: true }));
    };
  }`);
  await search.pressSequentially("77");
  await page.waitForURL("**/products?q=produkt+777");
  await page.getByText("1 Eintrag").waitFor();
  assertEquals(await search.inputValue(), "produkt 777");
});

onScreen.test("the table works by keys alone: move, mark, open the row that the previous key has reached; a click opens a deleted product", async ({ app, browser }) => {
  await importMany(app, 5);
  const page = await browser.open(app, "/products");
  await page.getByText("5 Einträge").waitFor();
  for (const key of ["j", "j", "x", "j", "x", "k"]) await page.keyboard.press(key);
  await page.getByText("2 markiert").waitFor();
  await page.getByRole("button", { name: "Preis sperren (2)" }).click();
  await page.getByText("2 geändert").waitFor();
  for (const key of ["j", "k", "Enter"]) await page.keyboard.press(key);
  await page.getByRole("heading", { level: 1, name: "Produkt 1" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await page.getByRole("heading", { name: "Importe" }).waitFor();

  await page.goto("/products");
  await page.getByText("5 Einträge").waitFor();
  // Quick keys must hit the right row even before the browser draws again.
  await page.evaluate("window.requestAnimationFrame = () => 0");
  for (const key of ["j", "j", "Enter"]) await page.keyboard.press(key);
  await page.getByRole("heading", { level: 1, name: "Produkt 1" }).waitFor();

  // A click on the row of a deleted product opens that product.
  const [id = ""] = await addProducts(app, [{ sku: "A", title: "Toaster" }]);
  await app.owner.remove(`/api/products/${id}`);
  await page.goto("/products?includeDeleted=true");
  await page.getByRole("row", { name: /Toaster/ }).getByText("Toaster").click();
  await page.waitForURL(`**/products/${id}**`);
  const note = await page.locator("main .note").first().innerText();
  assertEquals(note, "Dieses Produkt ist gelöscht.");
});

onThousand.test("a change for all products of a filter reaches unloaded ones", async ({ app, browser }) => {
  const page = await browser.open(app, "/products?brand=bosch");
  await page.locator("thead input").check();
  await page.getByRole("button", { name: "alle 991 dieser Ansicht markieren" }).click();
  await page.getByRole("button", { name: "Abruf aus (991)" }).click();
  await page.getByRole("button", { name: "Ja" }).click();
  await page.getByText("991 geändert").waitFor();
});

onThousand.test("the table scrolls through all pages, draws only visible rows, and filters; a change for more rows than the service takes at once reaches all", async ({ app, browser }) => {
  const page = await visitMany(browser, app);
  const scroller = page.locator(".table-scroll");
  for (const loaded of ["400", "600", "800"]) {
    await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await page.getByText(`${loaded} von 1.001 geladen`).waitFor();
  }
  for (const loaded of ["1.000 von 1.001 geladen", "1.001 Einträge"]) {
    await page.getByRole("button", { name: "Mehr laden" }).click();
    await page.getByText(loaded).waitFor();
  }
  await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await page.getByRole("row", { name: /S-01000/ }).waitFor();
  const drawn = await page.locator("tbody tr:not(.gap)").count();
  ok(drawn < 100, `${drawn} rows are drawn`);
  await page.locator("thead input").check();
  await page.getByText("1.001 markiert").waitFor();
  await page.getByRole("button", { name: "Preis sperren (1.001)" }).click();
  await page.locator(".toast").first().waitFor();
  assertEquals(await page.locator(".toast .note.bad").count(), 0);
  await page.getByText("1.000 geändert").waitFor();

  await page.locator("search summary").click();
  await page.locator("search").getByLabel("Marke", { exact: true }).fill("selten");
  await page.getByText("10 Einträge").waitFor();
  assertEquals(new URL(page.url()).search, "?brand=selten");
  await page.reload();
  await page.getByText("10 Einträge").waitFor();
});

Deno.test("widthsOf() widens numbers at the cost of texts, down to a minimum", () => {
  const columns = [
    { key: "name", width: 240 },
    { key: "price", width: 90, isNumber: true },
    { key: "title", width: 200 },
  ];
  const widths = (
    pricePx: number,
  ) => [...widthsOf(columns, new Map([["price", pricePx]])).values()];
  assertEquals(widths(0), [240, 90, 200]);
  assertEquals(widths(120), [210, 120, 200]);
  assertEquals(widths(160), [180, 160, 190]);
  assertEquals(widths(500), [180, 500, 180]);
});
