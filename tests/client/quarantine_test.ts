import { HOUR_MS } from "../../src/base/time.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import {
  addProduct,
  addRule,
  addSilentRule,
  decideOnce,
  push,
  pushJudged,
  untilJudged,
} from "../rules/evaluation/market.ts";
import { keepSchedule } from "../../src/scraping/schedule/schedule.ts";
import { untilReads } from "../caller.ts";
import { startTestApp } from "../harness.ts";
import { follow, onScreen, screenWith } from "./browser.ts";
import { cutIn } from "./see_all_ways.ts";
import { fileBehind } from "./on_page.ts";

const onHolding = screenWith(() => startTestApp({ holdsPrices: true }));

onHolding.test("a quarantined price says what it would have caused, and is released", async ({ app, browser }) => {
  await addProduct(app.owner, "A", { costPrice: 20 });
  app.clock.advance(HOUR_MS);
  await push(app, [["A", "acme", 100]]);
  await addRule(app.owner, { name: "Mitgehen" });
  app.clock.advance(HOUR_MS);
  await pushJudged(app, [["A", "acme", 45]]);
  const page = await browser.open(app, "/competitors", { now: app.clock.now() });
  await page.getByRole("link", { name: "1 auffälliger Preis" }).click();
  const row = page.getByRole("row").filter({ hasText: "halbiert oder mehr" });
  match(await row.innerText(), /100,00.*45,00.*−55,0\s%.*45,00\s€.*Mitgehen/s);
  match(await fileBehind(page.locator(".table-foot .file-links a").first()), /"45,00".*"Mitgehen"/);
  const release = page.getByRole("button", { name: "Freigeben" });
  assertEquals(await release.isDisabled(), true);
  const hint = page.getByText("erst Zeilen auswählen");
  await hint.waitFor();
  // Six hours after the price was first seen, the next fetch decides about it.
  const since = await row.locator('[data-column="held-since"]').innerText();
  const [seen, counts] = [...since.matchAll(/(\d\d):\d\d/g)].map(([, hour]) => Number(hour));
  match(since, /der nächste Abruf ab .*\d\d:\d\d entscheidet/);
  assertEquals(counts, ((seen ?? NaN) + 6) % 24);
  await row.getByRole("checkbox").click();
  await hint.waitFor({ state: "detached" });
  const actions = await page.locator(".page-actions .button").allInnerTexts();
  assertEquals(actions, ["Verwerfen (1)", "Freigeben (1)"]);
  await release.click();
  await page.getByText("Kein Preis sieht falsch aus").waitFor();
  await untilJudged(app);
  const { items } = await app.owner.read("/api/proposals");
  assertEquals(items.map((one: { proposedCents: number }) => one.proposedCents), [4_500]);
});

onHolding.test("prices of a product stand together under its name; Morning shows their number", async ({ app, browser }) => {
  for (const sku of ["A", "B"]) await addProduct(app.owner, sku);
  await addRule(app.owner);
  app.clock.advance(HOUR_MS);
  await pushJudged(app, [["A", "acme", 95], ["A", "bravo", 101], ["B", "acme", 96]]);
  // After the first decision on a proposal, the overview has no set-up steps.
  await decideOnce(app);
  for (const seen of [["A", "acme", 9.5], ["B", "acme", 9.6], ["A", "bravo", 10.1]] as const) {
    app.clock.advance(HOUR_MS);
    await push(app, [seen]);
  }
  await untilJudged(app);
  const page = await browser.open(app, "/", { now: app.clock.now() });
  await page.getByRole("link", { name: "3 auffällige Preise" }).click();
  await page.getByRole("row").nth(3).waitFor();
  const shops = await page.locator('td[data-column="held-shop"] .clip').allInnerTexts();
  assertEquals(shops, ["acme.example", "bravo.example", "acme.example"]);
  const products = page.locator('tbody [data-column="held-product"]').getByRole("link");
  assertEquals(await products.allInnerTexts(), ["Product A", "Product A", "Product B"]);
  const areSoft = await products.evaluateAll((links) =>
    links.map((link) => link.className === "soft")
  );
  assertEquals(areSoft, [false, true, false]);
  await page.getByText("der nächste Abruf ab").first().waitFor();
  await keepSchedule({ ...app.app.clock, store: app.store, delayMs: 0 });
  const { items } = await app.owner.read("/api/quarantine");
  const planned = items.map((one: { nextFetchAt: string }) =>
    Math.round((Date.parse(one.nextFetchAt) - app.clock.now().getTime()) / (12 * HOUR_MS))
  );
  assertEquals(planned, [2, 2, 2]);
  await page.reload();
  await page.getByText(/der Abruf .*\d\d:\d\d entscheidet/).nth(2).waitFor();
});

onHolding.test("a shop whose prices jump together is listed with their common trait, and released at once", async ({ app, browser }) => {
  const skus = Array.from({ length: 20 }, (_, n) => `P${String(n).padStart(2, "0")}`);
  for (const [n, sku] of skus.entries()) await addProduct(app.owner, sku, { ourPrice: 100 + n });
  app.clock.advance(HOUR_MS);
  await push(app, [
    ["P00", "bravo", 100],
    ...skus.map((sku, n) => [sku, "acme", 100 + n] as const),
  ]);
  app.clock.advance(24 * HOUR_MS);
  await push(app, [["P00", "bravo", 9]]);
  await pushJudged(app, skus.map((sku, n) => [sku, "acme", n < 7 ? 60 + n : 100 + n]));
  const page = await browser.open(app, "/competitors/quarantine");
  await page.getByText(/7 Preise warten gemeinsam/).waitFor();
  await page.getByText(/7 von 20 Preisen sind um mehr als 30.% gefallen/).waitFor();
  await page.getByRole("row").filter({ hasText: "viele des Shops gesprungen" }).first().waitFor();
  await page.getByText("zählt nicht ohne Entscheidung").first().waitFor();
  const why = page.locator('td[data-column="held-why"]').first();
  await page.setViewportSize({ width: 1440, height: 900 });
  assertEquals(await cutIn(why), []);
  // On a phone, the head of the page covers no text, and the reason is not cut off.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator(".cards").waitFor();
  const buttons = await page.locator(".page-head").boundingBox();
  const about = await page.getByText("Diese Preise sehen falsch aus").boundingBox();
  ok(buttons && about && buttons.y + buttons.height <= about.y, "the head covers nothing");
  assertEquals(await cutIn(why), []);
  await page.setViewportSize({ width: 1280, height: 800 });
  // The buttons count only those marked prices that still wait for a decision.
  await page.locator("thead").getByRole("checkbox").check();
  await page.getByRole("button", { name: "Freigeben (8)" }).waitFor();
  await page.getByRole("button", { name: "Alle freigeben" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Alle freigeben" }).click();
  await page.getByRole("button", { name: "Freigeben (1)" }).click();
  await page.getByText("Kein Preis sieht falsch aus").waitFor();
});

onScreen.test("a rule gets a brake; a closed brake is shown at product and rule, and is released", async ({ app, browser }) => {
  await app.owner.change("/api/settings", { autoApply: true });
  const productId = await addProduct(app.owner, "A");
  app.clock.advance(HOUR_MS);
  await pushJudged(app, [["A", "acme", 100]]);
  const ruleId = await addSilentRule(app, {
    name: "Cent darunter",
    when: { trigger: "market_index", always: true },
    marginFloor: { pct: 10 },
    actions: [{ type: "auto_apply_if_safe", price: { adjust: { cents: -1 } } }],
  });
  const page = await browser.open(app, `/rules/${ruleId}`);
  await page.getByRole("button", { name: /^nie unter 10\s% Marge/ }).click();
  await page.getByLabel("Bremse: nach … Senkungen").fill("1");
  await page.getByLabel("in … Tagen").fill("2");
  await page.getByText("2 Tage Pause nach 1 Senkung in 2 Tagen").first().waitFor();
  await page.getByRole("button", { name: "Speichern" }).click();
  const brake = { cuts: 1, days: 2, restDays: 2 };
  await untilReads(app.owner, `/api/rules/${ruleId}`, { brake });
  app.clock.advance(HOUR_MS);
  await pushJudged(app, [["A", "acme", 99]]);
  await follow(page, `/products/${productId}`);
  const braked = page.locator(".brakes li");
  match(await braked.innerText(), /Cent darunter.*1 Senkung, 100,00.*99,99/s);
  const brakes = page.locator(".section:has(.brakes) .file-links a").first();
  match(await fileBehind(brakes), /"A".*"Cent darunter".*"100,00"/);
  // Without this higher offer, the released rule would cut the price and be stopped again.
  app.clock.advance(HOUR_MS);
  await pushJudged(app, [["A", "acme", 100]]);
  await page.goto(`/rules/${ruleId}`);
  await braked.getByRole("button", { name: "Bremse lösen" }).click();
  await braked.waitFor({ state: "detached" });
  assertEquals((await app.owner.read("/api/brakes")).items, []);
});
