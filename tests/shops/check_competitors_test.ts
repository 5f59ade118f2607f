import { deepStrictEqual as assertEquals, match, ok as assert } from "node:assert/strict";
import { idBytes } from "../../src/base/id.ts";
import { type TestApp, withApp } from "../harness.ts";
import { addMatch, addProduct, disagreements } from "./shop.ts";
import { packMatch, unpackMatch } from "../../src/shops/matches/match_store.ts";

/** The only row of a table in the workspace. */
async function rowOf({ store, workspaceId }: TestApp, table: string) {
  const rows = await Array.fromAsync(store.kv.list({ prefix: [table, idBytes(workspaceId)] }));
  assertEquals(rows.length, 1, table);
  return rows[0]!;
}

const DAMAGES: [string, RegExp][] = [
  ["m", /has no match|does not exist/],
  ["mi", /not found by its id/],
  ["mc", /does not list 1 of its matches/],
  ["o", /has 1 matches and 0 offers/],
  ["c", /unknown competitor/],
  ["cd", /lacks 1 index rows "cd"/],
  ["ct", /counts no tracked products, but has 1/],
];

withApp.test("checkCompetitors() finds each missing row", async (app) => {
  const productId = await addProduct(app.manager, "A-1");
  await addMatch(app.manager, productId, "https://shop.de/1");
  for (const [table, words] of DAMAGES) {
    assertEquals(await disagreements(app), []);
    const { key, value } = await rowOf(app, table);
    await app.store.kv.delete(key);
    const found = await disagreements(app);
    await app.store.kv.set(key, value);
    assert(found.length > 0, table);
    match(found.join("\n"), words, table);
  }
});

withApp.test("checkCompetitors() finds rows that contradict each other", async (app) => {
  const productId = await addProduct(app.manager, "A-1");
  await addMatch(app.manager, productId, "https://shop.de/1");
  const { key, value } = await rowOf(app, "m");
  assert(value instanceof Uint8Array);
  const other = { ...unpackMatch(productId, value), enabled: false, url: "https://shop.de/2" };
  await app.store.kv.set(key, packMatch(other));
  const [url = "", offer = "", ...more] = await disagreements(app);
  match(url, /under another URL/);
  match(offer, /differs from its match/);
  assertEquals(more, []);
  await app.store.kv.set(key, value);
  await app.store.kv.set((await rowOf(app, "ct")).key, new Deno.KvU64(7n));
  match((await disagreements(app)).join("\n"), /counts 7 tracked products, but has 1/);
});
