import { unitPriceCents } from "../../../src/base/money.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { listLiveMatches } from "../../../src/shops/matches/list_matches.ts";
import { column } from "../../api/answers.ts";
import type { TestApp } from "../../harness.ts";
import { pushed } from "../observations/history.ts";
import { addMatch, withProduct } from "../shop.ts";

async function pricesOf(app: TestApp, productId: string): Promise<Record<string, unknown>[]> {
  const product = await app.viewer.read(`/api/products/${productId}`);
  return product.competitorPrices;
}

withProduct.test("competitorPrices has one entry per enabled match, by display name", async ({ app, key, productId }) => {
  const zebra = await addMatch(app.manager, productId, "https://zebra.de/1", { packFactor: 6 });
  const alpha = await addMatch(app.manager, productId, "https://alpha.de/1");
  const off = await addMatch(app.manager, productId, "https://off.de/1", { enabled: false });
  await app.manager.change(`/api/competitors/${alpha.competitorId}`, { displayName: "Östlich" });
  const seenPrice = { price: 60, currency: "EUR", inStock: true };
  await pushed(key, [{ productId, competitorProductId: zebra.id, ...seenPrice }]);
  const seenAt = app.clock.now().toISOString();
  const unseen = {
    competitor: "Östlich",
    domain: "alpha.de",
    url: "https://alpha.de/1",
    price: null,
    unitPrice: null,
    packFactor: 1,
    currency: "EUR",
    inStock: null,
    lastCheckedAt: null,
  };
  const seen = {
    competitor: "zebra.de",
    domain: "zebra.de",
    url: "https://zebra.de/1",
    price: 6_000,
    unitPrice: 1_000,
    packFactor: 6,
    currency: "EUR",
    inStock: true,
    lastCheckedAt: seenAt,
  };
  assertEquals(await pricesOf(app, productId), [unseen, seen]);
  const { data } = await key.read("/api/public/v1/products/A-1");
  assertEquals(data.competitorPrices, [unseen, seen]);

  await app.manager.change(`/api/competitors/${zebra.competitorId}`, { enabled: false });
  assertEquals(await pricesOf(app, productId), [unseen]);
  assertEquals((await listLiveMatches(app, productId)).map(({ match }) => match.id), [alpha.id]);
  await app.manager.change(`/api/competitor-products/${off.id}`, { enabled: true });
  assertEquals(column(await pricesOf(app, productId), "domain"), ["off.de", "alpha.de"]);
});

Deno.test("unitPriceCents() rounds half up, also for fractions of a pack", () => {
  const table: [number, number, number][] = [
    [6_000, 6, 1_000],
    [100, 3, 33],
    [101, 2, 51],
    [100, 0.5, 200],
    [1_000, 0.1667, 5_999],
    [10 ** 12, 0.0001, 10 ** 16],
  ];
  for (const [price, factor, unit] of table) assertEquals(unitPriceCents(price, factor), unit);
});
