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
import { readSucceeded } from "../caller.ts";
import { assertFields, column, valuesOf } from "../api/answers.ts";
import { shopId } from "../shops/shop.ts";

const SELLER = { seller: "Muster  HANDEL" };
const NAMES = { ownSellerNames: [" muster handel "] };

/** Collects what all endpoints and files say about the market of the only product. */
async function told(app: TestApp) {
  const key = await app.key(["proposals:read", "rules:read"]);
  const { data: [row] } = await key.read("/api/public/v1/market?offers=true");
  const { competitorOffers, productId, ...facts } = row;
  const { items: [listed] } = await app.viewer.read("/api/products?sort=gapPct");
  for (const name of ["cheapestCents", "comparedCents", "gapCents", "rank", "indexPct"]) {
    assertEquals(facts[name], listed.market[name], name);
  }
  const product = await app.viewer.read(`/api/products/${productId}`);
  const coverage = await app.viewer.read("/api/coverage");
  const summary = await app.viewer.read("/api/market/summary?by=competitor");
  const trend = await app.viewer.read("/api/market/trend");
  const moves = await app.viewer.read("/api/market/moves");
  const chart = await app.viewer.read(`/api/products/${productId}/chart`);
  const csv = await app.viewer.get("/api/products.csv?columns=cheapest,gap,rank,index,offers");
  const lines = (rows: Parameters<typeof valuesOf>[0], ...names: string[]) =>
    valuesOf(rows, "competitor", ...names).map((line) => line.join(" ").replace(".example", ""));
  return {
    cheapest: [facts.cheapestCompetitor, facts.cheapestCents, facts.cheapestLacksShipping],
    ours: [facts.links, facts.ourPriceCents, facts.comparedCents, facts.gapPct, facts.rank],
    sums: [facts.medianCents, facts.averageCents, facts.indexPct, facts.marginPct],
    offers: lines(competitorOffers, "priceCents", "unitCents", "lacksShipping", "why"),
    shops: lines(summary.items, "cheapest", "dearest", "indexPct").sort(),
    prices: column(product.competitorPrices, "domain"),
    linked: column(coverage.shops, "linked").sort(),
    trend: trend.points.at(-1).indexPct,
    moves: moves.total,
    ownLines: column(chart.shops, "isOurs").sort(),
    csv: (await csv.text()).trim().split(/\r?\n/)[1],
  };
}

const COUNTING = {
  cheapest: ["market.example", 9_000, false],
  ours: [2, 10_000, 10_000, 11.11, 3],
  sums: [9_300, 9_300, 107.53, 50],
  offers: ["market 9000 9000 false ", "acme 9600 9600 false "],
  shops: ["acme 0 1 104.17", "market 0 1 111.11"],
  prices: ["acme.example", "market.example"],
  linked: [1, 1],
  trend: 107.53,
  moves: 2,
  ownLines: [false, false],
  csv: '"90,00";"10,00";"3";"107,53";"2"',
};
const APART = {
  cheapest: ["acme.example", 9_600, false],
  ours: [1, 10_000, 10_000, 4.17, 2],
  sums: [9_600, 9_600, 104.17, 50],
  offers: ["acme 9600 9600 false ", "market 9000  false own_offer"],
  shops: ["acme 0 1 104.17"],
  prices: ["acme.example"],
  linked: [0, 1],
  trend: 104.17,
  moves: 1,
  ownLines: [false, true],
  csv: '"96,00";"4,00";"2";"104,17";"1"',
};

for (const by of ["settings", "competitor"] as const) {
  withApp.test(`own seller names of the ${by}: their offers do not count, products are judged again, and back`, async (app) => {
    const productId = await addProduct(app.owner, "A");
    await addRule(app.owner);
    await push(app, [["A", "market", 90]], SELLER);
    await pushJudged(app, [["A", "acme", 96]]);
    const before = await told(app);
    assertEquals(before, COUNTING);
    assertEquals(await statuses(app.owner, "status=open"), [["open", 9_000]]);

    const shop = `/api/competitors/${await shopId(app, "market")}`;
    const path = by === "settings" ? "/api/settings" : shop;
    const answer = await app.owner.change(path, NAMES);
    assertEquals(answer.ownSellerNames, ["muster handel"]);
    await untilJudged(app);
    assertEquals(await told(app), APART);
    assertEquals(await statuses(app.owner, "status=open"), [["open", 9_600]]);
    const { items: [decision] } = await app.viewer.read(`/api/products/${productId}/decisions`);
    const leftOut = valuesOf(decision.trace.leftOut, "competitor", "why");
    assertEquals(leftOut, [["market.example", "own_offer"]]);

    await app.owner.change(path, { ownSellerNames: null });
    await untilJudged(app);
    assertEquals(await told(app), before);
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
  // Our own offers are never held, and acme's price is not compared with them.
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
  /** Returns the simulated prices, and the back-test's mean price change in percent. */
  const run = async () => {
    const { id } = await app.owner.begin("/api/simulations", { rule });
    await readSucceeded(app.owner, `/api/simulations/${id}`);
    const { items } = await app.owner.read(`/api/simulations/${id}/items`);
    const { jobId } = await app.owner.begin(`/api/rules/${ruleId}/backtest`, { days: 7 });
    const { result } = await readSucceeded(app.owner, `/api/backtests/${jobId}`);
    return [...column(items, "proposedCents"), result.moves.averagePct];
  };
  const before = await run();
  await app.owner.change("/api/settings", NAMES);
  assertEquals([before, await run()], [[9_000, -10], [9_600, -4]]);
});

/**
 * Our price is 100. With shipping, acme asks 99.90, and cord 606 for 6 pieces. bolt asks 98 with
 * unknown shipping.
 */
async function fill(app: TestApp): Promise<string> {
  const id = await addProduct(app.owner, "A");
  await push(app, [["A", "acme", 95]], { shipping: "4.90" });
  await push(app, [["A", "bolt", 98]]);
  await push(app, [["A", "cord", 600]], { shipping: "6.00" });
  const { items } = await app.owner.read("/api/competitor-products");
  const cord = items.find(({ domain }: { domain: string }) => domain === "cord.example");
  await app.owner.change(`/api/competitor-products/${cord.id}`, { packFactor: 6 });
  await untilJudged(app);
  return id;
}

const PLAIN = {
  cheapest: ["acme.example", 9_500, false],
  ours: [3, 10_000, 10_000, 5.26, 3],
  sums: [9_800, 9_767, 102.39, 50],
  offers: ["acme 9500 9500 false ", "bolt 9800 9800 false ", "cord 60000 10000 false "],
  shops: ["acme 0 1 105.26", "bolt 0 1 102.04", "cord 1 0 100"],
  trend: 102.39,
  csv: '"95,00";"5,00";"3";"102,39";"3"',
};
const DELIVERED = {
  cheapest: ["bolt.example", 9_800, true],
  ours: [3, 10_000, 10_250, 4.59, 4],
  sums: [9_990, 9_963, 102.88, 50],
  offers: ["bolt 9800 9800 true ", "acme 9500 9990 false ", "cord 60000 10100 false "],
  shops: ["acme 0 1 102.6", "bolt 0 1 104.59", "cord 0 1 101.49"],
  trend: 102.88,
  csv: '"98,00";"4,50";"4";"102,88";"3"',
};

withApp.test("compareDelivered: lists, rows, offers, sums, trend and files compare with shipping while it is on", async (app) => {
  const id = await fill(app);
  assertFields(await told(app), PLAIN);
  const settings = { compareDelivered: true, ownShipping: 2.5 };
  const saved = await app.owner.change("/api/settings", settings);
  assertEquals([saved.compareDelivered, saved.ownShippingCents], [true, 250]);
  assertFields(await told(app), DELIVERED);
  // A product's own shipping counts instead of the workspace's.
  await app.owner.change(`/api/products/${id}`, { shippingPrice: 1 });
  assertEquals((await app.viewer.read(`/api/products/${id}`)).market.comparedCents, 10_100);
  await app.owner.change("/api/settings", { compareDelivered: null });
  assertFields(await told(app), PLAIN);
});
