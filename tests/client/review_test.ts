import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { brandOnPage, mpnOnPage } from "../../src/client/parts/identity/compared_rows.ts";
import type { TestApp } from "../harness.ts";
import { until } from "../patience.ts";
import {
  addShop,
  articlePage,
  discover,
  startDiscoveryApp,
  suggestions,
  urlset,
  xml,
} from "../scraping/discovery/made_shop.ts";
import { openShop, type Page } from "../scraping/hostile_shop.ts";
import { linksOf } from "../shops/shop.ts";
import { addProducts, holdRequests, withBrowser } from "./browser.ts";

const pathsOf = async ({ viewer }: TestApp) =>
  (await linksOf(viewer)).map(({ url }) => new URL(url).pathname).toSorted();

Deno.test("mpnOnPage() says where a page without a number names ours", () => {
  const texts = {
    inTitle: (mpn: string) => `${mpn} im Titel`,
    asSku: (sku: string) => `SKU ${sku}`,
  };
  const named = (theirs: string, mpn: string | null = null) =>
    mpnOnPage({ mpn, title: "Kanne K1" }, [{ code: "mpn_in_title", ours: "K1", theirs }], texts);
  assertEquals(named("Kanne K1"), "K1 im Titel");
  assertEquals(named("K-1"), "SKU K-1");
  assertEquals(named("Kanne K1", "K9"), "K9");
  assertEquals(mpnOnPage({ mpn: null, title: "Kanne K1" }, [], texts), null);
});

Deno.test("brandOnPage() says that the title names our brand", () => {
  const texts = { inTitle: (brand: string) => `${brand} im Titel` };
  const named = (
    title: string | null,
    brand: string | null = null,
    ours: string | null = "Bosch",
  ) => brandOnPage({ brand, title }, ours, texts);
  assertEquals(named("Kanne BOSCH K1"), "Bosch im Titel");
  assertEquals(named("Kanne Bosch K1", "Siemens"), "Siemens");
  assertEquals(
    [named("Boschkanne K1"), named(null), named("Kanne", null, null)],
    [null, null, null],
  );
});

const SURE = ["9521234567899", "9521234567905", "9521234567912"];

withBrowser.test("suggestions are decided by keys, undone, and accepted at once, but not by a viewer", async (browser) => {
  const pages: Record<string, Page> = {};
  await using shop = openShop(pages);
  await using app = await startDiscoveryApp();
  const radio = { sku: "P-1", title: "Philips Kofferradio KR 200", ean: "9521234567929" };
  const stereo = { sku: "P-2", title: "Philips Stereoanlage TX 9000" };
  await addProducts(
    app,
    [
      ...SURE.map((ean, n) => ({ sku: `S-${n}`, title: `Grünwald Kessel WK ${n}00`, ean })),
      ...[radio, stereo].map((product) => ({ ...product, brand: "Philips" })),
    ].map((product) => ({ ...product, ourPrice: 20 })),
  );
  for (const [n, gtin13] of SURE.entries()) {
    pages[`/s${n}`] = articlePage({ name: "Kessel", gtin13, price: "21.00" });
  }
  pages["/p1"] = articlePage({ name: `${radio.title} tragbar`, price: "29.00" });
  pages["/p2"] = articlePage({ name: stereo.title, price: "91.00" });
  const paths = Object.keys(pages);
  pages["/map.xml"] = xml(urlset(paths.map((path) => `${shop.base}${path}`)));
  const shopId = await addShop(app.manager, shop.base);
  await discover(app, shopId, { sitemaps: [`${shop.base}/map.xml`] });
  const waiting = async () => (await suggestions(app)).map(({ product }) => product.sku).toSorted();
  assertEquals(await waiting(), ["P-1", "P-2", "S-0", "S-1", "S-2"]);
  // A viewer sees pairs, and keys decide nothing.
  const looking = await browser.open(app, "/links", { cookie: app.viewerCookie });
  await looking.locator(".pair-card").waitFor();
  for (const key of ["y", "n", "v", "u"]) await looking.keyboard.press(key);
  assertEquals(await looking.getByRole("button", { name: /Dasselbe|annehmen/ }).count(), 0);
  assertEquals((await suggestions(app)).length, 5);

  const page = await browser.open(app, "/links");
  await page.getByText("5 Vorschläge: 2 zu prüfen, 3 sicher").waitFor();
  // Doubtful pairs are listed before sure pairs.
  await page.locator(".review-list strong").nth(4).waitFor();
  const listed = await page.locator(".review-list strong").allTextContents();
  assertEquals(listed.map((sku) => sku.slice(0, 2)), ["P-", "P-", "S-", "S-", "S-"]);
  const pair = page.locator(".pair-card");
  await page.getByText("1 von 5, 2 zu prüfen").waitFor();
  await page.getByRole("button", { name: "Nächster Vorschlag" }).click();
  await page.getByText("2 von 5").waitFor();
  const go = async (sku: string) => {
    await page.locator(".review-list button", { hasText: sku }).click();
    await pair.getByRole("link", { name: sku, exact: true }).waitFor();
  };

  // Product and page are shown side by side, with marks for equal and different values.
  await go("S-1");
  await pair.getByText("Die EAN ist dieselbe: 9521234567905").waitFor();
  assertEquals(await pair.getByText("Auf der Seite steht keine EAN").count(), 0);
  assertEquals(await pair.locator("tr.same .mark").allTextContents(), ["✓"]);
  await pair.getByText(/5,0\s% teurer als wir/).waitFor();

  await page.keyboard.press("y");
  await page.getByText("S-1 mit 127.0.0.1").waitFor();
  await until("S-1 is linked", async () => (await pathsOf(app)).join() === "/s1");
  await page.keyboard.press("u");
  await until("S-1 is free again", async () => (await pathsOf(app)).length === 0);
  await pair.getByRole("link", { name: "S-1", exact: true }).waitFor();

  // An undone decision is shown again at once, even before the service has answered it.
  const { release } = await holdRequests(page, "**/accept");
  await go("S-2");
  await page.keyboard.press("y");
  await pair.getByRole("link", { name: "S-2", exact: true }).waitFor({ state: "detached" });
  await page.keyboard.press("u");
  await pair.getByRole("link", { name: "S-2", exact: true }).waitFor();
  release();
  await page.getByText("Zurückgenommen").waitFor();
  assertEquals(await pathsOf(app), []);

  await go("P-1");
  await pair.getByText("Auf der Seite steht keine EAN").waitFor();
  await page.keyboard.press("n");
  await go("P-2");
  await page.keyboard.press("v");
  const readRejected = () => suggestions(app, "status=rejected");
  await until("two are rejected", async () => (await readRejected()).length === 2);
  const rejected = await readRejected();
  assertEquals(
    rejected.map(({ product, rejectedAs }) => `${product.sku} ${rejectedAs}`).toSorted(),
    ["P-1 other", "P-2 variant"],
  );
  // Skipping decides nothing. After the last pair, the first pair is shown again.
  const before = await pair.locator("h2 a").textContent();
  for (const _ of [1, 2, 3]) await page.keyboard.press("Space");
  assertEquals(await pair.locator("h2 a").textContent(), before);

  await page.getByRole("button", { name: "Alle sicheren annehmen (3)" }).click();
  await page.getByRole("button", { name: "3 verknüpfen" }).click();
  await page.getByText("3 Verknüpfungen angelegt.").waitFor();
  await page.getByText("Nichts zu prüfen").waitFor();
  assertEquals(await pathsOf(app), ["/s0", "/s1", "/s2"]);
  await page.getByRole("button", { name: "Rückgängig" }).last().press("Enter");
  await until("all are taken back", async () => (await pathsOf(app)).length === 0);
  await page.getByRole("button", { name: "Alle sicheren annehmen (3)" }).waitFor();

  await page.getByRole("link", { name: "Abgelehnt" }).click();
  await go("P-1");
  await page.getByRole("button", { name: "Zurücknehmen" }).click();
  await until("P-1 waits again", async () => (await waiting()).includes("P-1"));
});
