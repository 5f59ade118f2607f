import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import type { Page } from "playwright-core";
import {
  addProduct,
  addProducts,
  addRule,
  push,
  pushJudged,
  untilJudged,
} from "../rules/evaluation/market.ts";
import { valuesOf } from "../api/answers.ts";
import { untilReads } from "../caller.ts";
import type { TestApp } from "../harness.ts";
import { startDeafApp } from "../held_store.ts";
import { DAY_MS } from "../../src/base/time.ts";
import { ARTICLES, fillMoney } from "../rules/proposals/money_scene.ts";
import { pricesOf } from "./on_page.ts";
import { cutIn, resize, violationsOf } from "./see_all_ways.ts";
import {
  follow,
  holdRequests,
  onNow,
  onScreen,
  shortenPages,
  type TestBrowser,
  testsOfOneApp,
  withBrowser,
} from "./browser.ts";

async function untilStatus(app: TestApp, status: string, count: number) {
  const path = `/api/proposals?limit=200&status=${status}`;
  await untilReads(app.viewer, path, { count });
  return (await app.viewer.read(path)).items;
}

async function fill(app: TestApp): Promise<void> {
  await addRule(app.owner, { marginFloor: { pct: 10 } });
  const skus = ["A", "B", "C", "D", "E", "F"];
  for (const sku of skus) await addProduct(app.owner, sku, { targetPrice: 120 });
  await push(app, skus.map((sku, at) => [sku, "acme", 99 - at]));
  await untilJudged(app);
}

/** Asks as the viewer, because some tests sign the owner out. */
async function statusesOf(app: TestApp): Promise<Record<string, string>> {
  const { items } = await app.viewer.read("/api/proposals?limit=200");
  return Object.fromEntries(valuesOf(items, "sku", "status").sort());
}

async function open(page: Page, count: number | string): Promise<void> {
  await page.locator(".page-title").getByText(`${count} offen`).waitFor();
}

async function visitInbox(browser: TestBrowser, app: TestApp, width = 1280): Promise<Page> {
  await fill(app);
  const page = await browser.open(app, "/proposals", { viewport: { width, height: 844 } });
  await open(page, 6);
  return page;
}

onNow.test("the inbox works by keys alone: reason, approve, reject, undo, counter-prices, of which a slip is questioned and a loss needs a reason", async ({ app, browser }) => {
  const page = await visitInbox(browser, app);
  // The percentage refers to our price: 94 is 6 % below 100 (although 100 is 6.4 % above 94).
  await page.getByText(/ist 6,0\s%\sgünstiger/).waitFor();
  await page.keyboard.press("j");
  const panel = page.getByRole("complementary", { name: "Warum dieser Preis?" });
  await panel.locator("summary", { hasText: "So entstand der Preis" }).click();
  await panel.getByText("Formel „wie der günstigste Wettbewerber“").waitFor();
  const shown = panel.locator(".proposal-title small");
  const first = (await shown.textContent()) ?? "";
  await page.keyboard.press("a");
  await open(page, 5);
  await page.getByText(`${first} angenommen`).waitFor();
  const second = (await shown.textContent()) ?? "";
  await page.keyboard.press("r");
  await open(page, 4);
  await page.getByText(`${second} abgelehnt`).waitFor();
  await page.keyboard.press("s");
  await open(page, 3);
  await page.getByRole("button", { name: /^später 1$/ }).waitFor();
  // After a decision, the proposal stays in its row with a button that undoes the decision.
  const past = page.locator("tr.past");
  assertEquals(await past.count(), 3);
  await past.filter({ hasText: "abgelehnt um" }).getByRole("button", { name: "Zurücknehmen" })
    .click();
  await open(page, 4);
  await page.locator("tr.past").nth(2).waitFor({ state: "detached" });
  assertEquals(await violationsOf(page), []);
  const all = Object.values(await statusesOf(app)).sort();
  assertEquals(all, ["applied", "open", "open", "open", "open", "rejected"]);
  // Keys must act on the right row even before the page is drawn again.
  await page.evaluate("window.requestAnimationFrame = () => 0");
  for (const key of ["j", "a"]) await page.keyboard.press(key);
  await open(page, 3);

  await page.reload();
  await open(page, 3);
  await page.keyboard.press("j");
  const field = panel.getByLabel("Gegenpreis in €");
  await field.waitFor();
  await page.keyboard.press("e");
  await page.keyboard.type("980");
  await page.keyboard.press("Enter");
  const doubt = panel.locator(".price-doubt");
  await doubt.getByText("Fast das Zehnfache?").waitFor();
  await doubt.locator("button:focus", { hasText: "98,00" }).waitFor();
  await page.keyboard.press("Enter");
  assertEquals(await field.inputValue(), "98,00");
  await field.fill("45,00");
  await doubt.getByText("Unter Einkauf.").waitFor();
  await doubt.getByRole("button", { name: /45,00.*begründen/ }).click();
  await page.keyboard.press("Enter");
  await untilStatus(app, "applied", 2);
  await page.keyboard.type("Ausverkauf");
  await page.keyboard.press("Enter");
  await open(page, 2);
  const applied = await untilStatus(app, "applied", 3);
  const sold = applied.find((one: { decisionReason: unknown }) => one.decisionReason);
  assertEquals([sold.appliedCents, sold.decisionReason], [4_500, "Ausverkauf"]);
});

onNow.test("undo goes back through all decisions, the latest first", async ({ app, browser }) => {
  const page = await visitInbox(browser, app);
  const { items: [first] } = await app.viewer.read("/api/proposals?status=open&sort=ruleEffect");
  for (const key of ["j", "a", "r", "s", "a"]) await page.keyboard.press(key);
  await open(page, 2);
  await page.locator(".nav").getByRole("link", { name: "Regeln" }).click();
  await page.getByRole("heading", { name: "Regeln", level: 1 }).waitFor();
  await page.goBack();
  await open(page, 2);
  for (const key of ["u", "u", "u", "u"]) await page.keyboard.press(key);
  // Undo goes backwards, so the last message is about the first decision.
  await page.getByText(`${first.sku}: zurückgenommen. Der Vorschlag ist wieder offen.`).waitFor();
  await page.keyboard.press("u");
  await page.getByText("Nichts zurückzunehmen").waitFor();
  await untilStatus(app, "rolled_back", 2);
  assertEquals(new Set(Object.values(await pricesOf(app))), new Set([10_000]));
  const again = await app.viewer.read("/api/proposals?limit=200&status=open");
  const reopened = again.items.filter((one: { reopenedFrom: unknown }) => one.reopenedFrom);
  // A rejected proposal is open again, and so are two whose approval was undone.
  assertEquals(reopened.length, 3);
  assertEquals((await app.viewer.read("/api/proposals?later=true")).items, []);
});

onNow.test("before many are accepted, their money is shown; excluded proposals stay open", async ({ app, browser }) => {
  await fillMoney(app);
  const page = await browser.open(app, "/proposals");
  await open(page, ARTICLES.length);
  const preview = async (leaveOut: object = { kinds: ["below_cost", "thin"] }) =>
    await app.manager.act("/api/proposals/bulk/preview", { filter: {}, leaveOut });
  const { found, accepted, largest } = await preview();
  await page.getByText(/^Gerechnet mit dem Absatz der 30 Tage bis \d\d\.\d\d\./).waitFor();
  await page.getByRole("button", { name: "Alle 48 annehmen …" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("heading", {
    name: `${accepted.count} von ${found.count} Preisen übernehmen?`,
  }).waitFor();
  const figures = await dialog.locator(".figure").allTextContents();
  assertEquals(figures.map((text) => text.replace(/\s/g, " ")), [
    `Preise${accepted.count} von 48${48 - accepted.count} ausgenommen`,
    `Sinken / steigen↓ ${accepted.down.count} · ↑ ${accepted.up.count}im Mittel ${
      shownPct(accepted.meanPct)
    }`,
    `Danach unter 10 % Marge0 von ${found.thin}${found.belowCost} unter EK, bleiben offen`,
    `Wirkung auf 30 Tage Marge${sumsText(accepted.effects30d)}alle 48: ${
      sumsText(found.effects30d)
    }ohne ${accepted.withoutSales}, deren Absatz nicht bekannt ist`,
  ]);
  assertEquals(await violationsOf(page), []);

  const first = largest.find(({ isLeftOut }: { isLeftOut: boolean }) => !isLeftOut);
  await dialog.getByLabel(`${first.productTitle} übernehmen`).click();
  await dialog.getByLabel("kein Verkauf in 30 Tagen").click();
  const leaveOut = { kinds: ["below_cost", "thin", "unsold"], ids: [first.id] };
  const fewer = await preview(leaveOut);
  await dialog.getByRole("button", { name: `${fewer.accepted.count} Preise übernehmen` }).waitFor();

  // If somebody else decides meanwhile, a message says so, and accepting takes another click.
  const other = (await app.viewer.read("/api/proposals?limit=200")).items
    .find(({ sku }: { sku: string }) => sku === "P-0");
  await app.owner.act(`/api/proposals/${other.id}/reject`, {});
  await dialog.getByRole("button", { name: /Preise übernehmen$/ }).click();
  await dialog.getByText(/hat sich etwas bewegt/).waitFor();
  const last = await preview(leaveOut);
  assertEquals(last.accepted.count, fewer.accepted.count - 1);
  assertEquals(Object.values(await statusesOf(app)).includes("applied"), false);
  await dialog.getByRole("button", { name: `${last.accepted.count} Preise übernehmen` }).click();
  await untilStatus(app, "applied", last.accepted.count);
  await page.getByText(`${last.accepted.count} angenommen`).waitFor();
  await open(page, last.found.count - last.accepted.count);
  assertEquals((await statusesOf(app))[first.sku], "open");
  await page.keyboard.press("u");
  await untilStatus(app, "rolled_back", last.accepted.count);
});

const german = new Intl.NumberFormat("de-DE", { minimumFractionDigits: 1 });
const signed = (text: string, value: number) =>
  value === 0 ? text : `${value > 0 ? "+" : "−"}${text}`;
const shownPct = (pct: number) => `${signed(german.format(Math.abs(pct)), pct)} %`;

function sumsText(sums: readonly { currency: string; cents: number }[]): string {
  return sums.map(({ currency, cents }) => {
    const money = new Intl.NumberFormat("de-DE", { style: "currency", currency });
    return signed(money.format(Math.abs(cents) / 100).replace(/\s/g, " "), cents);
  }).join(" · ");
}

/** A rule that proposes the average price, with a lower priority than rules with priority 1. */
const AVERAGE = {
  ...{ priority: 2, when: { trigger: "market_index", always: true } },
  actions: [{ type: "propose_price", price: { reference: { kind: "average" } } }],
};

/** Adds a proposal with two rules, long names and many offers, so that its panel is very tall. */
async function fillTallest(app: TestApp): Promise<void> {
  await app.owner.change("/api/settings", { pricesIncludeVat: true, vatRatePct: 19 });
  await addProduct(app.owner, "KT-10643", {
    title: "Brückmann Kaffeevollautomat Barista Edition Schwarz KT6773-001",
    ...{ ourPrice: 1_552.17, costPrice: 1_100, targetPrice: 1_849 },
  });
  const key = await app.key(["products:write"]);
  const date = app.clock.now().toISOString().slice(0, 10);
  await key.act("/api/public/v1/sales", { rows: [{ sku: "KT-10643", date, units: 12 }] });
  const shops = ["technikhaus-weber", "best", "cool", "dear", "even", "fine", "good"];
  const pushAll = (up: number) =>
    push(app, shops.map((shop, n) => ["KT-10643", shop, 1_400 + n * 40 + (n && up)] as const));
  // A proposal names only rules that existed when it was made, so the rules come first.
  await addRule(app.owner, {
    name: "Kaffee und Küche: günstigster Preis",
    ...{ priority: 1, marginFloor: { pct: 10 } },
  });
  await addRule(app.owner, { ...AVERAGE, name: "Spielraum: so teuer wie der Durchschnitt" });
  await pushAll(0);
  await push(app, [["KT-10643", "sold-out", 1_399]], { inStock: false });
  await pushAll(12);
  await untilJudged(app);
}

const onTallest = testsOfOneApp(fillTallest, { now: () => new Date() });

const LOW_SCREENS = [{ width: 1440, height: 900 }, { width: 1280, height: 800 }];

onTallest.test("reason, ladder and rules of the tallest proposal are visible without scrolling", async ({ app, browser }) => {
  for (const locale of ["de-DE", "en-GB"]) {
    const page = await browser.open(app, "/proposals", { locale });
    await page.locator(".ladder[aria-busy=false] li").nth(8).waitFor();
    await page.locator(".price-owner li").nth(1).waitFor();
    for (const viewport of LOW_SCREENS) {
      await page.setViewportSize(viewport);
      const space = await page.locator(".inbox-why").evaluate((why) =>
        why.getBoundingClientRect().bottom -
        why.querySelector(".price-owner")!.getBoundingClientRect().bottom
      );
      ok(space >= 0, `${locale} ${viewport.height}: ${space}`);
    }
  }
});

onTallest.test("a proposal says when it expires, how old its effect is, and that the market has moved since", async ({ app, browser }) => {
  const now = app.clock.now();
  const form = { day: "2-digit", month: "2-digit", timeZone: "Europe/Berlin" } as const;
  const day = new Intl.DateTimeFormat("de-DE", form).format(now);
  const page = await browser.open(app, "/proposals", { now: new Date(now.getTime() + 6 * DAY_MS) });
  const row = page.locator("tbody tr.opens");
  await row.getByText("läuft morgen ab").waitFor();
  const panel = page.getByRole("complementary", { name: "Warum dieser Preis?" });
  await panel.getByText(`Gerechnet mit dem Absatz der 30 Tage bis ${day}`).waitFor();
  await panel.getByText(`Seit ${day} hat sich der Markt bewegt.`).waitFor();
  await panel.getByText("läuft morgen ab").waitFor();
  await panel.locator(".ladder [title^='war 1.']").first().waitFor();
  const gaps = await panel.locator(".ladder .offer .soft").allInnerTexts();
  ok(gaps.length > 1 && gaps.every((text) => /\d\s%$/.test(text)), gaps.join("|"));
});

onNow.test("the file of prices changed in 30 days begins with a day of the workspace", async ({ app, browser }) => {
  const page = await browser.open(app, "/proposals", { now: new Date("2026-01-15T23:30:00Z") });
  const file = page.locator('a[href^="/api/price-changes?format=xlsx"]');
  await file.waitFor({ state: "attached" });
  const { searchParams } = new URL(await file.getAttribute("href") ?? "", app.base);
  assertEquals(searchParams.get("since"), "2025-12-16T23:00:00.000Z");
});

onNow.test("a proposal that returns says when, why and at which price it was rejected", async ({ app, browser }) => {
  await addRule(app.owner);
  const productId = await addProduct(app.owner, "A");
  await push(app, [["A", "acme", 90]]);
  await untilJudged(app);
  const [{ id }] = await untilStatus(app, "open", 1);
  const reason = "Ware läuft aus";
  await app.owner.act(`/api/proposals/${id}/reject`, { reason });
  await app.owner.change(`/api/products/${productId}`, { ourPrice: 99 });
  await untilJudged(app);
  const page = await browser.open(app, "/proposals");
  await page.locator("tbody tr.opens").getByText(/ · am \d\d\.\d\d\. abgelehnt/).waitFor();
  const said =
    /Am \d\d\.\d\d\. abgelehnt \(„Ware läuft aus“\)\. .*Unser Preis hat sich .*\(war 100,00\s€\)\./;
  await page.getByRole("complementary", { name: "Warum dieser Preis?" }).getByText(said).waitFor();
  await follow(page, `/products/${productId}`);
  await page.locator(".open-proposal").getByText(said).waitFor();
});

onNow.test("ten accepted proposals do not return; the panel says which rule sets the price", async ({ app, browser }) => {
  const skus = Array.from({ length: 10 }, (_, n) => `T-${n}`);
  await addProducts(app, skus.map((sku) => ({ sku })));
  await addRule(app.owner, { name: "Großgeräte", priority: 1 });
  await addRule(app.owner, { ...AVERAGE, name: "Kaffee" });
  // A proposal names only rules that existed when it was made, so the rules come first.
  await pushJudged(app, skus.flatMap((sku) => [[sku, "acme", 90], [sku, "best", 112]] as const));
  const page = await browser.open(app, "/proposals");
  await open(page, 10);
  await page.keyboard.press("j");
  const panel = page.getByRole("complementary", { name: "Warum dieser Preis?" });
  const owner = panel.locator(".price-owner");
  await owner.getByRole("heading", { name: "Welche Regel setzt den Preis?" }).waitFor();
  const order = (await owner.locator("ol").innerText()).replace(/\s+/g, " ");
  match(order, /^Großgeräte diese Regel Kaffee ruht würde 101,00 € vorschlagen$/);
  await page.getByRole("checkbox", { name: "Alle von „Großgeräte“ markieren" }).click();
  await page.getByRole("button", { name: "10 annehmen", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("10 Vorschläge weiterer Regeln sind damit erledigt").waitFor();
  await dialog.getByRole("button", { name: "10 Preise übernehmen" }).click();
  await page.getByText(/^10 angenommen\. 10 Vorschläge weiterer Regeln sind damit erledigt/)
    .waitFor();
  await untilStatus(app, "applied", 10);
  await untilJudged(app);
  await untilStatus(app, "open", 0);
  const [{ productId }] = await untilStatus(app, "applied", 10);
  const product = await browser.open(app, `/products/${productId}`);
  await product.locator(".price-owner").first()
    .getByText("würde 101,00 € vorschlagen, „Großgeräte“ nähme das zurück").waitFor();
  await page.keyboard.press("u");
  await untilStatus(app, "open", 10);
});

/**
 * Makes the page load only four proposals. A bulk decision by filter takes two requests: the first
 * also applies the filter `first`. If `hasRest` is false, the second request fails.
 */
async function loadFour(page: Page, first: object, hasRest = true): Promise<void> {
  await shortenPages(page, "/api/proposals", 4);
  await page.route("**/api/proposals?*cursor=*", () => {});
  await page.route("**/api/proposals/bulk", async (route) => {
    const { cursor, ...body } = route.request().postDataJSON();
    if (!body.filter) return await route.fallback();
    if (cursor && !hasRest) return await route.abort();
    const filter = cursor ? body.filter : { ...body.filter, ...first };
    const response = await route.fetch({ postData: { ...body, filter } });
    const nextCursor = cursor ? null : "rest";
    await route.fulfill({ response, json: { ...await response.json(), nextCursor } });
  });
}

onNow.test("decisions made before a failed request stay made, are told apart from the others, and can be undone", async ({ app, browser }) => {
  const page = await visitInbox(browser, app);
  await loadFour(page, { sku: "A" }, false);
  await page.reload();
  await page.getByText("4 von 6 geladen").waitFor();
  await page.locator("thead .pick input").click();
  const bar = page.locator(".bulk-bar");
  await bar.getByRole("button", { name: "alle 6 dieser Ansicht markieren" }).click();
  await bar.getByRole("button", { name: "6 ablehnen …" }).click();
  await page.keyboard.type("Messe");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Ja" }).click();
  await untilStatus(app, "rejected", 1);
  await page.getByText("4 nicht möglich").waitFor();
  await page.locator(".toast .note.bad", { hasText: "Keine Verbindung zum Dienst" }).waitFor();
  await page.keyboard.press("u");
  await untilStatus(app, "open", 6);
});

onNow.test("all proposals of a filter are decided, also unloaded ones, and undone as a whole; a key on many marked rows shows them before it accepts", async ({ app, browser }) => {
  await fill(app);
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  await loadFour(page, { q: "A" });
  await page.goto("/proposals");
  await open(page, 6);
  await page.getByText("4 von 6 geladen").waitFor();
  // The button counts all proposals of the rule, not only the loaded ones.
  await page.locator(".group-head").getByRole("button", { name: "Alle 6 annehmen …" }).waitFor();
  await page.locator("thead .pick input").click();
  const bar = page.locator(".bulk-bar");
  await bar.getByText("4 markiert").waitFor();
  await bar.getByText("4 Preise sinken").waitFor();
  await bar.getByRole("button", { name: "alle 6 dieser Ansicht markieren" }).click();
  await bar.getByText("6 markiert").waitFor();
  await bar.getByRole("button", { name: "6 ablehnen …" }).click();
  await page.keyboard.type("Messe");
  await page.keyboard.press("Enter");
  const decided = page.waitForResponse(async (answer) =>
    answer.url().endsWith("/api/proposals/bulk") && (await answer.json()).nextCursor === null
  );
  await page.getByRole("dialog").getByRole("button", { name: "Ja" }).click();
  const ofOpen = "/api/proposals?limit=1&status=open";
  const openCount = async () => (await app.viewer.read(ofOpen)).total;
  await decided;
  assertEquals(await openCount(), 0);
  const rejected = await untilStatus(app, "rejected", 6);
  for (const { decisionReason } of rejected) assertEquals(decisionReason, "Messe");
  await page.getByText("Nichts zu entscheiden").waitFor();
  const done = await browser.open(app, "/proposals?status=rejected", { locale: "en-GB" });
  await resize(done, 1280);
  await done.getByRole("row", { name: /rejected/ }).first().waitFor();
  assertEquals(await cutIn(done.locator(".table-scroll")), []);
  await page.keyboard.press("u");
  await page.getByText("6: zurückgenommen").waitFor();
  assertEquals(await openCount(), 6);

  const english = await browser.open(app, "/proposals", { locale: "en-GB" });
  await english.locator(".page-title").getByText("6 open").waitFor();
  for (const key of ["j", "x", "j", "x", "a"]) await english.keyboard.press(key);
  const dialog = english.getByRole("dialog");
  await dialog.getByRole("heading", { name: "Accept 2 prices?" }).waitFor();
  await dialog.getByText("without 2, for which there are no sales figures").waitFor();
  assertEquals(await violationsOf(english), []);
  // While the dialog is open, the key `a` must not accept anything in the list.
  await english.keyboard.press("a");
  await english.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await untilStatus(app, "applied", 0);
  await english.keyboard.press("a");
  await dialog.getByRole("button", { name: "Accept 2 prices" }).click();
  await untilStatus(app, "applied", 2);
});

onNow.test("on a phone a proposal is a card with decision buttons", async ({ app, browser }) => {
  const page = await visitInbox(browser, app, 390);
  const head = page.locator(".group-head").first();
  match(await head.innerText(), /\d offen/);
  await head.getByRole("button", { name: /annehmen/ }).waitFor();
  const list = page.locator(".table-scroll");
  assertEquals(await list.evaluate((one) => one.scrollHeight - one.clientHeight), 0);
  const card = page.locator(".proposal-card").first();
  await card.getByText(/^acme\.example ist .* günstiger$/).waitFor();
  // The head of a group names the rule; without groups, each card does.
  const [ruleName = ""] = await head.locator(".clip").allInnerTexts();
  assertEquals(await card.getByText(ruleName).count(), 0);
  await page.goto("/proposals?sort=expires");
  await card.getByText(ruleName).waitFor();
  await page.goBack();
  await head.waitFor();
  await card.getByRole("button", { name: "Annehmen" }).click();
  await open(page, 5);
  await card.getByRole("button", { name: "Details" }).click();
  await page.getByRole("dialog").getByText("Preisleiter").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: /^Ablehnen/ }).click();
  await open(page, 4);
});

onNow.test("keys stay on their proposal while others decide; undo reverts the last approval, whichever is answered first", async ({ app, browser }) => {
  const page = await visitInbox(browser, app);
  const { items } = await app.owner.read("/api/proposals?status=open&sort=ruleEffect");
  const [first, second, third] = items;
  const panel = page.getByRole("complementary", { name: "Warum dieser Preis?" });
  const shown = panel.locator(".proposal-title small");
  for (const _ of [first, second, third]) await page.keyboard.press("j");
  await shown.getByText(third.sku, { exact: true }).waitFor();

  await rejectElsewhere(app, page, first.id);
  await open(page, 5);
  assertEquals(await shown.textContent(), third.sku);

  await rejectElsewhere(app, page, third.id);
  await open(page, 4);
  await panel.getByText("Wählen Sie eine Zeile").waitFor();
  await page.keyboard.press("a");
  const left = Object.values(await statusesOf(app)).filter((status) => status === "open");
  assertEquals(left.length, 4);

  const [, slow, , quick] = items;
  const { promise: isFree, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/api/proposals/bulk", async (route) => {
    const response = await route.fetch();
    if (route.request().postDataJSON().ids.includes(slow.id)) await isFree;
    await route.fulfill({ response });
  });
  await page.keyboard.press("j");
  await shown.getByText(slow.sku, { exact: true }).waitFor();
  await page.keyboard.press("a");
  await open(page, 3);
  await shown.getByText(quick.sku, { exact: true }).waitFor();
  await page.keyboard.press("a");
  await open(page, 2);
  release();
  await page.keyboard.press("u");
  await page.getByText(`${quick.sku}: zurückgenommen`).waitFor();
  const statuses = await statusesOf(app);
  assertEquals([statuses[slow.sku], statuses[quick.sku]], ["applied", "rolled_back"]);
});

/** Rejects a proposal as a colleague would, then makes the page read its data again. */
async function rejectElsewhere(app: TestApp, page: Page, id: string): Promise<void> {
  await app.owner.act(`/api/proposals/${id}/reject`, {});
  await page.evaluate(`{
    const look = setInterval(() => dispatchEvent(new Event("visibilitychange")), 200);
    const seen = fetch;
    window.fetch = (...asked) => {
      if (String(asked[0]).startsWith("/api/proposals?")) clearInterval(look);
      return seen(...asked);
    };
  }`);
}

onNow.test("small changes are filtered; the first proposal is shown at once, but no key decides on it", async ({ app, browser }) => {
  const page = await visitInbox(browser, app);
  await page.getByRole("button", { name: /^Änderung < 3\s% 2$/ }).click();
  await open(page, 2);

  await follow(page, "/proposals");
  await open(page, 6);
  const { items } = await app.owner.read("/api/proposals?status=open&sort=ruleEffect");
  const [first, second, third] = items;
  const panel = page.getByRole("complementary", { name: "Warum dieser Preis?" });
  const shown = (sku: string) =>
    panel.locator(".proposal-title small").getByText(sku, { exact: true }).waitFor();
  await shown(first.sku);
  await panel.locator(".ladder li").first().getByText("UVP").waitFor();
  match(await panel.locator(".ladder li").first().innerText(), /120,00\s€/);
  // Before a person chooses a row, the keys for decisions have no effect and are not shown.
  assertEquals(await panel.locator("footer kbd:visible").count(), 0);
  for (const key of ["a", "r", "s", "e"]) await page.keyboard.press(key);
  await panel.getByRole("button", { name: /^Ablehnen/ }).click();
  await open(page, 5);
  await shown(second.sku);
  await page.keyboard.press("j");
  await panel.locator("footer kbd").first().waitFor();
  await page.keyboard.press("a");
  await open(page, 4);
  await shown(third.sku);
  await untilStatus(app, "applied", 1);
  const statuses = await statusesOf(app);
  assertEquals([first, second].map(({ sku }) => statuses[sku]), ["rejected", "applied"]);
  assertEquals(await violationsOf(page), []);
});

withBrowser.test("a proposal that can no longer be approved returns to the list, says why, and is not undone", async (browser) => {
  await using app = await startDeafApp({ now: () => new Date() });
  const page = await visitInbox(browser, app);
  await page.keyboard.press("j");
  const panel = page.getByRole("complementary", { name: "Warum dieser Preis?" });
  const href = await panel.locator(".proposal-title a").getAttribute("href");
  // Without `deafen()`, the lock would make the rules engine close the proposal.
  app.deafen();
  await app.owner.change(`/api${href}`, { priceLocked: true });
  const { release } = await holdRequests(page, "**/bulk");
  await page.keyboard.press("a");
  await open(page, 5);
  await page.keyboard.press("a");
  await open(page, 4);
  release();
  const note = page.locator(".toast .note.bad");
  // The service's message is English, so a German screen shows it only on request.
  await note.getByText("Genauer (englisch)").click();
  await note.getByText(/cannot be approved/).waitFor();
  // The service refused one of two approvals, so only one decision can be undone.
  await open(page, 5);
  await page.getByRole("button", { name: /Rückgängig/ }).press("Enter");
  await page.getByText(/: zurückgenommen/).waitFor();
  await page.keyboard.press("u");
  await page.getByText("Nichts zurückzunehmen").waitFor();
});

onNow.test("a pending decision is sent before the sign-out, also after leaving the screen; pending reads do not ask to sign in again", async ({ app, browser }) => {
  const page = await visitInbox(browser, app);
  const { release } = await holdRequests(page, "**/bulk");
  await page.keyboard.press("j");
  await page.locator(".inbox-panel .ladder").waitFor();
  await page.keyboard.press("r");
  await open(page, 5);
  await follow(page, "/rules");
  await page.getByRole("heading", { name: "Regeln", level: 1 }).waitFor();
  await page.locator(".me summary").click();
  await page.getByRole("button", { name: "Abmelden" }).click();
  release();
  await page.locator(".nav").waitFor({ state: "detached" });
  const decided = Object.values(await statusesOf(app)).filter((status) => status !== "open");
  assertEquals(decided, ["rejected"]);
  assertEquals(await page.getByText("Bitte neu anmelden").count(), 0);

  await page.unroute("**/bulk");
  const [name = "", value = ""] = (await app.newSession("owner")).split("=");
  await page.context().addCookies([{ name, value, url: app.base }]);
  await page.goto("/proposals");
  await open(page, 5);
  const { promise: isSignedOut, resolve: signedOut } = Promise.withResolvers<void>();
  const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
  await page.route("**/api/proposals?*", async (route) => {
    await isSignedOut;
    await route.continue();
  });
  await page.route("**/api/auth/logout", async (route) => {
    const response = await route.fetch();
    signedOut();
    await isFree;
    await route.fulfill({ response });
  });
  const refused = page.waitForResponse((answer) => answer.status() === 401);
  await page.getByRole("button", { name: /^Änderung < 3/ }).click();
  await page.locator(".me summary").click();
  await page.getByRole("button", { name: "Abmelden" }).click();
  await refused;
  await page.getByText("Bitte neu anmelden").waitFor();
  free();
  await page.locator(".nav").waitFor({ state: "detached" });
  assertEquals(await page.getByText("Bitte neu anmelden").count(), 0);
});

onScreen.test("a large change says that a second person must approve, before and after the first approval; no screen says that a price which waits for this is in force", async ({ app, browser }) => {
  await app.owner.change("/api/settings", { approval: { beyondPct: 4, people: 2 } });
  const ids = new Map<string, string>();
  for (const sku of ["A", "B", "C", "D"]) ids.set(sku, await addProduct(app.owner, sku));
  const actions = [{ type: "propose_price", formula: "match_cheapest" }, { type: "alert_inapp" }];
  await addRule(app.owner, { name: "Mitgehen", actions });
  await pushJudged(app, [...ids.keys()].map((sku) => [sku, "acme", 90]));
  const waits = (sku: string) =>
    page.getByText(`${sku}: mehrere Personen müssen zustimmen`).waitFor();
  const page = await browser.open(app, "/alerts");
  const take = page.locator(".cause-row").getByRole("button", { name: /^Annehmen: / }).first();
  const first = (await take.getAttribute("aria-label") ?? "").replace("Annehmen: ", "");
  const [second = "", third = "", fourth = ""] = [...ids.keys()].filter((sku) => sku !== first);
  await take.click();
  await waits(first);
  await follow(page, `/products/${ids.get(second)}`);
  await page.locator(".decide-here").getByRole("button", { name: /^Annehmen/ }).click();
  await waits(second);
  await follow(page, `/products/${ids.get(third)}`);
  await page.locator(".decide-here").waitFor();
  await page.getByLabel(/^Neuer Preis/).fill("91,00");
  await page.getByLabel(/^Neuer Preis/).press("Enter");
  await waits(third);
  assertEquals(await page.getByRole("button", { name: "Rückgängig" }).count(), 0);

  await follow(page, "/proposals");
  const row = page.locator("tbody th").getByText(`Product ${fourth}`);
  await row.click();
  await page.getByText(/Mehr als 4\s% Änderung: Außer Ihnen muss eine andere Person/).waitFor();
  await page.locator(".decide-buttons").getByRole("button", { name: /^Annehmen/ }).click();
  await page.getByText("1 nicht möglich").waitFor();
  await row.click();
  await page.getByText(/hat .* zugestimmt\. Es fehlt noch eine andere Person/).waitFor();
  assertEquals(await page.getByText(/Außer Ihnen/).count(), 0);
});
