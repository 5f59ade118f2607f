import { transact } from "../../../src/platform/store/kv.ts";
import type { Seen } from "../../../src/shops/observations/observation.ts";
import { recordFetch } from "../../../src/shops/record_fetch.ts";
import { addMatch, addProduct, withCheckedApp } from "../shop.ts";
import { listed, pushed } from "./history.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

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

withCheckedApp.test("recordFetch() concurrent with pushes of the same product loses neither", async (app) => {
  const key = await app.key(["observations:write"]);
  const id = await addProduct(app.owner, "A-1");
  const { id: matchId } = await addMatch(app.owner, id, "https://www.preisfuchs.example/p/1.html");
  const product = { id, sku: "A-1", costPriceCents: null, ourPriceCents: null, currency: "EUR" };
  const fetches = Array.from({ length: 10 }, (_, n) =>
    transact(app, (write) => {
      const seen = { ...SEEN, observedAtMs: SEEN.observedAtMs + 2 * n };
      const ctx = { ...app, now: app.clock.now };
      return recordFetch(write, ctx, { product, matchId }, { kind: "seen", seen });
    }));
  const pushes = Array.from({ length: 10 }, (_, n) => {
    const url = `https://shop-${n}.example/1`;
    return pushed(key, [{ sku: "A-1", url, price: n + 1, currency: "EUR" }]);
  });
  await Promise.all([...fetches, ...pushes]);
  assertEquals((await listed(key, "sku=A-1")).length, 20);
  const { competitorPrices: [price] } = await app.owner.read(`/api/products/${id}`);
  assertEquals([price.price, price.inStock], [24_900, true]);
});
