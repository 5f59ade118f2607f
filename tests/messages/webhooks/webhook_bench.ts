/** A store with webhooks, a settable clock, and a sender that tests start step by step. */

import { ok } from "node:assert/strict";
import { createWebhook } from "../../../src/messages/webhooks/webhook.ts";
import { deliveries } from "../../../src/messages/webhooks/delivery_store.ts";
import {
  createDeliverer,
  type DeliverySetup,
  webhookListener,
} from "../../../src/messages/webhooks/deliver.ts";
import type { OutboxEvent } from "../../../src/platform/events/event.ts";
import { relayOutbox } from "../../../src/platform/events/outbox_store.ts";
import { parseAllowList } from "../../../src/platform/fetch/fetch_limits.ts";
import { createSafeFetch } from "../../../src/platform/fetch/safe_fetch.ts";
import { roomLog } from "../../../src/platform/log.ts";
import { addTestWorkspace } from "../../catalogue/catalogue_workspace.ts";
import { openMemoryStore } from "../../memory_store.ts";
import { PATIENCE_MS } from "../../patience.ts";
import { publishAll, relaySetup } from "../../platform/events/outbox.ts";
import { createTestClock } from "../../platform/jobs/counting.ts";

const PRIVATE = parseAllowList(["127.0.0.1"]);
if (!("allowed" in PRIVATE)) throw new Error("The list of the tests is wrong");
export const LIMITS = { allowed: PRIVATE.allowed, ports: new Set([80, 443]) };

export async function openWebhookBench() {
  const store = await openMemoryStore();
  // Only tests advance the clock. The clock starts at the current time, because the library
  // `standardwebhooks`, which checks the signatures, refuses old signatures.
  const clock = createTestClock(Date.now());
  const safeFetch = createSafeFetch({
    ...LIMITS,
    userAgent: "test",
    resolve: () => Promise.resolve(["127.0.0.1"]),
    dial: (address, port) => ({ address, port }),
  });
  const setup: DeliverySetup = {
    store,
    clock,
    // The timeout is long, because a busy machine may be slow. No test waits for the timeout.
    fetch: (request) => safeFetch({ ...request, timeoutMs: PATIENCE_MS }),
    alerts: { isMailOn: false },
    log: roomLog("webhooks"),
    sweepMs: 600_000,
    random: () => 0.5,
  };
  const secrets = new Map<string, string>();
  const stopping = new AbortController();
  const newWorkspace = () => addTestWorkspace(store, clock);
  const ctx = await newWorkspace();
  return {
    store,
    ctx,
    setup,
    stopping,
    advance: clock.advance,
    /** The context of another workspace. Its id is higher than those of earlier workspaces. */
    newWorkspace,
    secretOf: (path: string) => secrets.get(path) ?? null,
    async webhook(url: string, of = ctx) {
      const settings = { url, events: ["price.changed" as const], enabled: true };
      const made = await createWebhook(of, settings, LIMITS);
      secrets.set(new URL(url).pathname, made.secret);
      return made;
    },
    announce,
    deliver,
    async send(...events: readonly OutboxEvent[]) {
      await announce(events);
      return await deliver();
    },
    log: async (webhookId: string) => {
      const page = { within: { webhookId }, order: "desc", limit: 1_000 } as const;
      return (await deliveries.list(ctx, page)).map(({ row }) => row);
    },
    /** The only delivery of a webhook, or the newest one. */
    newest: async (webhookId: string) => {
      const page = { within: { webhookId }, order: "desc", limit: 1 } as const;
      const [newest] = await deliveries.list(ctx, page);
      ok(newest, "There is no delivery");
      return newest.row;
    },
    rows: async (table: string) =>
      (await Array.fromAsync(store.kv.list({ prefix: [table] }))).length,
    [Symbol.dispose]: () => store.kv.close(),
  };

  /** Publishes events and relays them, so that their deliveries become due. */
  async function announce(events: readonly OutboxEvent[], of = ctx): Promise<void> {
    await publishAll(of, events);
    await relayOutbox(relaySetup(store, clock, [webhookListener]));
  }

  /** Sends all due deliveries. Returns the milliseconds until the next attempt. */
  async function deliver(deliverer = createDeliverer(setup)): Promise<number | null> {
    let nextMs: number | null;
    do {
      await deliverer.round(stopping.signal);
      await deliverer.drain();
      nextMs = await nextDueMs();
    } while (nextMs !== null && nextMs <= 0);
    return nextMs;
  }

  async function nextDueMs(): Promise<number | null> {
    const rows = await Array.fromAsync(store.kv.list({ prefix: ["wdu"] }));
    const dues = rows.map(({ key }) => Number(key[3]));
    return dues.length === 0 ? null : Math.min(...dues) - clock.now().getTime();
  }
}
