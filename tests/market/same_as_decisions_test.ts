import { HOUR_MS } from "../../src/base/time.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { addProduct, addRule } from "../rules/evaluation/market.ts";
import { type TestApp, withApp } from "../harness.ts";
import { extent } from "../proof.ts";

const PRODUCTS = extent(2_000, 30);
const SHOPS = ["acme", "bolt", "cord", "dent"];

/** Returns a generator of pseudo-random integers below a bound, equal in every run. */
function chanceFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
}

withApp.test("rank, references, index and margin equal those of GET /api/products/{id}/decisions", async (app) => {
  const { owner, clock } = app;
  const chance = chanceFrom(7);
  const gross = { pricesIncludeVat: true, vatRatePct: 19 };
  await owner.change("/api/settings", gross);
  const alerting = { actions: [{ type: "alert_inapp", severity: "low" }] };
  const rankId = await addRule(owner, { ...alerting, when: { trigger: "position_change" } });
  const when = { trigger: "market_index", indexAbove: 0 };
  const indexId = await addRule(owner, { ...alerting, when });
  const ids: string[] = [];
  for (let n = 0; n < PRODUCTS; n++) {
    const ourPrice = chance(8) === 0 ? null : (9_000 + chance(2_000)) / 100;
    ids.push(await addProduct(owner, `S-${n}`, { ourPrice }));
  }
  const key = await app.key(["observations:write"]);
  const rows = ids.flatMap((_, n) =>
    SHOPS.slice(0, chance(5)).map((shop) => ({
      sku: `S-${n}`,
      url: `https://${shop}.example/${n}`,
      price: (9_000 + chance(2_000)) / 100,
      currency: chance(10) === 0 ? "USD" : "EUR",
      inStock: chance(6) !== 0,
      observedAt: new Date(clock.now().getTime() - chance(60) * HOUR_MS).toISOString(),
    }))
  );
  for (let at = 0; at < rows.length; at += 500) {
    const observations = rows.slice(at, at + 500);
    const { data } = await key.act("/api/public/v1/observations", { observations });
    assertEquals(data.rejected, 0);
  }
  const { items: links } = await owner.read("/api/competitor-products?limit=200");
  for (const { id } of links.slice(0, 40)) {
    const packFactor = [1, 2, 3, 1.5][chance(4)];
    await owner.change(`/api/competitor-products/${id}`, { packFactor });
  }
  const shops = await owner.read("/api/competitors");
  await owner.change(`/api/competitors/${shops.items[0].id}`, { pricesIncludeVat: false });

  await owner.read("/api/products?sort=gapPct");
  await requireSame(app, ids, { rankId, indexId });
});

/** Asserts that market and rules compute the same facts of products. */
async function requireSame(
  { owner }: TestApp,
  ids: readonly string[],
  { rankId, indexId }: { readonly rankId: string; readonly indexId: string },
): Promise<void> {
  let compared = 0;
  for (const id of ids) {
    const { market } = await owner.read(`/api/products/${id}`);
    const decisions = await owner.read(`/api/products/${id}/decisions`);
    const all = decisions.items ?? decisions;
    const byRule = (ruleId: string) =>
      all.find((decision: { ruleId: string }) => decision.ruleId === ruleId);
    const { references, trigger: { said } } = byRule(rankId).trace;
    assertEquals(market.offers, references.length, id);
    assertEquals(market.cheapestCompetitorId, references[0]?.competitorId ?? null, id);
    const index = byRule(indexId).trace.trigger.said;
    assertEquals(market.marginPct, byRule(rankId).marginPct ?? market.marginPct, id);
    if (market.rank === null) {
      ok(said.code !== "position_change", `${id} ${JSON.stringify(said)}`);
      continue;
    }
    compared++;
    assertEquals([market.rank, market.of], [said.facts.rank, said.facts.of], id);
    // Rules round the index down.
    const above = Math.round((market.indexPct - index.facts.index) * 100);
    ok(above === 0 || above === 1, id);
  }
  ok(compared > ids.length / 3, String(compared));
}
