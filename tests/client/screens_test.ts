import { Buffer } from "node:buffer";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type { Page } from "playwright-core";
import { PATH_NAMES, type PathName, PATHS } from "../../src/client/paths.ts";
import type { TestApp } from "../harness.ts";
import { IS_LONG } from "../proof.ts";
import { TOO_WIDE, violationsOf } from "./see_all_ways.ts";
import { fillLinks, fillPricing, hostileTitles } from "./filled_screens.ts";
import { addProducts, follow, onScreen } from "./browser.ts";

interface Screen {
  readonly path: string;
  /** Selector of an element that appears once the screen is loaded. */
  readonly sign: string;
  /** Brings the screen into the state that is checked. */
  readonly act?: (page: Page) => Promise<void>;
}

const openRow = (page: Page) => page.locator("tbody tr.opens td:not(.pick)").first().click();

const markRow = (page: Page) => page.locator("tbody .pick input").first().click();

const openMenus = async (page: Page) => {
  await page.evaluate(
    "document.querySelectorAll('main details').forEach((one) => one.open = true)",
  );
};

const planPrices = async (page: Page) => {
  await markRow(page);
  await page.getByRole("button", { name: /^Preis setzen …/ }).click();
  await page.getByLabel("Prozent").fill("−50");
  await page.locator(".bulk-plan").waitFor();
};

const dialogs = (page: Page) => page.locator("dialog[open]");

const dialogOpen = (page: Page) => dialogs(page).waitFor();

const asksBy = (name: string | RegExp, isMarked = false) => async (page: Page) => {
  if (isMarked) await markRow(page);
  await page.getByRole("button", { name }).first().click();
  await dialogOpen(page);
};

const fetchAll = async (page: Page) => {
  await markRow(page);
  await page.getByRole("button", { name: /^alle .* dieser Ansicht markieren/ }).click();
  await page.getByRole("button", { name: /^Jetzt abrufen \(/ }).click();
  await dialogOpen(page);
};

const holdPrice = async (page: Page) => {
  await asksBy("Halten bis …")(page);
  await page.getByRole("dialog").getByRole("button", { name: "Preis halten" }).click();
  await page.getByRole("button", { name: "Rückgängig" }).waitFor();
};

const markPast = async (page: Page) => {
  await page.getByRole("button", { name: "nur wir" }).click();
  await asksBy("Als Fehler markieren …")(page);
};

const openFold = async (page: Page) => {
  await page.getByRole("button", { name: /Alle 2 zeigen/ }).click();
  await page.locator("tr.part").first().waitFor();
};

const undoMany = async (page: Page) => {
  await page.getByRole("row", { name: /2 Preise gesetzt/ })
    .getByRole("button", { name: "zurücknehmen" }).click();
  await dialogOpen(page);
};

const typeOddPrice = async (page: Page) => {
  await page.getByLabel(/^Neuer Preis/).fill("1.000,00");
  await page.locator(".price-doubt").waitFor();
};

const openLink = (page: Page) => page.locator("tbody button.link").first().click();

const newSource = async (page: Page) => {
  await page.locator(".page-actions button").click();
  await page.locator("select[name=kind]").selectOption("pull");
  await page.locator('select[name="pull.schedule.every"]').selectOption("at");
  await page.locator('select[name="pull.auth.kind"]').selectOption("basic");
};

/** Chooses a table with columns that Kurant recognises, does not know, or finds damaged. */
const chooseTable = async (page: Page) => {
  const text = "Nr;Titel;EAN;VK brutto;Farbe\r\nA-1;Kanne;4,01E+12;1.234,50;rot\r\n";
  const file = { name: "artikel.csv", mimeType: "text/csv", buffer: Buffer.from(text) };
  await page.locator("input[type=file]").setInputFiles(file);
  await page.locator(".mapped").waitFor();
  await openMenus(page);
};

type Ids = Readonly<Record<"productId" | "jobId" | "undoId" | "runId" | "shopId", string>>;

function screensOf({ productId, jobId, undoId, runId, shopId }: Ids): readonly Screen[] {
  return [
    { path: "/products", sign: "tbody tr.opens" },
    { path: "/products", sign: "tbody tr.opens", act: markRow },
    { path: "/products", sign: "tbody tr.opens", act: planPrices },
    { path: "/products", sign: "tbody tr.opens", act: openMenus },
    { path: "/products", sign: "tbody tr.opens", act: asksBy("Ansicht sichern") },
    { path: "/products?shape=matrix&sort=gapPct&order=desc", sign: ".matrix-legend" },
    { path: "/products?state=stale&brand=gibt+es+nicht", sign: ".empty-actions" },
    { path: "/products?q=gibt+es+nicht", sign: ".empty" },
    { path: `/products/${productId}`, sign: ".chart-box" },
    { path: `/products/${productId}/price-evidence`, sign: ".evidence tbody tr" },
    { path: `/products/${productId}`, sign: ".price-edit", act: typeOddPrice },
    { path: "/products", sign: "tbody tr.opens", act: asksBy(/^Halten bis …/, true) },
    { path: "/products", sign: "tbody tr.opens", act: fetchAll },
    { path: `/products/${productId}`, sign: ".price-edit", act: asksBy("Halten bis …") },
    { path: `/products/${productId}`, sign: ".price-edit", act: asksBy("Stammdaten") },
    { path: `/products/${productId}`, sign: ".price-edit", act: asksBy("Seite verknüpfen") },
    { path: `/products/${productId}`, sign: ".timeline", act: markPast },
    { path: "/competitors", sign: "tbody tr.opens" },
    { path: `/competitors/${shopId}`, sign: ".panels" },
    { path: `/competitors/${shopId}`, sign: ".panels", act: asksBy("Einstellungen") },
    { path: "/imports", sign: "tbody tr.opens" },
    { path: "/imports/new", sign: ".drop" },
    { path: "/imports/new", sign: ".drop", act: chooseTable },
    { path: "/imports/arrivals", sign: ".empty" },
    { path: "/competitors/quarantine", sign: ".empty" },
    { path: "/imports/sources", sign: "tbody button.link" },
    { path: "/imports/sources", sign: "tbody button.link", act: newSource },
    { path: `/imports/${jobId}`, sign: ".figures" },
    { path: `/imports/${undoId}`, sign: ".figures" },
    { path: "/", sign: ".next-step a" },
    { path: "/alerts", sign: ".mail-choices summary" },
    { path: "/alerts?view=all", sign: "tbody tr.opens" },
    { path: "/alerts?severity=low", sign: ".empty" },
    { path: "/runs", sign: "tbody tr.opens" },
    { path: `/runs/${runId}`, sign: ".figures" },
    { path: "/audit-log", sign: "tbody tr.opens", act: openRow },
    { path: "/audit-log", sign: ".log-fold", act: openFold },
    { path: "/audit-log", sign: ".log-fold", act: undoMany },
    { path: "/settings", sign: ".form" },
    { path: "/settings/people", sign: "tbody tr", act: asksBy(/^Bearbeiten:/) },
    { path: "/settings/keys", sign: "tbody tr" },
    { path: "/settings/keys", sign: "tbody tr", act: asksBy("Schlüssel anlegen") },
    { path: "/settings/security", sign: "tbody tr" },
    { path: "/settings/webhooks", sign: "tbody tr", act: openLink },
    { path: "/settings/webhooks", sign: "tbody tr", act: asksBy("Webhook anlegen") },
    { path: "/settings/profiles", sign: "tbody tr" },
    { path: "/settings/profiles/bmecat", sign: ".editor" },
    { path: "/settings/profiles/jtl-ameise", sign: ".mapping" },
    { path: "/settings/new-profile", sign: ".editor" },
    { path: "/settings/account", sign: ".form" },
    { path: "/gibt/es/nicht", sign: ".empty" },
    { path: "/products", sign: "tbody tr.opens", act: (page) => page.keyboard.press("Control+k") },
    { path: "/products", sign: "tbody tr.opens", act: (page) => page.keyboard.press("?") },
  ];
}

/** Suggested links, and one screen per outcome of a link check. */
function piles(checkId: string): readonly Screen[] {
  return [
    { path: "/links", sign: ".pair-card" },
    { path: "/links?status=rejected", sign: ".pair-card" },
    { path: "/links/coverage", sign: ".coverage" },
    { path: "/links/coverage", sign: ".coverage", act: asksBy("Seiten suchen lassen …") },
    ...["sure", "check", "wrong", "failed"].map((outcome) => ({
      path: `/links/${checkId}?outcome=${outcome}`,
      sign: "tbody tr",
    })),
  ];
}

const SIGNED_OUT: readonly PathName[] = ["login"];

/** Returns the screens of all addresses that `screens` lacks. Fails if one has a parameter. */
function othersThan(screens: readonly Screen[]): readonly Screen[] {
  const seen = new Set(screens.map(({ path }) => {
    const { pathname } = new URL(path, "http://127.0.0.1");
    return PATH_NAMES.find((name) => new URLPattern({ pathname: PATHS[name] }).test({ pathname }));
  }));
  const others = PATH_NAMES.filter((name) => !seen.has(name) && !SIGNED_OUT.includes(name));
  const nameless = others.map((name) => PATHS[name]).filter((path) => path.includes(":"));
  assertEquals(nameless, [], "tests/client/screens_test.ts does not know what to open there");
  return others.map((name) => ({ path: PATHS[name], sign: "main h1" }));
}

const XML = { "Content-Type": "application/xml" };

/** Creates data for all screens, most of it with hostile texts. */
async function fill(app: TestApp): Promise<readonly Screen[]> {
  const titles = hostileTitles();
  const products = titles.map((title, at) => ({
    ...{ sku: `X-${at}`, title, brand: title.slice(0, 200), ourPrice: 10 + at },
  }));
  const [id = "", unmatchedId = "", ...others] = await addProducts(app, products);
  const url = "https://shop.example/p/1";
  const link = { productId: id, url };
  const { competitorId: shopId } = await app.owner.create("/api/competitor-products", link);
  const xml = `<ITEMS><ITEM><SKU>X-0</SKU><TITLE>a</TITLE><COSTPRICE>?</COSTPRICE></ITEM></ITEMS>`;
  const { jobId } = await app.owner.act("/api/imports?dryRun=true", xml, XML);
  // The product has no link, so the run sends no request.
  const { runId } = await app.owner.begin(`/api/products/${unmatchedId}/scrape-now`);
  // The webhook is disabled, so its host name is never looked up.
  const webhook = { url: "https://erp.example/h", events: ["rule.fired"], enabled: false };
  await app.owner.create("/api/webhooks", webhook);
  const undoId = await rehearseUndo(app);
  const prices = others.slice(0, 2).map((id, at) => (
    { id, currency: "EUR", seenCents: 1_200 + at * 100, ourPriceCents: 1_250 }
  ));
  const reason = titles[0]?.slice(0, 100) ?? null;
  await app.owner.act("/api/products/bulk/prices", { prices, reason });
  // The broken file raises an alert for the screen of alerts.
  await app.owner.act("/api/imports", "<ITEMS>", XML);
  const screens = [
    ...screensOf({ productId: id, jobId, undoId, runId, shopId }),
    ...await fillPricing(app, id),
    ...piles(await fillLinks(app, id, shopId)),
  ];
  // These come last: `holdPrice` changes other screens, and an address with a token reloads the
  // page.
  const last = [
    { path: `/products/${id}`, sign: ".price-edit", act: holdPrice },
    { path: "/setup#token=x", sign: ".alone-card" },
    { path: "/invitation#token=x", sign: ".alone-card" },
  ];
  const byPath = Map.groupBy(screens, ({ path }) => path).values().toArray().flat();
  return [...byPath, ...othersThan([...screens, ...last]), ...last];
}

/** The product has changed since the import, so this dry run of an undo has something to report. */
async function rehearseUndo(app: TestApp): Promise<string> {
  const xml = "<ITEMS><ITEM><SKU>U-0</SKU><TITLE>u</TITLE></ITEM></ITEMS>";
  const { jobId } = await app.owner.act("/api/imports?force=true", xml, XML);
  const { items: [product] } = await app.owner.read("/api/products?q=U-0");
  app.clock.advance(1_000);
  await app.owner.change(`/api/products/${product.id}`, { brand: "x" });
  return (await app.owner.act(`/api/imports/${jobId}/undo?dryRun=true`)).jobId;
}

const PHONE = { width: 390, height: 844 };
const WIDE = { width: 1_280, height: 800 };

/** Short test runs check each screen in only one of the two windows. */
const ROUNDS: readonly ((at: number) => typeof WIDE)[] = IS_LONG
  ? [() => WIDE, () => PHONE]
  : [(at) => at % 2 === 0 ? WIDE : PHONE];

/** Opens a screen as a link does, or loads its page if the address contains a token. */
async function open(page: Page, { path, sign }: Screen): Promise<void> {
  if (path.includes("#")) await page.goto(path);
  else await follow(page, path);
  // Closes menus and dialogs, which would stay open on the next screen.
  await page.evaluate(
    "document.querySelectorAll('.bar details').forEach((one) => one.open = false)",
  );
  if (await dialogs(page).count() > 0) await page.keyboard.press("Escape");
  await dialogs(page).waitFor({ state: "detached" });
  await page.locator(sign).first().waitFor();
}

/** Links within running text that differ from it only in colour. */
const PLAIN_LINKS = `[...document.querySelectorAll("main a:not(.button)")].filter((link) => {
  const { display, textDecorationLine } = getComputedStyle(link);
  const isBetweenWords = [...link.parentElement.childNodes]
    .some((node) => node.nodeType === Node.TEXT_NODE && /\\p{L}{2}/u.test(node.data));
  return isBetweenWords && display === "inline" && textDecorationLine !== "underline" &&
    link.checkVisibility();
}).map(({ outerHTML }) => outerHTML.slice(0, 200))`;

async function judge(page: Page, screen: Screen, viewport: typeof WIDE, last: Screen) {
  const { path, act } = screen;
  const isNew = path !== last.path;
  await page.setViewportSize(isNew ? PHONE : viewport);
  // The last action has changed the screen, so it is opened again.
  if (isNew || last.act) await open(page, screen);
  if (isNew) {
    const tooWide = await page.evaluate(TOO_WIDE);
    // Only the content inside the page may scroll, not the window.
    const tooLong = await page.evaluate("document.documentElement.scrollHeight - innerHeight");
    assertEquals([path, tooWide, tooLong], [path, 0, 0]);
    await page.setViewportSize(viewport);
  }
  await act?.(page);
  assertEquals([path, await page.evaluate("String(window.__pwned)")], [path, "undefined"]);
  assertEquals(await page.locator("main img, main script, main iframe, main object").count(), 0);
  const where = [path, viewport.width];
  assertEquals([...where, await page.evaluate(PLAIN_LINKS)], [...where, []]);
  assertEquals([...where, await violationsOf(page)], [...where, []]);
}

for (const [n, viewportOf] of ROUNDS.entries()) {
  const round = `round ${n + 1} of ${ROUNDS.length}`;
  onScreen.test(`no screen violates accessibility rules or is wider than a phone, light or dark, and hostile titles stay text (${round})`, async ({ app, browser }) => {
    const screens = await fill(app);
    const page = await browser.open(app, "/products");
    const titles = page.locator('tbody [data-column="article"] a');
    await titles.first().waitFor();
    ok((await titles.allTextContents()).includes(hostileTitles()[0] ?? ""));
    let last: Screen = { path: "", sign: "" };
    for (const [at, screen] of screens.entries()) {
      await judge(page, screen, viewportOf(at), last);
      last = screen;
    }
  });
}

onScreen.test("a count still loading violates no accessibility rule; a part of the client that fails to load is reported, and loaded again on request", async ({ app, browser }) => {
  await addProducts(app, [{ sku: "A-1", title: "Pumpe" }]);
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  await page.route((url) => url.pathname === "/api/products" && isComparedCount(url), () => {});
  await page.goto("/products");
  await page.locator(".page-title .soft a").waitFor();
  assertEquals(await page.locator(".page-title .soft a").count(), 1);
  assertEquals(await violationsOf(page), []);

  const part = "**/assets/data_pages-*.js";
  await page.route(part, (route) => route.abort());
  await page.goto("about:blank");
  await page.goto("/imports");
  await page.getByRole("alert").getByText("Dieser Teil der Seite kam nicht an").waitFor();
  await page.unroute(part);
  await page.getByRole("button", { name: "Noch einmal versuchen" }).click();
  await page.getByRole("heading", { name: "Importe", level: 1 }).waitFor();
});

function isComparedCount({ searchParams }: URL): boolean {
  return searchParams.get("rankMin") === "1" && searchParams.get("limit") === "1";
}

const SIZE_LIMIT = 250 * 1_024;

onScreen.test("each screen, opened alone, loads less than 250 KB of scripts", async ({ app, browser }) => {
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const sizes = new Map<string, Promise<number>>();
  page.on("response", (response) => {
    if (!response.url().endsWith(".js")) return;
    const size = response.request().sizes().then(({ responseBodySize }) => responseBodySize);
    sizes.set(response.url(), size);
  });
  const sum = async () => (await Promise.all(sizes.values())).reduce((all, size) => all + size, 0);
  // These screens load different parts of the client's code.
  const visited: string[] = [];
  for (const path of ["/products", "/imports", "/competitors", "/rules", "/settings/security"]) {
    sizes.clear();
    const session = await page.context().newCDPSession(page);
    await session.send("Network.clearBrowserCache");
    await page.goto("about:blank");
    await page.goto(path);
    await page.locator("main h1").first().waitFor();
    const bytes = await sum();
    ok(bytes > 100_000 && bytes < SIZE_LIMIT, `${path}: ${bytes} bytes`);
    visited.push([...sizes.keys()].map((url) => /(\w+_pages)-/.exec(url)?.[1] ?? "").join(""));
  }
  assertEquals(visited, ["", "data_pages", "shop_pages", "control_pages", "account_pages"]);
});
