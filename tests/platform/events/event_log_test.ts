import { deepStrictEqual as assertEquals } from "node:assert/strict";
import {
  type OutboxListener,
  relayOutbox,
  walkEvents,
} from "../../../src/platform/events/outbox_store.ts";
import type { Store } from "../../../src/platform/store/kv.ts";
import { withStore } from "../../memory_store.ts";
import { onEveryStore } from "../../stores.ts";
import { contextOf, createTestClock, WORKSPACE } from "../jobs/counting.ts";
import { dirty, priceChanged, publishAll, relaySetup } from "./outbox.ts";

async function logged(store: Store, from: readonly [number, number] = [0, 0]) {
  const prices: unknown[] = [];
  let place = from;
  for await (const { event, behind } of walkEvents({ store, workspaceId: WORKSPACE }, from)) {
    if ("toCents" in event.data) prices.push(event.data.toCents);
    place = behind;
  }
  return { prices, place };
}

withStore.test("an event whose consumer fails is logged once, before later ones of its product", async (store) => {
  const clock = createTestClock();
  const ctx = contextOf(store, clock);
  let isIll = true;
  const choking: OutboxListener = {
    handle(_write, _ctx, { event }) {
      const isBad = event.type === "price.changed" && event.data.toCents === 2;
      if (isBad && isIll) throw new Error("no appetite");
      return Promise.resolve();
    },
  };
  await publishAll(ctx, [dirty(0, 150), priceChanged(1, 1)]);
  await publishAll(ctx, [priceChanged(1, 2)]);
  await publishAll(ctx, [priceChanged(1, 3)]);
  await relayOutbox(relaySetup(store, clock, [choking]));
  assertEquals((await logged(store)).prices, [1, 2, 3]);
  isIll = false;
  clock.advance(60_000);
  await relayOutbox(relaySetup(store, clock, [choking]));
  assertEquals((await logged(store)).prices, [1, 2, 3]);
});

withStore.test("long rows of events are logged completely, in several commits", async (store) => {
  const clock = createTestClock();
  for (let part = 0; part < 3; part++) {
    const prices = Array.from({ length: 300 }, (_, n) => priceChanged(n, 300 * part + n));
    await publishAll(contextOf(store, clock), prices);
  }
  await relayOutbox(relaySetup(store, clock, []));
  assertEquals((await logged(store)).prices, Array.from({ length: 900 }, (_, n) => n));
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
