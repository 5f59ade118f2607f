import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { withApp } from "../harness.ts";
import { addProduct, propose } from "../rules/evaluation/market.ts";
import { bodyOf, column, etagOf, refusedField, refuses } from "./answers.ts";

const V1 = "/api/public/v1";

withApp.test("a product by key is changed, deleted and restored by id and SKU, by version", async (app) => {
  const key = await app.key(["products:write"]);
  // A SKU may begin with `id:`, although this prefix marks an id in a path.
  const sku = "id:4711/A ü";
  const id = await addProduct(app.owner, sku);
  const path = `${V1}/products/${encodeURIComponent(sku)}`;
  const etag = await etagOf(key.get(path));
  const patch = { title: "Kanne", ourPrice: 89.9, reason: "The supplier's list" };
  const answer = await key.patch(path, patch, { "If-Match": etag });
  const changed = await bodyOf(answer, 200);
  assertEquals([changed.data.title, changed.data.ourPrice], ["Kanne", 8_990]);
  assertEquals(changed, await key.read(`${V1}/products/${id}`));
  const other = key.patch(path, { title: "Other" }, { "If-Match": etag });
  await refuses(other, "version_conflict");
  await refuses(key.patch(path, { ourPrice: 8_990 }), "price_unit_suspicious");
  assertEquals(await refusedField(key.patch(path, { titel: "x" })), "titel");
  await refuses(key.delete(path, { "If-Match": etag }), "version_conflict");
  const now = { "If-Match": answer.headers.get("ETag") ?? "" };
  assertEquals(await key.remove(path, now), { data: { id } });
  for (const call of [key.get(path), key.delete(path), key.patch(path, { title: "x" })]) {
    await refuses(call, "not_found");
  }
  await refuses(key.post(`${V1}/products/sku%3AZ/restore`), "not_found");
  const restore = () => key.act(`${path}/restore`, undefined, { "Idempotency-Key": "once" });
  const restored = await restore();
  assertEquals([restored.data.title, restored.data.ourPrice], ["Kanne", 8_990]);
  assertEquals([await key.read(path), await restore()], [restored, restored]);
  assertEquals(await key.act(`${V1}/products/${id}/restore`), restored);
  const items = [{ sku, ourPrice: 90 }];
  const { data: [put] } = await key.act(`${V1}/products/batch`, { items });
  assertEquals(put.outcome, "updated");
});

withApp.test("a proposal by key equals the app's, and is postponed, approved and rolled back", async (app) => {
  const { id, productId } = await propose(app);
  const key = await app.key(["proposals:read", "proposals:write"]);
  const path = `${V1}/proposals/${id}`;
  assertEquals(await key.read(path), { data: await app.owner.read(`/api/proposals/${id}`) });
  const until = new Date(app.clock.now().getTime() + 3_600_000).toISOString();
  assertEquals((await key.act(`${path}/later`, { until })).data.heldUntil, until);
  assertEquals((await key.act(`${path}/approve`)).data.status, "applied");
  const body = { action: "rollback", ids: [id], reason: "Too low" };
  const { data: { results } } = await key.act(`${V1}/proposals/bulk`, body);
  assertEquals(results[0].ok, true);
  const { data } = await key.read(`${V1}/products/${productId}`);
  assertEquals(data.ourPrice, 10_000);
});

withApp.test("a price change has the same id in every export", async (app) => {
  const key = await app.key(["proposals:read"]);
  await addProduct(app.owner, "A");
  await app.owner.change(`/api/products/${await addProduct(app.owner, "B")}`, { ourPrice: 90 });
  const idsOf = async () => column((await key.read(`${V1}/price-changes`)).data, "id");
  const ids = await idsOf();
  assertEquals([new Set(ids).size, await idsOf()], [3, ids]);
  const csv = await (await key.get(`${V1}/price-changes?format=csv`)).text();
  const rows = csv.trim().split(/\r?\n/).map((line) => line.replaceAll('"', "").split(","));
  assertEquals(rows[0]?.at(-1), "id");
  assertEquals(rows.slice(1).map((row) => row.at(-1)), ids);
});

withApp.test("1,000 links take one request", async (app) => {
  const key = await app.key(["matches:write"]);
  for (let n = 0; n < 5; n++) await addProduct(app.owner, `P-${n}`);
  const links = Array.from({ length: 1_000 }, (_, n) => ({
    sku: `P-${n % 5}`,
    url: `https://rival.example/p/${n}`,
  }));
  const { data } = await key.act(`${V1}/competitor-products/bulk`, { links });
  assertEquals(column(data, "status"), Array(1_000).fill("created"));
});
