import { isPublicEvent } from "../../platform/events/event.ts";
import type { OutboxListener } from "../../platform/events/relay_outbox.ts";
import type { Context } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { Found } from "../../platform/store/table.ts";
import { newDelivery } from "./delivery.ts";
import { standInLine } from "./line_store.ts";
import type { StoredWebhook } from "./webhook.ts";
import { deliveries, dueQueue, webhooks } from "./webhook_store.ts";

/** The webhooks are read once for all that is heard in one commit. */
const known = new WeakMap<Write, Promise<Found<StoredWebhook>[]>>();

function webhooksFor(write: Write, ctx: Context): Promise<Found<StoredWebhook>[]> {
  const found = known.get(write) ?? webhooks.list(ctx);
  known.set(write, found);
  return found;
}

/** One delivery per webhook that wants the event, due at once, in line behind others of its product. */
export const webhookListener: OutboxListener = {
  async handle(write, ctx, { eventId, at, place, event }) {
    if (!isPublicEvent(event)) return;
    const { type, data } = event;
    const line = "productId" in data ? { productId: data.productId, place } : null;
    for (const { row: { id, enabled, events } } of await webhooksFor(write, ctx)) {
      if (!enabled || !events.includes(type)) continue;
      const delivery = newDelivery(id, { eventId, type, at, data });
      const lane = [ctx.workspaceId, id];
      const value = { failures: 0, isInHand: false, ...(line && { line }) };
      if (line) standInLine(write, lane, delivery.id, line);
      deliveries.put(write, ctx, delivery);
      dueQueue.add(write, { lane, id: delivery.id, dueMs: ctx.now().getTime(), value });
    }
  },
};
