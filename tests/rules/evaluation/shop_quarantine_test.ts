import { automatic, type RulesApp, withHeldPrices } from "./market.ts";
import { HOUR_MS } from "../../../src/base/time.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { seenCounts } from "../../../src/shops/recording/record_observation.ts";
import { until } from "../../patience.ts";
import { readEvents } from "../../messages/receiver.ts";
import { bodyOf, column, refuses, valuesOf } from "../../api/answers.ts";
import { linksOf } from "../../shops/shop.ts";

const AUTO = automatic(100, 0);

const skuOf = (n: number) => `P${String(n).padStart(3, "0")}`;

/** Adds products at 100.00, 101.00 and so on, the same prices at acme and bolt, and a rule. */
async function prepare(app: RulesApp, count: number): Promise<string[]> {
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

async function held(app: RulesApp, query = "") {
  await app.judged();
  return (await app.owner.read(`/api/quarantine?limit=100&${query}`)).items;
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

withHeldPrices.test("if more than 30 % of a shop's prices jump in one direction, all these wait and are released together", async (app) => {
  const ids = await prepare(app, COUNT);
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
  // While its product is deleted, a price is not listed for a decision.
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
  const ids = await prepare(app, COUNT);
  // The shop lowers prices one by one. Seven are accepted, and the eighth makes a pattern.
  await pushAll(app, "acme", COUNT, (n) => 100 + n);
  for (let n = 0; n < 7; n++) await app.pushAfter(60_000, [[skuOf(n), "acme", sale(8)(n)]]);
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
  // A price that is not suspicious ends the quarantine.
  await app.pushAfter(HOUR_MS, [[skuOf(3), "acme", 102]]);
  assertEquals([await held(app), await offersOf(app, ids[3]!)], [[], [10_200, 10_300]]);
});

withHeldPrices.test("a price that was accepted, withdrawn and released is one move in the market and on the timeline", async (app) => {
  const ids = await prepare(app, COUNT);
  await pushAll(app, "acme", COUNT, (n) => 100 + n);
  for (let n = 0; n < 8; n++) await app.pushAfter(60_000, [[skuOf(n), "acme", sale(8)(n)]]);
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
  await prepare(app, 12);
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
  await prepare(app, COUNT);
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
  await prepare(app, COUNT);
  const patterns = async () => column((await shops(app))[0].patterns, "kind").sort();
  const told = async () => column(column(await highAlerts(app), "facts"), "pattern").sort();
  // Half of the prices fall to 60.00: by more than 30 %, and to the same price.
  const half = COUNT / 2;
  await pushAll(app, "acme", COUNT, (n) => n < half ? 60 : 100 + n);
  assertEquals([await patterns(), await told()], [["down", "same"], ["down", "same"]]);
  assertEquals((await held(app)).length, half);
  // Now the shop's other prices rise.
  app.clock.advance(60_000);
  await pushAll(app, "acme", COUNT, (n) => n < half ? 60 : 150 + n);
  assertEquals([await patterns(), await told()], Array(2).fill(["down", "same", "up"]));
  assertEquals((await held(app)).length, COUNT);
});
