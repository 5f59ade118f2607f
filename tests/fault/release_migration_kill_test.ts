/**
 * Migrates a large store of the last layout before version 1.0.0 by processes that are killed repeatedly.
 * The store has rows that are valid in both layouts, and rows converted back to former forms. After the
 * migration each table must have the same rows as before that conversion.
 */
import { commandContext } from "../../src/accounts/anonymous.ts";
import { findDisagreements } from "../../src/app/commands/check_store.ts";
import { exportWorkspace } from "../../src/app/workspace_files/export_workspace.ts";
import { importWorkspace, readLines } from "../../src/app/workspace_files/import_workspace.ts";
import type { WorkspaceLine } from "../../src/app/workspace_files/workspace_line.ts";
import { broughtRows } from "../../src/catalogue/changes/rewrite_products.ts";
import { awaitedPrices } from "../../src/catalogue/prices/awaited_price_store.ts";
import { createClock } from "../../src/platform/store/context.ts";
import { type Store, transact } from "../../src/platform/store/kv.ts";
import { findLayout, LAYOUT, PRE_RELEASE_LAYOUT } from "../../src/platform/store/layout_store.ts";
import { openStoreFile } from "../../src/platform/store/open_store.ts";
import { fillWorkspace } from "../app/workspace_files/full_workspace.ts";
import { parsedDocument } from "../catalogue/stored_document.ts";
import { startTestApp } from "../harness.ts";
import { countCommits, killOnTheWay } from "../killed_process.ts";
import { extent } from "../proof.ts";
import { inFolder } from "../temporary_folder.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { createHash } from "node:crypto";

const CHILD = "tests/fault/release_migration_child.ts";
const PRODUCTS = extent(2_000, 210);
const KILLS = extent(10, 1);
const BUSY_MS = 5_000;
const TOLD = "a shop asks less";
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Lines of a workspace with `PRODUCTS` products, by copying two products with all their data. */
async function manyLines(): Promise<readonly string[]> {
  await using app = await startTestApp();
  await fillWorkspace(app);
  const ctx = commandContext({ store: app.store, clock: app.app.clock }, app.workspaceId);
  const lines = await Array.fromAsync(exportWorkspace(ctx));
  const groups = ["A", "MANY-1"].map((sku) => groupOf(lines, sku));
  return lines.flatMap((line) => {
    if (line.type === "end") return [];
    const copies = groups.flatMap((group, at) => {
      const isLast = group.lines.findLast(({ type }) => type === line.type) === line;
      return isLast ? [...copiesOf(group, line.type, at)] : [];
    });
    return [JSON.stringify(line), ...copies];
  });
}

interface Group {
  readonly sku: string;
  readonly lines: readonly WorkspaceLine[];
  /** Ids of the product and of data that belongs only to it. */
  readonly ids: readonly string[];
}

const COPIED = new Set(
  [
    "product",
    "priceChange",
    "match",
    "observation",
    "ruleState",
    "heldPrice",
    "releasedPrice",
    "proposal",
    "alert",
    "audit",
  ],
);

function groupOf(lines: readonly WorkspaceLine[], sku: string): Group {
  const product = lines.find((line) => line.type === "product" && line.sku === sku);
  const id = product?.type === "product" ? product.id : "";
  const own = lines.filter((line) => COPIED.has(line.type) && JSON.stringify(line).includes(id));
  const ids = own.flatMap((line) => "id" in line ? [line.id] : []);
  return { sku, lines: own, ids };
}

function* copiesOf({ sku, lines, ids }: Group, type: string, group: number): Generator<string> {
  const texts = lines.filter((line) => line.type === type).map((line) => JSON.stringify(line));
  for (let n = group; n < PRODUCTS; n += 2) {
    for (const text of texts) {
      let copy = text.replaceAll(`"sku":"${sku}"`, `"sku":"${sku}-${n}"`);
      for (const [at, id] of ids.entries()) {
        copy = copy.replaceAll(id, (1_000 * n + at + 1).toString(16).padStart(24, "0"));
      }
      yield copy;
    }
  }
}

async function fill(path: string): Promise<void> {
  const store = await openStoreFile(path, BUSY_MS);
  const lines = await manyLines();
  const file = [...lines, JSON.stringify({ type: "end", lines: lines.length }), ""].join("\n");
  const clock = await createClock(store, () => new Date());
  const bytes = new Blob([file]).stream();
  const { id: workspaceId } = await importWorkspace({ store, clock }, readLines(bytes), undefined);
  const place = { store, workspaceId };
  for await (const { key: [, , id] } of store.kv.list({ prefix: ["p"] }, { limit: 250 })) {
    if (!(id instanceof Uint8Array)) continue;
    const seen = { jobId: "a".repeat(24), cents: 1_999, currency: "EUR" };
    const terms = { status: "waiting", misses: 0, seen: null, toldAtMs: 1, brought: seen } as const;
    await transact(place, (write) => {
      const price = { productId: id.toHex(), tier: "STANDARD", cents: 1_899, currency: "EUR" };
      awaitedPrices.put(write, place, { ...price, ...terms });
    });
  }
  store.kv.close();
}

const asText = (_name: string, value: unknown) =>
  value instanceof Uint8Array ? value.toHex() : typeof value === "bigint" ? `${value}` : value;

async function tablesOf({ kv }: Store): Promise<Record<string, string>> {
  const tables = new Map<string, { count: number; hash: ReturnType<typeof createHash> }>();
  for await (const { key, value } of kv.list({ prefix: [] })) {
    const name = String(key[0]);
    const table = tables.get(name) ?? { count: 0, hash: createHash("sha256") };
    tables.set(name, table);
    table.count++;
    table.hash.update(JSON.stringify([key, value], asText));
  }
  return Object.fromEntries(
    Array.from(tables, ([name, { count, hash }]) => [name, `${count} ${hash.digest("hex")}`]),
  );
}

/** Converts rows back to their former forms; traces only of decided proposals. */
async function makeFormer(store: Store): Promise<void> {
  const { kv } = store;
  const former: Record<string, (row: Deno.KvEntry<unknown>) => unknown> = {
    p: productOf,
    px: productOf,
    mi: ({ value }) => value instanceof Uint8Array ? halves(value) : value,
    mc: ({ value }) => value instanceof Uint8Array ? halves(value) : value,
    prt: formerTrace(await openProposals(store)),
    prs: () => new Uint8Array(),
  };
  for (const [table, formerOf] of Object.entries(former)) {
    for await (const row of kv.list({ prefix: [table] })) await kv.set(row.key, formerOf(row));
  }
  for await (const { row, workspaceId } of awaitedPrices.walkAll(store)) {
    const { brought, ...price } = row;
    if (!brought) continue;
    const place = { store, workspaceId };
    const { productId, tier } = price;
    await transact(place, (write) => {
      awaitedPrices.put(write, place, price);
      broughtRows.put(write, place, { productId, tier, ...brought });
    });
  }
  await kv.set(["schema"], PRE_RELEASE_LAYOUT);
}

async function openProposals({ kv }: Store): Promise<ReadonlySet<string>> {
  const rows = await Array.fromAsync(kv.list({ prefix: ["prs"] }));
  const open = rows.filter(({ key }) => key[2] === "open");
  return new Set(open.map(({ key }) => hexOf(key[3])));
}

const hexOf = (part: unknown) => part instanceof Uint8Array ? part.toHex() : "";

/** The former form: plain JSON, without `mpn` when it is null. */
function productOf(row: Deno.KvEntry<unknown>): Uint8Array {
  const { mpn, ...document } = parsedDocument(row);
  return encoder.encode(JSON.stringify(mpn === null ? document : { ...document, mpn }));
}

const halves = (place: Uint8Array) => [place.slice(0, 12), place.slice(12)];

const formerTrace =
  (open: ReadonlySet<string>) => ({ key, value }: Deno.KvEntry<unknown>): unknown => {
    if (!(value instanceof Uint8Array) || open.has(hexOf(key[2]))) return value;
    const { trigger: { said: _, ...trigger }, guards, ...rest } = JSON.parse(decoder.decode(value));
    const asked = guards.map(({ facts: _, ...guard }: Record<string, unknown>) => ({
      ...guard,
      why: null,
    }));
    const trace = { ...rest, trigger: { ...trigger, reason: TOLD }, guards: asked };
    return encoder.encode(JSON.stringify(trace));
  };

async function tracesOf({ kv }: Store): Promise<ReadonlyMap<string, string>> {
  const rows = await Array.fromAsync(kv.list<Uint8Array>({ prefix: ["prt"] }));
  return new Map(rows.map(({ key, value }) => [hexOf(key[2]), decoder.decode(value)]));
}

/** Former traces keep only their sentence; all other traces are unchanged. */
function requireTraces(after: ReadonlyMap<string, string>, before: ReadonlyMap<string, string>) {
  assertEquals([...after.keys()], [...before.keys()]);
  let former = 0;
  for (const [id, text] of before) {
    const trace = JSON.parse(text);
    const now = JSON.parse(after.get(id) ?? "");
    if (now.trigger.said.code !== "told") {
      assertEquals(now, trace);
      continue;
    }
    former++;
    assertEquals(now.trigger, { ...trace.trigger, said: { code: "told", facts: { told: TOLD } } });
    assertEquals(now.references, trace.references);
  }
  ok(former >= PRODUCTS / 2, `${former} former traces`);
}

async function withStore<T>(path: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStoreFile(path, BUSY_MS);
  try {
    return await work(store);
  } finally {
    store.kv.close();
  }
}

inFolder.test(`a store of ${PRODUCTS} products from before version 1.0.0 is migrated without loss, killed ${KILLS} times meanwhile`, async (folder) => {
  const path = `${folder.path}/kurant.db`;
  await fill(path);
  const { tables, traces } = await withStore(path, async (store) => {
    assertEquals(await Array.fromAsync(findDisagreements(store)), []);
    const found = { tables: await tablesOf(store), traces: await tracesOf(store) };
    await makeFormer(store);
    return found;
  });
  for (const table of ["p", "mi", "ob", "pr", "au"]) {
    ok(Number(tables[table]?.split(" ")[0]) >= PRODUCTS, `${table}: ${tables[table]}`);
  }
  const programOn = (dataDir: string) => ({ path: CHILD, args: [`${dataDir}/kurant.db`] });
  const commits = await countCommits(folder.path, programOn);
  const commitsMax = Math.floor((commits - 1) / KILLS);
  ok(commitsMax > 0, `${commits} commits`);
  await killOnTheWay({ ...programOn(folder.path), kills: KILLS, commitsMax });
  await withStore(path, async (store) => {
    assertEquals((await findLayout(store)).layout, LAYOUT);
    assertEquals({ ...await tablesOf(store), prt: "" }, { ...tables, prt: "" });
    requireTraces(await tracesOf(store), traces);
    assertEquals(await Array.fromAsync(findDisagreements(store)), []);
  });
});
