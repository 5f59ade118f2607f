/**
 * Typical tasks with Kurant. Each is done in a real browser against the whole service, with a
 * limited number of actions.
 */
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import type { Page } from "playwright-core";
import { onNow, onScreen, onTicking, withBrowser } from "../client/browser.ts";
import { startEmptyApp } from "../client/empty_app.ts";
import { figure, figuresOf, pricesOf } from "../client/shown.ts";
import { addProduct, addRule, decideOnce, push, untilJudged } from "../rules/evaluation/market.ts";
import type { TestApp } from "../harness.ts";
import { importXml, itemsXml } from "../imports/import_calls.ts";
import { until } from "../patience.ts";
import { extent } from "../proof.ts";
import { plain } from "../scraping/discovery/made_shop.ts";
import { article, openShop } from "../scraping/hostile_shop.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { countPerson } from "./counted_person.ts";

/** A button with exactly this name. */
const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: true });

const skusOf = (count: number) => Array.from({ length: count }, (_, n) => `A-${1_000 + n}`);

/** Yesterday's file of an ERP in windows-1252, with five records without a SKU. */
function erpFile(articles: number): Uint8Array {
  const items = skusOf(articles).map((sku, n) =>
    `<ITEM><SKU>${n < 5 ? "" : sku}</SKU><TITLE>Kühlgerät ${n}</TITLE>` +
    `<SALESPRICE><PRICE>1.${100 + n},90</PRICE></SALESPRICE></ITEM>`
  );
  const text = `<?xml version="1.0" encoding="windows-1252"?><ITEMS>${items.join("")}</ITEMS>`;
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

/** A table of an unknown system, with meaningless headers. */
function foreignTable(articles: number): Uint8Array {
  const lines = Array.from(
    { length: articles },
    (_, n) => `Z${10_000 + n}|Kühlgerät ${n}|Nordwerk|1.${100 + n % 800},90|800,00|N`,
  );
  const text = ["KENNWORT|BEZ1|HERST|VK_BR|EK_N|KZ7", ...lines].join("\r\n");
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

const LINES = extent(5_000, 1_200);
const LINES_SHOWN = LINES.toLocaleString("de-DE");

onNow.test("a table of thousands of lines with foreign headers fills an empty catalogue in 6 actions", async ({ app, browser }) => {
  await app.owner.change("/api/settings", { pricesIncludeVat: true, vatRatePct: 19 });
  const page = await browser.open(app, "/");
  const person = countPerson(page);
  await page.locator(".drop").waitFor();
  await person.drop(
    page.locator("main"),
    "artikel_20261120.txt",
    foreignTable(LINES),
    "text/plain",
  );
  await page.getByText("Welche Spalte ist die Artikelnummer (SKU)?").waitFor();
  ok(await button(page, "Probelauf starten").isDisabled(), "nothing can be read without a SKU");
  await person.write(page.getByLabel("Wofür „KENNWORT“ steht"), "sku");
  const read = page.getByRole("table", { name: "Die ersten Datensätze" });
  match(await read.getByRole("row", { name: /Z10000/ }).innerText(), /Kühlgerät 0[^]*1\.100,90\s€/);
  await page.getByText(`${LINES_SHOWN} Zeilen`).waitFor();
  await person.click(button(page, "Probelauf starten"));
  await page.getByText("Probelauf: Es wurde nichts geändert.").waitFor();
  assertEquals(await figuresOf(page, ["Neu", "Abgelehnt"]), [LINES_SHOWN, "0"]);
  await person.click(button(page, "Jetzt übernehmen"));
  await page.getByText("Probelauf:").waitFor({ state: "detached" });
  await page.locator(".page-title").getByText("übernommen", { exact: true }).waitFor();
  person.didAtMost(6);
  const { items, total } = await app.viewer.read("/api/products?limit=1&q=Z10007");
  assertEquals([total, items[0].ourPriceCents, items[0].brand], [1, 110_790, "Nordwerk"]);
  assertEquals((await app.viewer.read("/api/products?limit=1")).total, LINES);
  // The next night's file is recognised by the saved profile.
  const { profile } = await app.viewer.act("/api/import-profiles/preview", foreignTable(3), {
    "Content-Type": "text/plain",
  });
  assertEquals(profile, "artikel");
});

withBrowser.test("the first quarter of an hour: from the setup link to the articles of the ERP in 12 actions", async (browser) => {
  await using app = await startEmptyApp();
  const { page } = await browser.visit(app.base);
  const person = countPerson(page);
  await person.open(app.setUpPath);
  await person.write(page.getByLabel("Name des Unternehmens"), "Elektro Meier");
  await person.click(button(page, "Weiter"));
  await person.click(button(page, "Weiter"));
  await person.write(page.getByLabel("E-Mail-Adresse"), "chef@meier.example");
  await person.write(page.getByLabel("Passwort (mindestens"), "sechs blaue Kühlschränke");
  await person.click(button(page, "Einrichten und loslegen"));
  await person.drop(page.locator(".drop"), "artikel.xml", erpFile(150));
  await person.click(button(page, "Probelauf starten"));
  await page.getByText("Probelauf: Es wurde nichts geändert.").waitFor();
  assertEquals(await figuresOf(page, ["Neu", "Abgelehnt"]), ["145", "5"]);
  await person.click(button(page, "Jetzt übernehmen"));
  await page.getByText("Probelauf:").waitFor({ state: "detached" });
  await page.locator(".page-title").getByText("übernommen", { exact: true }).waitFor();
  await person.click(page.getByRole("navigation").getByRole("link", { name: "Morgen" }));
  await page.getByText("Noch 3 Schritte bis zum ersten Vorschlag").waitFor();
  person.didAtMost(12);
  await page.getByRole("navigation").getByRole("link", { name: "Markt" }).click();
  match(await page.getByRole("row", { name: /A-1005/ }).innerText(), /Kühlgerät 5[^]*1\.105,90\s€/);
});

onNow.test("the night job: a key, shown once with its command, in 5 actions, and the same file again changes nothing", async ({ app, browser }) => {
  await using folder = await temporaryFolder();
  await Deno.writeFile(`${folder.path}/preise.xml`, erpFile(30));
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const person = countPerson(page);
  await person.open("/settings/keys");
  await person.click(button(page, "Schlüssel anlegen").first());
  const dialog = page.getByRole("dialog");
  await person.write(dialog.getByLabel("Name"), "ERP nachts");
  await person.click(dialog.getByLabel("Produkte schreiben und importieren"));
  await person.click(dialog.getByRole("button", { name: "Schlüssel anlegen" }));
  const command = await dialog.locator("pre", { hasText: "preise.xml" }).innerText();
  person.didAtMost(5);

  const night = async () => {
    const shell = { args: ["-c", command], cwd: folder.path };
    const { success, stdout } = await new Deno.Command("bash", shell).output();
    ok(success);
    return JSON.parse(new TextDecoder().decode(stdout)).data.jobId;
  };
  const [first, second] = [await night(), await night()];
  await dialog.getByRole("button", { name: "Schließen" }).last().click();
  await page.getByText("pk_live_").waitFor();
  const [key = ""] = /pk_live_\w+/.exec(command) ?? [];
  assertEquals([key.length > 20, (await page.content()).includes(key)], [true, false]);
  for (const [jobId, counts] of [[first, ["25", "0"]], [second, ["0", "25"]]] as const) {
    await page.goto(`/imports/${jobId}`);
    await page.locator(".page-title").getByText("übernommen", { exact: true }).waitFor();
    assertEquals(await figuresOf(page, ["Neu", "Unverändert"]), counts);
  }
  // Nothing is wrong, so no rule has raised an alert.
  const { items } = await app.owner.read("/api/alerts");
  assertEquals(items.filter(({ ruleId }: { ruleId: unknown }) => ruleId !== null), []);
});

/** Events since yesterday: an import, price moves, proposals, and a shop that does not answer. */
async function fillYesterday(app: TestApp, deadShop: string): Promise<void> {
  const skus = skusOf(30);
  const items = (price: string) =>
    itemsXml(
      skus.map((sku, n) => ({ sku, title: `Artikel ${n}`, price: n < 12 ? price : "100,00" })),
    );
  const erp = await app.key(["products:write"]);
  await importXml(erp, items("98,00"));
  await importXml(erp, items("100,00"));
  await push(app, skus.slice(0, 20).map((sku) => [sku, "acme", 101] as const));
  await addRule(app.owner);
  await push(app, skus.slice(0, 7).map((sku, n) => [sku, "acme", 99 - n] as const));
  await untilJudged(app);
  await decideOnce(app);
  const { items: products } = await app.owner.read("/api/products?limit=200");
  const productId = products.find(({ sku }: { sku: string }) => sku === skus[29]).id;
  await app.owner.create("/api/competitor-products", { productId, url: deadShop });
  const { runId } = await app.owner.begin(`/api/products/${productId}/scrape-now`);
  await until("the shop was asked", async () => {
    const { status } = await app.owner.read(`/api/scrape-runs/${runId}`);
    return status !== "queued" && status !== "running";
  });
}

onTicking.test("the morning coffee: imports, moves, proposals and failures are each one click away", async ({ app, browser }) => {
  await using shop = openShop({ "/p/1": () => new Response(null, { status: 503 }) });
  await fillYesterday(app, `${shop.base}/p/1`);
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const person = countPerson(page);
  await person.open("/");
  const moves = page.locator(".moves");
  await moves.getByText("7 Preise").waitFor();
  const down = page.locator(".freshness .down");
  await down.getByRole("button", { name: /Noch einmal abrufen/ }).waitFor();
  // Everything is visible without further actions.
  person.didAtMost(1);

  const rows = (count: number) => async () => {
    await page.getByText(`${count} Einträge`).waitFor();
    assertEquals(await page.locator("tbody tr.opens").count(), count);
  };
  const questions = [
    [page.locator(".erp", { hasText: "12 geändert, 0 neu" }).getByRole("link"), async () => {
      await figure(page, "Geändert").waitFor();
      assertEquals(await figure(page, "Geändert").innerText(), "12");
    }],
    [moves.getByRole("link", { name: /7 Preise/ }), rows(7)],
    [page.locator(".share-trends a", { hasText: "günstigster" }), rows(13)],
    [page.locator(".share-trends a", { hasText: "teuerster" }), rows(7)],
    [page.getByRole("link", { name: "alle entscheiden" }), async () => {
      await page.locator(".page-title").getByText("7 offen").waitFor();
    }],
    [down.getByRole("link"), async () => {
      await page.getByRole("heading", { name: new RegExp(new URL(shop.base).host) }).waitFor();
      await page.getByText("Shop antwortet nicht").first().waitFor();
    }],
  ] as const;
  for (const [link, isThere] of questions) {
    await person.click(link);
    await isThere();
    person.didAtMost(1);
    await page.goBack();
    await moves.waitFor();
  }
});

/** `count` proposals of two rules, each one percent lower than the one before. */
async function fillInbox(app: TestApp, count: number): Promise<void> {
  const brands = ["Odd", "Even"];
  for (const brand of brands) {
    const scope = { mode: "attribute", matches: { brand: [brand] } };
    // Rolled back proposals are open again at once, and nothing else is proposed.
    const calm = { marginFloor: { pct: 10 }, cooldownMinutes: 60 };
    await addRule(app.owner, { name: `Marke ${brand}`, ...calm, scope });
  }
  const skus = skusOf(count);
  for (const [n, sku] of skus.entries()) await addProduct(app.owner, sku, { brand: brands[n % 2] });
  await push(app, skus.map((sku, n) => [sku, "acme", 99 - n] as const));
  await untilJudged(app);
  await decideOnce(app);
}

async function statusCounts(app: TestApp): Promise<Record<string, number>> {
  const { items } = await app.viewer.read("/api/proposals?limit=200");
  const counts: Record<string, number> = {};
  for (const { status } of items) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Waits for the server, since key presses are faster than responses. */
const untilStatuses = (app: TestApp, expected: Record<string, number>) =>
  until(`proposals are ${JSON.stringify(expected)}`, async () => {
    const counts = await statusCounts(app);
    return Object.entries(expected).every(([status, count]) => counts[status] === count);
  });

const whyOf = (page: Page) => page.getByRole("complementary", { name: "Warum dieser Preis?" });

onNow.test("the inbox: reasons, a bulk approval of small changes and its undo in 7 actions", async ({ app, browser }) => {
  await fillInbox(app, 8);
  const page = await browser.open(app, "/");
  await page.locator(".next-step a").waitFor();
  const person = countPerson(page);
  await person.press("g", "i");
  await page.locator(".page-title").getByText("8 offen").waitFor();
  await person.press("j");
  await whyOf(page).locator(".because").getByText(/weniger als wir/).waitFor();
  await whyOf(page).getByText("acme", { exact: false }).first().waitFor();
  await person.click(page.getByRole("button", { name: /^Änderung < 3\s% 2$/ }));
  await person.click(page.locator(".inbox-filters").getByRole("button", { name: /^Alle 2/ }));
  await person.click(page.getByRole("dialog").getByRole("button", { name: "2 Preise übernehmen" }));
  await untilStatuses(app, { applied: 2, open: 6 });
  await page.getByText("2 angenommen").waitFor();
  await person.press("u");
  await untilStatuses(app, { rolled_back: 3, open: 8 });
  await page.getByText("2: zurückgenommen. 2 Vorschläge sind wieder offen.").waitFor();
  assertEquals(new Set(Object.values(await pricesOf(app))), new Set([10_000]));
  person.didAtMost(7);
});

onNow.test("the morning's work: read, decide 20 and override one proposal in at most 30 keystrokes; an approval is undone later from the list of decisions", async ({ app, browser }) => {
  await fillInbox(app, 20);
  const page = await browser.open(app, "/");
  await page.getByText("Als Nächstes: 20 Vorschläge warten auf Sie.").waitFor();
  const person = countPerson(page);
  await person.press("g", "i");
  await page.locator(".page-title").getByText("20 offen").waitFor();
  await person.press("j");
  await whyOf(page).locator(".ladder").waitFor();
  const overridden = (await whyOf(page).locator(".proposal-title small").textContent()) ?? "";
  await person.press("e", ..."97,5", "Enter");
  await page.locator(".page-title").getByText("19 offen").waitFor();
  await person.press("s", "r", ...Array.from({ length: 17 }, () => "a"));
  await untilStatuses(app, { applied: 18, rejected: 1 });
  person.didAtMost(30);
  assertEquals((await pricesOf(app))[overridden], 9_750);
  const { items } = await app.viewer.read("/api/proposals?limit=200&later=true");
  assertEquals(items.length, 1);

  // An approved price is undone later, from the list of decisions.
  await person.click(page.getByRole("button", { name: "entschieden" }));
  await person.click(page.locator("tbody tr.opens").first());
  await person.click(whyOf(page).getByRole("button", { name: "Preis zurücknehmen" }));
  await person.click(page.getByRole("dialog").getByRole("button", { name: "zurücknehmen" }));
  await untilStatuses(app, { applied: 17, rolled_back: 2, open: 2 });
  person.didAtMost(4);
});

onScreen.test("a safe rule: its sentence, its effect today and in the last 30 days, then enabled, in 9 actions", async ({ app, browser }) => {
  for (const sku of ["LOW", "FLOOR", "DEAR"]) await addProduct(app.owner, sku);
  await push(app, [["LOW", "acme", 95], ["FLOOR", "acme", 70], ["DEAR", "acme", 120]]);
  app.clock.advance(36 * 3_600_000);
  await push(app, [["LOW", "acme", 94], ["FLOOR", "acme", 69], ["DEAR", "acme", 121]]);
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const person = countPerson(page);
  await person.open("/rules");
  await person.click(page.getByRole("link", { name: /Wettbewerbern folgen/ }));
  await page.getByText(/Wenn der günstigste Wettbewerber mindestens 1 % günstiger/).waitFor();
  const trial = page.getByRole("region", { name: "Wirkung auf heutige Preise" });
  await trial.getByText("2 von 3", { exact: false }).first().waitFor();
  await person.write(page.getByLabel("nie unter … % Marge"), "40");
  await trial.getByText("begrenzt: auf die Mindestmarge angehoben", { exact: true }).waitFor();
  await person.write(page.getByLabel("Name der Regel"), "Folgen");
  await person.click(button(page, "Speichern"));
  await page.getByRole("heading", { level: 1, name: "Folgen" }).waitFor();
  await person.write(page.getByLabel("Zeitraum"), "30");
  await person.click(button(page, "Rückblick berechnen"));
  await page.getByRole("img", { name: "Auslösungen und Vorschläge je Tag, 30 Tage" }).waitFor();
  assertEquals((await app.owner.read("/api/rules"))[0].enabled, false);
  assertEquals(await statusCounts(app), {});
  await person.click(page.getByRole("switch"));
  await page.locator('[role="switch"][aria-checked="true"]').waitFor();
  person.didAtMost(9);
  assertEquals((await app.owner.read("/api/rules"))[0].enabled, true);
});

onTicking.test("a link by hand is tried before it is saved, in 6 actions, and a page that the shop forbids is not read", async ({ app, browser }) => {
  await using shop = openShop({
    "/robots.txt": plain("User-agent: *\nDisallow: /intern/"),
    "/p/1": article("A", {}, { price: "34.90" }),
  });
  await addProduct(app.owner, "A", { title: "Kanne" });
  const page = await browser.open(app, "/products");
  const person = countPerson(page);
  await person.click(page.getByRole("link", { name: "Kanne", exact: true }));
  await person.click(button(page, "Seite verknüpfen"));
  const panel = page.getByRole("dialog", { name: "Seite verknüpfen" });
  await person.write(panel.getByLabel("Adresse der Produktseite"), `${shop.base}/p/1`);
  await person.click(panel.getByRole("button", { name: "Seite probeweise lesen" }));
  await panel.getByText(/Gelesen: 34,90\s€/).waitFor();
  await person.click(panel.getByRole("button", { name: "Speichern" }));
  await panel.waitFor({ state: "detached" });
  person.didAtMost(6);

  await button(page, "Seite verknüpfen").click();
  await panel.getByLabel("Adresse der Produktseite").fill(`${shop.base}/intern/1`);
  await panel.getByRole("button", { name: "Seite probeweise lesen" }).click();
  await panel.getByText("Der Shop verbietet diese Seite in seiner robots.txt.").waitFor();
});

onNow.test("prices back into the ERP: approved with 4 keystrokes, then a file in the ERP's format, later an empty one", async ({ app, browser }) => {
  const erp = await app.key(["products:write", "proposals:read"]);
  await importXml(erp, itemsXml([{ sku: "4711-A", title: "Kühlschrank", price: "1.234,56" }]));
  await push(app, [["4711-A", "acme", 1_250]]);
  await addRule(app.owner);
  const since = (await erp.read("/api/public/v1/price-changes")).nextSince;
  await push(app, [["4711-A", "acme", 1_199]]);
  await untilJudged(app);
  const page = await browser.open(app, "/");
  await page.getByRole("link", { name: "1 Vorschlag ansehen" }).waitFor();
  const person = countPerson(page);
  await person.press("g", "i");
  await page.locator(".page-title").getByText("1 offen").waitFor();
  await person.press("j", "a");
  await untilStatuses(app, { applied: 1 });
  person.didAtMost(4);

  const night = async (from: string) => {
    const answer = await erp.get(`/api/public/v1/price-changes?format=xml&since=${from}`);
    const next = encodeURIComponent(answer.headers.get("X-Next-Since") ?? "");
    return { text: await answer.text(), next };
  };
  const { text, next } = await night(encodeURIComponent(since));
  match(text, /<ITEM>[^]*<SKU>4711-A<\/SKU>[^]*<PRICE>1\.199,00<\/PRICE>/);
  const again = await importXml(erp, text);
  assertEquals([again.data.stats.skipped, again.data.stats.errors], [1, 0]);
  match((await night(next)).text, /^<\?xml [^>]*\?>\s*<ITEMS>\s*<\/ITEMS>\s*$/);
  await page.goto("/products");
  await page.getByRole("link", { name: "Kühlschrank" }).click();
  await page.locator(".timeline").getByText("Preis exportiert (xml)").waitFor();
});

onNow.test("something is wrong: 60 prices fall by 90 percent, and the held file is discarded in 4 actions", async ({ app, browser }) => {
  const erp = await app.key(["products:write"]);
  const file = (price: string) =>
    itemsXml(skusOf(60).map((sku, n) => ({ sku, title: `Artikel ${n}`, price })));
  await importXml(erp, file("129,90"));
  const { data } = await importXml(erp, file("12,99"));
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const person = countPerson(page);
  await person.open("/imports");
  await person.click(page.getByRole("row", { name: /angehalten/ }).getByRole("link").first());
  await page.waitForURL(`**/imports/${data.jobId}`);
  const told = page.getByRole("alert");
  match(await told.innerText(), /60 von 60[^]*50\s%[^]*20\s%/);
  const samples = page.getByRole("table", { name: "Was auffällt" });
  match(await samples.innerText(), /129,90\s€\s+12,99\s€\s+[^\n]*−90,0\s%/);
  await person.click(button(page, "Datei verwerfen"));
  await person.click(page.getByRole("dialog").getByRole("button", { name: "Datei verwerfen" }));
  await button(page, "Datei verwerfen").waitFor({ state: "detached" });
  person.didAtMost(4);
  assertEquals(new Set(Object.values(await pricesOf(app))), new Set([12_990]));

  // A person uploads the same file. The dry run says that the import would be held.
  await page.goto("/imports/new");
  await person.drop(page.locator(".drop"), "preise.xml", new TextEncoder().encode(file("12,99")));
  await person.click(button(page, "Probelauf starten"));
  await page.getByText("So würde dieser Import angehalten").waitFor();
  person.didAtMost(2);
});
