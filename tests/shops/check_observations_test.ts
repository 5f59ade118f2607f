import { deepStrictEqual as assertEquals, match, ok as assert } from "node:assert/strict";
import { idBytes } from "../../src/base/id.ts";
import { checkObservations } from "../../src/shops/check_observations.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { pushed } from "./observations/history.ts";
import { addProduct } from "./shop.ts";

/** An app with two products at two shops, each with three prices. */
async function observedApp(): Promise<TestApp> {
  const app = await startTestApp();
  const key = await app.key(["observations:write"]);
  for (const sku of ["A-1", "A-2"]) await addProduct(app.owner, sku);
  const startMs = app.clock.now().getTime() - 86_400_000;
  const rows = Array.from({ length: 12 }, (_, n) => ({
    sku: `A-${n % 2 + 1}`,
    url: `https://shop-${(n >> 1) % 2}.example/${n % 2}`,
    price: n + 1,
    currency: "EUR",
    observedAt: new Date(startMs + n * 60_000).toISOString(),
  }));
  assertEquals((await pushed(key, rows)).errors, []);
  return app;
}

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

Deno.test("checkObservations() finds missing, misplaced and surplus rows", async () => {
  await using app = await observedApp();
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

Deno.test("checkObservations() finds a shop whose list or mark is missing", async () => {
  await using app = await observedApp();
  const listed = await rowsOf(app, "oc");
  for (const { key } of listed) await app.store.kv.delete(key);
  const words = (await findings(app)).join("\n");
  assertEquals(words.match(/lists none of its 6 observations/g)?.length, 2);
  for (const { key, value } of listed) await app.store.kv.set(key, value);
  assertEquals(await findings(app), []);
  for (const { key } of await rowsOf(app, "ock")) await app.store.kv.delete(key);
  match((await findings(app)).join("\n"), /has observations, but is not marked/);
});

Deno.test("checkObservations() finds an offer that is older than its newest observation", async () => {
  await using app = await observedApp();
  const [row] = await rowsOf(app, "o");
  assert(row?.value instanceof Uint8Array);
  const text = new TextDecoder().decode(row.value);
  const old = text.replace(/\d{13}/g, (ms) => String(Number(ms) - 86_400_000));
  await app.store.kv.set(row.key, new TextEncoder().encode(old));
  match((await findings(app)).join("\n"), /is older than its newest observation/);
});
