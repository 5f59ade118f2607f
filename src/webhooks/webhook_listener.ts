import { isPublicEvent } from "../events/event.ts";
import type { NewsListener } from "../events/relay_news.ts";
import type { Context } from "../platform/store/context.ts";
import type { Write } from "../platform/store/kv.ts";
import { newDelivery } from "./delivery.ts";
import type { StoredWebhook } from "./webhook.ts";
import { dueQueue, listWebhooks, putDelivery } from "./webhook_store.ts";

/** The webhooks are read once for all that is heard in one commit. */
const known = new WeakMap<Write, Promise<StoredWebhook[]>>();

function webhooksFor(write: Write, ctx: Context): Promise<StoredWebhook[]> {
  const webhooks = known.get(write) ?? listWebhooks(ctx);
  known.set(write, webhooks);
  return webhooks;
}

/** One delivery per webhook that wants the event, due at once. */
export const webhookListener: NewsListener = {
  async hear(write, ctx, { eventId, at, event }) {
    if (!isPublicEvent(event)) return;
    const { type, data } = event;
    for (const { id, enabled, events } of await webhooksFor(write, ctx)) {
      if (!enabled || !events.includes(type)) continue;
      const delivery = newDelivery(id, { eventId, type, at, data });
      const lane = [ctx.workspaceId, id];
      const value = { failures: 0, isInHand: false };
      putDelivery(write, ctx.workspaceId, id, delivery);
      dueQueue.add(write, { lane, id: delivery.id, dueMs: ctx.now().getTime(), value });
    }
  },
};
