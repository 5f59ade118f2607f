import { deepStrictEqual as assertEquals, doesNotMatch, match, ok } from "node:assert/strict";
import type { Page } from "playwright-core";
import { csvCells } from "../read_table.ts";
import { startTestApp } from "../harness.ts";
import { importXml, itemsXml } from "../imports/import_calls.ts";
import { startErp } from "../market/export/erp.ts";
import { serveHere } from "../local_server.ts";
import { follow, onScreen, withBrowser } from "./browser.ts";
import { chooseFile, fileBehind } from "./on_page.ts";
import { seeAllWays } from "./see_all_ways.ts";

const env = { SCRAPE_ALLOW_PRIVATE: "127.0.0.1" };
const SOURCES = "/api/import-sources";

const items = (price: string) =>
  itemsXml(["A", "B", "C"].map((sku) => ({ sku, title: `Artikel ${sku}`, price })));

/** Waits for the response and returns its status, because the screen may change earlier. */
async function answered(page: Page, method: string, path: string, act: () => Promise<void>) {
  const [answer] = await Promise.all([
    page.waitForResponse((one) =>
      one.request().method() === method && new URL(one.url()).pathname === path
    ),
    act(),
  ]);
  return answer.status();
}

withBrowser.test("a source is created with address, time and credentials, fetched by hand, and paused; it says why its server gave no file", async (browser) => {
  await using app = await startTestApp({ env });
  const asked: (string | null)[] = [];
  let isGone = false;
  await using erp = serveHere((request) => {
    asked.push(request.headers.get("Authorization"));
    return isGone ? new Response(null, { status: 404 }) : new Response(items("10,00"));
  });
  const page = await browser.open(app, "/imports");
  await page.getByRole("link", { name: "Quellen" }).click();
  await page.getByRole("button", { name: "Standard" }).waitFor();
  await page.getByRole("button", { name: "Neue Quelle" }).click();
  const panel = page.getByRole("dialog");
  // Two profiles, for XML and for tables, have the id `google-merchant`; the form lists it once.
  const profile = panel.getByLabel("Aufbau der Datei");
  await profile.locator("option", { hasText: "Artikelexport des ERP" })
    .waitFor({ state: "attached" });
  assertEquals(await profile.locator("option[value=google-merchant]").count(), 1);
  await panel.getByLabel("Name", { exact: true }).fill("JTL nachts");
  await panel.getByLabel("Die Datei").selectOption("pull");
  await panel.getByLabel("Adresse der Datei").fill("file:///etc/passwd");
  const save = panel.getByRole("button", { name: "Speichern" });
  assertEquals(await answered(page, "POST", SOURCES, () => save.click()), 400);
  await panel.locator(".field-error").waitFor();
  await panel.getByLabel("Adresse der Datei").fill(`${erp.url}/a.xml`);
  await panel.getByLabel("Wann abholen").selectOption("at");
  await panel.getByLabel("Uhrzeit").fill("04:30");
  await panel.getByRole("group", { name: "An diesen Tagen" }).getByLabel("So").uncheck();
  await panel.getByLabel("Anmeldung").selectOption("bearer");
  await panel.getByLabel("Token", { exact: true }).fill("geheim");
  await panel.getByLabel("Anteil neuer Artikel (%)").fill("33,3");
  assertEquals(await answered(page, "POST", SOURCES, () => save.click()), 201);
  const made = await app.owner.read(`${SOURCES}/jtl-nachts`);
  const days = ["mon", "tue", "wed", "thu", "fri", "sat"];
  assertEquals(made.pull.schedule, { at: "04:30", days });
  assertEquals([made.pull.auth, made.hold.newPct], [{ kind: "bearer" }, 33.3]);

  const pull = page.getByRole("button", { name: "Jetzt abholen" });
  const path = `${SOURCES}/jtl-nachts/pull`;
  assertEquals(await answered(page, "POST", path, () => pull.click()), 200);
  assertEquals(asked, ["Bearer geheim"]);
  await page.getByRole("link", { name: /^abgeholt, / }).waitFor();

  await page.getByRole("button", { name: "JTL nachts" }).click();
  await panel.getByLabel("Pausieren").check();
  await panel.getByLabel("Auffällige Importe anhalten").uncheck();
  const one = `${SOURCES}/jtl-nachts`;
  assertEquals(await answered(page, "PATCH", one, () => save.click()), 200);
  await page.getByText("pausiert", { exact: true }).waitFor();
  assertEquals(await pull.isDisabled(), true);
  const kept = await app.owner.read(one);
  assertEquals([kept.hold, kept.pull], [null, made.pull]);
  await page.getByRole("button", { name: "JTL nachts" }).click();
  await panel.getByText("hält nichts an").waitFor();
  await page.keyboard.press("Escape");

  // A paused source comes first, with the person who paused it and a button to resume it.
  match(await page.locator(".sources tbody tr").first().innerText(), /JTL nachts/);
  await page.locator(".note.warn").getByText(/ist seit .* hat sie pausiert\.$/).waitFor();
  await seeAllWays(page);

  const viewer = await browser.open(app, "/imports/sources", {
    cookie: app.viewerCookie,
    locale: "en-GB",
  });
  await viewer.getByRole("button", { name: "JTL nachts" }).waitFor();
  assertEquals(await viewer.getByRole("button", { name: "New source" }).count(), 0);
  assertEquals(await viewer.getByRole("button", { name: /^Resume/ }).count(), 0);
  await follow(viewer, "/imports/new");
  await viewer.getByText("You are not allowed to do that.").waitFor();
  assertEquals(await viewer.locator(".drop").count(), 0);

  const again = await browser.open(app, "/imports/sources");
  const resume = again.getByRole("button", { name: "Fortsetzen und nachholen" });
  assertEquals(await answered(again, "POST", path, () => resume.click()), 200);
  await again.locator(".note.warn").waitFor({ state: "detached" });
  assertEquals(asked.length, 2);
  assertEquals((await app.owner.read(one)).pausedAt, null);

  isGone = true;
  await app.owner.act(path);
  await again.reload();
  await again.getByTitle("Die Datei gibt es dort nicht (404).").waitFor();
});

onScreen.test("a source says whether its last file was held or failed", async ({ app, browser }) => {
  await app.owner.create(SOURCES, { name: "ERP", id: "erp" });
  const key = await app.key(["products:write"]);
  await importXml(key, items("1299,00"), "?source=erp");
  app.clock.advance(60_000);
  await importXml(key, items("12,99"), "?source=erp");
  const page = await browser.open(app, "/imports/sources");
  const row = page.locator(".sources tbody tr").first();
  await row.getByText("letzte Datei angehalten").waitFor();
  await row.getByText("1 übernommen").waitFor();
  await row.getByText("1 angehalten").waitFor();
  app.clock.advance(60_000);
  await importXml(key, "<ITEMS>", "?source=erp");
  await page.reload();
  await row.getByText("letzte Datei gescheitert").waitFor();
  // A later, faultless import does not remove the notes about the held and the failed file.
  app.clock.advance(60_000);
  await importXml(key, items("1299,00"), "?source=erp");
  await page.reload();
  await row.locator(".badge.warn", { hasText: "1 Datei angehalten" }).waitFor();
  await row.getByText("1 gescheitert").waitFor();
  await row.getByRole("link", { name: /^Bis .* entscheiden$/ }).click();
  await page.getByText(/^Angehalten: /).first().waitFor();
  const note = await page.getByRole("alert").innerText();
  match(note, /3 von 3 Produkten ändern sich; ohne/);
  doesNotMatch(note, /_guard|force=true/);
  await follow(page, "/imports/sources");
  await seeAllWays(page);
  // On a phone, the bars of a source's deliveries are below its name.
  await page.setViewportSize({ width: 390, height: 844 });
  const name = await row.getByRole("rowheader").first().boundingBox();
  const bars = await row.locator(".bar-key").first().boundingBox();
  ok(name && bars && name.width > 300 && name.y + name.height <= bars.y);
});

onScreen.test("a file is sent for a source, with its guards shown, and its imports are filtered", async ({ app, browser }) => {
  const settings = { id: "jtl", name: "JTL nachts", mode: "update", hold: { newPct: 33 } };
  await app.owner.create(SOURCES, settings);
  await app.owner.create(SOURCES, { id: "alt", name: "Altsystem", hold: null });
  await importXml(await app.key(["products:write"]), items("10,00"));
  const page = await browser.open(app, "/imports/new");
  const source = page.getByLabel("Quelle", { exact: true });
  await page.getByText(/Preis oder Einkaufspreis um mehr als 50\s% springt/).waitFor();
  await source.selectOption({ label: "Altsystem" });
  await page.getByText("Diese Quelle hält nichts an").waitFor();
  await source.selectOption({ label: "JTL nachts" });
  await page.getByText(/neue Artikel 33\s%/).waitFor();
  assertEquals(await page.getByLabel("Was geschieht").inputValue(), "update");
  await chooseFile(page, page.getByText("Datei auswählen"), "delta.xml", items("11,00"));
  await page.getByRole("button", { name: "Probelauf starten" }).click();
  await page.getByText("Probelauf: Es wurde nichts geändert.").waitFor();
  const { items: [rehearsal] } = await app.owner.read("/api/imports?source=jtl");
  assertEquals([rehearsal.source, rehearsal.mode, rehearsal.dryRun], ["jtl", "update", true]);

  await follow(page, "/imports");
  const rows = page.locator("tbody tr.opens");
  await rows.nth(1).waitFor();
  await page.getByLabel("Quelle", { exact: true }).selectOption({ label: "JTL nachts" });
  await rows.nth(1).waitFor({ state: "detached" });
  await rows.getByText("delta.xml").waitFor();
  assertEquals(new URL(page.url()).searchParams.get("source"), "jtl");
  const link = page.locator(".table-foot").getByRole("link", { name: "CSV" });
  const downloading = page.waitForEvent("download");
  await link.click();
  assertEquals((await downloading).suggestedFilename(), "imports.csv");
  const csv = await fileBehind(link);
  const [, ...files] = csvCells(csv, ";");
  assertEquals(files.map(([_at, file, source]) => [file, source]), [["delta.xml", "jtl"]]);
  await page.getByLabel("Quelle", { exact: true }).selectOption({ label: "Altsystem" });
  await page.getByText("Kein Import passt zu diesem Filter").waitFor();

  await follow(page, "/imports/sources");
  await page.getByRole("button", { name: "JTL nachts" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Datei dieser Quelle hochladen" })
    .click();
  await page.getByText(/neue Artikel 33\s%/).waitFor();
  assertEquals(await source.inputValue(), "jtl");
  assertEquals(await page.getByLabel("Was geschieht").inputValue(), "update");
});

onScreen.test("prices that did not come back are reported by import and alert, which link to the list", async ({ app, browser }) => {
  const erp = await startErp(app);
  await erp.set("P", 11);
  await erp.set("Q", 22);
  await erp.fetch();
  const job = await erp.send({ P: "10,00", Q: "22,00", R: "30,00" });
  assertEquals(job.arrival, { expected: 2, arrived: 1, missing: 1 });
  const page = await browser.open(app, `/imports/${job.jobId}`);
  await page.getByText("1 von 2 Preisen, die das ERP abgeholt hatte").waitFor();
  await page.getByRole("link", { name: "1 Preis fehlt" }).click();
  const row = page.locator("tbody tr.opens");
  await row.getByText("anders angekommen").waitFor();
  const cells = await row.first().innerText();
  match(cells.replaceAll(/\s+/g, " "), /P anders angekommen 11,00 € 10,00 €/);
  await page.getByLabel("Status").selectOption({ label: "nicht angekommen" });
  await page.getByText("Kein Preis passt zu diesem Filter").waitFor();

  await follow(page, "/alerts");
  await page.locator(".cause-row", { hasText: "1 Preis ist nicht angekommen" })
    .getByRole("link", { name: "Quelle ansehen" }).click();
  await page.locator("tbody tr.opens").getByText("anders angekommen").waitFor();
});

onScreen.test("a source whose file is missing is listed first, and templates in use are marked", async ({ app, browser }) => {
  const expected = { by: "06:00" };
  const jtl = { id: "jtl", name: "Warenwirtschaft", profile: "jtl-ameise", expected };
  const { id: profile } = (await app.owner.read("/api/import-profiles?limit=200")).items[0];
  await app.owner.create(SOURCES, { ...jtl, profile });
  const page = await browser.open(app, "/imports/sources");
  await page.getByText("2 Quellen, 0 pausiert, 0 überfällig").waitFor();
  await page.locator(".templates li", { hasText: "in Gebrauch" }).waitFor();
  assertEquals(await page.locator(".templates .badge").count(), 1);
  app.clock.advance(3 * 24 * 3_600_000);
  await page.goto("/imports/sources");
  await page.getByText("2 Quellen, 0 pausiert, 1 überfällig").waitFor();
  const first = await page.locator(".sources tbody tr").first().innerText();
  match(first, /Warenwirtschaft[^]*kam nicht[^]*erwartet bis/);
  await seeAllWays(page);
});
