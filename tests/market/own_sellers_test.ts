import { HOUR_MS } from "../../src/base/time.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import {
  addProduct,
  addRule,
  push,
  pushJudged,
  statuses,
  untilJudged,
} from "../rules/evaluation/market.ts";
import { until } from "../patience.ts";
import { column, valuesOf } from "../api/answers.ts";

const SELLER = { seller: "Muster  HANDEL" };
const NAMES = { ownSellerNames: [" muster handel "] };

async function shopId(app: TestApp, domain: string): Promise<string> {
  const { items } = await app.owner.read("/api/competitors");
  return items.find((one: { domain: string }) => one.domain === domain).id;
}

/**
 * Returns the market of a product as both interfaces, files, coverage, moves and the chart show it.
 */
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
};
const APART = {
  market: [1, 1, 9_600, 2, 104.17],
  offers: [["acme.example", true, null], ["market.example", false, "own_offer"]],
  prices: ["acme.example"],
  linked: [0, 1],
  shops: 1,
  moves: 1,
  ours: [false, true],
};

for (const by of ["settings", "competitor"] as const) {
  withApp.test(`own seller names of the ${by}: their offers do not count, products are judged again, and back`, async (app) => {
    const productId = await addProduct(app.owner, "A");
    await addRule(app.owner);
    await push(app, [["A", "market", 90]], SELLER);
    await pushJudged(app, [["A", "acme", 96]]);
    const before = await told(app, productId);
    assertEquals({ ...before, csv: undefined }, { ...COUNTING, csv: undefined });
    assertEquals(await statuses(app.owner, "status=open"), [["open", 9_000]]);

    const path = by === "settings"
      ? "/api/settings"
      : `/api/competitors/${await shopId(app, "market.example")}`;
    const answer = await app.owner.change(path, NAMES);
    assertEquals(answer.ownSellerNames, ["muster handel"]);
    await untilJudged(app);
    const apart = await told(app, productId);
    assertEquals({ ...apart, csv: undefined }, { ...APART, csv: undefined });
    ok(apart.csv !== before.csv, apart.csv);
    assertEquals(await statuses(app.owner, "status=open"), [["open", 9_600]]);
    const { items: [decision] } = await app.viewer.read(`/api/products/${productId}/decisions`);
    assertEquals(
      valuesOf(decision.trace.leftOut, "competitor", "why"),
      [["market.example", "own_offer"]],
    );

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
  // Our own offers are never suspicious: they may fall by any amount, and three of them make no
  // pattern.
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
  const rule = {
    name: "Follow",
    enabled: false,
    when: { trigger: "competitor_undercut" },
    scope: { mode: "all" },
    actions: [{ type: "propose_price", formula: "match_cheapest" }],
  };
  const ruleId = await addRule(app.owner, rule);
  app.clock.advance(26 * HOUR_MS);
  const run = async () => {
    const { id } = await app.owner.begin("/api/simulations", { rule });
    await until("the simulation has ended", async () => {
      const { status } = await app.owner.read(`/api/simulations/${id}`);
      return status === "succeeded";
    });
    const { items } = await app.owner.read(`/api/simulations/${id}/items`);
    const { jobId } = await app.owner.begin(`/api/rules/${ruleId}/backtest`, { days: 7 });
    let tested = { status: "", result: null as unknown };
    await until("the back-test has ended", async () => {
      tested = await app.owner.read(`/api/backtests/${jobId}`);
      return tested.status === "succeeded";
    });
    const { moves } = Object(tested.result);
    return [column(items, "proposedCents"), moves];
  };
  const [before, movesBefore] = await run();
  await app.owner.change("/api/settings", NAMES);
  const [after, movesAfter] = await run();
  assertEquals([before, after], [[9_000], [9_600]]);
  assertEquals([movesBefore.averagePct, movesAfter.averagePct], [-10, -4]);
});
