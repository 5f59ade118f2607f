import type { PriceGuard } from "../guard.ts";

export const historyUnread = {
  value: "history_unread",
  label: "History not read",
  description: "Nothing is applied without the history of the own price",
  why: ({ view }) =>
    view.market.situation.history.price === null ? "the price history was not looked at" : null,
} as const satisfies PriceGuard;
