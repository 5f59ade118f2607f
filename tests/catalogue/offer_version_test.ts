import { shard } from "../../src/catalogue/products/product.ts";
import { offerVersions } from "../../src/catalogue/products/product_mark_store.ts";
import { withApp } from "../harness.ts";
import { deepStrictEqual as assertEquals, notStrictEqual } from "node:assert/strict";

withApp.test("a change of SKU changes the offer versions of both shards, any other change of neither", async (app) => {
  const made = await app.owner.post("/api/products", { sku: "OLD", title: "Kabel" });
  const { id } = await made.json();
  const shards = [shard("OLD"), shard("NEW")];
  notStrictEqual(shards[0], shards[1]);
  const read = async () => [...(await offerVersions.find(app, shards)).values()];
  const change = async (patch: unknown) => {
    await (await app.owner.patch(`/api/products/${id}`, patch)).body?.cancel();
  };
  const first = await read();
  await change({ title: "Kabel 2" });
  assertEquals(await read(), first);
  await change({ sku: "NEW" });
  const renamed = await read();
  for (const [position, versionCounter] of renamed.entries()) {
    notStrictEqual(versionCounter, first[position]);
  }
});
