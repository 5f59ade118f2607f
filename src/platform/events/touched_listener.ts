import { type TouchedProducts, touchedQueue } from "./news_store.ts";
import type { NewsListener } from "./relay_news.ts";

/** Puts touched products before the rules: a row of up to 100 for each part of a cause. */
export const touchedListener: NewsListener = {
  hear(write, { workspaceId, now }, { eventId, stamp, event }) {
    if (event.type === "products.touched") {
      const value: TouchedProducts = { ...event.data, from: 0, stamp };
      touchedQueue.add(write, { lane: [workspaceId], id: eventId, dueMs: now().getTime(), value });
    }
    return Promise.resolve();
  },
};
