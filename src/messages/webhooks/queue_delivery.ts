/** Queues deliveries of events, and deliveries that a person requests. */
import { Failure, noSuch } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { isPublicEvent } from "../../platform/events/event.ts";
import type { OutboxListener } from "../../platform/events/outbox_store.ts";
import { RETRIES_MAX } from "../../platform/jobs/sender.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import type { Found } from "../../platform/store/table.ts";
import { requireWebhook } from "./change_webhook.ts";
import { type Delivery, newDelivery, serialiseDelivery, TEST_TYPE } from "./delivery.ts";
import { isWaitingInLine, joinLine } from "./line_store.ts";
import type { StoredWebhook } from "./webhook.ts";
import { deliveries, dueQueue, webhooks } from "./webhook_store.ts";

/** The webhooks are read once for all events of a commit. */
const known = new WeakMap<Write, Promise<Found<StoredWebhook>[]>>();

function webhooksFor(write: Write, ctx: Context): Promise<Found<StoredWebhook>[]> {
  const found = known.get(write) ?? webhooks.list(ctx);
  known.set(write, found);
  return found;
}

/** Queues a delivery per subscribed webhook, behind earlier deliveries of the same product. */
export const webhookListener: OutboxListener = {
  async handle(write, ctx, { eventId, at, place, event }) {
    if (!isPublicEvent(event)) return;
    const { type, data } = event;
    const productId = "productId" in data ? data.productId : null;
    const line = productId === null ? null : { productId, place };
    for (const { row: { id, enabled, events } } of await webhooksFor(write, ctx)) {
      if (!enabled || !events.includes(type)) continue;
      const delivery = newDelivery(id, { eventId, type, at, data });
      const partition = [ctx.workspaceId, id];
      const value = { failures: 0, isInHand: false, ...(line && { line }) };
      if (line) joinLine(write, partition, delivery.id, line);
      deliveries.put(write, ctx, delivery);
      dueQueue.add(write, { partition, id: delivery.id, dueMs: ctx.now().getTime(), value });
    }
  },
};

/** Adds 8 more attempts, whatever the delivery's status is. */
export async function resendDelivery(
  ctx: Context,
  webhookId: string,
  deliveryId: string,
): Promise<Delivery> {
  const value = await transact(ctx, async (write) => {
    await requireEnabled(ctx, webhookId);
    const found = isId(deliveryId)
      ? await deliveries.find(ctx, { webhookId, id: deliveryId })
      : null;
    if (!found) throw noSuch("delivery", deliveryId);
    const { row: delivery } = found;
    const partition = [ctx.workspaceId, webhookId];
    const dueMs = ctx.now().getTime();
    const waiting = await findWaiting(ctx, partition, deliveryId);
    const value = { ...waiting?.value, failures: 0, isInHand: false };
    const isInHand = waiting?.value.isInHand === true;
    // Keep the due time, by which the sender finds the row of a running attempt.
    if (isInHand) dueQueue.move(write, waiting, waiting.dueMs, { ...value, isInHand });
    if (isInHand || await isWaitingInLine(ctx.store, partition, deliveryId)) {
      ctx.receipt?.put(write, null);
      return delivery;
    }
    const next = {
      ...delivery,
      status: "pending" as const,
      nextAttemptAt: ctx.now().toISOString(),
      finishedAt: null,
    };
    if (waiting) dueQueue.move(write, waiting, dueMs, value);
    else dueQueue.add(write, { partition, id: deliveryId, dueMs, value });
    deliveries.put(write, ctx, next);
    ctx.receipt?.put(write, null);
    return next;
  });
  return serialiseDelivery(value);
}

async function findWaiting({ store }: Context, partition: readonly string[], id: string) {
  for await (const row of dueQueue.list(store, partition)) if (row.id === id) return row;
  return null;
}

/** The event is sent only once. */
export async function testWebhook(ctx: Context, webhookId: string): Promise<Delivery> {
  const at = ctx.now().toISOString();
  const data = { webhookId };
  const delivery = newDelivery(webhookId, { eventId: ctx.newId(), type: TEST_TYPE, at, data });
  await transact(ctx, async (write) => {
    await requireEnabled(ctx, webhookId);
    const partition = [ctx.workspaceId, webhookId];
    const value = { failures: RETRIES_MAX, isInHand: false };
    deliveries.put(write, ctx, delivery);
    dueQueue.add(write, { partition, id: delivery.id, dueMs: ctx.now().getTime(), value });
    ctx.receipt?.put(write, null);
  });
  return serialiseDelivery(delivery);
}

async function requireEnabled(ctx: Context, webhookId: string): Promise<void> {
  const { row: webhook } = await requireWebhook(ctx, webhookId);
  if (!webhook.enabled) {
    throw new Failure("conflict", "The webhook is disabled: enable it first");
  }
}
