/** People do typical tasks in a real browser, with a maximum number of actions for each. */
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import type { Page } from "playwright-core";
import { onNow } from "../client/browser.ts";
import { figuresOf, pricesOf } from "../client/on_page.ts";
import {
  addProduct,
  addRule,
  decideOnce,
  proposals,
  push,
  untilJudged,
} from "../rules/evaluation/market.ts";
import type { TestApp } from "../harness.ts";
import { importXml, itemsXml } from "../imports/import_calls.ts";
import { until } from "../patience.ts";
import { extent } from "../proof.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { countPerson } from "./counted_person.ts";

const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: true });

const skusOf = (count: number) => Array.from({ length: count }, (_, n) => `A-${1_000 + n}`);

/** An XML file in windows-1252; its first five records have no SKU. */
function erpFile(articles: number): Uint8Array {
  const items = skusOf(articles).map((sku, n) =>
    `<ITEM><SKU>${n < 5 ? "" : sku}</SKU><TITLE>Kühlgerät ${n}</TITLE>` +
    `<SALESPRICE><PRICE>1.${100 + n},90</PRICE></SALESPRICE></ITEM>`
  );
  const text = `<?xml version="1.0" encoding="windows-1252"?><ITEMS>${items.join("")}</ITEMS>`;
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

/** A table with meaningless headers, as from an unknown ERP. */
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
  // The saved profile recognises the next night's file.
  const { profile } = await app.viewer.act("/api/import-profiles/preview", foreignTable(3), {
    "Content-Type": "text/plain",
  });
  assertEquals(profile, "artikel");
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
  const { items } = await app.owner.read("/api/alerts");
  assertEquals(items.filter(({ ruleId }: { ruleId: unknown }) => ruleId !== null), []);
});

/** Creates `count` open proposals, alternately of two rules. */
async function fillInbox(app: TestApp, count: number): Promise<void> {
  const brands = ["Odd", "Even"];
  for (const brand of brands) {
    const scope = { mode: "attribute", matches: { brand: [brand] } };
    await addRule(app.owner, { name: `Marke ${brand}`, cooldownMinutes: 60, scope });
  }
  const skus = skusOf(count);
  for (const [n, sku] of skus.entries()) await addProduct(app.owner, sku, { brand: brands[n % 2] });
  await push(app, skus.map((sku, n) => [sku, "acme", 99 - n] as const));
  await untilJudged(app);
  await decideOnce(app);
}

/** Key presses are faster than the server's responses, so the test waits. */
const untilStatuses = (app: TestApp, expected: Record<string, number>) =>
  until(`proposals are ${JSON.stringify(expected)}`, async () => {
    const all = await proposals(app.viewer);
    return Object.entries(expected).every(([wanted, count]) =>
      all.filter(({ status }) => status === wanted).length === count
    );
  });

const whyOf = (page: Page) => page.getByRole("complementary", { name: "Warum dieser Preis?" });

onNow.test("the morning's work: small changes are approved at once and undone in 6 actions; 20 proposals are read and decided in at most 30 actions; an approval is undone later from the list of decisions", async ({ app, browser }) => {
  await fillInbox(app, 20);
  const page = await browser.open(app, "/");
  await page.getByText("Als Nächstes: 20 Vorschläge warten auf Sie.").waitFor();
  const person = countPerson(page);
  await person.click(page.locator(".nav").getByRole("link", { name: /^Vorschläge/ }));
  await page.locator(".page-title").getByText("20 offen").waitFor();
  await person.press("j");
  await whyOf(page).locator(".because").getByText(/weniger als wir/).waitFor();
  await person.click(page.getByRole("button", { name: /^Änderung < 3\s% 2$/ }));
  await person.click(page.locator(".inbox-filters").getByRole("button", { name: /^Alle 2/ }));
  await person.click(page.getByRole("dialog").getByRole("button", { name: "2 Preise übernehmen" }));
  await untilStatuses(app, { applied: 2, open: 18 });
  await page.getByText("2 angenommen").waitFor();
  await person.press("u");
  await untilStatuses(app, { rolled_back: 3, open: 20 });
  await page.getByText("2: zurückgenommen. 2 Vorschläge sind wieder offen.").waitFor();
  assertEquals(new Set(Object.values(await pricesOf(app))), new Set([10_000]));
  person.didAtMost(6);

  await page.goto("/");
  await page.getByText("Als Nächstes: 20 Vorschläge warten auf Sie.").waitFor();
  await person.click(page.locator(".nav").getByRole("link", { name: /^Vorschläge/ }));
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

  await person.click(page.getByRole("button", { name: "entschieden" }));
  await person.click(page.locator("tbody tr.opens").first());
  await person.click(whyOf(page).getByRole("button", { name: "Preis zurücknehmen" }));
  await person.click(page.getByRole("dialog").getByRole("button", { name: "zurücknehmen" }));
  await untilStatuses(app, { applied: 17, rolled_back: 4, open: 2 });
  person.didAtMost(4);
});

onNow.test("prices back into the ERP: approved in 3 actions, then in a file in the ERP's format", async ({ app, browser }) => {
  await addProduct(app.owner, "4711-A");
  await addRule(app.owner);
  await push(app, [["4711-A", "acme", 90]]);
  await untilJudged(app);
  const page = await browser.open(app, "/");
  await page.getByRole("link", { name: "1 Vorschlag ansehen" }).waitFor();
  const person = countPerson(page);
  await person.click(page.locator(".nav").getByRole("link", { name: /^Vorschläge/ }));
  await page.locator(".page-title").getByText("1 offen").waitFor();
  await person.press("j", "a");
  await untilStatuses(app, { applied: 1 });
  person.didAtMost(3);
  const erp = await app.key(["proposals:read"]);
  const file = await (await erp.get("/api/public/v1/price-changes?format=xml")).text();
  match(file, /<ITEM>[^]*<SKU>4711-A<\/SKU>[^]*<PRICE>90,00<\/PRICE>/);
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
  match(await told.innerText(), /60 von 60 Preisen stehen wohl in der falschen Einheit; ohne/);
  const samples = page.getByRole("table", { name: "Was auffällt" });
  match(await samples.innerText(), /129,90\s€\s+12,99\s€\s+[^\n]*−90,0\s%/);
  await person.click(button(page, "Datei verwerfen"));
  await person.click(page.getByRole("dialog").getByRole("button", { name: "Datei verwerfen" }));
  await button(page, "Datei verwerfen").waitFor({ state: "detached" });
  person.didAtMost(4);
  assertEquals(new Set(Object.values(await pricesOf(app))), new Set([12_990]));
});
