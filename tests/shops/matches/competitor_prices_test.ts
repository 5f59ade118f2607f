import { unitPriceCents } from "../../../src/base/money.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { listLiveMatches } from "../../../src/shops/matches/competitor_prices.ts";
import { readProductLinks } from "../../../src/shops/matches/list_matches.ts";
import { withFailedFetch, withObservation } from "../../../src/shops/offers/offer.ts";
import { checkOffers, putOffers } from "../../../src/shops/offers/offer_store.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { type TestApp } from "../../harness.ts";
import { addMatch, addProduct, withCheckedApp } from "../shop.ts";

/** Adds an observation and then a failed fetch to an offer, without storing the observation. */
async function observe(app: TestApp, productId: string, matchId: string, priceCents: number) {
  const observedAtMs = app.clock.now().getTime();
  await transact(app, async (write) => {
    const links = (await readProductLinks(app, productId))!;
    const before = links.offers.offers;
    const seen = { priceCents, currency: "EUR", confidence: 0.9, observedAtMs };
    const after = before.map((offer) =>
      offer.matchId === matchId
        ? withFailedFetch(
          withObservation(offer, { ...seen, availability: "limited" }, observedAtMs),
          { errorCode: "timeout", message: "No answer within 20 s" },
          observedAtMs,
        )
        : offer
    );
    checkOffers(write, app.workspaceId, links.offers);
    putOffers(write, app.workspaceId, links.found.product, { before, after });
  });
}

async function pricesOf(app: TestApp, productId: string): Promise<Record<string, unknown>[]> {
  const product = await app.viewer.read(`/api/products/${productId}`);
  return product.competitorPrices;
}

withCheckedApp.test("competitorPrices has one entry per enabled match, by display name", async (app) => {
  const productId = await addProduct(app.manager, "A-1");
  const zebra = await addMatch(app.manager, productId, "https://zebra.de/1", { packFactor: 6 });
  const alpha = await addMatch(app.manager, productId, "https://alpha.de/1");
  const off = await addMatch(app.manager, productId, "https://off.de/1", { enabled: false });
  await app.manager.change(`/api/competitors/${alpha.competitorId}`, { displayName: "Östlich" });
  await observe(app, productId, zebra.id, 6_000);
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
  const key = await app.key([]);
  const { data } = await key.read("/api/public/v1/products/A-1");
  assertEquals(data.competitorPrices, [unseen, seen]);

  await app.manager.change(`/api/competitors/${zebra.competitorId}`, { enabled: false });
  assertEquals(await pricesOf(app, productId), [unseen]);
  assertEquals((await listLiveMatches(app, productId)).map(({ match }) => match.id), [alpha.id]);
  await app.manager.change(`/api/competitor-products/${off.id}`, { enabled: true });
  assertEquals((await pricesOf(app, productId)).map(({ domain }) => domain), [
    "off.de",
    "alpha.de",
  ]);
});

withCheckedApp.test("GET /api/competitor-products/{id} shows the last price and a later failure", async (app) => {
  const productId = await addProduct(app.manager, "A-1");
  const { id } = await addMatch(app.manager, productId, "https://shop.de/1");
  await observe(app, productId, id, 999);
  const shown = await app.viewer.read(`/api/competitor-products/${id}`);
  const { currentPrice, currency, inStock, lastCheckedAt, lastStatus, lastError } = shown;
  assertEquals(
    [currentPrice, currency, inStock, lastCheckedAt, lastStatus, lastError],
    [999, "EUR", true, app.clock.now().toISOString(), "timeout", "No answer within 20 s"],
  );
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
