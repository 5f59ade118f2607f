import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import type { TestApp } from "../harness.ts";
import { importFile, importXml, type Item, itemsXml } from "../imports/import_calls.ts";
import { addProducts, follow, onScreen, type TestBrowser, testsOfOneApp } from "./browser.ts";
import { cutIn, fitsAllWays } from "./see_all_ways.ts";
import { fileBehind, whenDrawn } from "./on_page.ts";
import { csvCells } from "../read_table.ts";
import { addProduct, addRule, push, untilJudged } from "../rules/evaluation/market.ts";
import { ended } from "../scraping/scraping_app.ts";

async function importMany(app: TestApp, count: number, more: Omit<Item, "sku"> = {}) {
  const items = Array.from({ length: count }, (_, at) => ({
    sku: `S-${String(at).padStart(5, "0")}`,
    title: `Produkt ${at}`,
    price: at % 3 === 0 ? "123456789,99" : "9,99",
    more: `<BRAND>${at % 100 === 7 ? "Selten" : "Bosch"}</BRAND>`,
    ...more,
  }));
  await importXml(await app.key(["products:write"]), itemsXml(items));
}

/**
 * The tests share 1,001 products, one more than a request may change. A test may change only
 * products that no other test reads.
 */
const onThousand = testsOfOneApp((app) => importMany(app, 1_001));

async function visitMany(browser: TestBrowser, app: TestApp): Promise<Page> {
  const page = await browser.open(app, "/products");
  await page.getByText("200 von 1.001 geladen").waitFor();
  return page;
}

onThousand.test("a change while the next page is loading does not lose that page", async ({ app, browser }) => {
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const held = Promise.withResolvers<void>();
  // The first request for the second page never gets a response.
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

onThousand.test("text typed while the filter takes effect is kept", async ({ app, browser }) => {
  const page = await visitMany(browser, app);
  const search = page.getByPlaceholder("SKU, Titel oder EAN");
  await search.pressSequentially("produkt ");
  await page.waitForURL("**/products?q=produkt");
  await page.getByText("200 von 1.001 geladen").waitFor();
  assertEquals(await search.inputValue(), "produkt ");
  // Simulates a key press between the change of the address and the next drawing.
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

  await page.goto("/products");
  await page.getByText("5 Einträge").waitFor();
  // Keys in quick succession must hit the right row even before the page is drawn again.
  await page.evaluate("window.requestAnimationFrame = () => 0");
  for (const key of ["j", "j", "Enter"]) await page.keyboard.press(key);
  await page.getByRole("heading", { level: 1, name: "Produkt 1" }).waitFor();

  const [id = ""] = await addProducts(app, [{ sku: "A", title: "Toaster" }]);
  await app.owner.remove(`/api/products/${id}`);
  await page.goto("/products?includeDeleted=true");
  await page.getByRole("row", { name: /Toaster/ }).getByText("Toaster").click();
  await page.waitForURL(`**/products/${id}**`);
  const note = await page.locator("main .note").first().innerText();
  assertEquals(note, "Dieses Produkt ist gelöscht.");
  const isFirst = await page.getByRole("button", { name: "Voriges Produkt" }).isDisabled();
  for (const key of isFirst ? ["j", "k"] : ["k", "j"]) {
    await page.keyboard.press(key);
    await page.getByRole("heading", {
      level: 1,
      name: key === "j" === isFirst ? /Produkt/ : "Toaster",
    })
      .waitFor();
  }
});

onThousand.test("a change for all products of a filter reaches unloaded ones", async ({ app, browser }) => {
  const page = await browser.open(app, "/products?brand=bosch");
  await page.locator("thead input").check();
  await page.getByRole("button", { name: "alle 991 dieser Ansicht markieren" }).click();
  await page.getByRole("button", { name: "Abruf aus (991)" }).click();
  await page.getByRole("button", { name: "Ja" }).click();
  await page.getByText("991 geändert").waitFor();
});

onThousand.test("the table scrolls through all pages, and filters; a change for more rows than the service takes at once reaches all", async ({ app, browser }) => {
  const { items: [{ id }] } = await app.manager.read("/api/products?limit=1");
  await app.manager.change(`/api/products/${id}`, { priceLocked: true });
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

/** More products than fit on a screen. */
const COUNT = 120;
const DEAR = { more: "<COSTPRICE>98765432,10</COSTPRICE>" };

const onWhole = testsOfOneApp((app) => importMany(app, COUNT, DEAR));

async function visitProducts(browser: TestBrowser, app: TestApp, width = 1280) {
  const page = await browser.open(app, "/products", { viewport: { width, height: 800 } });
  await page.getByText(`${COUNT} Einträge`).waitFor();
  return page;
}

onWhole.test("no number is cut in a wide window or on a phone, where a row is a card, and the page scrolls to the last row", async ({ app, browser }) => {
  const page = await visitProducts(browser, app, 1440);
  ok(await page.locator("tbody .number").count() > 0);
  await fitsAllWays(page);

  const cell = page.locator("tbody tr td.number").first();
  assertEquals(await cell.getAttribute("data-label"), "Unser Preis");
  const [card, box] = await Promise.all([
    page.locator("tbody tr.opens").first().boundingBox(),
    cell.boundingBox(),
  ]);
  ok(card && box && box.x >= card.x && box.x + box.width <= card.x + card.width);
  for (const part of ["td.number", ".pick input"]) {
    const isOnTop = await page.evaluate(`(() => {
      const part = document.querySelector("tbody tr.opens ${part}");
      const { x, y, height } = part.getBoundingClientRect();
      return part.contains(document.elementFromPoint(x + 12, y + height / 2));
    })()`);
    assertEquals([part, isOnTop], [part, true]);
  }
  assertEquals(await cutIn(page.locator(".table-scroll")), []);

  await page.getByText("Alle geladenen Zeilen markieren").click();
  await page.getByText(`${COUNT} markiert`).waitFor();
  await page.locator("main").evaluate((main) => main.scrollTo(0, main.scrollHeight));
  await page.locator("tbody tr", { hasText: "S-00119" }).waitFor();
  const [row, foot] = await Promise.all([
    page.locator("tbody tr", { hasText: "S-00119" }).boundingBox(),
    page.locator(".table-foot").boundingBox(),
  ]);
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
  await page.getByRole("button", { name: `alle ${COUNT} dieser Ansicht markieren` }).click();
  await page.locator("tbody .pick input").first().click();
  await page.getByText(`${COUNT - 1} markiert`).waitFor();
  await head.click();
  await head.click();
  assertEquals(await state(), "none");

  await page.emulateMedia({ media: "print" });
  await page.locator("tbody tr", { hasText: "S-00119" }).waitFor();
  assertEquals(await page.locator("tbody tr").count(), COUNT);
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
  // The page has two exports in the same formats, so one menu offers both.
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
