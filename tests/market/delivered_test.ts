import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { refuses } from "../api/answers.ts";
import { type TestApp, withApp } from "../harness.ts";
import { addProduct, push, untilJudged } from "../rules/evaluation/market.ts";

/**
 * Our price is 100. With shipping, acme asks 99.90, and cord 606 for 6 pieces. bolt asks 98 with
 * unknown shipping.
 */
async function fill(app: TestApp): Promise<string> {
  const id = await addProduct(app.owner, "A", { brand: "Bosch" });
  await push(app, [["A", "acme", 95]], { shipping: "4.90" });
  await push(app, [["A", "bolt", 98]]);
  await push(app, [["A", "cord", 600]], { shipping: "6.00" });
  const { items } = await app.owner.read("/api/competitor-products");
  const cord = items.find(({ domain }: { domain: string }) => domain === "cord.example");
  await app.owner.change(`/api/competitor-products/${cord.id}`, { packFactor: 6 });
  await untilJudged(app);
  return id;
}

async function told(app: TestApp) {
  const key = await app.key([]);
  const { data: [row] } = await key.read("/api/public/v1/market?offers=true");
  const { items: [listed] } = await app.viewer.read("/api/products?sort=gapPct");
  const { competitorOffers, ...facts } = row;
  for (const name of ["cheapestCents", "comparedCents", "gapCents", "rank", "indexPct"]) {
    assertEquals(facts[name], listed.market[name], name);
  }
  const summary = await app.viewer.read("/api/market/summary?by=competitor");
  const trend = await app.viewer.read("/api/market/trend?brand=Bosch");
  const csv = await app.viewer.get("/api/products.csv?columns=cheapest,gap,rank,index");
  const undercut = await app.viewer.read(
    `/api/products?undercutBy=${competitorOffers[0].competitorId}`,
  );
  return {
    cheapest: [facts.cheapestCompetitor, facts.cheapestCents, facts.cheapestLacksShipping],
    ours: [facts.ourPriceCents, facts.comparedCents, facts.gapCents, facts.gapPct, facts.rank],
    sums: [facts.medianCents, facts.averageCents, facts.indexPct, facts.marginPct],
    offers: competitorOffers.map((one: Record<string, unknown>) =>
      [String(one.competitor).split(".")[0], one.priceCents, one.unitCents, one.lacksShipping]
        .join(" ")
    ),
    shops: summary.items.map((one: Record<string, unknown>) =>
      [String(one.competitor).split(".")[0], one.cheapest, one.dearest, one.indexPct].join(" ")
    ).sort(),
    trend: trend.points.at(-1).indexPct,
    csv: (await csv.text()).trim().split(/\r?\n/)[1],
    undercut: undercut.total,
  };
}

const PLAIN = {
  cheapest: ["acme.example", 9_500, false],
  ours: [10_000, 10_000, 500, 5.26, 3],
  sums: [9_800, 9_767, 102.39, 50],
  offers: ["acme 9500 9500 false", "bolt 9800 9800 false", "cord 60000 10000 false"],
  shops: ["acme 0 1 105.26", "bolt 0 1 102.04", "cord 1 0 100"],
  trend: 102.39,
  csv: '"95,00";"5,00";"3";"102,39"',
  undercut: 1,
};
const DELIVERED = {
  cheapest: ["bolt.example", 9_800, true],
  ours: [10_000, 10_250, 450, 4.59, 4],
  sums: [9_990, 9_963, 102.88, 50],
  offers: ["bolt 9800 9800 true", "acme 9500 9990 false", "cord 60000 10100 false"],
  shops: ["acme 0 1 102.6", "bolt 0 1 104.59", "cord 0 1 101.49"],
  trend: 102.88,
  csv: '"98,00";"4,50";"4";"102,88"',
  undercut: 1,
};

withApp.test("compareDelivered: lists, rows, offers, sums, trend and files compare with shipping while it is on", async (app) => {
  await fill(app);
  assertEquals(await told(app), PLAIN);
  const settings = { compareDelivered: true, ownShipping: 2.5 };
  const saved = await app.owner.change("/api/settings", settings);
  assertEquals([saved.compareDelivered, saved.ownShippingCents], [true, 250]);
  assertEquals(await told(app), DELIVERED);
  await app.owner.change("/api/settings", { compareDelivered: null });
  assertEquals(await told(app), PLAIN);
  await refuses(app.owner.patch("/api/settings", { compareDelivered: "yes" }), "validation_failed");
});
