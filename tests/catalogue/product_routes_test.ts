import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { actionsOf } from "../shops/shop.ts";
import { everyItem, refusalOf, refuses, statusOf, valuesOf } from "../api/answers.ts";
import { type TestApp, withApp } from "../harness.ts";
import { checkCatalogue } from "../../src/catalogue/check_catalogue.ts";

async function create(app: TestApp, fields: Record<string, unknown>) {
  return await app.manager.create("/api/products", { title: "T", ...fields });
}

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
  assertEquals(await found("sku=A&includeDeleted=true"), 1);
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

withApp.test("GET /api/products/{id}/price-history lists every change, newest first", async (app) => {
  const { id } = await create(app, { sku: "A", ourPrice: 1 });
  for (const ourPrice of [2, 2, 3, null]) {
    app.clock.advance(1_000);
    await app.manager.change(`/api/products/${id}`, { ourPrice });
  }
  const path = `/api/products/${id}/price-history`;
  const changes = await everyItem(app.viewer, `${path}?limit=3`);
  const steps = [[300, null], [200, 300], [100, 200], [null, 100]];
  assertEquals(valuesOf(changes, "fromCents", "toCents"), steps);
  assertEquals([changes[0].source, changes[0].currency, changes[0].ref], ["api", "EUR", null]);
  const day = changes[0].at.slice(0, 10);
  assertEquals((await app.viewer.read(`${path}?from=${day}&to=${day}`)).count, 4);
  assertEquals((await app.viewer.read(`${path}?to=2020-01-01`)).count, 0);
  const upsideDown = app.viewer.get(`${path}?from=2026-01-02&to=2026-01-01`);
  await refuses(upsideDown, "validation_failed");
});

withApp.test("the largest product within the body limit is stored, audited and read back", async (app) => {
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
  assertEquals(await Array.fromAsync(checkCatalogue(app.store, app.workspaceId)), []);
});
