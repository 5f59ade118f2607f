import { HOUR_MS } from "../../src/base/time.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import {
  addProduct,
  addRule,
  push,
  pushJudged,
  statuses,
  UNDERCUT,
  untilJudged,
} from "../rules/evaluation/market.ts";
import { until } from "../patience.ts";
import { column, valuesOf } from "../api/answers.ts";
import { shopId } from "../shops/shop.ts";

const SELLER = { seller: "Muster  HANDEL" };
const NAMES = { ownSellerNames: [" muster handel "] };

/** Collects what all endpoints and files say about a product's market. */
async function told(app: TestApp, productId: string) {
  const key = await app.key(["proposals:read", "rules:read"]);
  const { data: [row] } = await key.read("/api/public/v1/market?offers=true");
  const product = await app.viewer.read(`/api/products/${productId}`);
  const coverage = await app.viewer.read("/api/coverage");
  const summary = await app.viewer.read("/api/market/summary?by=competitor");
  const moves = await app.viewer.read("/api/market/moves");
  const chart = await app.viewer.read(`/api/products/${productId}/chart`);
  const csv = await app.viewer.get("/api/products.csv?columns=sku,cheapest,rank,offers");
  const { competitorOffers, ...facts } = row;
  return {
    market: [facts.links, facts.offers, facts.cheapestCents, facts.rank, facts.indexPct],
    offers: valuesOf(competitorOffers, "competitor", "counts", "why"),
    prices: column(product.competitorPrices, "domain"),
    linked: column(coverage.shops, "linked").sort(),
    shops: summary.items.length,
    moves: moves.total,
    ours: column(chart.shops, "isOurs").sort(),
    csv: (await csv.text()).trim().split("\r\n")[1],
  };
}

const COUNTING = {
  market: [2, 2, 9_000, 3, 107.53],
  offers: [["market.example", true, null], ["acme.example", true, null]],
  prices: ["acme.example", "market.example"],
  linked: [1, 1],
  shops: 2,
  moves: 2,
  ours: [false, false],
  csv: '"A";"90,00";"3";"2"',
};
const APART = {
  market: [1, 1, 9_600, 2, 104.17],
  offers: [["acme.example", true, null], ["market.example", false, "own_offer"]],
  prices: ["acme.example"],
  linked: [0, 1],
  shops: 1,
  moves: 1,
  ours: [false, true],
  csv: '"A";"96,00";"2";"1"',
};

for (const by of ["settings", "competitor"] as const) {
  withApp.test(`own seller names of the ${by}: their offers do not count, products are judged again, and back`, async (app) => {
    const productId = await addProduct(app.owner, "A");
    await addRule(app.owner);
    await push(app, [["A", "market", 90]], SELLER);
    await pushJudged(app, [["A", "acme", 96]]);
    const before = await told(app, productId);
    assertEquals(before, COUNTING);
    assertEquals(await statuses(app.owner, "status=open"), [["open", 9_000]]);

    const shop = `/api/competitors/${await shopId(app, "market")}`;
    const path = by === "settings" ? "/api/settings" : shop;
    const answer = await app.owner.change(path, NAMES);
    assertEquals(answer.ownSellerNames, ["muster handel"]);
    await untilJudged(app);
    assertEquals(await told(app, productId), APART);
    assertEquals(await statuses(app.owner, "status=open"), [["open", 9_600]]);
    const { items: [decision] } = await app.viewer.read(`/api/products/${productId}/decisions`);
    const leftOut = valuesOf(decision.trace.leftOut, "competitor", "why");
    assertEquals(leftOut, [["market.example", "own_offer"]]);

    await app.owner.change(path, { ownSellerNames: null });
    await untilJudged(app);
    assertEquals(await told(app, productId), before);
    assertEquals(await statuses(app.owner, "status=open"), [["open", 9_000]]);
  });
}

withApp.test("an offer counts as soon as another seller replaces us, and the reverse", async (app) => {
  await app.owner.change("/api/settings", NAMES);
  const productId = await addProduct(app.owner, "A");
  await addRule(app.owner);
  const stands: unknown[] = [];
  for (const seller of ["muster handel", "Muster Handel GmbH", "MUSTERHANDEL"]) {
    app.clock.advance(60_000);
    await pushJudged(app, [["A", "market", 90]], { seller });
    const { market } = await app.viewer.read(`/api/products/${productId}`);
    stands.push([market.state, market.links, await statuses(app.owner, "status=open")]);
  }
  const counting = ["ok", 1, [["open", 9_000]]];
  assertEquals(stands, [["no_links", 0, []], counting, ["no_links", 0, []]]);
});

Deno.test("own offers are left out of the quarantine's median, and are never held", async () => {
  await using app = await startTestApp({ holdsPrices: true });
  await addProduct(app.owner, "A", { ourPrice: null, costPrice: null });
  const held = async () =>
    (await app.owner.read("/api/quarantine")).items
      .map(({ competitor, code }: Record<string, unknown>) => [competitor, code]);
  await app.owner.change("/api/settings", NAMES);
  for (const shop of ["m1", "m2", "m3"]) await pushJudged(app, [["A", shop, 100]], SELLER);
  app.clock.advance(HOUR_MS);
  // Our own offer may fall by any amount. acme's price is not compared with our own offers.
  await pushJudged(app, [["A", "m1", 10]], SELLER);
  await pushJudged(app, [["A", "acme", 20]]);
  assertEquals(await held(), []);
  await app.owner.change("/api/settings", { ownSellerNames: null });
  await pushJudged(app, [["A", "bravo", 20]]);
  assertEquals(await held(), [["bravo.example", "below_market"]]);
});

withApp.test("simulations and back-tests ignore our own offers", async (app) => {
  await addProduct(app.owner, "A");
  await push(app, [["A", "market", 90]], SELLER);
  await pushJudged(app, [["A", "acme", 96]]);
  const rule = { ...UNDERCUT, enabled: false };
  const ruleId = await addRule(app.owner, rule);
  app.clock.advance(26 * HOUR_MS);
  const succeeded = (path: string) =>
    until(`${path} has succeeded`, async () => {
      return (await app.owner.read(path)).status === "succeeded";
    });
  /** Returns the simulated prices, and the back-test's mean price change in percent. */
  const run = async () => {
    const { id } = await app.owner.begin("/api/simulations", { rule });
    await succeeded(`/api/simulations/${id}`);
    const { items } = await app.owner.read(`/api/simulations/${id}/items`);
    const { jobId } = await app.owner.begin(`/api/rules/${ruleId}/backtest`, { days: 7 });
    await succeeded(`/api/backtests/${jobId}`);
    const { result } = await app.owner.read(`/api/backtests/${jobId}`);
    return [...column(items, "proposedCents"), result.moves.averagePct];
  };
  const before = await run();
  await app.owner.change("/api/settings", NAMES);
  assertEquals([before, await run()], [[9_000, -10], [9_600, -4]]);
});
