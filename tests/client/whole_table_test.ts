import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type { TestApp } from "../harness.ts";
import { addProducts, onScreen, type TestBrowser, testsOfOneApp } from "./browser.ts";
import { importXml, itemsXml } from "../imports/import_calls.ts";
import { fitsAllWays } from "./see_all_ways.ts";
import { whenDrawn } from "./when_drawn.ts";

const COUNT = 120;

/** More products than a window shows, some with very wide prices. */
async function importMany(app: TestApp): Promise<void> {
  const items = Array.from({ length: COUNT }, (_, at) => ({
    sku: `S-${String(at).padStart(3, "0")}`,
    title: `Produkt ${at}`,
    price: at % 3 === 0 ? "123456789,99" : "9,99",
    more: "<COSTPRICE>98765432,10</COSTPRICE>",
  }));
  await importXml(await app.key(["products:write"]), itemsXml(items));
}

/** Tests that share these products. Marks and typed values of a test are not saved. */
const onWhole = testsOfOneApp(importMany);

async function visitProducts(browser: TestBrowser, app: TestApp, width = 1280) {
  const page = await browser.open(app, "/products", { viewport: { width, height: 800 } });
  await page.getByText(`${COUNT} Einträge`).waitFor();
  return page;
}

onWhole.test("no number is cut in a wide window or on a phone, where a row is a card, and the page scrolls to the last row", async ({ app, browser }) => {
  const page = await visitProducts(browser, app, 1440);
  ok(await page.locator("tbody .number").count() > 0);
  await fitsAllWays(page);

  // On a phone a row is a card that names each value.
  const cell = page.locator("tbody tr td.number").first();
  assertEquals(await cell.getAttribute("data-label"), "Unser Preis");
  const [card, box] = await Promise.all([
    page.locator("tbody tr.opens").first().boundingBox(),
    cell.boundingBox(),
  ]);
  ok(card && box && box.x >= card.x && box.x + box.width <= card.x + card.width);
  // No element covers the value or the box that marks the row.
  for (const part of ["td.number", ".pick input"]) {
    const isOnTop = await page.evaluate(`(() => {
      const part = document.querySelector("tbody tr.opens ${part}");
      const { x, y, height } = part.getBoundingClientRect();
      return part.contains(document.elementFromPoint(x + 12, y + height / 2));
    })()`);
    assertEquals([part, isOnTop], [part, true]);
  }
  assertEquals(
    await page.locator(".table-scroll").evaluate((one) => one.scrollWidth - one.clientWidth),
    0,
  );

  await page.getByText("Alle geladenen Zeilen markieren").click();
  await page.getByText(`${COUNT} markiert`).waitFor();
  await page.locator("main").evaluate((main) => main.scrollTo(0, main.scrollHeight));
  await page.locator("tbody tr", { hasText: "S-119" }).waitFor();
  const [row, foot] = await Promise.all([
    page.locator("tbody tr", { hasText: "S-119" }).boundingBox(),
    page.locator(".table-foot").boundingBox(),
  ]);
  // The rows end at the table's end, even if some rows are not drawn.
  ok(row && foot && Math.abs(row.y + row.height - foot.y) < 2, JSON.stringify([row, foot]));
});

onWhole.test("the box above the rows says whether none, some or all are marked; all rows are printed", async ({ app, browser }) => {
  const page = await visitProducts(browser, app);
  const head = page.locator("thead .pick input");
  const state = () =>
    page.evaluate<string>(`(({ indeterminate, checked }) =>
      indeterminate ? "some" : checked ? "all" : "none"
    )(document.querySelector("thead .pick input"))`);
  assertEquals(await state(), "none");
  await page.locator("tbody .pick input").first().click();
  assertEquals(await state(), "some");
  await head.click();
  assertEquals(await state(), "all");
  await page.getByText(`${COUNT} markiert`).waitFor();
  await page.locator("tbody .pick input").first().click();
  assertEquals(await state(), "some");
  await page.getByText(`${COUNT - 1} markiert`).waitFor();
  // A single product can be excluded after all products of the filter were marked.
  await page.getByRole("button", { name: `alle ${COUNT} dieser Ansicht markieren` }).click();
  await page.locator("tbody .pick input").first().click();
  await page.getByText(`${COUNT - 1} markiert`).waitFor();
  await head.click();
  await head.click();
  assertEquals(await state(), "none");

  await page.emulateMedia({ media: "print" });
  await page.locator("tbody tr", { hasText: "S-119" }).waitFor();
  assertEquals(await page.locator("tbody tr:not(.gap)").count(), COUNT);
  assertEquals(await page.locator(".nav").isVisible(), false);
});

onScreen.test("shortcuts and dialogs work once they are drawn, and Escape returns the focus", async ({ app, browser }) => {
  await addProducts(app, ["A-1", "A-2", "A-3"].map((sku) => ({ sku, title: sku, ourPrice: 10 })));
  const page = await browser.open(app, "/products");
  const focused = async () => String(await page.evaluate("document.activeElement.textContent"));
  const closed = () => page.locator("dialog[open]").waitFor({ state: "detached" });
  await page.locator("tbody tr.opens").first().waitFor();
  for (const key of ["j", "j", "?"]) await page.keyboard.press(key);
  await page.locator("dialog[open]").waitFor();
  await page.keyboard.press("Escape");
  await closed();
  ok((await focused()).includes("A-2"), await focused());
  const form = await whenDrawn(page, "dialog.dialog", "element.open");
  await page.getByRole("button", { name: "Produkt anlegen" }).click();
  assertEquals(await form(), true);
  await page.keyboard.press("Escape");
  await closed();
  assertEquals(await focused(), "Produkt");
  await page.getByText("Spalten").click();
  await page.keyboard.press("Escape");
  assertEquals(await page.locator("details[open]").count(), 0);

  // Escape in the search field clears it and returns to the rows.
  await page.keyboard.press("/");
  await page.keyboard.type("A-3");
  await page.waitForURL("**/products?q=A-3");
  await page.keyboard.press("Escape");
  await page.waitForURL((url) => url.search === "");
  await page.getByText("3 Einträge").waitFor();
  await page.keyboard.press("j");
  ok(/^A-\d/.test(await focused()), await focused());

  const bar = await whenDrawn(
    page,
    ".bulk-bar",
    `!element.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true
    }))`,
  );
  await page.locator("tbody .pick input").first().click();
  assertEquals(await bar(), true);
  const palette = await whenDrawn(page, "dialog.palette", "element.open");
  await page.keyboard.press("Control+k");
  assertEquals(await palette(), true);
});
