import { automatic, type RulesApp, withHeldPrices, withRules } from "./market.ts";
import { HOUR_MS } from "../../../src/base/time.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { linksOf } from "../../shops/shop.ts";
import { bodyOf, column, refuses, valuesOf } from "../../api/answers.ts";
import { readSucceeded } from "../../caller.ts";
import { seenCounts } from "../../../src/shops/recording/record_observation.ts";
import { until } from "../../patience.ts";
import { readEvents } from "../../messages/receiver.ts";

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

async function held(app: RulesApp, query = "") {
  await app.judged();
  return (await app.owner.read(`/api/quarantine?limit=100&${query}`)).items;
}

const currentPrice = async (app: RulesApp, productId: string) =>
  (await linksOf(app.owner, `productId=${productId}`))[0]?.currentPrice;

withHeldPrices.test("a suspicious price is shown but not used, with the effect it would have had", async (app) => {
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
  const figures = await app.anyone.get("/metrics", { Authorization: "Bearer secret" });
  match(await figures.text(), /^kurant_resting\{what="fell"\} 1$/m);
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

withHeldPrices.test("a dropped price never counts, and waits again when it is seen again; a released one counts immediately, for all rules, and is no longer an outlier", async (app) => {
  const productId = await prepare(app);
  await app.addRule({ priority: 9, actions: [{ type: "alert_inapp" }] });
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
  assertEquals(await app.alerts(), []);
  const release = { action: "release", ids: [id, id, "x"], reason: "Sale" };
  const { results } = await app.manager.act(BULK, release);
  assertEquals(column(results, "ok"), [true, false, false]);
  assertEquals((await app.alerts()).length, 1);
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
  // The first price of a product without other offers and cost is compared with our price.
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
});

const skuOf = (n: number) => `P${String(n).padStart(3, "0")}`;

/** Adds products at 100.00, 101.00 and so on, the same prices at acme and bolt, and a rule. */
async function prepareShops(app: RulesApp, count: number): Promise<string[]> {
  await app.owner.change("/api/settings", { autoApply: true });
  const product = (n: number) => ({ sku: skuOf(n), ourPrice: 100 + n, costPrice: 20 });
  const ids = await app.addProducts(Array.from({ length: count }, (_, n) => product(n)));
  app.clock.advance(HOUR_MS);
  for (const shop of ["acme", "bolt"]) await pushAll(app, shop, count, (n) => 100 + n);
  await app.addRule(AUTO);
  app.clock.advance(24 * HOUR_MS);
  return ids;
}

async function pushAll(app: RulesApp, shop: string, count: number, priceAt: (n: number) => number) {
  await app.push(Array.from({ length: count }, (_, n) => [skuOf(n), shop, priceAt(n)]));
}

const shops = async (app: RulesApp) => (await app.owner.read("/api/quarantine/shops")).items;
const highAlerts = (app: RulesApp) => app.alerts("severity=high");
const decide = (app: RulesApp, competitorId: string, action: string) =>
  app.manager.post(`/api/quarantine/shops/${competitorId}`, { action, reason: "Seen" });

const offersOf = async (app: RulesApp, productId: string) =>
  (await linksOf(app.owner, `productId=${productId}`)).map(({ currentPrice }) => currentPrice);

const COUNT = 24;
/** Prices in a sale: the first `jumped` of 24 products are 35 % cheaper. */
const sale = (jumped: number) => (n: number) => n < jumped ? (100 + n) * 65 / 100 : 100 + n;

async function lowerOneByOne(app: RulesApp, count: number): Promise<void> {
  await pushAll(app, "acme", COUNT, (n) => 100 + n);
  for (let n = 0; n < count; n++) await app.pushAfter(60_000, [[skuOf(n), "acme", sale(8)(n)]]);
}

withHeldPrices.test("if more than 30 % of a shop's prices jump in one direction, all these wait and are released together", async (app) => {
  const ids = await prepareShops(app, COUNT);
  // If 7 of 24 prices (29 %) fall, nothing is held.
  await pushAll(app, "bolt", COUNT, sale(7));
  assertEquals([await held(app), await shops(app)], [[], []]);
  assertEquals(await app.priceOf(ids[0]!), 6_500);
  // If 8 of 24 prices (33 %) fall, these eight are held.
  await pushAll(app, "acme", COUNT, sale(8));
  const [shop, ...others] = await shops(app);
  assertEquals([others, shop.waiting], [[], 8]);
  const [{ since: _, ...pattern }, ...otherPatterns] = shop.patterns;
  assertEquals(pattern, { kind: "down", price: null, currency: null, count: 8, seen: 24 });
  assertEquals(otherPatterns, []);
  const waiting = (await held(app, `competitorId=${shop.competitorId}`))
    .toSorted((a: { sku: string }, b: { sku: string }) => a.sku < b.sku ? -1 : 1);
  const expected = Array.from({ length: 8 }, (_, n) => {
    const cents = 10_000 + 100 * n;
    return [skuOf(n), "shop_jump", cents, cents];
  });
  assertEquals(valuesOf(waiting, "sku", "code", "against", "acceptedPrice"), expected);
  assertEquals([waiting[7].would?.proposedCents, waiting[7].would?.outcome], [6_955, "apply"]);
  const { id: firstHeld } = (await held(app))[0];
  const deletedId = waiting.find(({ id }: { id: string }) => id === firstHeld).productId;
  await app.owner.remove(`/api/products/${deletedId}`);
  assertEquals((await shops(app))[0].waiting, 7);
  const first = await app.owner.read("/api/quarantine?limit=1");
  assertEquals([first.count, first.items.length, first.nextCursor === null], [1, 1, false]);
  await app.owner.act(`/api/products/${deletedId}/restore`);
  assertEquals((await shops(app))[0].waiting, 8);
  // For the eighth product, acme's lower price is held, and bolt's price has not changed.
  assertEquals(await offersOf(app, ids[7]!), [10_700, 10_700]);
  assertEquals(await app.priceOf(ids[7]!), 10_700);
  const [alert, ...more] = await highAlerts(app);
  assertEquals(more, []);
  assertEquals([alert.facts.code, alert.facts.count, alert.facts.seen], ["shop_held", 8, 24]);
  match(alert.body, /8 of 24 prices fell by more than 30%/);
  // Unlike a single suspicious price, these prices are not accepted after six hours.
  app.clock.advance(7 * HOUR_MS);
  await pushAll(app, "acme", COUNT, sale(8));
  assertEquals((await held(app)).length, 8);
  assertEquals((await highAlerts(app)).length, 1);
  await refuses(decide(app, "f".repeat(24), "release"), "not_found");
  const decided = { decided: 8, left: 0 };
  assertEquals(await bodyOf(decide(app, shop.competitorId, "release"), 200), decided);
  assertEquals([await held(app), await shops(app)], [[], []]);
  assertEquals(await offersOf(app, ids[7]!), [6_955, 10_700]);
  assertEquals(await app.priceOf(ids[7]!), 6_955);
  const log = await app.owner.read("/api/audit-logs?action=competitor_product.release&limit=100");
  assertEquals(column(log.items, "reason"), Array(8).fill("Seen"));
  // An hour later, neither the released prices nor newly fallen ones are held.
  app.clock.advance(HOUR_MS);
  await pushAll(app, "acme", COUNT, sale(COUNT));
  assertEquals(await held(app), []);
  await refuses(decide(app, shop.competitorId, "drop"), "not_found");
});

withHeldPrices.test("prices accepted before the shop was noticed are withdrawn, and never count once dropped", async (app) => {
  const ids = await prepareShops(app, COUNT);
  // Seven lower prices are accepted; with the eighth, more than 30 % of acme's prices have fallen.
  await lowerOneByOne(app, 7);
  assertEquals(await held(app), []);
  assertEquals(await offersOf(app, ids[0]!), [6_500, 10_000]);
  assertEquals(await app.priceOf(ids[0]!), 6_500);
  await app.pushAfter(60_000, [[skuOf(7), "acme", sale(8)(7)]]);
  const [shop] = await shops(app);
  assertEquals([shop.waiting, await offersOf(app, ids[0]!)], [8, [10_000, 10_000]]);
  assertEquals(await bodyOf(decide(app, shop.competitorId, "drop"), 200), { decided: 8, left: 0 });
  assertEquals([await held(app), await offersOf(app, ids[7]!)], [[], [10_700, 10_700]]);
  // A discarded price is held again when it recurs, without another alert.
  await app.pushAfter(HOUR_MS, [[skuOf(3), "acme", sale(8)(3)]]);
  assertEquals(valuesOf(await held(app), "sku", "code"), [[skuOf(3), "shop_jump"]]);
  assertEquals((await highAlerts(app)).length, 1);
  await app.pushAfter(HOUR_MS, [[skuOf(3), "acme", 102]]);
  assertEquals([await held(app), await offersOf(app, ids[3]!)], [[], [10_200, 10_300]]);
});

withHeldPrices.test("a price that was accepted, withdrawn and released is one move in the market and on the timeline", async (app) => {
  const ids = await prepareShops(app, COUNT);
  await lowerOneByOne(app, 8);
  const [shop] = await shops(app);
  const movesOf = async (id: string) => {
    const { items } = await app.owner.read(`/api/products/${id}/timeline?types=move`);
    return valuesOf(column(items, "data"), "kind", "toCents").filter(([kind]) => kind === "down");
  };
  const marketMoves = () => app.owner.read("/api/market/moves?kind=down");
  assertEquals(await movesOf(ids[0]!), []);
  assertEquals([(await marketMoves()).items, (await marketMoves()).counts.down], [[], 0]);
  app.clock.advance(60_000);
  await bodyOf(decide(app, shop.competitorId, "release"), 200);
  assertEquals(await movesOf(ids[0]!), [["down", 6_500]]);
  const { items } = await marketMoves();
  assertEquals(column(items, "sku").sort(), Array.from({ length: 8 }, (_, n) => skuOf(n)));
  const key = await app.key(["events:read"]);
  const told = async () =>
    column((await readEvents(key)).events, "data").filter(({ sku, competitorProductId }) =>
      sku === skuOf(0) && competitorProductId !== undefined
    );
  const steps = [[10_000, null], [10_000, null], [6_500, 10_000], [10_000, 6_500], [6_500, 10_000]];
  await until("the release is told", async () => (await told()).length === steps.length);
  assertEquals(valuesOf(await told(), "price", "previousPrice"), steps);
});

withHeldPrices.test("ten products of a shop with the same price wait; nine, or one whose price alternates, do not", async (app) => {
  await prepareShops(app, 12);
  const same = (count: number) => (n: number) => n < count ? 99.5 : 100 + n;
  await pushAll(app, "acme", 12, same(9));
  for (const price of [111, 110, 111, 110]) {
    await app.pushAfter(60_000, [[skuOf(11), "acme", price]]);
  }
  assertEquals(await held(app), []);
  await app.pushAfter(60_000, [[skuOf(9), "acme", 99.5]]);
  const [{ waiting, patterns: [pattern] }] = await shops(app);
  const { kind, price, currency } = pattern;
  assertEquals([waiting, kind, price, currency], [10, "same", 9_950, "EUR"]);
  assertEquals((await held(app))[0].code, "shop_same_price");
  assertEquals((await highAlerts(app))[0].facts.priceCents, 9_950);
});

withHeldPrices.test("suspicious prices wait with their shop once it has the pattern; without a quarantine none waits", async (app) => {
  await prepareShops(app, COUNT);
  // With a shifted decimal point, each price is suspicious even without a pattern.
  await pushAll(app, "acme", COUNT, (n) => (100 + n) / 100);
  assertEquals(column(await shops(app), "waiting"), [COUNT]);
  app.clock.advance(7 * HOUR_MS);
  await pushAll(app, "acme", COUNT, (n) => (100 + n) / 100);
  assertEquals((await held(app)).length, COUNT);
  await app.owner.change("/api/settings", { quarantine: null });
  await pushAll(app, "bolt", COUNT, (n) => (100 + n) / 2);
  assertEquals((await held(app)).length, COUNT);
  app.clock.advance(72 * HOUR_MS);
  assertEquals(await seenCounts.sweep(app, app.clock.now()) > 0, true);
  assertEquals(await seenCounts.sweep(app, app.clock.now()), 0);
});

withHeldPrices.test("each pattern of a shop's prices causes one alert", async (app) => {
  await prepareShops(app, COUNT);
  const patterns = async () => column((await shops(app))[0].patterns, "kind").sort();
  const told = async () => column(column(await highAlerts(app), "facts"), "pattern").sort();
  // Half of the prices fall to 60.00: by more than 30 %, and to the same price.
  const half = COUNT / 2;
  await pushAll(app, "acme", COUNT, (n) => n < half ? 60 : 100 + n);
  assertEquals([await patterns(), await told()], [["down", "same"], ["down", "same"]]);
  assertEquals((await held(app)).length, half);
  app.clock.advance(60_000);
  await pushAll(app, "acme", COUNT, (n) => n < half ? 60 : 150 + n);
  assertEquals([await patterns(), await told()], Array(2).fill(["down", "same", "up"]));
  assertEquals((await held(app)).length, COUNT);
});
