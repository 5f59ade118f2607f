import { deepStrictEqual as assertEquals, match, ok as assert } from "node:assert/strict";
import { idBytes } from "../../src/base/id.ts";
import { checkObservations } from "../../src/shops/check_shops.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { testWith } from "../opened.ts";
import { priceRow, pushed } from "./observations/made_observations.ts";
import { addMatch, addProduct, disagreements } from "./shop.ts";
import { packMatch, unpackMatch } from "../../src/shops/matches/match_store.ts";

/** An app with two products, each with three prices at each of two shops. */
const withObserved = testWith(async () => {
  const app = await startTestApp();
  const key = await app.key(["observations:write"]);
  for (const sku of ["A-1", "A-2"]) await addProduct(app.owner, sku);
  const startMs = app.clock.now().getTime() - 86_400_000;
  const rows = Array.from({ length: 12 }, (_, n) => {
    const url = `https://shop-${(n >> 1) % 2}.example/${n % 2}`;
    return priceRow(`A-${n % 2 + 1}`, url, n + 1, startMs + n * 60_000);
  });
  assertEquals((await pushed(key, rows)).errors, []);
  return app;
});

const findings = (app: TestApp) => Array.fromAsync(checkObservations(app.store, app.workspaceId));

async function rowsOf({ store, workspaceId }: TestApp, table: string) {
  return await Array.fromAsync(store.kv.list({ prefix: [table, idBytes(workspaceId)] }));
}

/** The damage to the first row of a table, and the expected finding. */
const DAMAGES: readonly (readonly [string, "gone" | "moved" | "twice", RegExp])[] = [
  ["ob", "gone", /^Competitor \w+ lists \w+, which is no observation of it$/m],
  ["ob", "moved", /is stored under another id$/m],
  ["ob", "moved", /^Competitor \w+ lists \w+, which is no observation of it$/m],
  ["oc", "gone", /^Competitor \w+ lists 5 observations, there are 6$/m],
  ["oc", "twice", /^Competitor \w+ lists \w+, which is no observation of it$/m],
];

withObserved.test("checkObservations() finds missing, misplaced and surplus rows", async (app) => {
  for (const [table, damage, words] of DAMAGES) {
    assertEquals(await findings(app), []);
    const [row] = await rowsOf(app, table);
    assert(row);
    const other = [...row.key.slice(0, -1), idBytes("0".repeat(24))];
    if (damage !== "gone") await app.store.kv.set(other, row.value);
    if (damage !== "twice") await app.store.kv.delete(row.key);
    match((await findings(app)).join("\n"), words, `${table} ${damage}`);
    await app.store.kv.delete(other);
    await app.store.kv.set(row.key, row.value);
  }
});

withObserved.test("checkObservations() finds a shop whose list or mark is missing", async (app) => {
  const listed = await rowsOf(app, "oc");
  for (const { key } of listed) await app.store.kv.delete(key);
  const words = (await findings(app)).join("\n");
  assertEquals(words.match(/lists none of its 6 observations/g)?.length, 2);
  for (const { key, value } of listed) await app.store.kv.set(key, value);
  assertEquals(await findings(app), []);
  for (const { key } of await rowsOf(app, "ock")) await app.store.kv.delete(key);
  match((await findings(app)).join("\n"), /has observations, but is not marked/);
});

withObserved.test("checkObservations() finds an offer that is older than its newest observation", async (app) => {
  const [row] = await rowsOf(app, "o");
  assert(row?.value instanceof Uint8Array);
  const text = new TextDecoder().decode(row.value);
  const old = text.replace(/\d{13}/g, (ms) => String(Number(ms) - 86_400_000));
  await app.store.kv.set(row.key, new TextEncoder().encode(old));
  match((await findings(app)).join("\n"), /is older than its newest observation/);
});

withApp.test("checkObservations() accepts a moved match whose former page has a price from the future", async (app) => {
  const key = await app.key(["observations:write"]);
  const productId = await addProduct(app.manager, "A-1");
  const { id } = await addMatch(app.manager, productId, "https://shop.de/1");
  const soonMs = app.clock.now().getTime() + 4 * 60_000;
  assertEquals((await pushed(key, [priceRow("A-1", "https://shop.de/1", 1, soonMs)])).errors, []);
  await app.manager.change(`/api/competitor-products/${id}`, { url: "https://shop.de/2" });
  assertEquals(await findings(app), []);
});

/** The only row of a table in the workspace. */
async function rowOf(app: TestApp, table: string) {
  const [row, ...others] = await rowsOf(app, table);
  assert(row && others.length === 0, table);
  return row;
}

const MISSING: readonly [table: string, RegExp][] = [
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
  for (const [table, words] of MISSING) {
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
