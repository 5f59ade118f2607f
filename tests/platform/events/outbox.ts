import type { OutboxEvent } from "../../../src/platform/events/event.ts";
import {
  dirtyListener,
  type OutboxListener,
  publish,
  type RelaySetup,
} from "../../../src/platform/events/outbox_store.ts";
import { roomLog } from "../../../src/platform/log.ts";
import type { ClockAndIds, Context } from "../../../src/platform/store/context.ts";
import { type Store, transact } from "../../../src/platform/store/kv.ts";
import { WalkPosition } from "../../../src/platform/store/row_queue_store.ts";

export const productId = (n: number) => n.toString(16).padStart(24, "0");

export function priceChanged(n: number, toCents = 200): OutboxEvent {
  return {
    type: "price.changed",
    data: {
      changeId: productId(n),
      productId: productId(n),
      sku: `SKU-${n}`,
      at: "2026-11-20T09:00:00.000Z",
      fromCents: 100,
      toCents,
      currency: "EUR",
      source: "api",
      ref: null,
    },
  };
}

export function dirty(from: number, count: number): OutboxEvent {
  const productIds = Array.from({ length: count }, (_, n) => productId(from + n));
  return { type: "products.touched", data: { cause: "import", ref: null, productIds } };
}

/** Counts for each product how often its events were handled. */
export const countingListener: OutboxListener = {
  handle(write, { workspaceId }, { event }) {
    const ids = event.type === "products.touched"
      ? event.data.productIds
      : event.type === "price.changed"
      ? [event.data.productId]
      : [];
    for (const id of ids) write.sum(["handled", workspaceId, event.type, id], 1);
    return Promise.resolve();
  },
};

export function relaySetup(
  store: Store,
  clock: ClockAndIds,
  listeners: readonly OutboxListener[] = [countingListener, dirtyListener],
): RelaySetup {
  return { store, clock, listeners, log: roomLog("events"), position: new WalkPosition() };
}

export async function publishAll(ctx: Context, events: readonly OutboxEvent[]): Promise<void> {
  await transact(ctx, (write) => {
    publish(write, ctx, events);
  });
}

export async function handledCounts({ kv }: Store): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const { key, value } of kv.list<Deno.KvU64>({ prefix: ["handled"] })) {
    counts.set(key.slice(1).join(" "), Number(value.value));
  }
  return counts;
}
