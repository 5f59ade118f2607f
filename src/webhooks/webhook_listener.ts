import { isPublicEvent } from "../events/event.ts";
import type { NewsListener } from "../events/relay_news.ts";
import { newDelivery } from "./delivery.ts";
import { dueQueue, listWebhooks, putDelivery } from "./webhook_store.ts";

/** One delivery per webhook that wants the event, due at once. */
export const webhookListener: NewsListener = {
  async hear(write, ctx, { eventId, at, event }) {
    if (!isPublicEvent(event)) return;
    const { type, data } = event;
    for (const { id, enabled, events } of await listWebhooks(ctx)) {
      if (!enabled || !events.includes(type)) continue;
      const delivery = newDelivery(id, { eventId, type, at, data });
      const lane = [ctx.workspaceId, id];
      const value = { failures: 0, isInHand: false };
      putDelivery(write, ctx.workspaceId, id, delivery);
      dueQueue.add(write, { lane, id: delivery.id, dueMs: ctx.now().getTime(), value });
    }
  },
};
