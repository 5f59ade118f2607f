import { automatic, type RulesApp, startRulesApp, withHeldPrices, withRules } from "./market.ts";
import { HOUR_MS } from "../../../src/base/time.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { linksOf } from "../../shops/shop.ts";
import { column, refuses, valuesOf } from "../../api/answers.ts";
import { readSucceeded } from "../../caller.ts";

const AUTO = automatic(100, 0);
const BULK = "/api/quarantine/bulk";

/** Adds a product at 100.00, the same price at acme, and a rule that follows acme automatically. */
async function prepare(app: RulesApp, costPrice = 20): Promise<string> {
  const [productId = ""] = await app.addAutomatic(["A"], 100, { costPrice });
  await app.addRule(AUTO);
  return productId;
}

async function see(app: RulesApp, price: number, afterMs = HOUR_MS, more = {}): Promise<void> {
  await app.pushAfter(afterMs, [["A", "acme", price]], more);
}

async function held(app: RulesApp) {
  await app.judged();
  return (await app.owner.read("/api/quarantine")).items;
}

const currentPrice = async (app: RulesApp, productId: string) =>
  (await linksOf(app.owner, `productId=${productId}`))[0]?.currentPrice;

Deno.test("a suspicious price is shown but not used, with the effect it would have had", async () => {
  const token = "m".repeat(32);
  await using app = await startRulesApp({ holdsPrices: true, env: { METRICS_TOKEN: token } });
  const productId = await prepare(app);
  await see(app, 45);
  const [one, ...others] = await held(app);
  assertEquals(others, []);
  assertEquals(
    [one.sku, one.price, one.acceptedPrice, one.code, one.against, one.heldAt],
    ["A", 4_500, 10_000, "fell", 10_000, app.clock.now().toISOString()],
  );
  const { outcome, currentCents, proposedCents } = one.would;
  assertEquals([outcome, currentCents, proposedCents], ["apply", 10_000, 4_500]);
  assertEquals(await currentPrice(app, productId), 10_000);
  assertEquals([await app.priceOf(productId), await app.proposals()], [10_000, []]);
  const seen = await app.owner.read(`/api/observations?productId=${productId}`);
  assertEquals(column(seen.items, "price").sort(), [10_000, 4_500]);
  const headers = { Authorization: `Bearer ${token}` };
  const figures = await (await fetch(`${app.base}/metrics`, { headers })).text();
  match(figures, /^kurant_resting\{what="fell"\} 1$/m);
  const { shops: [{ points }] } = await app.owner.read(`/api/products/${productId}/chart?days=7`);
  assertEquals(points.map(([, cents]: [string, number]) => cents), [10_000]);
  // The next price that is not suspicious ends the quarantine.
  await see(app, 99);
  assertEquals([await held(app), await app.priceOf(productId)], [[], 9_900]);
});

withHeldPrices.test("a price that stands for six hours is accepted, but never applied automatically", async (app) => {
  const productId = await prepare(app);
  await see(app, 45);
  const [{ heldAt }] = await held(app);
  await see(app, 45, 6 * HOUR_MS - 1);
  assertEquals(column(await held(app), "heldAt"), [heldAt]);
  await see(app, 45, 1);
  assertEquals([await held(app), await currentPrice(app, productId)], [[], 4_500]);
  assertEquals(await app.priceOf(productId), 10_000);
  const [proposal, ...others] = await app.proposals();
  assertEquals([proposal?.proposedCents, others], [4_500, []]);
  match(proposal?.reason ?? "", /low confidence/);
  // If the suspicious price changes, the six hours start again.
  await see(app, 9);
  await see(app, 8, 7 * HOUR_MS);
  assertEquals((await held(app)).length, 1);
});

withHeldPrices.test("a back-test uses a price from quarantine only if a person released it, even after very many later observations", async (app) => {
  await app.addAutomatic(["A"], 100, { costPrice: 20 });
  const ruleId = await app.addRule({ ...AUTO, enabled: false });
  const moves = async () => {
    app.clock.advance(HOUR_MS);
    const { jobId } = await app.owner.begin(`/api/rules/${ruleId}/backtest`, { days: 2 });
    const { result } = await readSucceeded(app.owner, `/api/backtests/${jobId}`);
    return valuesOf([result.moves], "up", "down", "averagePct")[0];
  };
  await see(app, 98);
  await see(app, 45);
  const observedAt = app.clock.now().toISOString();
  await see(app, 98);
  assertEquals(await moves(), [0, 1, -2]);
  // Pushing an earlier observation again changes nothing.
  await app.push([["A", "acme", 45]], { observedAt });
  assertEquals(await moves(), [0, 1, -2]);
  await see(app, 45);
  const [{ id }] = await held(app);
  app.clock.advance(HOUR_MS);
  const observations = Array.from({ length: 401 }, (_, n) => ({
    sku: "A",
    url: "https://bolt.example/A",
    price: 120,
    currency: "EUR",
    observedAt: app.inTime(-n),
  }));
  const key = await app.key(["observations:write"]);
  await key.act("/api/public/v1/observations", { observations });
  await app.owner.act(BULK, { action: "release", ids: [id] });
  await see(app, 60);
  assertEquals(await moves(), [0, 3, -32.33]);
});

withHeldPrices.test("a dropped price never counts, and waits again when it is seen again; a released one counts immediately and is no longer an outlier", async (app) => {
  const productId = await prepare(app);
  await see(app, 45);
  const [{ id: first }] = await held(app);
  await app.owner.act(BULK, { action: "drop", ids: [first] });
  assertEquals([await held(app), await currentPrice(app, productId)], [[], 10_000]);
  await see(app, 45, 7 * HOUR_MS);
  const [{ id }, ...more] = await held(app);
  assertEquals([more, await app.priceOf(productId)], [[], 10_000]);
  const foreign = await app.strangerOwner();
  const { results: [strange] } = await foreign.act(BULK, { action: "drop", ids: [id] });
  assertEquals([strange.ok, strange.error.code], [false, "not_found"]);
  const release = { action: "release", ids: [id, id, "x"], reason: "Sale" };
  const { results } = await app.manager.act(BULK, release);
  assertEquals(column(results, "ok"), [true, false, false]);
  assertEquals([await held(app), await currentPrice(app, productId)], [[], 4_500]);
  assertEquals(await app.priceOf(productId), 4_500);
  const log = await app.owner.read("/api/audit-logs?action=competitor_product.release");
  assertEquals(
    valuesOf(log.items, "reason", "before", "after"),
    [["Sale", { price: 10_000, held: 4_500 }, { price: 4_500, held: null }]],
  );
  // A held price is deleted with its link.
  await see(app, 9);
  assertEquals((await held(app)).length, 1);
  const [link] = await linksOf(app.owner, `productId=${productId}`);
  await app.owner.remove(`/api/competitor-products/${link?.id}`);
  assertEquals(await held(app), []);
});

withHeldPrices.test("a released price is evaluated by all rules, also by a rule that only alerts", async (app) => {
  await prepare(app);
  await app.addRule({ priority: 9, actions: [{ type: "alert_inapp" }] });
  await see(app, 45);
  const [{ id }] = await held(app);
  const alerts = async () => (await app.alerts()).length;
  assertEquals(await alerts(), 0);
  await app.owner.act(BULK, { action: "release", ids: [id] });
  assertEquals(await alerts(), 1);
});

withHeldPrices.test("cost, currency, other shops' prices and our own make a price suspicious, late observations do not", async (app) => {
  await prepare(app, 110);
  await see(app, 54);
  assertEquals((await held(app))[0].code, "below_cost");
  await see(app, 100);
  await see(app, 100, HOUR_MS, { currency: "USD" });
  assertEquals((await held(app))[0].code, "currency");
  const atMs = app.clock.now().getTime() - 90 * 60_000;
  await see(app, 10, 0, { observedAt: new Date(atMs).toISOString() });
  assertEquals(column(await held(app), "code"), ["currency"]);
  await app.push([["A", "bolt", 100], ["A", "cebra", 104]]);
  await see(app, 100);
  await app.push([["A", "dodo", 401]]);
  assertEquals(column(await held(app), "code"), ["above_market"]);
  // Without other prices to compare with, a first price is compared with ours.
  for (const sku of ["LOW", "NEAR"]) await app.addProduct(sku, { costPrice: null });
  await app.push([["LOW", "acme", 49.99], ["NEAR", "acme", 50]]);
  const low = (await held(app)).find(({ sku }: { sku: string }) => sku === "LOW");
  assertEquals(
    [low?.code, low?.against, low?.acceptedPrice, (await held(app)).length],
    ["first_price_off", 10_000, null, 2],
  );
});

withHeldPrices.test("a later price ends the wait of a held one, also without a quarantine, of our own offer, or after the clock was set back", async (app) => {
  const productId = await prepare(app);
  const afterHeld = async (price: number, settings = {}, row = {}, afterMs = HOUR_MS) => {
    await see(app, 45);
    assertEquals((await held(app)).length, 1);
    await app.owner.change("/api/settings", settings);
    await see(app, price, afterMs, row);
    return [await held(app), await currentPrice(app, productId)];
  };
  assertEquals(await afterHeld(99, {}, {}, -2 * HOUR_MS), [[], 9_900]);
  app.clock.advance(2 * HOUR_MS);
  const seller = "Muster";
  assertEquals(await afterHeld(98, { ownSellerNames: [seller] }, { seller }), [[], 9_800]);
  await see(app, 99, HOUR_MS, { seller: null });
  assertEquals(await afterHeld(97, { quarantine: null }), [[], 9_700]);
});

withRules.test("without a quarantine every price counts; new workspaces have one, and null disables it", async (app) => {
  const productId = await prepare(app);
  assertEquals((await app.owner.read("/api/settings")).quarantine, null);
  await see(app, 45);
  assertEquals([await held(app), await currentPrice(app, productId)], [[], 4_500]);
  assertEquals((await app.owner.change("/api/settings", { quarantine: {} })).quarantine, {});
  await see(app, 10);
  assertEquals((await held(app)).length, 1);
  const { name, quarantine } = await app.owner.change("/api/settings", { name: "Other" });
  assertEquals([name, quarantine], ["Other", {}]);
  const off = await app.owner.change("/api/settings", { quarantine: null });
  assertEquals(off.quarantine, null);
  for (const quarantine of [true, "on", { fellPct: 1 }]) {
    await refuses(app.owner.patch("/api/settings", { quarantine }), "validation_failed");
  }
});
