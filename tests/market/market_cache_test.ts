import { DAY_MS, HOUR_MS } from "../../src/base/time.ts";
import {
  findLogEnd,
  findLogSweep,
  listChanges,
  noteProduct,
} from "../../src/catalogue/products/change_log_store.ts";
import type { MarketTable } from "../../src/market/table/market_table.ts";
import { createMarketSource } from "../../src/market/market_source.ts";
import { type Store, transact } from "../../src/platform/store/kv.ts";
import { createRuleCache } from "../../src/rules/rule.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { until } from "../patience.ts";
import { addProduct, addRule, push, untilJudged } from "../rules/evaluation/market.ts";
import { watchedStore } from "../watched_store.ts";
import { openMarketCache, type Reader, saidByStore, statementAuthor } from "./market_reader.ts";
import { deepStrictEqual as assertEquals, ok, rejects } from "node:assert/strict";
import { extent } from "../proof.ts";
import { createIdSource } from "../../src/base/id.ts";
import { openMemoryStore } from "../memory_store.ts";
import { onEveryStore } from "../stores.ts";
import { sweepLog } from "../../src/app/composition/schedule.ts";
import fc from "fast-check";

const GROSS = { pricesIncludeVat: true, vatRatePct: 19 };

const readerOf = (app: TestApp, store = app.store): Reader => ({
  store,
  workspaceId: app.workspaceId,
  now: app.clock.now,
});

/** Like another process, this reader is not notified of the app's commits. */
const otherProcess = (app: TestApp) => readerOf(app, watchedStore(app.store, {}));

function priceIn({ table }: { readonly table: MarketTable }, id: string): number | null {
  return table.number("ourCents", table.rowOf(id)!);
}

const SKUS = ["A", "B", "C", "D"];
const SHOPS = ["acme", "bolt", "cord"];
const sku = fc.constantFrom(...SKUS);
const price = fc.integer({ min: 80, max: 120 });

type Change = (app: TestApp, ids: Map<string, string>) => Promise<unknown>;

const pushed = fc.tuple(sku, fc.constantFrom(...SHOPS), price, fc.boolean())
  .map(([of, shop, amount, inStock]): Change => (app) =>
    push(app, [[of, shop, amount]], { inStock })
  );
const onProduct = (send: (app: TestApp, path: string) => Promise<unknown>) =>
  sku.map((of): Change => (app, ids) => send(app, `/api/products/${ids.get(of)}`));

const change = fc.oneof(
  { weight: 4, arbitrary: pushed },
  fc.option(price).chain((ourPrice) =>
    onProduct(({ owner }, path) => owner.patch(path, { ourPrice }))
  ),
  onProduct(({ owner }, path) => owner.delete(path)),
  onProduct(({ owner }, path) => owner.post(`${path}/restore`)),
  sku.map((of): Change => async ({ owner }, ids) => {
    const { items: [match] } = await owner.read(
      `/api/competitor-products?productId=${ids.get(of)}`,
    );
    if (!match) return;
    const patch = { enabled: !match.enabled, packFactor: 2, matchType: "equivalent" };
    await owner.patch(`/api/competitor-products/${match.id}`, patch);
  }),
  fc.boolean().map((enabled): Change => async ({ owner }) => {
    const { items: [shop] } = await owner.read("/api/competitors");
    if (shop) await owner.patch(`/api/competitors/${shop.id}`, { enabled });
  }),
  fc.constantFrom(0, 19).map((vatRatePct): Change => ({ owner }) =>
    owner.patch("/api/settings", { vatRatePct })
  ),
  fc.integer({ min: 1, max: 30 }).map((hours): Change => ({ clock }) =>
    Promise.resolve(clock.advance(hours * HOUR_MS))
  ),
);

withApp.test("after any changes the table equals the store, in its own process and in another", async (app) => {
  await addRule(app.owner);
  const ids = new Map<string, string>();
  for (const one of SKUS) ids.set(one, await addProduct(app.owner, one));
  await using cache = openMarketCache();
  await using other = openMarketCache();
  await other.read(otherProcess(app));
  const severalChanges = fc.array(change, { minLength: 1, maxLength: 8 });
  const property = fc.asyncProperty(severalChanges, async (changes) => {
    for (const one of changes) {
      await one(app, ids).catch(() => {});
      await cache.read(readerOf(app));
    }
    await untilJudged(app);
    const expected = await saidByStore(readerOf(app));
    assertEquals(statementAuthor(await cache.read(readerOf(app))), expected);
    await until("the other process has seen it", async () => {
      const said = statementAuthor(await other.read(otherProcess(app)));
      return JSON.stringify(said) === JSON.stringify(expected);
    });
  });
  await fc.assert(property, { numRuns: extent(12, 6) });
});

onEveryStore.test("changes of a process are in another process's table a little later", async (store) => {
  await using app = await startTestApp({ store });
  await using cache = openMarketCache();
  const id = await addProduct(app.owner, "A");
  const ours = async () => priceIn(await cache.read(otherProcess(app)), id);
  assertEquals(await ours(), 10_000);
  for (const ourPrice of [51, 52, 53]) {
    await app.owner.change(`/api/products/${id}`, { ourPrice });
    await until("the other process has seen it", async () => await ours() === ourPrice * 100);
  }
});

withApp.test("changes while a table is being loaded are in it", async (app) => {
  const id = await addProduct(app.owner, "A");
  let changes = 0;
  const store = watchedStore(app.store, {
    async listed({ prefix }) {
      // The product changes right after it was read, so the cache has outdated data.
      if (prefix?.[0] !== "p" || changes++ > 0) return;
      await app.owner.change(`/api/products/${id}`, { ourPrice: 77 });
    },
  });
  await using cache = openMarketCache();
  const current = await cache.read(readerOf(app, store));
  assertEquals([changes, priceIn(current, id)], [1, 7_700]);
});

withApp.test("after a failed read, the next one includes all changes, also those by time alone", async (app) => {
  const id = await addProduct(app.owner, "A");
  await push(app, [["A", "acme", 90]]);
  let isAway = false;
  const store = watchedStore(app.store, {
    got([key]) {
      return isAway && key?.[0] === "p" ? Promise.reject(new Error("away")) : Promise.resolve();
    },
  });
  const reader = readerOf(app, store);
  await using cache = openMarketCache();
  const state = async () => statementAuthor(await cache.read(reader))[id]?.state;
  assertEquals(await state(), "ok");
  app.clock.advance(49 * HOUR_MS);
  isAway = true;
  await rejects(cache.read(reader), { message: "away" });
  isAway = false;
  assertEquals(await state(), "stale");
});

withApp.test("a reloaded table shows the facts of now, even if its last time was ahead of the clock", async (app) => {
  const id = await addProduct(app.owner, "A");
  const other = await addProduct(app.owner, "B");
  await push(app, [["A", "acme", 90]]);
  await using cache = openMarketCache();
  // A price that is exactly 48 hours old still counts as current.
  app.clock.advance(48 * HOUR_MS);
  for (const ourPrice of [1, 2, 3, 4, 5]) {
    await app.owner.change(`/api/products/${other}`, { ourPrice, reason: "As drawn" });
    await cache.read(readerOf(app));
  }
  const { table, asOfMs } = await cache.read(readerOf(app));
  ok(asOfMs > app.clock.now().getTime());
  await app.owner.change("/api/settings", GROSS);
  const anew = await cache.read(readerOf(app));
  ok(anew.table !== table);
  assertEquals(statementAuthor(anew)[id]?.state, "ok");
});

withApp.test("workspaces share one memory limit: the least recently used table is dropped, and one too large is refused", async (app) => {
  await addProduct(app.owner, "A");
  const stranger = await app.strangerOwner();
  await addProduct(stranger, "B");
  const { id } = await stranger.read("/api/settings");
  await using cache = openMarketCache(15_000);
  const mine = await cache.read(readerOf(app));
  ok(cache.size() <= 15_000, String(cache.size()));
  const theirs = await cache.read({ ...readerOf(app), workspaceId: id });
  ok(cache.size() < mine.table.memoryBytes + theirs.table.memoryBytes);
  ok((await cache.read(readerOf(app))).table !== mine.table);
  await using tiny = openMarketCache(100);
  await rejects(tiny.read(readerOf(app)), { code: "market_too_large" });
});

withApp.test("under many changes a table is not loaded again and again, and lists have the facts of now", async (app) => {
  await using cache = openMarketCache(undefined, { smallMax: 0, backOffFactor: Infinity });
  const reader = readerOf(app);
  await addProduct(app.manager, "A-1");
  const { table } = await cache.read(reader);
  const id = await addProduct(app.manager, "A-2");
  await changeMany(app);
  const { markets } = await createMarketSource(cache, createRuleCache()).beside(reader, [id]);
  assertEquals(markets.get(id)?.state, "no_links");
  const current = await cache.read(reader);
  assertEquals([current.isBehind, current.table === table], [true, true]);
  await using soon = openMarketCache(undefined, { smallMax: 0, backOffFactor: 0 });
  const first = await soon.read(reader);
  await changeMany(app);
  await until("it is loaded again", async () => (await soon.read(reader)).table !== first.table);
});

withApp.test("a table whose catalogue has become too large is dropped", async (app) => {
  await using cache = openMarketCache(600, { smallMax: 0, backOffFactor: 0 });
  const reader = readerOf(app);
  await addProduct(app.manager, "A-1");
  await cache.read(reader);
  for (const sku of ["A-2", "A-3"]) await addProduct(app.manager, sku);
  await changeMany(app);
  await cache.read(reader);
  await until("it is let go", () => cache.size() === 0);
  await rejects(cache.read(reader), { code: "market_too_large" });
});

withApp.test("a caller whose table is not loaded in time gets 503, and later the table", async (app) => {
  await addProduct(app.owner, "A");
  const reader = readerOf(app);
  const gate = Promise.withResolvers<void>();
  const held = watchedStore(reader.store, {
    async listed({ prefix }) {
      if (prefix?.[0] === "p") await gate.promise;
    },
  });
  await using cache = openMarketCache(undefined, { smallMax: 0, patienceMs: 20 });
  const slow = readerOf(app, held);
  await rejects(cache.read(slow), { code: "unavailable" });
  await rejects(cache.readLabelled(slow), { code: "unavailable" });
  // `readIfLoaded` never waits, so it returns null while the table is being loaded.
  assertEquals(await cache.readIfLoaded(slow), null);
  gate.resolve();
  for (let isThere = false; !isThere;) {
    isThere = await cache.read(slow).then(() => true, () => false);
  }
  assertEquals(statementAuthor(await cache.read(slow)), await saidByStore(reader));
});

/** Records changes of 2,001 products, so many that the cache loads its table again. */
const changeMany = (app: TestApp) =>
  transact(app, (write) => {
    for (let n = 0; n <= 2_000; n++) noteProduct(write, app.workspaceId, app.app.clock.newId());
  });

const newId = createIdSource(() => Date.parse("2026-03-02"), (count) => new Uint8Array(count));

const note = (store: Store, workspaceId: string, ids: readonly string[]) =>
  transact({ store }, (write) => {
    for (const id of ids) noteProduct(write, workspaceId, id);
  });

onEveryStore.test("each commit appends one row, with every product once", async (store) => {
  const workspace = { store, workspaceId: newId() };
  const [a, b, c] = [newId(), newId(), newId()];
  assertEquals(await findLogEnd(workspace), "");
  await note(store, workspace.workspaceId, [a, b, a]);
  await note(store, newId(), [c]);
  await note(store, workspace.workspaceId, [c]);
  const changes = await listChanges(workspace, "", 10);
  assertEquals(changes.map(({ productIds }) => productIds), [[a, b], [c]]);
  assertEquals(await listChanges(workspace, changes[0]!.position, 10), changes.slice(1));
  assertEquals(await findLogEnd(workspace), changes[1]!.position);
});

onEveryStore.test("a reader that continues at its position sees every commit of many writers once, in order", async (store) => {
  const workspace = { store, workspaceId: newId() };
  const written = Array.from({ length: 60 }, newId);
  const seen: string[] = [];
  let position = "";
  let reading: Promise<void> = Promise.resolve();
  const readOnce = () =>
    reading = reading.then(async () => {
      for (const change of await listChanges(workspace, position, 7)) {
        ok(change.position > position);
        ({ position } = change);
        seen.push(...change.productIds);
      }
    });
  const writers = [0, 1, 2, 3].map(async (writer) => {
    for (let n = writer; n < written.length; n += 4) {
      await note(store, workspace.workspaceId, [written[n]!]);
      if (n % 3 === 0) await readOnce();
    }
  });
  await Promise.all(writers);
  await until("everything has been seen", async () => {
    await readOnce();
    return seen.length >= written.length;
  });
  assertEquals(seen.toSorted(), written.toSorted());
});

Deno.test("sweeping keeps a day of the log, and a table further behind is loaded again", async () => {
  const store = await openMemoryStore();
  await using app = await startTestApp({ store });
  const { clock, workspaceId } = app;
  const reader = { store, workspaceId, now: clock.now };
  const count = async () => (await listChanges(reader, "", 1_000)).length;
  await using cache = openMarketCache();
  const id = await addProduct(app.owner, "A");
  const { table } = await cache.read(reader);
  await using other = openMarketCache();
  await other.read(reader);
  for (let n = 0; n < 3; n++) await app.owner.patch(`/api/products/${id}`, { ourPrice: 50 + n });
  await cache.read(reader);
  await sweepLog(reader);
  await sweepLog(reader);
  assertEquals(await count(), 4);
  clock.advance(DAY_MS);
  await app.owner.patch(`/api/products/${id}`, { ourPrice: 60 });
  await sweepLog(reader);
  assertEquals(await count(), 1);
  assertEquals((await findLogSweep(reader))?.swept !== "", true);
  // The sweep deleted only changes that `cache` had read, so `cache` keeps its table. `other` had
  // missed some of them, so it loads its table again.
  const kept = await cache.read(reader);
  ok(kept.table === table);
  assertEquals(priceIn(kept, id), 6_000);
  // After a slow load, the cache may wait before it loads again.
  const isAgain = async () => priceIn(await other.read(reader), id) === 6_000;
  await until("the table is loaded again", isAgain);
  clock.advance(DAY_MS);
  await sweepLog(reader);
  assertEquals(await count(), 0);
  assertEquals(await findLogEnd(reader), (await findLogSweep(reader))?.swept);
  await app.app.drain();
});
