import { isPublicEvent } from "../../platform/events/event.ts";
import type { NewsListener } from "../../platform/events/relay_news.ts";
import type { Context } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { newDelivery } from "./delivery.ts";
import { standInLine } from "./line_store.ts";
import type { StoredWebhook } from "./webhook.ts";
import { dueQueue, listWebhooks, putDelivery } from "./webhook_store.ts";

/** The webhooks are read once for all that is heard in one commit. */
const known = new WeakMap<Write, Promise<StoredWebhook[]>>();

function webhooksFor(write: Write, ctx: Context): Promise<StoredWebhook[]> {
  const webhooks = known.get(write) ?? listWebhooks(ctx);
  known.set(write, webhooks);
  return webhooks;
}

/** One delivery per webhook that wants the event, due at once, in line behind others of its product. */
export const webhookListener: NewsListener = {
  async hear(write, ctx, { eventId, at, place, event }) {
    if (!isPublicEvent(event)) return;
    const { type, data } = event;
    const line = "productId" in data ? { productId: data.productId, place } : null;
    for (const { id, enabled, events } of await webhooksFor(write, ctx)) {
      if (!enabled || !events.includes(type)) continue;
      const delivery = newDelivery(id, { eventId, type, at, data });
      const lane = [ctx.workspaceId, id];
      const value = { failures: 0, isInHand: false, ...(line && { line }) };
      if (line) standInLine(write, lane, delivery.id, line);
      putDelivery(write, ctx.workspaceId, id, delivery);
      dueQueue.add(write, { lane, id: delivery.id, dueMs: ctx.now().getTime(), value });
    }
  },
};
