import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import type { Page } from "playwright-core";
import { addProduct, addRule, proposals, push, untilJudged } from "../rules/evaluation/market.ts";
import { untilReads } from "../caller.ts";
import type { TestApp } from "../harness.ts";
import { until } from "../patience.ts";
import { follow, holdRequests, onScreen } from "./browser.ts";
import { whenDrawn } from "./on_page.ts";
import { cutIn, resize } from "./see_all_ways.ts";

/**
 * A shop undercuts A-CHEAPER and B-CHEAPER. With a margin floor of 48 %, B-CHEAPER cannot follow.
 */
async function fill(app: TestApp): Promise<void> {
  await addProduct(app.owner, "A-CHEAPER", { brand: "Sony" });
  await addProduct(app.owner, "B-CHEAPER", { costPrice: 60 });
  await addProduct(app.owner, "C-DEARER");
  const prices = [["A-CHEAPER", 90], ["B-CHEAPER", 95], ["C-DEARER", 120]] as const;
  await push(app, prices.map(([sku, price]) => [sku, "acme", price]));
}

const simulated = (page: Page, text: string) =>
  page.locator(".simulation").getByText(text, { exact: false }).first().waitFor();

onScreen.test("a rule is written as a sentence, tried at every key, saved, enabled and found in the audit log", async ({ app, browser }) => {
  await fill(app);
  const page = await browser.open(app, "/rules");
  await page.getByRole("link", { name: /Günstigster sein/ }).click();
  await page.getByLabel("Auslöser").selectOption("competitor_undercut");
  await page.getByLabel("um mindestens … %").fill("1");
  await page.getByLabel("Preis", { exact: true }).selectOption("match_cheapest");
  await simulated(page, "2 von 3");
  await page.getByText(/Wenn der günstigste Wettbewerber mindestens 1 % günstiger/).waitFor();

  await page.getByLabel("um mindestens … %").fill("7,5");
  await simulated(page, "1 von 3");
  await page.getByText(/mindestens 7,5 % günstiger/).first().waitFor();
  await page.getByLabel("nie unter … % Marge").fill("48");
  await simulated(page, "begrenzt: auf die Mindestmarge angehoben");
  await page.locator(".verdict summary", { hasText: "A-CHEAPER" }).click();
  await page.getByText("Mindestmarge 48 % hebt den Preis an").waitFor();
  assertEquals(await app.owner.read("/api/rules"), []);

  await page.getByLabel("um mindestens … %").fill("0");
  await page.getByLabel("nie unter … % Marge").fill("41");
  await simulated(page, "Mindestmarge liegt über dem heutigen Preis");
  await page.getByLabel("Name der Regel").fill("Folgen");
  await page.getByRole("button", { name: "Speichern" }).click();
  await page.getByRole("heading", { level: 1, name: "Folgen" }).waitFor();
  const [rule] = await app.owner.read("/api/rules");
  const terms = [rule.enabled, rule.when.competitorDeltaPct, rule.marginFloor, rule.scope.mode];
  assertEquals(terms, [false, 0, { pct: 41 }, "all"]);
  assertEquals((await app.owner.read("/api/proposals")).items, []);
  await page.getByRole("switch").click();
  await page.locator('[role="switch"][aria-checked="true"]').waitFor();
  await page.getByRole("link", { name: "Protokoll der Regel" }).click();
  await page.getByRole("row", { name: /Regel.*Folgen/ }).first().waitFor();
});

onScreen.test("the dry run of a rule starts with the product that it changes now, and counts all products", async ({ app, browser }) => {
  const skus = Array.from({ length: 26 }, (_, at) => `A-${at + 10}`);
  for (const sku of [...skus, "Z-CHEAPER", "NO-OFFERS"]) await addProduct(app.owner, sku);
  const price = (sku: string) =>
    [sku, "acme", sku === "Z-CHEAPER" ? 90 : sku === "A-20" ? 101 : 120] as const;
  await push(app, [...skus, "Z-CHEAPER"].map(price));
  const page = await browser.open(app, `/rules/${await addRule(app.owner, { enabled: false })}`);
  await simulated(page, "1 von 28");
  const names = page.locator(".verdict-name");
  assertEquals(await names.count(), 6);
  await page.getByRole("button", { name: "19 weitere Beispiele zeigen" }).click();
  assertEquals(await names.count(), 25);
  ok((await names.first().innerText()).includes("Z-CHEAPER"));
  // The second example is the product that is closest to triggering the rule.
  match(await page.locator(".verdict").nth(1).innerText(), /A-20[^]*101,00[^]*löst nicht aus/);
  match(await page.locator(".verdict").last().innerText(), /verlangt 120,00/);
  const legend = await page.locator(".sum-bar + ul li").allTextContents();
  assertEquals(legend, ["1 günstiger", "26 mit Angeboten lösen nicht aus", "1 ohne Angebote"]);
});

onScreen.test("a refused rule keeps what was typed and names the error next to its field, and so does one that is being saved", async ({ app, browser }) => {
  await fill(app);
  const page = await browser.open(app, "/rules/new");
  await page.getByLabel("Auslöser").selectOption("margin_below");
  await page.locator(".simulation").getByText(/Sobald die Regel vollständig ist/).waitFor();
  await page.getByLabel("Marge in %", { exact: true }).fill("viel");
  await page.getByLabel("Name der Regel").fill("Marge");
  await page.getByText("Keine Zahl").waitFor();
  await page.getByRole("button", { name: "Speichern" }).click();
  await page.locator(".note.bad", { hasText: "Anfrage" }).getByText(/^req_/).waitFor();
  assertEquals(await page.getByLabel("Marge in %", { exact: true }).inputValue(), "viel");

  await page.getByLabel("Marge in %", { exact: true }).fill("60");
  await simulated(page, "3 von 3");
  await page.getByRole("button", { name: "Speichern" }).click();
  await page.getByRole("heading", { level: 1, name: "Marge" }).waitFor();
  const [rule] = await app.owner.read("/api/rules");
  assertEquals(rule.when.marginPct, 60);

  // A click on „+ Schranke“ focuses the new field. Text that is typed while the rule is being saved
  // stays in the form, unsaved.
  const id = await addRule(app.owner, { name: "Alt", enabled: false });
  await follow(page, `/rules/${id}`);
  const { isSent, release } = await holdRequests(page, `**/api/rules/${id}`, "PATCH");
  const opener = page.getByRole("button", { name: "+ Schranke" });
  await opener.waitFor();
  const isFocused = "document.activeElement === element";
  const hasFocus = await whenDrawn(page, ".clause-body [name]", isFocused);
  await opener.click();
  assertEquals(await hasFocus(), true);
  await page.getByRole("button", { name: "Umbenennen" }).click();
  const name = page.getByLabel("Name der Regel");
  await name.fill("Neu ");
  await page.getByRole("button", { name: "Speichern" }).click();
  await isSent;
  await page.getByLabel("nie unter … % Marge").fill("20");
  release();
  await page.getByText("Gespeichert").first().waitFor();
  await page.getByRole("heading", { level: 1, name: "Neu" }).waitFor();
  assertEquals(await page.getByLabel("nie unter … % Marge").inputValue(), "20");
  assertEquals(await name.inputValue(), "Neu");
  await page.getByRole("button", { name: "Speichern" }).click();
  await untilReads(app.owner, `/api/rules/${id}`, { marginFloor: { pct: 20 } });
});

onScreen.test("the dry run says how many rest, and leads to open proposals with their own sum", async ({ app, browser }) => {
  const id = await addRule(app.owner, { cooldownMinutes: 60 });
  await addProduct(app.owner, "A", { ourPrice: 100, costPrice: 50 });
  const date = app.clock.now().toISOString().slice(0, 10);
  const key = await app.key(["products:write"]);
  const sell = async (units: number) =>
    await key.act("/api/public/v1/sales", { rows: [{ sku: "A", date, units }] });
  await sell(10);
  await push(app, [["A", "acme", 90]]);
  await untilJudged(app);
  await sell(20);
  const page = await browser.open(app, `/rules/${id}`);
  const panel = page.getByRole("region", { name: "Wirkung auf heutige Preise" });
  await panel.getByText("1 in der Ruhezeit: löst erst danach wieder aus").waitFor();
  await panel.getByText("−200,00 €", { exact: true }).waitFor();
  await panel.getByText("1 Vorschlag offen: −100,00 € in 30 Tagen").waitFor();
  await panel.getByRole("link", { name: "1 Vorschlag offen" }).click();
  await page.locator(".page-title").getByText("1 offen").waitFor();
});

onScreen.test("a back-test shows its days as chart and table, and a viewer changes nothing", async ({ app, browser }) => {
  await fill(app);
  app.clock.advance(36 * 3_600_000);
  const id = await addRule(app.owner, { enabled: false });
  const page = await browser.open(app, `/rules/${id}`);
  await page.getByLabel("Zeitraum").selectOption("7");
  await page.getByRole("button", { name: "Rückblick berechnen" }).click();
  await page.getByRole("img", { name: "Auslösungen und Vorschläge je Tag, 7 Tage" }).waitFor();
  await page.getByText("Als Tabelle zeigen").click();
  const rows = page.getByRole("table", { name: /je Tag/ }).locator("tbody tr");
  assertEquals(await rows.count(), 7);
  const viewer = await browser.open(app, `/rules/${id}`, { cookie: app.viewerCookie });
  await simulated(viewer, "2 von 3");
  ok(await viewer.locator(".piece").first().isDisabled());
  assertEquals(await viewer.getByRole("button", { name: "Speichern" }).count(), 0);
});

onScreen.test("a back-test that the service refuses is not read again", async ({ app, browser }) => {
  const page = await browser.open(app, `/rules/${await addRule(app.owner, { enabled: false })}`);
  await page.clock.install();
  let reads = 0;
  await page.route("**/api/backtests/*", async (route) => {
    reads++;
    if (reads > 1) {
      return await route.fulfill({ status: 404, json: { error: { code: "not_found" } } });
    }
    const answer = await route.fetch();
    await route.fulfill({ json: { ...await answer.json(), status: "running", result: null } });
  });
  await page.getByRole("button", { name: "Rückblick berechnen" }).click();
  await page.getByRole("alert").waitFor();
  await page.clock.runFor(5_000);
  assertEquals(reads, 2);
});

onScreen.test("a rule is simulated for all products as it is in the form, and applied once it is saved", async ({ app, browser }) => {
  await fill(app);
  const id = await addRule(app.owner, { name: "Folgen" });
  await untilJudged(app);
  for (const { id: proposal } of await proposals(app.owner)) {
    await app.owner.act(`/api/proposals/${proposal}/reject`, {});
  }
  const page = await browser.open(app, `/rules/${id}`);
  const reckon = page.getByRole("button", { name: "Für alle Produkte berechnen" });
  await reckon.click();
  await page.getByText("3 Produkte, Stand").waitFor();
  await page.getByText("2 senken, 0 anheben").waitFor();
  await page.getByRole("img", { name: "Abstand zum Günstigsten" }).waitFor();
  const table = page.getByRole("table", { name: "Wer wird begrenzt?" });
  await until("all are listed", async () => await table.getByRole("row").count() === 4);
  await page.getByLabel("Wer wird begrenzt?").first().selectOption("rests:not_fired");
  await table.getByRole("link", { name: "C-DEARER" }).waitFor();
  await until("only what rests is listed", async () => await table.getByRole("row").count() === 2);
  const isLive = page.getByText("Änderungen gelten, sobald Sie speichern");
  assertEquals(await isLive.count(), 0);
  await page.getByRole("button", { name: "+ Schranke" }).click();
  await page.getByLabel("nie unter … % Marge").fill("10");
  await isLive.waitFor();
  await page.getByText("Mit einer früheren Fassung berechnet").waitFor();
  assertEquals(await page.getByRole("button", { name: /Jetzt anwenden/ }).count(), 0);
  await page.getByLabel("nie unter … % Marge").fill("");
  await page.getByRole("button", { name: "Jetzt anwenden: 2 Preise" }).click();
  const dialog = page.getByRole("dialog", { name: "Die Regel auf 2 Preise anwenden?" });
  await dialog.getByText("Wirkung auf 30 Tage Marge").waitFor();
  await dialog.getByText("0 setzt die Regel selbst, 2 werden Vorschläge.").waitFor();
  await dialog.getByRole("button", { name: "Jetzt anwenden: 2 Preise" }).click();
  await untilReads(app.owner, "/api/proposals?status=open", { count: 2 });
});

const AUTO = {
  marginFloor: { pct: 10 },
  actions: [{ type: "auto_apply_if_safe", formula: "match_cheapest", maxChangePct: 20 }],
};

onScreen.test("a switch sets the chosen state, whoever toggled it; all automatic prices are stopped with a reason, every screen says so, and they resume", async ({ app, browser }) => {
  const id = await addRule(app.owner, AUTO);
  const isOn = async () => (await app.owner.read(`/api/rules/${id}`)).enabled;
  const page = await browser.open(app, "/rules");
  const button = page.getByRole("switch");
  await page.locator('[role="switch"][aria-checked="true"]').waitFor();
  await app.owner.act(`/api/rules/${id}/toggle`, {});
  await button.click();
  await page.getByText(/ist (aus|ein)geschaltet/).waitFor();
  assertEquals(await isOn(), false);
  await page.locator('[role="switch"][aria-checked="false"]').click();
  await page.getByText(/ist eingeschaltet/).waitFor();
  assertEquals(await isOn(), true);

  await page.getByRole("link", { name: "Regel anlegen" }).waitFor();
  assertEquals(await page.getByRole("button", { name: "Automatik stoppen" }).count(), 0);
  await app.owner.change("/api/settings", { autoApply: true });
  await page.reload();
  await page.getByRole("button", { name: "Automatik stoppen" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Eine Regel setzt Preise selbst, in den letzten 24 Stunden 0 Preise.")
    .waitFor();
  await dialog.getByLabel("Warum? Das sehen alle").fill("Preiskampf mit Acme");
  await dialog.getByRole("button", { name: "Alle automatischen Preise stoppen" }).click();
  const banner = page.getByRole("region", { name: "Alle automatischen Preise sind gestoppt" });
  match(await banner.innerText(), /Seit .* durch .*: Preiskampf mit Acme/);
  await page.getByRole("button", { name: "Automatik stoppen" }).waitFor({ state: "detached" });
  const settings = await app.owner.read("/api/settings");
  assertEquals(settings.automationStop.reason, "Preiskampf mit Acme");
  await follow(page, "/products");
  await banner.getByRole("button", { name: "Wieder laufen lassen" }).click();
  await banner.waitFor({ state: "detached" });
  assertEquals((await app.owner.read("/api/settings")).automationStop, null);
});

onScreen.test("the tables of people and rules fit every window, and a person's actions have two lines at most", async ({ app, browser }) => {
  await addRule(app.owner, { name: "Spielraum bei Kühlschränken nutzen" });
  const page = await browser.open(app, "/rules");
  await page.route("**/api/users?*", async (route) => {
    const answer = await (await route.fetch()).json();
    const items = answer.items.map((one: object) => ({ ...one, hasSecondFactor: true }));
    await route.fulfill({ json: { ...answer, items } });
  });
  for (const path of ["/rules", "/settings/people"]) {
    await follow(page, path);
    const frame = page.locator(".table-scroll, .simple-scroll").first();
    await frame.locator("tbody tr").first().waitFor();
    for (const width of [701, 900, 1090, 1110]) {
      await resize(page, width);
      assertEquals([path, width, await cutIn(frame)], [path, width, []]);
    }
  }
  await resize(page, 760);
  const buttons = page.locator("tbody tr").first().locator(".row-actions > button");
  const middles = await buttons.evaluateAll((all) =>
    all.map((one) => one.getBoundingClientRect())
      .map(({ top, height }) => Math.round(top + height / 2))
  );
  ok(new Set(middles).size <= 2, middles.join());
});
