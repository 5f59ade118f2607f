import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { type RulesApp, withRules } from "../rules/evaluation/market.ts";

const price = (id: string, seenCents: number | null, ourPriceCents: number | null, more = {}) => (
  { id, currency: "EUR", seenCents, ourPriceCents, ...more }
);

async function set(app: RulesApp, prices: readonly object[], query = "", more = {}) {
  const path = `/api/products/bulk/prices${query}`;
  const { results } = await app.manager.act(path, { prices, ...more });
  return results.map(({ ok, error }: { ok: boolean; error?: { code: string } }) =>
    ok ? "ok" : error?.code
  );
}

withRules.test("prices are set one by one: changed, deleted or doubtful ones stay, without affecting the others", async (app) => {
  const skus = ["A", "B", "C", "D", "E"];
  const [a = "", b = "", c = "", d = "", e = ""] = await app.addProducts(
    skus.map((sku) => ({ sku })),
  );
  await app.owner.change(`/api/products/${b}`, { ourPrice: 120 });
  await app.owner.remove(`/api/products/${c}`);
  const cases: readonly (readonly [ReturnType<typeof price>, string])[] = [
    [price(a, 10_000, 9_900), "ok"],
    [price(b, 10_000, 9_900), "version_conflict"],
    [price(c, 10_000, 9_900), "not_found"],
    [price(d, 10_000, 1_000_000), "price_unit_suspicious"],
    [price(e, 10_000, 9_900, { currency: "CHF" }), "version_conflict"],
    [price("none", 1, 2), "not_found"],
  ];
  const outcomes = await set(app, cases.map(([wanted]) => wanted));
  assertEquals(outcomes, cases.map(([, outcome]) => outcome));
  const prices = () => Promise.all([a, b, d, e].map((id) => app.priceOf(id)));
  assertEquals(await prices(), [9_900, 12_000, 10_000, 10_000]);
  assertEquals(await set(app, [price(d, 10_000, 1_000_000)], "?allowLargeChange=true"), ["ok"]);
  // The same request with old and new price exchanged undoes the change, even of a first price.
  assertEquals(await set(app, [price(a, 9_900, 10_000), price(e, 10_000, null)]), ["ok", "ok"]);
  assertEquals(await prices(), [10_000, 12_000, 1_000_000, null]);
});

withRules.test("each price of a bulk change is in history and log with the reason, and is judged by rules", async (app) => {
  const id = await app.addProduct("A");
  await app.addRule();
  await app.push([["A", "acme", 95]]);
  assertEquals(await app.statuses(), [["open", 9_500]]);
  app.clock.advance(1_000);
  assertEquals(await set(app, [price(id, 10_000, 9_400)], "", { reason: "Messe" }), ["ok"]);
  assertEquals(await app.statuses(), [["superseded", 9_500]]);
  const history = await app.viewer.read(`/api/products/${id}/price-history`);
  assertEquals([history.items[0].fromCents, history.items[0].toCents], [10_000, 9_400]);
  const log = await app.viewer.read(`/api/audit-logs?order=desc&resource=product:${id}`);
  assertEquals(
    [log.items[0].action, log.items[0].after.ourPriceCents, log.items[0].reason],
    ["product.update", 9_400, "Messe"],
  );
});
