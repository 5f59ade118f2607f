import fc from "fast-check";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import type { Page } from "playwright-core";
import { untilReads } from "../caller.ts";
import type { TestApp } from "../harness.ts";
import { until } from "../patience.ts";
import {
  addProduct,
  addRule,
  priceOf,
  push,
  statuses,
  untilJudged,
} from "../rules/evaluation/market.ts";
import { follow, onNow, onScreen, type TestBrowser } from "./browser.ts";
import { cutIn, TOO_WIDE } from "./see_all_ways.ts";
import { plain } from "./on_page.ts";
import { DAY_MS, HOUR_MS } from "../../src/base/time.ts";
import {
  apartMarkers,
  centsAt,
  type PriceSeries,
  priceSpan,
  priceTicks,
  scaled,
  spread,
  stepLine,
} from "../../src/client/parts/chart/chart_scale.ts";
import { badgeOf, shopClass } from "../../src/client/parts/shops.tsx";

/**
 * Adds a product: our price 100.00, cost 50.00, offers 95, 98 and 130. Two more offers do not
 * count: one is sold out, and one is in another currency.
 */
async function fill(app: TestApp): Promise<string> {
  const id = await addProduct(app.owner, "A", { title: "Wasserkocher" });
  await push(app, [["A", "gone", 70]], { inStock: false });
  await push(app, [["A", "usd", 60]], { currency: "USD" });
  await push(app, [["A", "acme", 95], ["A", "bolt", 98], ["A", "cord", 130]]);
  await untilJudged(app);
  return id;
}

async function visit(browser: TestBrowser, app: TestApp, id: string, width = 1440) {
  const page = await browser.open(app, `/products/${id}`, { viewport: { width, height: 1000 } });
  await page.getByRole("heading", { level: 1, name: "Wasserkocher" }).waitFor();
  await page.getByLabel(/^Neuer Preis/).waitFor();
  return page;
}

const untilPrice = (app: TestApp, id: string, cents: number) =>
  until(`the price is ${cents}`, async () => await priceOf(app.owner, id) === cents);

const figure = (page: Page, name: string) =>
  page.locator(".figure", { hasText: name }).locator("strong");

onScreen.test("the page shows the price's position, which offers count, and why others do not", async ({ app, browser }) => {
  const id = await fill(app);
  const page = await visit(browser, app, id);
  assertEquals(plain(await figure(page, "Rang").textContent()), "3 von 4");
  assertEquals(plain(await figure(page, "Abstand").textContent()), "+5,0 %");
  // Our price of 100 is 92.9 % of the average offer of 107.67.
  assertEquals(plain(await figure(page, "Preisindex").textContent()), "92,9");
  const spoken = plain(await page.locator(".range-bar").getAttribute("aria-label"));
  match(spoken, /^acme\S+ 95,00 €, bolt\S+ 98,00 €, wir 100,00 €, cord\S+ 130,00 €$/);
  const offers = page.getByRole("table", { name: "Angebote" });
  await offers.getByText("zählt nicht (2)").waitFor();
  const rows = await offers.getByRole("row").allInnerTexts();
  const names = ["acme", "bolt", "(wir)", "cord", "zählt nicht (2)"];
  for (const [at, name] of names.entries()) ok(rows[at + 1]?.includes(name), rows[at + 1]);
  match(rows.slice(6).join(" "), /usd[^]*andere Währung/);
  match(rows.slice(6).join(" "), /gone[^]*nicht lieferbar/);
  assertEquals(await page.locator(".product-page [style]:not(th)").count(), 0);

  const badges = page.locator(".offers .shop-badge");
  await until("each shop and we have a colour of our own", async () => {
    const classes = await badges.evaluateAll((all) => all.map((one) => one.className));
    return new Set(classes).size === 6;
  });
  const colours = (await app.viewer.read("/api/competitors")).items
    .map(({ colour }: { colour: number }) => colour).sort();
  assertEquals(colours, [1, 2, 3, 4, 5]);

  await page.setViewportSize({ width: 390, height: 844 });
  const lines = await offers.locator("small.phone-only").filter({ visible: true }).allInnerTexts();
  match(lines.join("|"), /^vor [^|]*\|vor [^|]*\|vor [^|]*\|vor .* · .*andere Währung/);

  await page.setViewportSize({ width: 1440, height: 1000 });
  await push(app, [["A", "cord", 99]]);
  await page.reload();
  await page.getByText("99,00 €").first().waitFor();
  const ends = page.locator(".range-ends > span");
  const said = (await ends.allInnerTexts()).map(plain);
  assertEquals(said.slice(1), ["Median 98,00 €", "Wir 100,00 €"]);
  match(said[0] ?? "", /95,00 €$/);
  // The median's label is next to its tick, but one line lower near the ends of the scale.
  const boxOf = async (part: string) => await page.locator(part).first().boundingBox();
  const nearEnds = [["cord", 140, 2, "left"], ["bolt", 139, 3, "right"]] as const;
  for (const [shop, price, nth, side] of nearEnds) {
    await push(app, [["A", shop, price]]);
    await page.reload();
    await page.getByText(`${price},00 €`).first().waitFor();
    await until(`the ${side} end of the median's text is at its tick`, async () => {
      const tick = await boxOf(`.range-tick:nth-of-type(${nth})`);
      const text = await boxOf(".range-median text");
      if (!tick || !text) return false;
      return Math.abs(tick.x - text.x - (side === "left" ? 0 : text.width)) < 5;
    });
  }
  await page.locator(".range-median.low").waitFor();

  // Between long prices there is no room for the median's label, so it is one line lower.
  const dear = { title: "Wasserkocher", ourPrice: 12_600, costPrice: 9_000 };
  const dearId = await addProduct(app.owner, "B", dear);
  await push(app, [["B", "acme", 12_000], ["B", "bolt", 12_500], ["B", "cord", 13_000]]);
  await page.goto(`/products/${dearId}`);
  await page.locator(".range-median text").waitFor();
  const [median, ...sides] = await Promise.all(
    ["median text", "ends > :first-child", "ends > :last-child"].map((one) =>
      boxOf(`.range-${one}`)
    ),
  );
  for (const side of sides) ok((side?.y ?? 0) + (side?.height ?? 0) <= (median?.y ?? 0));
});

onScreen.test("a proposal is decided on the product page, by keys, and decisions are undone in order; the timeline shows exports", async ({ app, browser }) => {
  await addRule(app.owner, {
    marginFloor: { pct: 10 },
    actions: [{ type: "propose_price", formula: "match_cheapest" }, { type: "alert_inapp" }],
  });
  const id = await fill(app);
  const page = await visit(browser, app, id);
  await page.locator(".timeline").getByText("Meldung", { exact: true }).first().waitFor();
  const card = page.locator(".open-proposal");
  await card.getByText(/Rang/).waitFor();
  match(plain(await card.innerText()), /100,00 €.*95,00 €.*Rang von 4 3 → 1/);
  match(plain(await card.innerText()), /Wirkung −5,00 €\/Stück/);
  await page.keyboard.press("a");
  await untilPrice(app, id, 9_500);
  await card.waitFor({ state: "detached" });
  const change = page.locator(".timeline li", { hasText: "nimmt den Vorschlag an" });
  match(plain(await change.first().innerText()), /owner.*100,00 €.*95,00 €/);
  assertEquals((await statuses(app.owner)).at(-1), ["applied", 9_500]);
  await page.keyboard.press("u");
  await untilPrice(app, id, 10_000);
  await page.getByText("Zurückgenommen. Der Vorschlag ist wieder offen.").waitFor();
  await card.waitFor();

  const erp = await app.key(["proposals:read"]);
  await (await erp.get("/api/public/v1/price-changes?format=xml")).text();
  await page.reload();
  await page.locator(".timeline").getByText("Preis exportiert (xml)").waitFor();
});

onNow.test("a proposal is rejected with a reason, postponed, or decided by another price; each can be undone", async ({ app, browser }) => {
  // The page counts days by the real clock, so the service uses it as well. Without the cooldown,
  // the rule would propose again after each undo.
  await addRule(app.owner, { marginFloor: { pct: 10 }, cooldownMinutes: 60 });
  const id = await fill(app);
  const page = await visit(browser, app, id);
  const card = page.locator(".open-proposal");
  const newest = async () => (await app.viewer.read("/api/proposals?order=desc")).items[0];
  const untilNewest = (status: string) =>
    until(`the proposal is ${status}`, async () => (await newest()).status === status);
  const undo = () => page.keyboard.press("u");
  await card.getByLabel(/^Grund der Entscheidung/).fill("warten auf Lieferung");
  await card.getByRole("button", { name: /^Ablehnen/ }).click();
  await untilNewest("rejected");
  assertEquals((await newest()).decisionReason, "warten auf Lieferung");
  await card.waitFor({ state: "detached" });
  await undo();
  await untilNewest("open");
  await card.getByRole("button", { name: /^Später/ }).click();
  await card.getByText(/zurückgestellt bis/).waitFor();
  ok(Date.parse((await newest()).heldUntil) > Date.now());
  await undo();
  await card.getByRole("button", { name: /^Später/ }).waitFor();
  assertEquals((await newest()).heldUntil, null);

  // Setting a price while a proposal is open closes the proposal as applied.
  await page.getByRole("heading", { name: "Gegenpreis" }).waitFor();
  await page.getByLabel(/^Neuer Preis/).fill("96,00");
  await page.getByLabel("Grund", { exact: true }).fill("Gegenpreis");
  await page.getByLabel(/^Neuer Preis/).press("Enter");
  await untilPrice(app, id, 9_600);
  const { status, appliedCents, decisionReason } = await newest();
  assertEquals([status, appliedCents, decisionReason], ["applied", 9_600, "Gegenpreis"]);
  await card.waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "Anderer Preis" }).waitFor();
  await page.locator("body").click({ position: { x: 400, y: 90 } });
  await undo();
  await page.getByText("Preis ist wieder 100,00 €. Der Vorschlag ist wieder offen.").waitFor();
  await untilNewest("open");
  await card.waitFor();
  assertEquals(await priceOf(app.owner, id), 10_000);
});

onScreen.test("a price with shifted digits is questioned, its effect is shown while typing, and it is undone; a price below cost or the rule's floor needs a reason", async ({ app, browser }) => {
  const id = await fill(app);
  const page = await visit(browser, app, id);
  await page.keyboard.press("e");
  await page.locator("[name=price]:focus").waitFor();
  await page.keyboard.type("9.699,00");
  const doubt = page.locator(".price-doubt");
  await doubt.getByText("Fast das Hundertfache?").waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".price-doubt button:focus").waitFor();
  assertEquals(await priceOf(app.owner, id), 10_000);
  await page.keyboard.press("Enter");
  assertEquals(await page.getByLabel(/^Neuer Preis/).inputValue(), "96,99");
  const live = plain(await page.locator(".small-figures").innerText());
  for (const wanted of ["Marge 48,4 %", "Abstand +2,1 %", "Rang von 4 2"]) {
    ok(live.includes(wanted));
  }
  await page.getByLabel(/^Neuer Preis/).press("Enter");
  await untilPrice(app, id, 9_699);
  await page.getByText(/Preis ist jetzt 96,99/).waitFor();
  await page.getByRole("button", { name: "Rückgängig" }).press("Enter");
  await untilPrice(app, id, 10_000);
  await page.getByText(/Preis ist wieder 100,00/).waitFor();
  await page.getByText("setzt den Preis").first().waitFor();
  const shown = () => page.getByLabel(/^Neuer Preis/).inputValue();
  await until("the form has it, too", async () => await shown() === "100,00");

  await page.getByLabel(/^Neuer Preis/).fill("99,00");
  await page.keyboard.press("Escape");
  assertEquals(await shown(), "100,00");

  await addRule(app.owner, { name: "Nie unter 60", marginFloor: { pct: 60 } });
  await untilJudged(app);
  await page.reload();
  const price = page.getByLabel(/^Neuer Preis/);
  await price.fill("96,00");
  await doubt.getByText(/Mindestmarge ist 60/).waitFor();
  await price.fill("45,00");
  await doubt.getByText("Unter Einkauf.").waitFor();
  await doubt.getByRole("button", { name: /45,00.*begründen/ }).click();
  await page.locator("[name=reason]:focus").waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("Erst einen Grund eingeben").waitFor();
  assertEquals(await priceOf(app.owner, id), 10_000);
  await page.keyboard.type("Abverkauf");
  await page.keyboard.press("Enter");
  await untilPrice(app, id, 4_500);
  const { items } = await app.viewer.read(
    `/api/audit-logs?action=product.update&resource=product:${id}`,
  );
  assertEquals([items.at(-1).after.ourPriceCents, items.at(-1).reason], [4_500, "Abverkauf"]);
});

onScreen.test("a price is held until a day, and a past price is marked as an error; both can be undone", async ({ app, browser }) => {
  const id = await fill(app);
  app.clock.advance(60_000);
  const page = await visit(browser, app, id);
  await page.getByLabel("Danach halten bis").fill("2020-01-01");
  await page.getByLabel("Danach halten bis").press("Enter");
  await page.locator("[name=until]:focus[aria-invalid=true]").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Halten bis …" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Halten bis").fill("2020-01-01");
  await dialog.getByText("heute oder einen späteren Tag").waitFor();
  const hold = dialog.getByRole("button", { name: "Preis halten" });
  assertEquals(await hold.isDisabled(), true);
  await dialog.getByLabel("Halten bis").fill("2036-12-24");
  await hold.click();
  await page.getByRole("button", { name: /Gehalten bis 24\.12\.2036/ }).waitFor();
  await page.locator(".position").getByText(/gehalten bis 24\.12\.2036/).waitFor();
  // While the dialog is open, the button behind it cannot be pressed.
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Rückgängig" }).press("Enter");
  await page.getByRole("button", { name: "Halten bis …" }).waitFor();

  await page.getByRole("button", { name: "nur wir" }).click();
  await page.getByRole("button", { name: "Als Fehler markieren …" }).first().click();
  await dialog.getByRole("button", { name: "Preis als Fehler markieren" }).click();
  await dialog.getByText("Erst einen Grund eingeben").waitFor();
  await dialog.getByLabel(/^Grund/).fill("Komma vergessen");
  await dialog.getByLabel(/nie gezeigt/).check();
  await dialog.getByRole("button", { name: "Preis als Fehler markieren" }).click();
  await page.getByText("als Fehler markiert", { exact: true }).waitFor();
  await page.locator(".timeline").getByText(/owner.*: Komma vergessen/).waitFor();
  const { items } = await app.viewer.read(`/api/products/${id}/price-history`);
  const { isError, neverShown, reason } = items[0].mark;
  assertEquals([isError, neverShown, reason], [true, true, "Komma vergessen"]);
  const lowest = page.locator(".lowest");
  await lowest.getByText(/nie gezeigt/).waitFor();
  match(plain(await lowest.innerText()), /nie gezeigt: 100,00 € .*owner.*„Komma vergessen“/);
  await page.getByText(/kennzeichnete einen Fehler/).waitFor();
  await page.getByRole("button", { name: "Markierung aufheben" }).click();
  await lowest.getByText(/nie gezeigt/).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Als Fehler markieren …" }).first().waitFor();
});

onScreen.test("on a phone the decision is first, nothing is too wide, and no number is cut; a print has the facts and no forms", async ({ app, browser }) => {
  await addRule(app.owner, { marginFloor: { pct: 10 } });
  const page = await visit(browser, app, await fill(app), 390);
  await page.locator(".open-proposal .then").waitFor();
  const parts = [".open-proposal", ".position", ".product-actions", ".price-edit", ".offers"];
  const tops = await Promise.all(
    parts.map(async (part) => (await page.locator(part).first().boundingBox())?.y ?? 0),
  );
  assertEquals(tops, tops.toSorted((a, b) => a - b));
  // Both buttons for the decision are visible without scrolling.
  const reject = await page.locator(".decide-here .button").nth(1).boundingBox();
  ok(reject && reject.y > 0 && reject.y + reject.height < 785, `${reject?.y}`);
  const numbers = page.locator(".figure strong, .offers .number, .small-figures dd, .then dd");
  assertEquals([await cutIn(numbers, 1), await page.evaluate(TOO_WIDE)], [[], 0]);

  await page.setViewportSize({ width: 1440, height: 1000 });
  await page.emulateMedia({ media: "print" });
  assertEquals(await page.getByLabel(/^Neuer Preis/).isVisible(), false);
  for (const part of [".position", ".offers", ".chart", ".timeline"]) {
    await page.locator(part).first().waitFor();
  }
});

onScreen.test("our own offers are greyed, and unknown shipping is marked, as configured", async ({ app, browser }) => {
  const id = await addProduct(app.owner, "A", { title: "Wasserkocher" });
  await push(app, [["A", "market", 90]], { seller: "Muster Handel" });
  await push(app, [["A", "acme", 95]], { shipping: "4.90" });
  await push(app, [["A", "bolt", 98]]);
  await untilJudged(app);

  const page = await browser.open(app, "/settings", { viewport: { width: 1440, height: 1000 } });
  await page.getByLabel("Preise mit Versand vergleichen").check();
  await page.getByLabel("Unsere Versandkosten").fill("3,90");
  await page.getByLabel("Wir verkaufen auf Marktplätzen als").fill("muster handel; Muster GmbH");
  await page.getByRole("button", { name: "Speichern" }).click();
  await untilReads(app.owner, "/api/settings", {
    compareDelivered: true,
    ownShippingCents: 390,
    ownSellerNames: ["muster handel", "Muster GmbH"],
  });
  await untilJudged(app);

  await follow(page, `/products/${id}`);
  const offers = page.getByRole("table", { name: "Angebote" });
  await offers.getByRole("cell", { name: "unser Angebot" }).waitFor();
  const rows = (await offers.getByRole("row").allInnerTexts()).map(plain);
  const [, first = "", second = "", own = "", , ours = ""] = rows;
  match(first, /bolt.*98,00 €.*ohne Versand, er ist unbekannt.*\+5,7 %/);
  match(second, /acme.*99,90 €.*davon 4,90 € Versand.*\+3,8 %/);
  match(own, /\(wir\).*103,90 €.*100,00 € ohne Versand/);
  match(ours, /market.*von Muster Handel.*unser Angebot/);
  assertEquals(await offers.locator("tr.soft").count(), 1);
  assertEquals(plain(await figure(page, "Rang").textContent()), "3 von 3");

  await follow(page, "/products");
  await page.getByText("Verglichen wird mit Versand").waitFor();
  const row = page.getByRole("row", { name: /Wasserkocher/ });
  match(plain(await row.innerText()), /98,00 € ohne Versand/);
  await follow(page, "/products?shape=matrix");
  const matrixRow = page.getByRole("row", { name: /Wasserkocher/ });
  await matrixRow.getByText("ohne Versand").waitFor();
  ok(await matrixRow.getByText("99,90 €").isVisible());
});

onScreen.test("price evidence opens from the product, shows VAT, source and mark of each price, and prints alone", async ({ app, browser }) => {
  const id = await addProduct(app.owner, "A-1", { title: "Kaffeemühle", vatRatePct: 19 });
  for (const ourPrice of [1, 90, 95]) {
    app.clock.advance(DAY_MS);
    await app.owner.change(`/api/products/${id}`, { ourPrice, reason: "Past" });
  }
  const { items } = await app.owner.read(`/api/products/${id}/price-history`);
  const wrong = items.find(({ toCents }: { toCents: number }) => toCents === 100);
  const mark = { isError: true, neverShown: true, reason: "Shop war aus" };
  await app.owner.act(`/api/products/${id}/price-history/${wrong.at}/mark`, mark);
  app.clock.advance(DAY_MS);
  await app.owner.change(`/api/products/${id}`, { ourPrice: 80, reason: "Now" });
  const stored = await app.owner.read(`/api/products/${id}/price-evidence`);

  const page = await browser.open(app, `/products/${id}`);
  await page.getByRole("link", { name: "Nachweis", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Preisnachweis" }).waitFor();
  await page.locator(".evidence tbody tr").first().waitFor();
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 794, height: 1_123 });
  const said = (await page.locator(".evidence").innerText()).replaceAll("\u00a0", " ");
  const wanted = ["Kaffeemühle", "SKU A-1", "90,00 €", "19", "Shop war aus", "nie gezeigt"];
  for (const text of [...wanted, stored.sha256]) ok(said.includes(text), `${text} in ${said}`);
  assertEquals(await page.locator(".evidence tbody tr").count(), stored.rows.length);
  for (const name of [".nav", ".bar", ".page-actions", ".back"]) {
    assertEquals(await page.locator(name).first().isVisible(), false, name);
  }
  assertEquals(await page.evaluate(TOO_WIDE), 0);
});

onScreen.test("a deleted product and its price evidence are found without a word in their addresses; its offers do not count because it is deleted, and its timeline says no id", async ({ app, browser }) => {
  const id = await addProduct(app.owner, "A-3", { title: "Toaster" });
  await push(app, [["A-3", "acme", 95]]);
  await app.owner.remove(`/api/products/${id}`);
  const page = await browser.open(app, `/products/${id}/price-evidence`);
  await page.getByRole("link", { name: "A-3" }).click();
  await page.locator(".offers td").getByText("Dieses Produkt ist gelöscht.").waitFor();
  const made = page.locator(".timeline li", { hasText: "Produkt angelegt" });
  match(plain(await made.innerText()), /· SKU A-3; Titel Toaster/);
});

onScreen.test("a price reduced just now is compared with the 30 days before it, whatever the browser's clock says", async ({ app, browser }) => {
  const id = await addProduct(app.owner, "A-2");
  app.clock.advance(DAY_MS);
  const page = await browser.open(app, `/products/${id}`, {
    now: new Date(app.clock.now().getTime() - HOUR_MS),
  });
  const view = () => page.locator(".lowest").first().innerText();
  match(await view(), /^Niedrigster Preis der letzten 30 Tage:\s+100,00/);
  await app.owner.change(`/api/products/${id}`, { ourPrice: 80 });
  await page.reload();
  match(await view(), /^Niedrigster Preis in den 30 Tagen vor der letzten Senkung:\s+100,00/);
});

const series = (colour: number, ...cents: readonly (number | null)[]): PriceSeries => ({
  ...{ key: String(colour), label: String(colour), badge: "XX", colour },
  points: cents.map((value, at) => ({ atMs: at * 10, cents: value })),
});
const TIME = { from: 0, to: 100 };

Deno.test("priceSpan() contains all our prices, and is never empty", () => {
  assertEquals(priceSpan([series(0)], TIME), null);
  const prices = fc.array(fc.integer({ min: 1, max: 10_000_000 }), { minLength: 1, maxLength: 30 });
  fc.assert(fc.property(prices, prices, (own, other) => {
    const span = priceSpan([series(0, ...own), series(1, ...other)], { from: 0, to: 1_000 });
    ok(span && span.to > span.from && span.from >= 0);
    ok(own.every((cents) => cents >= span.from && cents <= span.to));
    const ticks = priceTicks(span, 5);
    ok(ticks.length <= 12 && ticks.every((tick) => tick >= span.from && tick <= span.to));
  }));
});

Deno.test("stepLine() draws steps, and breaks at gaps", () => {
  const x = scaled(TIME, { from: 0, to: 100 });
  const y = scaled({ from: 0, to: 100 }, { from: 100, to: 0 });
  const line = stepLine({ time: TIME, x, y, points: series(1, 10, 20, null, 30).points });
  assertEquals(line, { path: "M0 90H10V80H20M30 70H100", endY: 70 });
});

Deno.test("centsAt() is the price at a time", () => {
  const { points } = series(1, 10, null, 30);
  assertEquals([-1, 0, 9, 10, 25].map((at) => centsAt(points, at)), [null, 10, 10, null, 30]);
});

Deno.test("spread() keeps labels apart and in order", () => {
  fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 8 }), (places) => {
    const found = spread(places, 20, { from: 0, to: 200 });
    const sorted = found.toSorted((a, b) => a - b);
    ok(sorted.every((y, at) => at === 0 || y - (sorted[at - 1] ?? 0) >= 20));
  }));
});

Deno.test("apartMarkers() keeps the newest of overlapping markers", () => {
  const marker = (atMs: number) => ({ atMs, kind: "import" as const });
  const found = apartMarkers([marker(0), marker(5), marker(40)], (at) => at, 16);
  assertEquals(found.map(({ atMs }) => atMs), [5, 40]);
});

Deno.test("a badge is two capitals; colour and dash distinguish 28 shops", () => {
  const badges = ["SparMarkt Online", "Elektro Brandt", "acme.example", "7", "–"].map(badgeOf);
  assertEquals(badges, ["SM", "EB", "AC", "7", "?"]);
  const classes = Array.from({ length: 28 }, (_, n) => shopClass(n + 1));
  assertEquals(new Set(classes).size, 28);
  assertEquals([classes[0], classes[7]], ["shop-1 dash-1", "shop-1 dash-2"]);
});

onScreen.test("the chart shows all prices of a time, and zooms to a dragged range", async ({ app, browser }) => {
  const id = await addProduct(app.owner, "A-1", { ourPrice: 9_876_543.21 });
  const page = await browser.open(app, `/products/${id}`);
  const chart = page.locator(".chart-box");
  const label = await chart.locator("text[text-anchor=end]").first().boundingBox();
  const box = await chart.boundingBox();
  ok(box && label && label.x >= box.x, "the labels of the price axis are cut");
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width - 60, y);
  ok((await page.locator(".tip").textContent())?.includes("Wir"));
  await page.mouse.move(box.x - 5, box.y - 40);
  await page.locator(".tip").waitFor({ state: "detached" });

  await page.mouse.move(box.x + box.width / 2, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 60, y, { steps: 4 });
  await page.mouse.up();
  await page.getByRole("button", { name: "Ganzen Zeitraum zeigen" }).waitFor();
  await page.getByRole("button", { name: "7 Tage" }).click();
  await page.getByRole("button", { name: "Ganzen Zeitraum zeigen" }).waitFor({ state: "detached" });
  assertEquals(await page.locator(".chart svg[style], .chart svg [style]").count(), 0);
});
