import { bodyOf, everyItem, refusalOf, refuses } from "../../api/answers.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { CompetitorProduct } from "../../../src/shops/matches/match.ts";
import {
  actionsOf,
  addMatch,
  addProduct,
  auditOf,
  disagreements,
  linksOf,
  listShops,
  withCheckedApp,
} from "../shop.ts";

const PATH = "/api/competitor-products";

withCheckedApp.test("POST /api/competitor-products returns the whole match and creates an unknown shop", async (app) => {
  const productId = await addProduct(app.manager, "A-1");
  const body = { productId, url: "https://www.Shop.de/p/1?utm_source=x#top", packFactor: 6 };
  const answer = await app.manager.post(PATH, body);
  const made: CompetitorProduct = await answer.json();
  assertEquals(answer.status, 201);
  assertEquals(answer.headers.get("Location"), `${PATH}/${made.id}`);
  const [shop] = await listShops(app.viewer);
  assertEquals([shop?.domain, shop?.displayName, shop?.trackedProducts], ["shop.de", "shop.de", 1]);
  const { id, createdAt, ...fields } = made;
  assertEquals(fields, {
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
    extractor: null,
    currentPrice: null,
    listPrice: null,
    lowest30: null,
    currency: null,
    identity: null,
    inStock: null,
    condition: null,
    seller: null,
    shipping: null,
    lastCheckedAt: null,
    lastStatus: null,
    lastError: null,
    updatedAt: createdAt,
  });
  assertEquals(await app.viewer.read(`${PATH}/${id}`), made);
  const [row] = await auditOf(app.owner, `competitor_product:${id}`);
  assertEquals(row?.slice(0, 2), ["competitor_product.create", null]);
});

withCheckedApp.test("POST /api/competitor-products refuses a URL that the product has in another spelling", async (app) => {
  const productId = await addProduct(app.manager, "A-1");
  const { id } = await addMatch(app.manager, productId, "https://shop.de/p/1?a=1");
  const again = { productId, url: "https://SHOP.de:443/p/1?gclid=3&a=1#x" };
  const { code, details } = await refusalOf(app.manager.post(PATH, again));
  assertEquals([code, details], ["conflict", { competitorProductId: id }]);
  const other = await addProduct(app.manager, "A-2");
  await addMatch(app.manager, other, "https://shop.de/p/1?a=1");
});

withCheckedApp.test("POST /api/competitor-products refuses unknown products and unsound selectors", async (app) => {
  const productId = await addProduct(app.manager, "A-1");
  const gone = await addProduct(app.manager, "A-2");
  await app.manager.remove(`/api/products/${gone}`);
  const url = "https://shop.de/p/1";
  for (const unknown of [gone, "0".repeat(24), "A-1", ""]) {
    await refuses(app.manager.post(PATH, { productId: unknown, url }), "not_found");
  }
  const stranger = await app.strangerOwner();
  await refuses(stranger.post(PATH, { productId, url }), "not_found");
  const competitorId = "0".repeat(24);
  await refuses(app.manager.post(PATH, { productId, url, competitorId }), "not_found");
  const extractor = { stockSelector: "a:b-c" };
  const unsound = app.manager.post(PATH, { productId, url, extractor });
  await refuses(unsound, "validation_failed");
  const programs = ["", "a\u0000b"].map((priceSelector) => ({ priceSelector }));
  for (const extractor of [{ selector: "#p" }, { currency: "eur" }, { locale: "!" }, ...programs]) {
    await refuses(app.manager.post(PATH, { productId, url, extractor }), "validation_failed");
  }
  assertEquals(await listShops(app.viewer), []);
  assertEquals(await linksOf(app.viewer), []);
});

withCheckedApp.test("POST /api/competitor-products accepts a named shop only for a free domain", async (app) => {
  const productId = await addProduct(app.manager, "A-1");
  const { competitorId } = await addMatch(app.manager, productId, "https://shop.de/1");
  await addMatch(app.manager, productId, "https://other.de/1");
  const own = await addMatch(app.manager, productId, "https://shop.example/1", { competitorId });
  assertEquals([own.competitorId, own.domain], [competitorId, "shop.de"]);
  const body = { productId, url: "https://other.de/2", competitorId };
  await refuses(app.manager.post(PATH, body), "validation_failed");
  assertEquals((await listShops(app.viewer)).length, 2);
});

withCheckedApp.test("POST /api/competitor-products: the 200th match is the last", async (app) => {
  const productId = await addProduct(app.manager, "A-1");
  const link = (n: number) => ({ sku: "A-1", url: `https://shop.de/${n}` });
  const links = Array.from({ length: 201 }, (_, n) => link(n));
  const { results } = await app.manager.act(`${PATH}/bulk`, { links });
  assertEquals(results.findIndex(({ ok }: { ok: boolean }) => !ok), 200);
  const url = "https://shop.de/more";
  await refuses(app.manager.post(PATH, { productId, url }), "conflict");
  assertEquals((await listShops(app.viewer))[0]?.trackedProducts, 1);
});

withCheckedApp.test("PATCH /api/competitor-products/{id} merges, resets by null, and writes nothing without a change", async (app) => {
  const productId = await addProduct(app.manager, "A-1");
  const made = await addMatch(app.manager, productId, "https://shop.de/1");
  const path = `${PATH}/${made.id}`;
  const change = (patch: unknown): Promise<CompetitorProduct> => app.manager.change(path, patch);
  app.clock.advance(1_000);
  assertEquals(await change({}), made);
  assertEquals(await change(made), made);
  const other = { matchType: "equivalent", packFactor: 2.5, enabled: false };
  const changed = await change({ ...other, extractor: { jsonPath: "$.price" } });
  const { matchType, packFactor, enabled, extractor } = changed;
  const blank = { priceSelector: null, stockSelector: null, currency: null, locale: null };
  assertEquals(extractor, { ...blank, jsonPath: "$.price" });
  assertEquals({ matchType, packFactor, enabled }, other);
  assertEquals(changed.updatedAt > made.updatedAt, true);
  assertEquals((await listShops(app.viewer))[0]?.trackedProducts, 0);
  const reset = await change({ matchType: null, packFactor: null, extractor: null, enabled: null });
  assertEquals(reset, { ...made, updatedAt: reset.updatedAt });
  assertEquals((await listShops(app.viewer))[0]?.trackedProducts, 1);
  assertEquals(
    await actionsOf(app.owner, `competitor_product:${made.id}`),
    ["competitor_product.create", "competitor_product.update", "competitor_product.update"],
  );
});

withCheckedApp.test("PATCH /api/competitor-products/{id} moves the URL within the shop and frees the old one", async (app) => {
  const productId = await addProduct(app.manager, "A-1");
  const made = await addMatch(app.manager, productId, "https://shop.de/1");
  await addMatch(app.manager, productId, "https://shop.de/2");
  await addMatch(app.manager, productId, "https://other.de/1");
  const path = `${PATH}/${made.id}`;
  const url = (text: string) => app.manager.patch(path, { url: text });
  await refuses(url("https://shop.de/2#x"), "conflict");
  await refuses(url("https://other.de/9"), "validation_failed");
  await refuses(url("http://10.0.0.1/"), "validation_failed");
  const ends = { productId: "0".repeat(24), competitorId: "0".repeat(24) };
  await refuses(app.manager.patch(path, ends), "validation_failed");
  const moved = await bodyOf(url("https://shop.de/3"), 200);
  assertEquals([moved.id, moved.url], [made.id, "https://shop.de/3"]);
  assertEquals(await app.viewer.read(path), moved);
  const respelled = await bodyOf(url("https://shop.de/3#details"), 200);
  assertEquals(respelled.url, "https://shop.de/3#details");
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
  const [first] = made;
  const filters: [Record<string, string>, (match: CompetitorProduct) => boolean][] = [
    [{}, () => true],
    [{ productId: products[1]! }, ({ productId }) => productId === products[1]],
    [{ competitorId: first!.competitorId }, ({ domain }) => domain === "shop.de"],
    [
      { productId: products[0]!, competitorId: first!.competitorId },
      ({ productId, domain }) => productId === products[0] && domain === "shop.de",
    ],
    [{ productId: "" }, () => true],
    [{ productId: "0".repeat(24) }, () => false],
    [{ competitorId: "0".repeat(24) }, () => false],
    [{ competitorId: "nothing" }, () => false],
  ];
  for (const [filter, fits] of filters) {
    const query = new URLSearchParams({ ...filter, limit: "2" });
    const found = await everyItem(app.viewer, `${PATH}?${query}`);
    assertEquals(found, made.filter(fits), JSON.stringify(filter));
  }
});

withCheckedApp.test("matches of a soft-deleted product are kept, and can be changed", async (app) => {
  const productId = await addProduct(app.manager, "A-1");
  const { id } = await addMatch(app.manager, productId, "https://shop.de/1");
  await app.manager.remove(`/api/products/${productId}`);
  await app.manager.change(`${PATH}/${id}`, { packFactor: 2 });
  assertEquals(await disagreements(app), []);
  await app.manager.remove(`${PATH}/${id}`);
  await app.manager.act(`/api/products/${productId}/restore`);
});
