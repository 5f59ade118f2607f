import { transact } from "../../../src/platform/store/kv.ts";
import { changedObservations, type Seen } from "../../../src/shops/observations/observation.ts";
import { recordFetch } from "../../../src/shops/record_fetch.ts";
import { addMatch, addProduct, withCheckedApp } from "../shop.ts";
import { listed, pushed } from "./history.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const SEEN: Seen = {
  priceCents: 24_900,
  currency: "EUR",
  availability: "limited",
  listPriceCents: 29_900,
  shippingCents: 490,
  method: "json_ld",
  confidence: 0.9,
  source: "scrape",
  runId: "0123456789abcdef01234567",
  observedAtMs: Date.parse("2026-03-02T08:00:00Z"),
};

withCheckedApp.test("recordFetch() concurrent with pushes of the same product loses neither; a fetched price older than a push makes no event", async (app) => {
  const key = await app.key(["observations:write"]);
  const id = await addProduct(app.owner, "A-1");
  const { id: matchId } = await addMatch(app.owner, id, "https://www.preisfuchs.example/p/1.html");
  const product = { id, sku: "A-1", costPriceCents: null, ourPriceCents: null, currency: "EUR" };
  const record = (more: Partial<Seen>) =>
    transact(app, (write) => {
      const ctx = { ...app, now: app.clock.now };
      const outcome = { kind: "seen", seen: { ...SEEN, ...more } } as const;
      return recordFetch(write, ctx, { product, matchId }, outcome);
    });
  const { observedAtMs } = SEEN;
  const fetches = Array.from(
    { length: 10 },
    (_, n) => record({ observedAtMs: observedAtMs + 2 * n }),
  );
  const pushes = Array.from({ length: 10 }, (_, n) => {
    const url = `https://shop-${n}.example/1`;
    return pushed(key, [{ sku: "A-1", url, price: n + 1, currency: "EUR" }]);
  });
  await Promise.all([...fetches, ...pushes]);
  assertEquals((await listed(key, "sku=A-1")).length, 20);
  const { competitorPrices: [price] } = await app.owner.read(`/api/products/${id}`);
  assertEquals([price.price, price.inStock], [24_900, true]);

  await pushed(key, [{ productId: id, competitorProductId: matchId, price: 8, currency: "EUR" }]);
  const late = await record({ priceCents: 900, observedAtMs: observedAtMs + 100 });
  ok(late);
  const offers = { before: [late.before], after: [late.after] };
  assertEquals([changedObservations(product, offers, "scrape"), late.after.priceCents], [[], 800]);
  const newest = await listed(key, `competitorProductId=${matchId}`);
  assertEquals(newest.slice(0, 2).map(({ price }) => price), [800, 900]);
});
