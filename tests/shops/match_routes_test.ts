import { assertFields, bodyOf, column, everyItem, refusalOf, refuses } from "../api/answers.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { CompetitorProduct } from "../../src/shops/matches/match.ts";
import {
  actionsOf,
  addMatch,
  addProduct,
  auditOf,
  disagreements,
  linksOf,
  listShops,
  withCheckedApp,
  withProduct,
} from "./shop.ts";
import type { NoPriceOutcome } from "../../src/shops/shop_routes.ts";
import { unitPriceCents } from "../../src/base/money.ts";
import { listLiveMatches } from "../../src/shops/matches/list_matches.ts";
import type { TestApp } from "../harness.ts";
import { pushed } from "./observations/made_observations.ts";

const PATH = "/api/competitor-products";
const UNKNOWN = "0".repeat(24);

withProduct.test("POST /api/competitor-products returns the whole match and creates an unknown shop", async ({ app, productId }) => {
  const body = { productId, url: "https://www.Shop.de/p/1?utm_source=x#top", packFactor: 6 };
  const made: CompetitorProduct = await app.manager.create(PATH, body);
  const [shop] = await listShops(app.viewer);
  assertFields(shop, { domain: "shop.de", displayName: "shop.de", trackedProducts: 1 });
  assertEquals(Object.keys(made).sort(), Object.keys(CompetitorProduct.shape).sort());
  const { id: _, createdAt, ...fields } = made;
  const known = Object.entries(fields).filter(([, value]) => value !== null);
  assertEquals(Object.fromEntries(known), {
    ...body,
    competitorId: shop?.id,
    competitor: "shop.de",
    domain: "shop.de",
    enabled: true,
    matchType: "exact",
    noPrice: false,
    visit: "now",
    warnings: [],
    source: "manual",
    updatedAt: createdAt,
  });
});

withProduct.test("POST /api/competitor-products refuses a URL that the product has in another spelling, and the 201st match", async ({ app, productId }) => {
  const { id } = await addMatch(app.manager, productId, "https://shop.de/p/1?a=1");
  const again = { productId, url: "https://SHOP.de:443/p/1?gclid=3&a=1#x" };
  const { code, details } = await refusalOf(app.manager.post(PATH, again));
  assertEquals([code, details], ["conflict", { competitorProductId: id }]);
  const other = await addProduct(app.manager, "A-2");
  await addMatch(app.manager, other, "https://shop.de/p/1?a=1");
  const urls = Array.from({ length: 200 }, (_, n) => `https://shop.de/${n}`);
  const links = urls.map((url) => ({ sku: "A-1", url }));
  const { results } = await app.manager.act(`${PATH}/bulk`, { links });
  assertEquals(results.findIndex(({ ok }: { ok: boolean }) => !ok), 199);
  await refuses(app.manager.post(PATH, { productId, url: "https://shop.de/more" }), "conflict");
});

withProduct.test("POST /api/competitor-products refuses unknown products and unsound selectors, and accepts a named shop only for a free domain", async ({ app, productId }) => {
  const gone = await addProduct(app.manager, "A-2");
  await app.manager.remove(`/api/products/${gone}`);
  const url = "https://shop.de/p/1";
  for (const unknown of [gone, UNKNOWN, "A-1", ""]) {
    await refuses(app.manager.post(PATH, { productId: unknown, url }), "not_found");
  }
  const stranger = await app.strangerOwner();
  await refuses(stranger.post(PATH, { productId, url }), "not_found");
  const unknownShop = { productId, url, competitorId: UNKNOWN };
  await refuses(app.manager.post(PATH, unknownShop), "not_found");
  const selectors = ["", "a\u0000b", "a:b-c"].map((stockSelector) => ({ stockSelector }));
  for (const extractor of [...selectors, { currency: "eur" }, { locale: "!" }]) {
    await refuses(app.manager.post(PATH, { productId, url, extractor }), "validation_failed");
  }
  assertEquals(await listShops(app.viewer), []);
  assertEquals(await linksOf(app.viewer), []);

  const { competitorId } = await addMatch(app.manager, productId, "https://shop.de/1");
  await addMatch(app.manager, productId, "https://other.de/1");
  const own = await addMatch(app.manager, productId, "https://shop.example/1", { competitorId });
  assertFields(own, { competitorId, domain: "shop.de" });
  const body = { productId, url: "https://other.de/2", competitorId };
  await refuses(app.manager.post(PATH, body), "validation_failed");
  assertEquals((await listShops(app.viewer)).length, 2);
});

withProduct.test("PATCH /api/competitor-products/{id} merges, and resets by null", async ({ app, productId }) => {
  const made = await addMatch(app.manager, productId, "https://shop.de/1");
  const path = `${PATH}/${made.id}`;
  const change = (patch: unknown): Promise<CompetitorProduct> => app.manager.change(path, patch);
  app.clock.advance(1_000);
  const other = { matchType: "equivalent", packFactor: 2.5, enabled: false } as const;
  const changed = await change({ ...other, extractor: { jsonPath: "$.price" } });
  const blank = { priceSelector: null, stockSelector: null, currency: null, locale: null };
  assertFields(changed, { ...other, extractor: { ...blank, jsonPath: "$.price" } });
  ok(changed.updatedAt > made.updatedAt);
  assertEquals((await listShops(app.viewer))[0]?.trackedProducts, 0);
  const reset = await change({ matchType: null, packFactor: null, extractor: null, enabled: null });
  assertEquals(reset, { ...made, updatedAt: reset.updatedAt });
  assertEquals((await listShops(app.viewer))[0]?.trackedProducts, 1);
});

withProduct.test("PATCH /api/competitor-products/{id} moves the URL within the shop and frees the old one", async ({ app, productId }) => {
  const made = await addMatch(app.manager, productId, "https://shop.de/1");
  await addMatch(app.manager, productId, "https://shop.de/2");
  await addMatch(app.manager, productId, "https://other.de/1");
  const path = `${PATH}/${made.id}`;
  const url = (text: string) => app.manager.patch(path, { url: text });
  await refuses(url("https://shop.de/2#x"), "conflict");
  await refuses(url("https://other.de/9"), "validation_failed");
  await refuses(url("http://10.0.0.1/"), "validation_failed");
  const ends = { productId: UNKNOWN, competitorId: UNKNOWN };
  await refuses(app.manager.patch(path, ends), "validation_failed");
  for (const spelling of ["https://shop.de/3", "https://shop.de/3#details"]) {
    const moved = await bodyOf(url(spelling), 200);
    assertEquals([moved.id, moved.url], [made.id, spelling]);
    assertEquals(await app.viewer.read(path), moved);
  }
  await addMatch(app.manager, productId, "https://shop.de/1");
});

withCheckedApp.test("GET /api/competitor-products filters by product and competitor, through all pages", async (app) => {
  const made: CompetitorProduct[] = [];
  const products = [await addProduct(app.manager, "A-1"), await addProduct(app.manager, "A-2")];
  for (const n of [3, 1, 2]) {
    for (const productId of products) {
      made.push(await addMatch(app.manager, productId, `https://shop.de/${n}`));
      made.push(await addMatch(app.manager, productId, `https://other.de/${n}`));
    }
  }
  const [one, two] = products;
  const { competitorId } = made[0]!;
  const filters: readonly [query: string, fits: (match: CompetitorProduct) => boolean][] = [
    ["", () => true],
    [`productId=${two}`, ({ productId }) => productId === two],
    [`competitorId=${competitorId}`, ({ domain }) => domain === "shop.de"],
    [
      `productId=${one}&competitorId=${competitorId}`,
      ({ productId, domain }) => productId === one && domain === "shop.de",
    ],
    ["productId=", () => true],
    [`productId=${UNKNOWN}`, () => false],
    [`competitorId=${UNKNOWN}`, () => false],
  ];
  for (const [query, fits] of filters) {
    const found = await everyItem(app.viewer, `${PATH}?limit=2&${query}`);
    assertEquals(found, made.filter(fits), query);
  }
});

withProduct.test("matches of a soft-deleted product are kept, and can be changed", async ({ app, productId }) => {
  const { id } = await addMatch(app.manager, productId, "https://shop.de/1");
  await app.manager.remove(`/api/products/${productId}`);
  await app.manager.change(`${PATH}/${id}`, { packFactor: 2 });
  assertEquals(await disagreements(app), []);
  await app.manager.remove(`${PATH}/${id}`);
  await app.manager.act(`/api/products/${productId}/restore`);
});

const REMOVAL = `${PATH}/removal`;

withProduct.test("POST /api/competitor-products/removal deletes many links, and links them again as they were", async ({ app, productId }) => {
  for (const [n, packFactor] of [[1, 1], [2, 6], [3, 1]] as const) {
    await addMatch(app.manager, productId, `https://shop.de/${n}`, { packFactor });
  }
  const before = await linksOf(app.viewer);
  const [first = "", second = "", third = ""] = before.map(({ id }) => id);
  const say = (ids: readonly string[], removed: boolean) =>
    app.manager.act<NoPriceOutcome>(REMOVAL, { ids, removed });

  const missing = [UNKNOWN];
  const removed = await say([first, UNKNOWN, second, first], true);
  assertEquals(removed, { changed: [first, second], unchanged: 0, missing });
  assertEquals(column(await linksOf(app.viewer), "id"), [third]);
  assertEquals((await say([first], true)).missing, [first]);

  // Restoring a removed link changes nothing if its page has been linked again.
  const again = await addMatch(app.manager, productId, "https://shop.de/1");
  const restored = await say([first, second, UNKNOWN], false);
  assertEquals(restored, { changed: [second], unchanged: 1, missing });
  const after = await linksOf(app.viewer);
  assertEquals(column(after, "id"), [second, third, again.id]);
  assertEquals(after[0], before[1]);
  const actions = ["create", "delete", "create"].map((verb) => `competitor_product.${verb}`);
  assertEquals(await actionsOf(app.viewer, `competitor_product:${second}`), actions);
});

withCheckedApp.test("POST /api/competitor-products/removal restores only links that can still be created", async (app) => {
  const ids: string[] = [];
  let deletedId = "";
  for (const sku of ["FULL", "DELETED", "OTHER"]) {
    const productId = await addProduct(app.manager, sku);
    ids.push((await addMatch(app.manager, productId, "https://shop.de/old")).id);
    if (sku === "DELETED") deletedId = productId;
  }
  await app.manager.act(REMOVAL, { ids, removed: true });
  await app.manager.remove(`/api/products/${deletedId}`);
  // A product has at most 200 links.
  const urls = Array.from({ length: 200 }, (_, n) => `https://shop.de/${n}`);
  const links = urls.map((url) => ({ sku: "FULL", url }));
  await app.manager.act(`${PATH}/bulk`, { links });
  const restored = await app.manager.act(REMOVAL, { ids, removed: false });
  assertEquals(restored, { changed: [ids[2]], unchanged: 0, missing: ids.slice(0, 2) });
});

const NO_PRICE = `${PATH}/no-price`;

withCheckedApp.test("POST /api/competitor-products/no-price marks many pages, and logs only those that change", async (app) => {
  const ids: string[] = [];
  for (const n of [1, 2, 3]) {
    const productId = await addProduct(app.manager, `A-${n}`);
    ids.push((await addMatch(app.manager, productId, `https://shop.de/${n}`)).id);
  }
  const [first = "", second = "", third = ""] = ids;
  const say = (wanted: readonly string[], noPrice: boolean) =>
    app.manager.act<NoPriceOutcome>(NO_PRICE, { ids: wanted, noPrice });
  const known = async () => column(await linksOf(app.viewer), "noPrice");

  const missing = [UNKNOWN, "no id"];
  const said = await say([first, UNKNOWN, first, "no id"], true);
  assertEquals(said, { changed: [first], unchanged: 0, missing });
  assertEquals(await say(ids, true), { changed: [second, third], unchanged: 1, missing: [] });
  assertEquals(await say(ids, true), { changed: [], unchanged: 3, missing: [] });
  assertEquals(await known(), [true, true, true]);
  const audit = await auditOf(app.viewer, `competitor_product:${first}`);
  assertEquals(audit.at(-1), ["competitor_product.update", { noPrice: null }, { noPrice: true }]);

  assertEquals((await say([second, third], false)).changed, [second, third]);
  assertEquals(await known(), [true, false, false]);
});

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
  const entry = (domain: string, competitor: string, packFactor: number) => (
    { domain, competitor, url: `https://${domain}/1`, packFactor, currency: "EUR" }
  );
  const nothing = { price: null, unitPrice: null, inStock: null, lastCheckedAt: null };
  const unseen = { ...entry("alpha.de", "Östlich", 1), ...nothing };
  const figures = { price: 6_000, unitPrice: 1_000, inStock: true, lastCheckedAt: seenAt };
  const seen = { ...entry("zebra.de", "zebra.de", 6), ...figures };
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
  const table = [[100, 3, 33], [101, 2, 51], [100, 0.5, 200], [10 ** 12, 0.0001, 10 ** 16]];
  for (const [price = 0, factor = 0, unit] of table) {
    assertEquals(unitPriceCents(price, factor), unit);
  }
});
