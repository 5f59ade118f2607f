import {
  dirtyQueue,
  type OutboxListener,
  publish,
  relayOutbox,
  walkEvents,
} from "../../../src/platform/events/outbox_store.ts";
import type { OutboxEvent, RelayedEvent } from "../../../src/platform/events/event.ts";
import { type Store, transact } from "../../../src/platform/store/kv.ts";
import { openMemoryStore } from "../../memory_store.ts";
import { onEveryStore } from "../../stores.ts";
import { watchedStore } from "../../watched_store.ts";
import { contextOf, createTestClock, WORKSPACE, workspaceNumber } from "../jobs/counting.ts";
import {
  countingListener,
  dirty,
  handledCounts,
  priceChanged,
  productId,
  publishAll,
  relaySetup,
} from "./outbox.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { testWith } from "../../opened.ts";
import { addProduct, addRule, priceOf, push, statuses } from "../../rules/evaluation/market.ts";
import { startTestApp } from "../../harness.ts";
import { PATIENCE_MS } from "../../patience.ts";
import { startReceiver } from "../../messages/receiver.ts";

async function open() {
  const store = await openMemoryStore();
  const clock = createTestClock();
  const ctx = contextOf(store, clock);
  return {
    store,
    clock,
    ctx,
    publish: (...events: OutboxEvent[]) => publishAll(ctx, events),
    relay: (
      listeners?: readonly OutboxListener[],
      watch: Parameters<typeof watchedStore>[1] = {},
    ) => relayOutbox(relaySetup(watchedStore(store, watch), clock, listeners)),
    rows: async (table = "nw") =>
      (await Array.fromAsync(store.kv.list({ prefix: [table] }))).length,
    /** Returns the number of handled products, then the distinct counts, such as `[3, 1]`. */
    handled: async () => {
      const counts = await handledCounts(store);
      return [counts.size, ...new Set(counts.values())];
    },
    [Symbol.dispose]: () => store.kv.close(),
  };
}

/** Like `countingListener`, but throws for events that `isBad` accepts. */
function chokingListener(isBad: (event: OutboxEvent) => boolean): OutboxListener {
  return {
    handle(write, ctx, relayed) {
      if (isBad(relayed.event)) throw new Error("no appetite");
      return countingListener.handle(write, ctx, relayed);
    },
  };
}

const withOutbox = testWith(open);

withOutbox.test("publish() writes no event when its commit fails", async (bench) => {
  await transact(bench.ctx, async (write) => {
    publish(write, bench.ctx, [priceChanged(1)]);
    const isFirst = (await bench.store.kv.get(["taken"])).value === null;
    write.check(["taken"], isFirst ? null : (await bench.store.kv.get(["taken"])).versionstamp);
    if (isFirst) await bench.store.kv.set(["taken"], true);
  });
  assertEquals(await bench.rows(), 1, "the lost race left nothing, the second try one row");
});

onEveryStore.test("relayOutbox() gives each event once to each listener, and leaves no row", async (store) => {
  const clock = createTestClock();
  for (let n = 1; n <= 5; n++) {
    const ctx = contextOf(store, clock, workspaceNumber(n));
    await publishAll(ctx, [priceChanged(n), dirty(1_000 * n, 250), priceChanged(n + 100)]);
  }
  await Promise.all([1, 2].map(() => relayOutbox(relaySetup(store, clock))));
  const counts = await handledCounts(store);
  assertEquals([counts.size, new Set(counts.values())], [5 * 252, new Set([1])]);
  assertEquals(await Array.fromAsync(store.kv.list({ prefix: ["nw"] })), []);
  const waiting = await Array.fromAsync(dirtyQueue.list(store, [workspaceNumber(3)]));
  const sizes = waiting.map(({ value }) => value.productIds.length).sort((a, b) => a - b);
  assertEquals(sizes, [50, 100, 100]);
});

withOutbox.test("relayOutbox() handles large rows in several commits, and each event has one id, which no other event has", async (bench) => {
  const relayed: RelayedEvent[] = [];
  const bulky: OutboxListener = {
    handle(write, _ctx, one) {
      relayed.push(one);
      for (let n = 0; n < 100; n++) write.set(["bulk", one.eventId, n], "x");
      return Promise.resolve();
    },
  };
  await bench.publish(...Array.from({ length: 60 }, (_, n) => priceChanged(n)));
  await bench.relay([bulky]);
  await bench.publish(priceChanged(1), priceChanged(1));
  await bench.relay([bulky]);
  assertEquals(await bench.rows("bulk"), 6_200);
  assertEquals(new Set(relayed.map(({ eventId }) => eventId)).size, 62);
  assertEquals(await bench.rows(), 0);
});

withOutbox.test("publish() splits events that do not fit into a row, and writes nothing for an empty list", async (bench) => {
  await bench.publish(dirty(0, 0));
  assertEquals(await bench.rows(), 0);
  await bench.publish(dirty(0, 5_000));
  const list = bench.store.kv.list<{ bytes: Uint8Array }>({ prefix: ["nw"] });
  const rows = await Array.fromAsync(list);
  ok(rows.length > 1);
  ok(rows.every(({ value }) => value.bytes.length <= 60_000));
  await bench.relay();
  assertEquals(await bench.handled(), [5_000, 1]);
});

withOutbox.test("relayOutbox() continues with other rows when a listener fails, and retries the failed row later", async (bench) => {
  let isIll = true;
  const ids: string[] = [];
  const isFirst = ({ data }: OutboxEvent) => "sku" in data && data.sku === "SKU-1";
  const noting: OutboxListener = {
    handle(_write, _ctx, { event, eventId }) {
      if (isFirst(event)) ids.push(eventId);
      return Promise.resolve();
    },
  };
  const choking = chokingListener((event) => isIll && isFirst(event));
  const setup = relaySetup(bench.store, bench.clock, [noting, choking]);
  await bench.publish(priceChanged(1));
  await bench.publish(priceChanged(2));
  await relayOutbox(setup);
  const key = (n: number) => `${bench.ctx.workspaceId} price.changed ${productId(n)}`;
  assertEquals(await handledCounts(bench.store), new Map([[key(2), 1]]));
  isIll = false;
  bench.clock.advance(60_000);
  await relayOutbox(setup);
  assertEquals(await handledCounts(bench.store), new Map([[key(1), 1], [key(2), 1]]));
  assertEquals(new Set(ids).size, 1, "the event keeps its id");
});

withOutbox.test("relayOutbox() handles waiting rows in few commits, and takes a failing row out of the batch", async (bench) => {
  for (let n = 1; n <= 30; n++) await bench.publish(priceChanged(n));
  const choking = chokingListener(({ data }) => "sku" in data && data.sku === "SKU-13");
  let commits = 0;
  const committed = () => Promise.resolve(void commits++);
  await bench.relay([choking], { committed });
  assertEquals(await bench.handled(), [29, 1]);
  assertEquals(await bench.rows(), 1, "it waits alone");
  ok(commits <= 8, `${commits} commits`);
});

withOutbox.test("relayOutbox() also handles rows with an earlier time, as many as fit into a commit", async (bench) => {
  await bench.publish(priceChanged(100));
  const earlier = contextOf(bench.store, {
    ...bench.clock,
    now: () => new Date(bench.clock.now().getTime() - 1_000),
  });
  let isFirst = true;
  const listed = async () => {
    if (!isFirst) return;
    isFirst = false;
    for (let n = 1; n <= 30; n++) await publishAll(earlier, [priceChanged(n)]);
  };
  await bench.relay(undefined, { listed });
  assertEquals(await bench.handled(), [31, 1]);
  await bench.relay();
  assertEquals(await bench.rows(), 0);
});

withOutbox.test("relayOutbox() relays events at once that were written before the clock went back an hour", async (bench) => {
  await bench.publish(dirty(0, 150), priceChanged(1));
  bench.clock.advance(-3_600_000);
  await bench.publish(priceChanged(2));
  await bench.relay();
  assertEquals(await bench.handled(), [152, 1]);
  assertEquals(await bench.rows(), 0);
});

withOutbox.test("relayOutbox() leaves events of a later time to the next call, which relays them together", async (bench) => {
  let commits = 0;
  const committed = async () => {
    if (++commits > 5) return;
    bench.clock.advance(1);
    await bench.publish(priceChanged(100 + commits));
  };
  await bench.publish(priceChanged(1));
  await bench.relay(undefined, { committed });
  assertEquals([commits, await bench.rows()], [1, 1]);
  await bench.relay();
  assertEquals(await bench.rows(), 0);
});

async function logged(store: Store, from: readonly [number, number] = [0, 0]) {
  const prices: unknown[] = [];
  let place = from;
  for await (const { event, behind } of walkEvents({ store, workspaceId: WORKSPACE }, from)) {
    if ("toCents" in event.data) prices.push(event.data.toCents);
    place = behind;
  }
  return { prices, place };
}

withOutbox.test("an event whose consumer fails is logged once, before later ones of its product", async (bench) => {
  let isIll = true;
  const choking = chokingListener(({ data }) => isIll && "toCents" in data && data.toCents === 2);
  await bench.publish(dirty(0, 150), priceChanged(1, 1));
  await bench.publish(priceChanged(1, 2));
  await bench.publish(priceChanged(1, 3));
  await bench.relay([choking]);
  assertEquals((await logged(bench.store)).prices, [1, 2, 3]);
  isIll = false;
  bench.clock.advance(60_000);
  await bench.relay([choking]);
  assertEquals((await logged(bench.store)).prices, [1, 2, 3]);
});

withOutbox.test("long rows of events are logged completely, in several commits", async (bench) => {
  for (let part = 0; part < 3; part++) {
    await bench.publish(...Array.from({ length: 300 }, (_, n) => priceChanged(n, 300 * part + n)));
  }
  await bench.relay([]);
  assertEquals((await logged(bench.store)).prices, Array.from({ length: 900 }, (_, n) => n));
});

onEveryStore.test("a concurrent reader of the log misses no event of two processes whose clocks differ by an hour", async (store) => {
  const clocks = [createTestClock(), createTestClock()];
  clocks[1]?.advance(-3_600_000);
  const read: unknown[] = [];
  let place: readonly [number, number] = [0, 0];
  for (let round = 0; round < 20; round++) {
    await Promise.all(clocks.map(async (clock, at) => {
      const prices = Array.from({ length: 3 }, (_, n) => priceChanged(n, 6 * round + 3 * at + n));
      await publishAll(contextOf(store, clock), prices);
      await relayOutbox(relaySetup(store, clock, []));
    }));
    const more = await logged(store, place);
    read.push(...more.prices);
    place = more.place;
  }
  for (const clock of clocks) {
    clock.advance(7_200_000);
    await relayOutbox(relaySetup(store, clock, []));
  }
  read.push(...(await logged(store, place)).prices);
  assertEquals(read.toSorted((a, b) => Number(a) - Number(b)), Array.from(read.keys()));
  assertEquals([read.length, (await logged(store)).prices], [120, read]);
});

Deno.test("a pushed price is evaluated, proposed and sent to a webhook without polling any queue", async () => {
  await using receiver = startReceiver();
  const env = { SCRAPE_ALLOW_PRIVATE: "127.0.0.1" };
  await using app = await startTestApp({ env, sweepMs: 2 * PATIENCE_MS });
  const hook = { url: `${receiver.url}/hook`, events: ["proposal.created", "proposal.decided"] };
  await app.owner.create("/api/webhooks", hook);
  await addRule(app.owner);
  const productId = await addProduct(app.owner, "A");
  await push(app, [["A", "acme", 90]]);
  await receiver.received(1);
  assertEquals(await statuses(app.owner), [["open", 9_000]]);
  const [proposal] = (await app.owner.read("/api/proposals")).items;
  await app.manager.act(`/api/proposals/${proposal.id}/approve`);
  await receiver.received(2);
  assertEquals(receiver.receipts.map(({ body }) => body.type), hook.events);
  assertEquals(await priceOf(app.owner, productId), 9_000);
});
