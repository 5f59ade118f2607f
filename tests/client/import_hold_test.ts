/** Held imports are applied, and applied imports are taken back. */
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { idBytes } from "../../src/base/id.ts";
import type { TestApp } from "../harness.ts";
import { importXml, itemsXml } from "../imports/import_calls.ts";
import { addProduct, addRule, proposals, pushJudged } from "../rules/evaluation/market.ts";
import { follow, holdRequests, onScreen } from "./browser.ts";
import { figuresOf, pricesOf } from "./shown.ts";

const items = (price: string) =>
  itemsXml(["A", "B", "C"].map((sku) => ({ sku, title: `Artikel ${sku}`, price })));

async function importHeld(app: TestApp): Promise<string> {
  const key = await app.key(["products:write"]);
  await importXml(key, items("1299,00"));
  app.clock.advance(60_000);
  return (await importXml(key, items("12,99"))).data.jobId;
}

onScreen.test("a held import says what moved and what to do, and a person can apply it with a reason", async ({ app, browser }) => {
  const jobId = await importHeld(app);
  const page = await browser.open(app, `/imports/${jobId}`);
  const told = page.getByRole("alert");
  match(await told.innerText(), /3 von 3[^]*50\s?%[^]*20\s?%/);
  await page.getByRole("row", { name: /1\.299,00\s€.*12,99\s€/ }).first().waitFor();
  await follow(page, "/imports");
  await page.getByText("angehalten", { exact: true }).waitFor();
  await page.getByRole("link", { name: /^Bis .* entscheiden$/ }).waitFor();
  // The main button opens the held file instead of asking for another file.
  await page.locator(".held-note a.main", { hasText: "Import prüfen" }).waitFor();
  assertEquals(await page.locator("a.button.main").count(), 1);
  await page.getByTitle(/^3 von 3 Preisen stehen wohl in der falschen Einheit/).waitFor();
  await follow(page, `/imports/${jobId}`);
  await page.getByText("Übernehmen übergeht die Schutzgrenze").waitFor();
  await page.getByRole("button", { name: "Trotzdem übernehmen" }).click();
  await page.getByText("Erst einen Grund eingeben").waitFor();
  await page.getByLabel("Grund (nötig)").fill("Räumungsverkauf");
  await page.getByRole("button", { name: "Trotzdem übernehmen" }).click();
  await page.getByText("übernommen", { exact: true }).waitFor();
  await page.getByText("Grund: „Räumungsverkauf“").waitFor();
  const log = await app.owner.read("/api/audit-logs?action=import.finish");
  const reasons = log.items.flatMap(({ reason }: { reason?: string }) => reason ?? []);
  assertEquals(reasons, ["Räumungsverkauf"]);
  assertEquals(await pricesOf(app), { A: 1_299, B: 1_299, C: 1_299 });
});

onScreen.test("a held import is the morning's next step and an alert whose main button leads to it, and the wrong unit is a sentence", async ({ app, browser }) => {
  await addRule(app.owner);
  await addProduct(app.owner, "Z");
  await pushJudged(app, [["Z", "acme", 90]]);
  const [open] = await proposals(app.owner, "status=open");
  await app.owner.act(`/api/proposals/${open?.id}/reject`, {});
  const skus = ["A", "B", "C", "D", "E", "F"];
  const six = (price: string) =>
    itemsXml([
      ...skus.map((sku) => ({ sku, title: sku, price })),
      { sku: "G", title: "G" },
      { sku: "", title: "H" },
    ]);
  const key = await app.key(["products:write"]);
  await importXml(key, six("1299,00"));
  app.clock.advance(60_000);
  const { data } = await importXml(key, six("129900,00"));
  const page = await browser.open(app, "/");
  const step = page.locator(".next-step");
  await step.getByText(/Ein Import ist angehalten: 6 von 6 Preisen/).waitFor();
  await step.getByText(/Freigeben oder verwerfen bis/).waitFor();
  const link = step.getByRole("link", { name: "Import prüfen" });
  assertEquals(await link.getAttribute("href"), `/imports/${data.jobId}`);
  await follow(page, "/alerts");
  const row = page.locator(".cause-row").first();
  await row.getByText("6 von 6 Preisen stehen wohl in der falschen Einheit.").waitFor();
  const main = row.locator("a.button.main");
  assertEquals(await main.getAttribute("href"), `/imports/${data.jobId}`);
  await follow(page, "/imports");
  await page.locator(".held-note")
    .getByText("2 weitere Datensätze haben keinen Preis zum Vergleichen, davon 1 abgelehnt. ")
    .waitFor();
  await page.locator(".held-note").getByText(/sonst wird die Datei gelöscht und/).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByText("1 von 8").first().waitFor();
});

onScreen.test("the banner of an upgrade stays until a manager or owner has confirmed it; the settings switch the hold off and on, and say what off means", async ({ app, browser }) => {
  const key = ["ws", idBytes(app.workspaceId)];
  const { value } = await app.store.kv.get<Record<string, unknown>>(key);
  // The state after the first start of a version that introduces the hold.
  const switchedOn = { importHold: { movePct: 50, sharePct: 20 }, importHoldUnconfirmed: true };
  await app.store.kv.set(key, { ...value, ...switchedOn });
  const title = "Neu: Auffällige Importe werden angehalten";
  const viewer = await browser.open(app, "/imports", { cookie: app.viewerCookie });
  await viewer.getByRole("heading", { name: "Importe" }).first().waitFor();
  assertEquals(await viewer.getByText(title).count(), 0);
  const page = await browser.open(app, "/imports");
  await page.getByText(title).waitFor();
  await follow(page, "/products");
  await page.getByRole("button", { name: "So lassen" }).click();
  await page.getByText(title).waitFor({ state: "detached" });
  const settings = await app.owner.read("/api/settings");
  assertEquals(settings.importHold, switchedOn.importHold);
  assertEquals(settings.importHoldUnconfirmed, false);

  await follow(page, "/settings/workspace");
  const hold = page.getByLabel("Auffällige Importe anhalten");
  const save = page.getByRole("button", { name: "Speichern" });
  const isSaved = async (importHold: unknown) => {
    // An earlier message may still be visible, so the test waits for the response of this save.
    const answered = page.waitForResponse((answer) => answer.request().method() === "PATCH");
    await save.click();
    assertEquals((await answered).status(), 200);
    await page.locator("form button[type=submit]:disabled").waitFor();
    assertEquals((await app.owner.read("/api/settings")).importHold, importHold);
  };
  assertEquals(await hold.isChecked(), true);
  await hold.uncheck();
  await page.getByText("Ausgeschaltet: Auch ein Export").waitFor();
  await isSaved(null);
  await hold.check();
  await page.getByLabel("Auffällig ist ein Produkt").fill("33,3");
  await isSaved({ movePct: 33.3, sharePct: 20 });
});

const LABELS = ["Wie zuvor", "Preise zurück", "Neue gelöscht", "Gelöschte zurück", "Bleibt"];

onScreen.test("an import is taken back from its page: a rehearsal with numbers, then the change, and its log entry", async ({ app, browser }) => {
  const key = await app.key(["products:write"]);
  const send = async (price: string, skus: readonly string[]) => {
    app.clock.advance(60_000);
    const items = skus.map((sku) => ({ sku, title: `Artikel ${sku}`, price }));
    return (await importXml(key, itemsXml(items), "?force=true")).data;
  };
  await send("10,00", ["A", "B", "C"]);
  const { jobId, undoableUntil } = await send("1,00", ["A", "B", "C", "D"]);
  const { items } = await app.owner.read("/api/products?q=Artikel");
  const b = items.find(({ sku }: { sku: string }) => sku === "B");
  app.clock.advance(1_000);
  await app.owner.change(`/api/products/${b.id}`, { ourPrice: 12 });

  const page = await browser.open(app, "/imports");
  const [, month, day] = undoableUntil.slice(0, 10).split("-");
  const until = `Zurücknehmen bis ${day}.${month}.`;
  await page.getByRole("link", { name: until }).first().click();
  await page.waitForURL(`**/imports/${jobId}`);
  await page.getByRole("button", { name: until }).click();
  await page.getByText("Probe der Rücknahme: Es wurde nichts geändert.").waitFor();
  await page.getByText("Diese Datei kam von einem Programm").waitFor();
  const goesOn = page.getByLabel("Die Quelle läuft weiter");
  assertEquals(await goesOn.isChecked(), false);
  const kept = page.getByRole("row", {
    name: "Der Preis wurde seit dem Import neu gesetzt; er bleibt.",
  });
  await kept.getByText("Unser Preis").waitFor();
  await kept.getByText("1.200 (kleinste Einheiten)").waitFor();
  assertEquals(await figuresOf(page, LABELS), ["2", "2", "1", "0", "1"]);

  await page.getByRole("button", { name: "Jetzt zurücknehmen" }).click();
  await page.getByText("Probe der Rücknahme:").waitFor({ state: "detached" });
  await page.locator(".page-title").getByText("übernommen").waitFor();
  assertEquals(await figuresOf(page, LABELS), ["2", "2", "1", "0", "1"]);
  assertEquals(await pricesOf(app), { A: 1_000, B: 1_200, C: 1_000 });
  await page.getByRole("link", { name: "Zum Import" }).click();
  await page.getByText("Dieser Import wurde zurückgenommen.").waitFor();
  assertEquals(await page.getByRole("button", { name: /Zurücknehmen/ }).count(), 0);

  const paused = page.locator(".note.bad", { hasText: "Die Quelle „Standard“ ist seit" });
  await follow(page, "/imports/sources");
  await page.getByRole("button", { name: "Standard" }).click();
  await paused.waitFor();
  await page.goto("/imports");
  await paused.getByRole("button", { name: "Weiterlaufen lassen" }).click();
  await paused.waitFor({ state: "detached" });
  const source = await app.owner.read("/api/import-sources/default");
  assertEquals(source.pausedAt, null);
});

onScreen.test("the list and the page of an import lead to the prices of ours that it overwrote", async ({ app, browser }) => {
  const key = await app.key(["products:write"]);
  const file = itemsXml([{ sku: "A", title: "Artikel A", price: "10,00" }]);
  await importXml(key, file);
  app.clock.advance(60_000);
  const { items: [product] } = await app.owner.read("/api/products?q=Artikel");
  await app.owner.change(`/api/products/${product.id}`, { ourPrice: 11 });
  app.clock.advance(60_000);
  await importXml(key, file);

  const page = await browser.open(app, "/imports");
  await page.setViewportSize({ width: 1280, height: 300 });
  const { release } = await holdRequests(page, "**/errors*");
  await page.getByRole("link", { name: "1 Ihrer Preise überschrieben" }).click();
  const figure = page.locator(".figure", { hasText: "Ihre Preise überschrieben" });
  await figure.getByRole("link", { name: "1" }).click();
  await page.waitForURL("**/imports/*#corrected");
  release();
  await page.locator("#corrected").getByText("A", { exact: true }).waitFor();
  await page.waitForFunction(`corrected.getBoundingClientRect().top < innerHeight`);
});
