import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { DAY_MS, HOUR_MS } from "../../src/base/time.ts";
import { momentText } from "../../src/client/formats/day.ts";
import { createShow } from "../../src/engine/wording/show.ts";
import { type NewAlert, raiseAlerts, systemAlert } from "../../src/messages/alert_store.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { untilReads } from "../caller.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { importXml, itemsXml } from "../imports/import_calls.ts";
import { contextOf } from "../platform/jobs/counting.ts";
import { addProduct, addRule, pushJudged } from "../rules/evaluation/market.ts";
import { html, openShop, productPage } from "../scraping/hostile_shop.ts";
import { addTargets, scrape, SCRAPING_ENV } from "../scraping/scraping_app.ts";
import { follow, onScreen, withBrowser } from "./browser.ts";
import { seeAllWays } from "./see_all_ways.ts";

const ALERTING = {
  name: "Mitgehen",
  actions: [{ type: "propose_price", formula: "match_cheapest" }, { type: "alert_inapp" }],
};
const SHOW = createShow({ locale: "de-DE", timeZone: "Europe/Berlin", currency: "EUR" }, () => 0);

withBrowser.test("a shop that is down has the same outage start and the same button on all screens", async (browser) => {
  let pastMs = 3 * DAY_MS;
  await using app = await startTestApp({
    now: () => new Date(Date.now() - pastMs),
    env: SCRAPING_ENV,
  });
  let isDown = false;
  await using shop = openShop({
    "/p": () => isDown ? html("", {}, 503) : html(productPage("11.00")),
  });
  const productId = await addTargets(app, `${shop.base}/p`);
  const { items: [{ id }] } = await app.owner.read("/api/competitors");
  await app.owner.change(`/api/competitors/${id}`, { displayName: "Kücheneck" });
  // A price and an alerting rule end the set-up steps of the overview.
  await addRule(app.owner, { actions: [{ type: "alert_inapp" }] });
  await scrape(app, productId);
  isDown = true;
  pastMs -= HOUR_MS;
  await scrape(app, productId);
  const { items: [{ health: { lastError } }] } = await app.owner.read("/api/competitors");
  pastMs = 0;
  await scrape(app, productId);
  await untilReads(app.owner, "/api/alerts/causes", { open: 1 });
  const since = momentText(SHOW, lastError.at, Date.now());

  const page = await browser.open(app, "/");
  await page.getByText(`Kücheneck fällt seit ${since} aus.`).waitFor();
  const line = page.locator(".freshness li", { hasText: `fällt seit ${since} aus` });
  await line.getByRole("button", { name: "Noch einmal abrufen: Kücheneck" }).waitFor();
  assertEquals(await line.getByRole("link").getAttribute("href"), `/competitors/${id}`);
  await page.locator(".nav a", { hasText: "In 1 Shop ist etwas zu erledigen" }).waitFor();

  const inRow = async (address: string, row: string, text: string) => {
    await follow(page, address);
    const found = page.locator(row, { hasText: text }).filter({ visible: true }).first();
    await found.getByRole("button", { name: "Noch einmal abrufen: Kücheneck" }).waitFor();
    match(await found.innerText(), /Kücheneck/);
  };
  await inRow("/runs", ".answer", `Kücheneck fällt seit ${since} aus`);
  // Both cards list the shop's failing pages, but only one has the button "Noch einmal abrufen".
  await page.locator(".failures li", { hasText: `seit ${since}` }).waitFor();
  assertEquals(await page.getByRole("button", { name: /^Noch einmal abrufen/ }).count(), 1);
  await inRow("/competitors", "tr.opens", `seit ${since} · Shop antwortet nicht`);
  await seeAllWays(page);
  await inRow("/alerts", ".cause-row", `Kücheneck fällt seit ${since} aus`);
  await follow(page, `/competitors/${id}`);
  await page.locator(".badge", { hasText: `fällt seit ${since} aus` }).waitFor();
  await page.getByText("Seitdem wurde dort keine Seite gelesen.").waitFor();
  // No bulk action applies to pages of a shop that is down, so they have no check boxes.
  await page.locator("main table a[href^='/products/']").first().waitFor();
  assertEquals(await page.getByRole("main").getByRole("checkbox").count(), 0);

  await follow(page, `/products/${productId}`);
  await page.locator("tr.soft", { hasText: `fällt seit ${since} aus` }).waitFor();

  await page.setViewportSize({ width: 390, height: 844 });
  await follow(page, "/links/coverage");
  await page.locator('.coverage td[data-label="Kücheneck, fällt aus"]').first().waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });

  await follow(page, "/alerts");
  await page.getByRole("button", { name: "Noch einmal abrufen: Kücheneck" }).click();
  await page.locator(".cause-row [role=status]", { hasText: "von 1 Seite" }).waitFor();
});

async function raise(app: TestApp, ...raised: readonly NewAlert[]): Promise<void> {
  const ctx = contextOf(app.store, app.app.clock, app.workspaceId);
  await transact(ctx, (write) => {
    raiseAlerts(write, ctx, { isMailOn: false }, raised);
    return Promise.resolve();
  });
}

function outageNow({ clock }: TestApp): NewAlert {
  const since = clock.now().toISOString();
  return systemAlert({ code: "domain_failing", domain: "acme.de", since, lastError: null });
}

onScreen.test("the screen says that it lacks the oldest of very many alerts", async ({ app, browser }) => {
  for (let at = 0; at < 2_001; at += 87) {
    await raise(app, ...Array.from({ length: 87 }, () => outageNow(app)));
  }
  const page = await browser.open(app, "/alerts");
  await page.getByText("Die ältesten Meldungen stehen nur unter „alle Meldungen“.").waitFor();
});

onScreen.test("open proposals of a rule are one cause, and are decided in place", async ({ app, browser }) => {
  const skus = ["A-1", "A-2", "A-3", "A-4"];
  for (const sku of skus) await addProduct(app.owner, sku);
  await addRule(app.owner, ALERTING);
  await pushJudged(app, skus.map((sku, n) => [sku, "acme", 90 + n]));
  const switchedOn = systemAlert({ code: "hold_switched_on", movePct: 50, sharePct: 20 });
  await raise(app, outageNow(app), switchedOn);
  const page = await browser.open(app, "/alerts");
  const row = page.locator(".cause-row", { hasText: "„Mitgehen“: 4 Vorschläge offen" });
  await row.getByRole("link", { name: "„Mitgehen“: 4 Vorschläge offen" }).waitFor();
  assertEquals(await page.locator(".cause-row").count(), 3);
  await page.getByRole("link", { name: "Meldungen 3 offene Ursachen" }).waitFor();
  await row.locator(".cause-proposals li").nth(3).waitFor();
  assertEquals(await row.locator(".cause-proposals li").count(), 4);
  await row.getByRole("link", { name: "4 entscheiden" }).waitFor();
  await seeAllWays(page);

  const proposals = row.locator(".cause-proposals li", { has: page.getByRole("button") });
  const first = await proposals.first().getByRole("button").first().getAttribute("aria-label");
  await row.getByRole("button", { name: first ?? "" }).click();
  await page.getByText(`${first?.replace("Annehmen: ", "")} angenommen`).waitFor();
  await untilReads(app.owner, "/api/proposals?status=open", { count: 3 });

  // A snoozed group of alerts does not count as open; a person can end the snooze.
  const shop = page.locator(".cause-row", { hasText: "acme.de" });
  await shop.locator("summary").click();
  await seeAllWays(page);
  await shop.getByRole("button", { name: "bis sich etwas ändert" }).click();
  await shop.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "später 1" }).click();
  await shop.getByRole("button", { name: "Jetzt zeigen" }).click();
  await page.getByText("Nichts ist aufgeschoben").waitFor();
  await page.getByRole("button", { name: "offen 3" }).click();
  await page.locator(".cause-section", { hasText: "Zur Kenntnis" })
    .getByRole("button", { name: "Gelesen" }).click();
  await page.getByRole("button", { name: "offen 2" }).waitFor();

  // The heading counts all open proposals, even those without an unread alert.
  await app.owner.act("/api/alerts/read-all");
  await page.reload();
  await page.getByText(/^Letzte Meldung: /).waitFor();
  for (const sku of ["A-5", "A-6"]) await addProduct(app.owner, sku);
  await pushJudged(app, [["A-5", "acme", 95], ["A-6", "acme", 96]]);
  await page.reload();
  const both = page.locator(".cause-row", { hasText: "„Mitgehen“: 5 Vorschläge offen" });
  await both.getByText(/^2 davon seit .* gemeldet/).waitFor();
  // The first and the last of these alerts are of the same minute, so the screen shows one time.
  assertEquals(await both.getByText("letzte Meldung").count(), 0);
  await both.getByRole("link", { name: "5 entscheiden" }).waitFor();
});

onScreen.test("a choice of mails is saved at once, an empty inbox says so, and deadlines of today come before an outage", async ({ app, browser }) => {
  const viewed = await browser.open(app, "/alerts", { cookie: app.viewerCookie });
  await viewed.getByText("Nichts zu entscheiden").waitFor();
  const saved = viewed.waitForResponse((answer) =>
    answer.url().includes("/mail-choices") && answer.request().method() !== "GET"
  );
  await viewed.getByRole("radio", { name: "Shop fällt aus: Mail 07:00" }).click();
  assertEquals((await saved).ok(), true);
  await viewed.reload();
  await viewed.getByRole("radio", { name: "Shop fällt aus: Mail 07:00", checked: true }).waitFor();
  await seeAllWays(viewed);
  await follow(viewed, "/alerts?view=all&severity=high");
  await viewed.getByRole("button", { name: "Filter leeren" }).click();
  await viewed.waitForURL(/\/alerts\?view=all$/);

  for (const sku of ["A-1", "A-2"]) await addProduct(app.owner, sku);
  await addRule(app.owner, ALERTING);
  await pushJudged(app, [["A-1", "acme", 90], ["A-2", "acme", 91]]);
  // The proposals expire in one hour.
  app.clock.advance(7 * DAY_MS - HOUR_MS);
  const key = await app.key(["products:write"]);
  const items = (price: string) =>
    itemsXml(["X", "Y", "Z"].map((sku) => ({ sku, title: sku, price })));
  await importXml(key, items("1299,00"));
  app.clock.advance(60_000);
  await importXml(key, items("12,99"));
  const tomorrow = new Date(app.clock.now().getTime() + DAY_MS).toISOString();
  const brakeClosed = systemAlert({
    ...{ code: "brake_closed", ruleName: "Mitgehen", sku: "A-1", productTitle: "Kanne" },
    ...{ competitor: "acme.de", cuts: 3, currency: "EUR", fromCents: 10_000, toCents: 9_000 },
    until: tomorrow,
  });
  await raise(app, outageNow(app), brakeClosed);

  const page = await browser.open(app, "/alerts", { now: app.clock.now() });
  const rows = page.locator(".cause-row");
  await rows.nth(0).getByText(/^2 laufen heute ab\. /).waitFor();
  await rows.nth(0).getByText(/^läuft \d\d:\d\d ab$/).nth(1).waitFor();
  await rows.nth(1).locator("h3", { hasText: "ist angehalten" }).waitFor();
  await rows.nth(1).getByText(/^Angehalten seit \d\d:\d\d: .* neu gesendet werden\.$/).waitFor();
  await rows.nth(2).locator("h3", { hasText: "acme.de" }).waitFor();
  await rows.getByText(/löst die Bremse · \d\d:\d\d$/).waitFor();
});
