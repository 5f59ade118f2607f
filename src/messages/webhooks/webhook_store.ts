/** Keys: `wdu W webhookId dueMs deliveryId` → a delivery to try; `dueMs` ends a lease while it is sent. */
import type { Sendable } from "../../platform/jobs/sender.ts";
import { createRowQueue, type QueueRow } from "../../platform/store/row_queue_store.ts";
import { defineTable } from "../../platform/store/table.ts";
import type { StoredDelivery } from "./delivery.ts";
import type { StoredWebhook } from "./webhook.ts";

/** Few in each workspace. The log and queue rows of a removed webhook are deleted later. */
export const webhooks = defineTable<StoredWebhook, "id">({
  prefix: "wh",
  about: "webhook with its secret",
  key: { id: "id" },
  version: "whv",
});

/**
 * The log. A commit that queues or tries a delivery checks its queue row, so writes here check nothing.
 */
export const deliveries = defineTable<StoredDelivery, "webhookId" | "id">({
  prefix: "wd",
  about: "delivery",
  key: { webhookId: "id", id: "id" },
  keyOnly: ["webhookId"],
});

/** The place of a delivery among those of its product: see `line_store.ts`. */
export interface PlaceInLine {
  readonly productId: string;
  /** In the order in which the events happened. */
  readonly place: string;
}

/** Facts of a delivery that are needed before it is read. */
export interface DueDelivery extends Sendable {
  /** Absent if the event is of no product, and for what was sent again when it was over. */
  readonly line?: PlaceInLine;
}

/** A partition is a workspace and a webhook: a receiver with a backlog delays no other. */
export const dueQueue = createRowQueue<DueDelivery>("wdu", 2);

export type DueRow = QueueRow<DueDelivery>;
