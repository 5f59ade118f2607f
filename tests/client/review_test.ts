import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { brandOnPage, mpnOnPage } from "../../src/client/parts/identity.tsx";
import type { TestApp } from "../harness.ts";
import { until } from "../patience.ts";
import {
  addListed,
  addShop,
  articlePages,
  discover,
  startDiscoveryApp,
  suggestions,
} from "../scraping/discovery/made_shop.ts";
import { article, openShop } from "../scraping/hostile_shop.ts";
import { linksOf } from "../shops/shop.ts";
import { addProducts, holdRequests, onTicking, withBrowser } from "./browser.ts";
import { cutIn } from "./see_all_ways.ts";

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
  const named = (title: string | null, brand: string | null = null) =>
    brandOnPage({ brand, title }, "Bosch", texts);
  assertEquals(named("Kanne BOSCH K1"), "Bosch im Titel");
  assertEquals(named("Kanne Bosch K1", "Siemens"), "Siemens");
  assertEquals([named("Boschkanne K1"), named(null)], [null, null]);
  assertEquals(brandOnPage({ brand: null, title: "Kanne" }, null, texts), null);
});

const SURE = ["9521234567899", "9521234567905", "9521234567912"];

withBrowser.test("suggestions are decided by keys, undone, and accepted at once, but not by a viewer", async (browser) => {
  await using shop = openShop();
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
  const sitemap = addListed(
    shop,
    articlePages([
      ...SURE.map((gtin13) => ({ name: "Kessel", gtin13, price: "21.00" })),
      { name: `${radio.title} tragbar`, price: "29.00" },
      { name: stereo.title, price: "91.00" },
    ]),
  );
  await discover(app, await addShop(app.manager, shop.base), { sitemaps: [sitemap] });
  const waiting = async () => (await suggestions(app)).map(({ product }) => product.sku).toSorted();
  assertEquals(await waiting(), ["P-1", "P-2", "S-0", "S-1", "S-2"]);
  const looking = await browser.open(app, "/links", { cookie: app.viewerCookie });
  await looking.locator(".pair-card").waitFor();
  for (const key of ["y", "n", "v", "u"]) await looking.keyboard.press(key);
  assertEquals(await looking.getByRole("button", { name: /Dasselbe|annehmen/ }).count(), 0);
  assertEquals((await suggestions(app)).length, 5);

  const page = await browser.open(app, "/links");
  await page.getByText("5 Vorschläge: 2 zu prüfen, 3 sicher").waitFor();
  await page.locator(".review-list strong").nth(4).waitFor();
  const listed = await page.locator(".review-list strong").allTextContents();
  assertEquals(listed.map((sku) => sku.slice(0, 2)), ["P-", "P-", "S-", "S-", "S-"]);
  // A longer list makes only the list itself scroll.
  const lengthWith = (px: number) =>
    page.evaluate(`(() => {
      document.querySelector(".pair-piles ul").style.paddingTop = "${px}px";
      return document.querySelector("main").scrollHeight;
    })()`);
  assertEquals(await lengthWith(9_000), await lengthWith(900));
  const pair = page.locator(".pair-card");
  await page.getByText("1 von 5, 2 zu prüfen").waitFor();
  await page.getByRole("button", { name: "Nächster Vorschlag" }).click();
  await page.getByText("2 von 5").waitFor();
  const go = async (sku: string) => {
    await page.locator(".review-list button", { hasText: sku }).click();
    await pair.getByRole("link", { name: sku, exact: true }).waitFor();
  };

  await go("S-1");
  await pair.getByText("Die EAN ist dieselbe: 9521234567905").waitFor();
  assertEquals(await pair.getByText("Auf der Seite steht keine EAN").count(), 0);
  assertEquals(await pair.locator("tr.same .mark").allTextContents(), ["✓"]);
  await pair.getByText(/5,0\s% teurer als wir/).waitFor();

  await page.keyboard.press("y");
  await page.getByText("S-1 mit 127.0.0.1").waitFor();
  await until("S-1 is linked", async () => (await pathsOf(app)).join() === "/p/1");
  await page.keyboard.press("u");
  await until("S-1 is free again", async () => (await pathsOf(app)).length === 0);
  await pair.getByRole("link", { name: "S-1", exact: true }).waitFor();

  // A pair returns as soon as its decision is undone, before the service has answered.
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
  const readRejected = async () =>
    (await suggestions(app, "status=rejected"))
      .map(({ product, rejectedAs }) => `${product.sku} ${rejectedAs}`).toSorted().join();
  const wanted = "P-1 other,P-2 variant";
  await until("two are rejected", async () => await readRejected() === wanted);
  // Skipping the last pair leads to the first one.
  const before = await pair.locator("h2 a").textContent();
  for (const _ of [1, 2, 3]) await page.keyboard.press("Space");
  assertEquals(await pair.locator("h2 a").textContent(), before);

  await page.getByRole("button", { name: "Alle sicheren annehmen (3)" }).click();
  await page.getByRole("button", { name: "3 verknüpfen" }).click();
  await page.getByText("3 Verknüpfungen angelegt.").waitFor();
  await page.getByText("Nichts zu prüfen").waitFor();
  assertEquals(await pathsOf(app), ["/p/0", "/p/1", "/p/2"]);
  await page.getByRole("button", { name: "Rückgängig" }).last().press("Enter");
  await until("all are taken back", async () => (await pathsOf(app)).length === 0);
  await page.getByRole("button", { name: "Alle sicheren annehmen (3)" }).waitFor();

  await page.getByRole("link", { name: "Abgelehnt" }).click();
  await go("P-1");
  await page.getByRole("button", { name: "Zurücknehmen" }).click();
  await until("P-1 waits again", async () => (await waiting()).includes("P-1"));
});

const GTIN = "9521234567899";
const OTHER_GTIN = "9521234567905";

onTicking.test("a pasted list is sorted by outcome, and accepted lines become links", async ({ app, browser }) => {
  await using shop = openShop({
    "/a": article("Kofferradio KR 200", { gtin13: GTIN }),
    "/b": article("Kofferradio KR 200", { gtin13: GTIN }),
    "/c": article("Philips Kofferradio KR 200"),
    "/d": article("Philips Kofferradio KR 200 schwarz"),
    "/e": article("Wasserkocher WK 3", { gtin13: "9521234567905" }),
  });
  const product = { sku: "R-1", title: "Philips Kofferradio KR 200", ean: GTIN, ourPrice: 20 };
  await app.owner.create("/api/products", product);
  const domain = `127.0.0.1:${shop.port}`;
  await app.owner.create("/api/competitors", { domain, displayName: "Radiohaus" });
  const page = await browser.open(app, "/links");
  const lines = ["a", "b", "c", "d", "e"].map((path) => `R-1;${shop.base}/${path}`);
  await page.getByLabel("Zeilen").fill(["SKU;URL", ...lines, "R-9;nichts"].join("\n"));
  await page.getByRole("button", { name: "6 Zeilen prüfen lassen" }).click();

  await page.getByRole("button", { name: "Alle sicheren verknüpfen (2)" }).click();
  await page.getByText("2 Verknüpfungen angelegt").waitFor();
  await page.getByRole("button", { name: /^Zu prüfen/ }).click();
  await page.getByText("Wahrscheinlich dasselbe Produkt").first().waitFor();
  await page.getByRole("button", { name: "Zeile 3 verknüpfen" }).click();
  await page.locator("tr", { hasText: "verknüpft" }).first().waitFor();
  await page.getByRole("button", { name: "Zeile 4 beiseite legen" }).click();
  await page.getByRole("button", { name: "Zeile 4 zurückholen" }).waitFor();
  await page.getByRole("button", { name: /^Falsch/ }).click();
  await page.getByText("Ein anderes Produkt").waitFor();
  await page.getByText("Diese SKU gibt es nicht").waitFor();

  const { items } = await app.owner.read("/api/competitor-products");
  const paths = items.map(({ url }: { url: string }) => new URL(url).pathname);
  assertEquals(paths.sort(), ["/a", "/b", "/c"]);
});

onTicking.test("missing shops are listed with their lines and created by one click; a mistyped SKU gets a suggestion; a viewer only looks", async ({ app, browser }) => {
  await using shop = openShop({
    "/a": article("Kofferradio KR 200", { gtin13: GTIN }),
    "/k": article("Kofferradio KR 200", { gtin13: OTHER_GTIN }),
  });
  const product = { sku: "R-1", title: "Kofferradio KR 200", ean: GTIN, ourPrice: 20 };
  await app.owner.create("/api/products", product);
  const text = `R-1;${shop.base}/a\nR-1;${shop.base}/b`;
  const { jobId } = await app.owner.begin("/api/link-checks", { text });
  const page = await browser.open(app, `/links/${jobId}`);
  await page.getByText(`127.0.0.1:${shop.port} (2 Zeilen)`).waitFor();
  await page.getByRole("button", { name: "1 Shop anlegen und Zeilen prüfen" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(jobId));
  await page.getByRole("button", { name: "Alle sicheren verknüpfen (1)" }).waitFor();

  await app.owner.create("/api/products", { ...product, sku: "KT-10011", ean: OTHER_GTIN });
  const typos = `KT-1O011;${shop.base}/k;2\nKT-10O1I;${shop.base}/k?2\nQ-7;${shop.base}/k`;
  const { jobId: typosId } = await app.owner.begin("/api/link-checks", { text: typos });
  await page.goto(`/links/${typosId}?outcome=wrong`);
  await page.getByText("Meinten Sie KT-10011?").first().waitFor();
  await page.getByRole("button", { name: "Alle 2 ähnlichen SKUs übernehmen und prüfen" }).waitFor();
  const cut = async () => await cutIn(page.locator("tbody button, :has(> table)"));
  for (const width of [1440, 1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.getByRole("button", { name: "In Zeile 1 KT-10011" }).waitFor();
    await until("no button is cut", async () => (await cut()).length === 0);
  }
  await page.getByRole("button", { name: "In Zeile 1 KT-10011 übernehmen" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(typosId));
  await page.getByText("Ziemlich sicher dasselbe Produkt").or(page.getByText("Dasselbe Produkt"))
    .first().waitFor();
  const lines = await app.owner.read(`/api/link-checks/${typosId}/lines`);
  const statuses = lines.items.map(({ status }: { status: string }) => status);
  assertEquals(statuses, ["dropped", "open", "open"]);
  const again = new URL(page.url()).pathname.split("/").at(-1);
  const { items: [line] } = await app.owner.read(`/api/link-checks/${again}/lines`);
  assertEquals([line.sku, line.packFactor, line.outcome], ["KT-10011", 2, "sure"]);

  const body = { text: "R-9;https://shop.example/p" };
  const { jobId: lastId } = await app.owner.begin("/api/link-checks", body);
  const viewed = await browser.open(app, "/links", { cookie: app.viewerCookie });
  await viewed.locator("tbody a").first().click();
  await viewed.getByText("Diese SKU gibt es nicht").waitFor();
  assertEquals(new URL(viewed.url()).pathname, `/links/${lastId}`);
  assertEquals(await viewed.getByRole("button", { name: /beiseite|verknüpfen/ }).count(), 0);
});
