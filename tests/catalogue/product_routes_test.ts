import { actionsOf, addProduct, withCheckedApp } from "../shops/shop.ts";
import { column, pagesOf, refusalOf, refuses, statusOf } from "../api/answers.ts";
import { type TestApp, withApp } from "../harness.ts";
import {
  codeBooks,
  matchingIds,
  partOf,
  productSearchOf,
} from "../../src/catalogue/lists/catalogue_cache.ts";
import { searchPart, searchText } from "../../src/catalogue/products/product.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const create = ({ manager }: TestApp, fields: Record<string, unknown>) =>
  manager.create("/api/products", { title: "T", ...fields });

withApp.test("DELETE hides a product everywhere, keeps its SKU, and restore brings it back", async (app) => {
  const key = await app.key([]);
  const { id } = await create(app, { sku: "A", brand: "B" });
  const path = `/api/products/${id}`;
  assertEquals(await app.manager.remove(path), { ok: true });
  assertEquals(await statusOf(app.manager.delete(path)), 404);
  assertEquals(await statusOf(app.viewer.get(path)), 404);
  assertEquals(await statusOf(key.get("/api/public/v1/products/A")), 404);
  const found = async (query: string) => (await app.viewer.read(`/api/products?${query}`)).count;
  assertEquals([await found("brand=b"), await found("sku=A")], [0, 0]);
  assertEquals(await found("sku=%20A&includeDeleted=true"), 1);
  const shown = await app.viewer.read(`${path}?includeDeleted=true`);
  ok(shown.deletedAt);
  const taken = await refusalOf(app.manager.post("/api/products", { sku: "A", title: "T" }));
  assertEquals([taken.code, taken.details], ["sku_exists", { productId: id, deleted: true }]);
  for (let n = 0; n < 2; n++) {
    assertEquals((await app.manager.act(`${path}/restore`)).deletedAt, null);
  }
  assertEquals(await found("brand=b"), 1);
  const actions = ["product.create", "product.delete", "product.restore"];
  assertEquals(await actionsOf(app.owner, `product:${id}`), actions);
});

withApp.test("GET /api/public/v1/products/{idOrSku} finds by id, SKU, and with a prefix", async (app) => {
  const key = await app.key([]);
  const { id } = await create(app, { sku: "plain" });
  const skus = ["a/b?c=d#e%2F", "../../etc/passwd", "00123", "sku:x", "Ä-1", id, "constructor"];
  for (const sku of skus) {
    const made = await create(app, { sku });
    const get = async (text: string) =>
      (await key.read(`/api/public/v1/products/${encodeURIComponent(text)}`)).data;
    assertEquals((await get(sku === id ? `sku:${sku}` : sku)).sku, sku);
    assertEquals((await get(`sku:${sku}`)).id, made.id);
    assertEquals((await get(`id:${made.id}`)).id, made.id);
  }
  const byId = await key.read(`/api/public/v1/products/${id}`);
  assertEquals([byId.data.sku, byId.data.competitorPrices], ["plain", []]);
  for (const text of ["nope", "id:nope", `sku:${"x".repeat(2_049)}`, `id:${"0".repeat(24)}`]) {
    await refuses(key.get(`/api/public/v1/products/${text}`), "not_found");
  }
  await refuses(app.viewer.get("/api/products/plain"), "not_found");
});

withCheckedApp.test("the largest product within the body limit is stored, audited and read back", async (app) => {
  const names = Array.from({ length: 16 }, (_, n) => `k${n}`);
  const attributes = (character: string) =>
    Object.fromEntries(names.map((name) => [name, "€" + character.repeat(980)]));
  const body = {
    sku: "\u{1F4E6}".repeat(128),
    title: '"'.repeat(500),
    brand: "\u{10400}".repeat(200),
    category: "İ".repeat(200),
    tier: "\u{1F4E6}".repeat(64),
    url: `https://shop.example/${"x".repeat(2_000)}`,
    attributes: attributes("x"),
  };
  const { id } = await create(app, body);
  const patch = { attributes: attributes("y"), title: "'".repeat(500) };
  await app.manager.change(`/api/products/${id}`, patch);
  const filter = encodeURIComponent("i̇".repeat(10));
  assertEquals((await app.viewer.read(`/api/products?category=${filter}`)).count, 1);
});

withApp.test("a SKU leads to the product that has it now, whatever was cached before", async (app) => {
  const key = await app.key([]);
  const idAt = async (sku: string) => {
    const answer = await key.get(`/api/public/v1/products/${encodeURIComponent(sku)}`);
    const { data } = await answer.json();
    return answer.status === 200 ? data.id : answer.status;
  };
  const first = await addProduct(app.manager, "A-1");
  assertEquals(await idAt("A-1"), first);
  await app.manager.change(`/api/products/${first}`, { sku: "A-10" });
  assertEquals([await idAt("A-1"), await idAt("A-10")], [404, first]);

  const second = await addProduct(app.manager, "A-1");
  assertEquals([await idAt("A-1"), await idAt("A-10")], [second, first]);
  await app.manager.remove(`/api/products/${second}`);
  assertEquals(await idAt("A-1"), 404);
  await app.manager.act(`/api/products/${second}/restore`);
  assertEquals([await idAt("A-1"), await idAt("A-1")], [second, second]);

  await app.manager.change(`/api/products/${first}`, { sku: 'ä "1"' });
  assertEquals([await idAt('ä "1"'), await idAt('ä "1"'), await idAt("A-10")], [first, first, 404]);
});

Deno.test("matchingIds() stops after the requested ids", () => {
  const books = codeBooks();
  const text = searchPart("S", searchText({ ean: null, mpn: null, title: "Kühlschrank" }));
  const row = { updatedAtMs: 0, heldUntilMs: 0, values: [], text };
  const parts = Array.from({ length: 100 }, (_, n) => partOf([{ id: `id${n}`, ...row }], books));
  let looks = 0;
  const watched = new Proxy(parts, { get: (target, name) => (looks++, Reflect.get(target, name)) });
  const everything = { tests: [], sinceMs: -Infinity, held: null, kind: "all" } as const;
  const hits = matchingIds(watched, { ...everything, search: productSearchOf("kuehl") }, null);
  assertEquals(hits.take(3).toArray(), ["id0", "id1", "id2"]);
  ok(looks < 20, `${looks} looks`);
});

withApp.test("GET /api/products?q= lists products whose number starts with it first, through all pages", async (app) => {
  const products = [
    { sku: "X-1", title: "Zubehör für KT-119" },
    { sku: "KT-1190", title: "Kühlschrank" },
    { sku: "X-2", title: "Kabel", mpn: "kt 119/7" },
    { sku: "X-3", title: "119 Watt, KT" },
    { sku: "X-4", title: "KT alone" },
    { sku: "K.T-119", title: "Herd" },
    { sku: "X-5", title: "Herd", mpn: "A-KT119" },
    { sku: "X-6", title: "Kuehl-Gerät", ean: "4006381333931" },
  ];
  for (const product of products) await app.owner.create("/api/products", product);
  for (const q of ["KT-119", "kt119", " Kt  119 "]) {
    const path = `/api/products?q=${encodeURIComponent(q)}&limit=2`;
    const pages = await Array.fromAsync(pagesOf(app.owner, path));
    for (const { total } of pages) assertEquals(total, q === " Kt  119 " ? 6 : 5, q);
    const seen = pages.flatMap(({ items }) => items).map(({ sku }) => sku);
    const apart = q === " Kt  119 " ? ["X-3"] : [];
    assertEquals(seen, ["KT-1190", "X-2", "K.T-119", "X-1", ...apart, "X-5"], q);
  }
  for (const q of ["kühl ger", "GERAT KUHL", "kuehlge", "400 638", "638133"]) {
    const { items } = await app.owner.read(`/api/products?q=${encodeURIComponent(q)}`);
    assertEquals(column(items, "sku"), ["X-6"], q);
  }
  const key = await app.key([]);
  const { data } = await key.read("/api/public/v1/products?q=kt119");
  assertEquals(column(data, "sku"), ["X-1", "KT-1190", "X-2", "K.T-119", "X-5"]);
});
