/**
 * A table from a checkpoint equals a table from the catalogue. Unusable checkpoints are ignored.
 */
import { HOUR_MS } from "../../src/base/time.ts";
import { deepStrictEqual as assertEquals, ok, rejects, throws } from "node:assert/strict";
import { idBytes } from "../../src/base/id.ts";
import { findLogSweep, listChanges } from "../../src/catalogue/products/product_mark_store.ts";
import { countCheckpointParts, sweepLog } from "../../src/market/current/checkpoint.ts";
import { checkMarket } from "../../src/market/check_market.ts";
import type { MarketCache } from "../../src/market/current/market_cache.ts";
import { MarketCounters } from "../../src/market/current/kept_table.ts";
import { MarketTable } from "../../src/market/table/market_table.ts";
import { contextOf, seedOffers } from "../bench/seed_offers.ts";
import { addRule, push, untilJudged } from "../rules/evaluation/market.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { openMemoryStore } from "../memory_store.ts";
import { until } from "../patience.ts";
import { notingReads } from "../noted_reads.ts";
import { testWith } from "../opened.ts";
import { watchedStore } from "../watched_store.ts";
import { openMarketCache, type Reader, saidByStore, statementAuthor } from "./market_reader.ts";
import { extent } from "../proof.ts";

const PRODUCTS = extent(700, 300);

interface Scene extends AsyncDisposable {
  readonly app: TestApp;
  readonly reader: Reader;
  /** Opens a new cache, as a starting process would. The scene closes it. */
  open(smallMax?: number): MarketCache;
  countersOf(cache: MarketCache): MarketCounters;
  checkpoint(): Promise<void>;
  /** Number of times that a new process reads the catalogue when it loads its table. */
  loadReads(): Promise<number>;
}

/** Creates a catalogue with offers, a rule and proposals. */
async function setScene(): Promise<Scene> {
  const memoryStore = await openMemoryStore();
  const { store, takeCalls } = notingReads(memoryStore);
  const app = await startTestApp({ store });
  await seedOffers(contextOf(app), { products: PRODUCTS, shops: 3 });
  await addRule(app.owner, { scope: { mode: "sku", list: ["SKU-0000003", "SKU-0000250"] } });
  await push(app, [["SKU-0000003", "acme", 50], ["SKU-0000250", "acme", 60]]);
  await untilJudged(app);
  const { workspaceId, clock } = app;
  const reader = { store, workspaceId, now: clock.now };
  const opened = new Map<MarketCache, MarketCounters>();
  const open = (smallMax = 0) => {
    const counters = new MarketCounters();
    const cache = openMarketCache(undefined, { smallMax, counters });
    opened.set(cache, counters);
    return cache;
  };
  return {
    app,
    reader,
    open,
    countersOf: (cache) => opened.get(cache) ?? new MarketCounters(),
    async checkpoint() {
      const cache = open();
      await cache.read(reader);
      clock.advance(HOUR_MS);
      await cache.tend();
    },
    async loadReads() {
      takeCalls();
      await open().read(reader);
      return takeCalls().filter((call) => call === "list p").length;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...opened.keys()].map((cache) => cache.close()));
      await app[Symbol.asyncDispose]();
      memoryStore.kv.close();
    },
  };
}

/** A packed link: shop, mark, traits and price per unit. */
const LINK_BYTES = 4 + 4 + 1 + 8;

const withScene = testWith(setScene);

withScene.test("packed rows are unpacked unchanged, in parts of any size, with gaps, offers and proposals", async (scene) => {
  const { app: { owner }, reader } = scene;
  const { items } = await owner.read("/api/products?limit=200");
  const cache = scene.open();
  await cache.read(reader);
  for (const { id } of items.slice(40, 60)) await owner.delete(`/api/products/${id}`);
  const { table, terms } = await cache.read(reader);
  const said = statementAuthor({ table, terms });
  assertEquals(Object.keys(said).length, PRODUCTS - 20);
  ok(Object.values(said).filter(({ proposal }) => proposal !== null).length === 2);
  for (const bytesMax of [1, 700, 60_000, 10_000_000]) {
    const copy = new MarketTable(0);
    for (let from = 0; from < table.rows;) {
      const { bytes, until } = table.pack(from, bytesMax);
      ok(until === from + 1 || bytes.length <= bytesMax, `${bytes.length}`);
      copy.unpack(bytes);
      from = until;
    }
    copy.setLists(table.lists());
    assertEquals(statementAuthor({ table: copy, terms }), said);
    assertEquals([copy.size, copy.rows], [table.size, table.rows]);
    for (let row = 0; row < table.rows; row++) {
      assertEquals([...copy.offersOf(row)], [...table.offersOf(row)]);
    }
  }
  const { bytes } = table.pack(0, 700);
  const oneLinkMore = new Uint8Array([...bytes, ...new Uint8Array(LINK_BYTES)]);
  const counts = new Uint32Array(oneLinkMore.buffer, 0, 2);
  counts[1] = (counts[1] ?? 0) + 1;
  for (const wrong of [bytes.slice(0, -1), new Uint8Array([...bytes, 0]), oneLinkMore]) {
    throws(() => new MarketTable(0).unpack(wrong), RangeError);
  }
});

withScene.test("a process that starts from a checkpoint reads no catalogue, and knows later changes", async (scene) => {
  const { app, reader } = scene;
  assertEquals(await scene.loadReads(), 1);
  await scene.checkpoint();
  const { items } = await app.owner.read("/api/products?limit=3");
  await app.owner.change(`/api/products/${items[0].id}`, { ourPrice: 7, reason: "As drawn" });
  await app.owner.remove(`/api/products/${items[1].id}`);
  await push(app, [["SKU-0000007", "acme", 61]]);
  await untilJudged(app);
  assertEquals(await scene.loadReads(), 0);
  const quick = scene.open();
  assertEquals(statementAuthor(await quick.read(reader)), await saidByStore(reader));
  assertEquals(scene.countersOf(quick).loads, { catalogue: 0, checkpoint: 1 });
  ok(scene.countersOf(quick).productsReadAnew >= 3);
  // Two days later all offers are stale without any write, so all products are read again.
  app.clock.advance(49 * HOUR_MS);
  const { table } = await scene.open().read(reader);
  assertEquals(table.stateOf(table.rowOf(items[2].id)!), "stale");
  assertEquals(await Array.fromAsync(checkMarket(reader.store, reader.workspaceId)), []);
});

withScene.test("a checkpoint with other terms, another format or missing parts is ignored", async (scene) => {
  const { app, reader } = scene;
  const { kv } = reader.store;
  const workspace = idBytes(app.workspaceId);
  await scene.checkpoint();
  const { value: head } = await kv.get<Record<string, unknown>>(["mkh", workspace]);
  const parts = await Array.fromAsync(kv.list<Uint8Array>({ prefix: ["mkp", workspace] }));
  ok(parts.length > 3);
  const restore = async () => {
    await kv.set(["mkh", workspace], head);
    for (const { key, value } of parts) await kv.set(key, value);
    assertEquals(await scene.loadReads(), 0);
  };
  const [first, , , last] = [parts[0]!, parts[1]!, parts[2]!, parts.at(-1)!];
  const damages: Record<string, () => Promise<unknown>> = {
    "another form": () => kv.set(["mkh", workspace], { ...head, format: "0" }),
    "a part in the middle": () => kv.delete(parts[1]!.key),
    "the last part": () => kv.delete(last.key),
    "a cut part": () => kv.set(first.key, first.value.slice(0, -8)),
    "words that are no JSON": () => kv.set(last.key, new Uint8Array([1, 2, 3])),
    "other rows": () => kv.set(["mkh", workspace], { ...head, rows: 1 }),
  };
  for (const [name, damage] of Object.entries(damages)) {
    await restore();
    await damage();
    assertEquals(await scene.loadReads(), 1);
    assertEquals(statementAuthor(await scene.open().read(reader)), await saidByStore(reader), name);
  }
  await kv.delete(parts[1]!.key);
  const [said = ""] = await Array.fromAsync(checkMarket(reader.store, app.workspaceId));
  ok(said.includes("checkpoint"), said);
  await restore();
  await app.owner.change("/api/settings", { pricesIncludeVat: true, vatRatePct: 19 });
  await untilJudged(app);
  assertEquals(await scene.loadReads(), 1);
});

withScene.test("each checkpoint sweeps the log up to the previous one, and an older table is loaded again", async (scene) => {
  const { app, reader } = scene;
  const { items: [{ id }] } = await app.owner.read("/api/products?limit=1");
  let price = 10;
  const change = () =>
    app.owner.change(`/api/products/${id}`, { ourPrice: price++, reason: "As drawn" });
  const logged = async () => (await listChanges(reader, "", 5_000)).length;
  const behind = scene.open();
  const { table } = await behind.read(reader);
  await change();
  const before = await logged();
  await scene.checkpoint();
  assertEquals(await logged(), before);
  await change();
  await scene.checkpoint();
  assertEquals(await logged(), 1);
  ok((await findLogSweep(reader))?.swept !== "");
  await change();
  await until("the table is another one", async () => (await behind.read(reader)).table !== table);
  const { table: now } = await behind.read(reader);
  assertEquals(now.number("ourCents", now.rowOf(id)!), (price - 1) * 100);
  const counts = await countCheckpointParts(reader);
  assertEquals(counts.size, 1);
  // Without a new checkpoint for two days, the sweep deletes changes that the checkpoint needs, and
  // then the checkpoint.
  for (const _night of [1, 2, 3]) {
    await change();
    app.clock.advance(24 * HOUR_MS);
    await sweepLog(reader);
  }
  assertEquals((await countCheckpointParts(reader)).size, 0);
  assertEquals(await scene.loadReads(), 1);
  assertEquals(await Array.fromAsync(checkMarket(reader.store, reader.workspaceId)), []);
});

withScene.test("if two processes write a checkpoint, the first wins, and nothing of the other stays", async (scene) => {
  const { reader, app } = scene;
  const slow = scene.open();
  const quick = scene.open();
  await quick.read(reader);
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  let commits = 0;
  // Stops the slow process after it has written its parts, but not its head.
  const held = watchedStore(reader.store, {
    async committing() {
      if (++commits !== 2) return;
      reached.resolve();
      await gate.promise;
    },
  });
  await slow.read({ ...reader, store: held });
  const writing = slow.tend();
  await reached.promise;
  await quick.tend();
  gate.resolve();
  await writing;
  const ends = (cache: MarketCache) => scene.countersOf(cache).checkpoints;
  assertEquals(ends(quick), { written: 1, superseded: 0, failed: 0 });
  assertEquals(ends(slow), { written: 0, superseded: 1, failed: 0 });
  const counts = await countCheckpointParts(reader);
  assertEquals(counts.size, 1);
  assertEquals(await scene.loadReads(), 0);
  assertEquals(await Array.fromAsync(checkMarket(app.store, app.workspaceId)), []);
});

withScene.test("a checkpoint of a table in use is at most an hour old, and small catalogues have none", async (scene) => {
  const { app, reader } = scene;
  const writtenAt = async () =>
    (await app.store.kv.get<{ atMs: number }>(["mkh", idBytes(app.workspaceId)])).value?.atMs ??
      null;
  const cache = scene.open();
  const small = scene.open(PRODUCTS + 1);
  await small.read(reader);
  await small.tend();
  await cache.tend();
  assertEquals(await writtenAt(), null);
  const startMs = app.clock.now().getTime();
  await cache.read(reader);
  await cache.tend();
  assertEquals(await writtenAt(), startMs);
  for (let minutes = 1; minutes <= 150; minutes++) {
    app.clock.advance(60_000);
    await cache.tend();
    const ageMs = app.clock.now().getTime() - (await writtenAt() ?? 0);
    ok(ageMs < HOUR_MS, `${ageMs}`);
  }
  app.clock.advance(24 * HOUR_MS);
  const before = await writtenAt();
  await cache.tend();
  assertEquals(await writtenAt(), before);
  await cache.read(reader);
  await cache.tend();
  ok((await writtenAt() ?? 0) > (before ?? 0));
});

withScene.test("a caller whose table is not loaded in time gets 503, and later the table", async ({ reader }) => {
  const gate = Promise.withResolvers<void>();
  const held = watchedStore(reader.store, {
    async listed({ prefix }) {
      if (prefix?.[0] === "p") await gate.promise;
    },
  });
  await using cache = openMarketCache(undefined, { smallMax: 0, patienceMs: 20 });
  const slow = { ...reader, store: held };
  await rejects(cache.read(slow), { code: "unavailable" });
  await rejects(cache.readLabelled(slow), { code: "unavailable" });
  // Lists in the order of ids need no table, so they do not wait.
  assertEquals(await cache.readIfLoaded(slow), null);
  gate.resolve();
  for (let isThere = false; !isThere;) {
    isThere = await cache.read(slow).then(() => true, () => false);
  }
  assertEquals(statementAuthor(await cache.read(slow)), await saidByStore(reader));
});
