/** Keys: `wdu W webhookId dueMs deliveryId` → a delivery to try, leased until `dueMs` when sending. */
import type { Sendable } from "../../platform/jobs/sender.ts";
import { createRowQueue, type QueueRow } from "../../platform/store/row_queue_store.ts";
import { defineTable } from "../../platform/store/table.ts";
import type { StoredDelivery } from "./delivery.ts";
import type { StoredWebhook } from "./webhook.ts";

/** A workspace has few webhooks. Log and queue rows of a deleted webhook are deleted later. */
export const webhooks = defineTable<StoredWebhook, "id">({
  prefix: "wh",
  about: "webhook with its sealed secret",
  key: { id: "id" },
  valueHasKey: true,
  sealed: ["secret", "previous.secret"],
  version: "whv",
});

/** Commits that queue or try a delivery check its queue row, so writes here need no check. */
export const deliveries = defineTable<StoredDelivery, "webhookId" | "id">({
  prefix: "wd",
  about: "delivery",
  key: { webhookId: "id", id: "id" },
});

/** The place of a delivery in the line of its product; see `line_store.ts`. */
export interface PlaceInLine {
  readonly productId: string;
  /** Sorts in the order of events. */
  readonly place: string;
}

/** Fields that the sender needs before it reads the delivery. */
export interface DueDelivery extends Sendable {
  /** Absent if the event has no product, or if a finished delivery was sent again. */
  readonly line?: PlaceInLine;
}

/** A partition is a workspace and a webhook, so a receiver with a backlog does not delay others. */
export const dueQueue = createRowQueue<DueDelivery>("wdu", 2);

export type DueRow = QueueRow<DueDelivery>;
