import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { checkCatalogue } from "../../src/catalogue/check_catalogue.ts";
import {
  addProduct,
  addRule,
  priceOf,
  push,
  statuses,
  untilJudged,
} from "../rules/evaluation/market.ts";
import { type TestApp, withApp } from "../harness.ts";

const price = (id: string, seenCents: number | null, ourPriceCents: number | null, more = {}) => ({
  id,
  currency: "EUR",
  seenCents,
  ourPriceCents,
  ...more,
});

async function set(app: TestApp, prices: readonly object[], query = "", more = {}) {
  const path = `/api/products/bulk/prices${query}`;
  const { results } = await app.manager.act(path, { prices, ...more });
  return results.map(({ ok, error }: { ok: boolean; error?: { code: string } }) =>
    ok ? "ok" : error?.code
  );
}

withApp.test("prices are set one by one: changed, deleted or doubtful ones stay, without affecting the others", async (app) => {
  const ids: string[] = [];
  for (const sku of ["A", "B", "C", "D", "E"]) ids.push(await addProduct(app.owner, sku));
  const [a = "", b = "", c = "", d = "", e = ""] = ids;
  await app.owner.change(`/api/products/${b}`, { ourPrice: 120 });
  await app.owner.remove(`/api/products/${c}`);
  const wanted = [
    price(a, 10_000, 9_900),
    price(b, 10_000, 9_900),
    price(c, 10_000, 9_900),
    price(d, 10_000, 1_000_000),
    price(e, 10_000, 9_900, { currency: "CHF" }),
    price("none", 1, 2),
  ];
  assertEquals(await set(app, wanted), [
    "ok",
    "version_conflict",
    "not_found",
    "price_unit_suspicious",
    "version_conflict",
    "not_found",
  ]);
  const prices = () => Promise.all([a, b, d, e].map((id) => priceOf(app.owner, id)));
  assertEquals(await prices(), [9_900, 12_000, 10_000, 10_000]);
  assertEquals(await set(app, [price(d, 10_000, 1_000_000)], "?allowLargeChange=true"), ["ok"]);
  // The same request with old and new price exchanged undoes the change, even of a first price.
  assertEquals(await set(app, [price(a, 9_900, 10_000), price(e, 10_000, null)]), ["ok", "ok"]);
  assertEquals(await prices(), [10_000, 12_000, 1_000_000, null]);
  assertEquals(await Array.fromAsync(checkCatalogue(app.store, app.workspaceId)), []);
});

withApp.test("each price of a bulk change is in history and log with the reason, and is judged by rules", async (app) => {
  const id = await addProduct(app.owner, "A");
  await addRule(app.owner);
  await push(app, [["A", "acme", 95]]);
  await untilJudged(app);
  assertEquals(await statuses(app.owner), [["open", 9_500]]);
  app.clock.advance(1_000);
  assertEquals(await set(app, [price(id, 10_000, 9_400)], "", { reason: "Messe" }), ["ok"]);
  await untilJudged(app);
  assertEquals(await statuses(app.owner), [["superseded", 9_500]]);
  const history = await app.viewer.read(`/api/products/${id}/price-history`);
  assertEquals([history.items[0].fromCents, history.items[0].toCents], [10_000, 9_400]);
  const log = await app.viewer.read(`/api/audit-logs?order=desc&resource=product:${id}`);
  assertEquals(
    [log.items[0].action, log.items[0].after.ourPriceCents, log.items[0].reason],
    ["product.update", 9_400, "Messe"],
  );
});
