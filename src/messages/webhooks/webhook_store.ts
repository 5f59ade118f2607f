/**
 * Keys: `wdu W webhookId dueMs deliveryId` → a delivery in the queue. While the delivery is being
 * sent, `dueMs` is the end of a lease.
 */
import type { Sendable } from "../../platform/jobs/sender.ts";
import { createRowQueue, type QueueRow } from "../../platform/store/row_queue_store.ts";
import { defineTable } from "../../platform/store/table.ts";
import type { StoredDelivery } from "./delivery.ts";
import type { StoredWebhook } from "./webhook.ts";

/** The log and the queue of a deleted webhook are deleted later. */
export const webhooks = defineTable<StoredWebhook, "id">({
  prefix: "wh",
  about: "webhook with its sealed secret",
  key: { id: "id" },
  valueHasKey: true,
  sealed: ["secret", "previous.secret"],
  version: "whv",
});

/** A commit that queues or sends a delivery checks the delivery's row in the queue. */
export const deliveries = defineTable<StoredDelivery, "webhookId" | "id">({
  prefix: "wd",
  about: "delivery",
  key: { webhookId: "id", id: "id" },
});

export interface PlaceInLine {
  readonly productId: string;
  /** Sort key of the delivery, in the order of the product's events. */
  readonly place: string;
}

export interface DueDelivery extends Sendable {
  /** Absent if the event concerns no product, or if a finished delivery was queued again. */
  readonly line?: PlaceInLine;
}

/** Each webhook has its own partition of the queue, so a slow receiver does not delay others. */
export const dueQueue = createRowQueue<DueDelivery>("wdu", 2);

export type DueRow = QueueRow<DueDelivery>;
