/**
 * Keys (`W`: id of the workspace): `wdu W webhookId dueMs deliveryId` → a delivery in the queue.
 * While a delivery is being sent, `dueMs` is the end of a lease. A delivery that must wait for an
 * earlier one is not in the queue, but in its row of the table `wdo`.
 *
 * Stores deliveries of events to webhooks, for the log and for sending. A receiver gets the events
 * of a product in order: each delivery waits until the product's previous event is delivered or
 * given up.
 */
import type { Sendable } from "../platform/jobs/work_loop.ts";
import { type QueueRow, RowQueue } from "../platform/store/row_queue_store.ts";
import { defineTable } from "../platform/store/table.ts";
import { sha256 } from "../base/bytes.ts";
import { eventBody } from "../platform/events/event.ts";
import { z } from "@hono/zod-openapi";
import { countInWorkspaces } from "../accounts/workspace.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Store, Write } from "../platform/store/kv.ts";
import { removeInBatches } from "../platform/store/rows.ts";
import { webhooks } from "./webhook.ts";

const Attempt = z.object({
  at: z.iso.datetime(),
  httpStatus: z.int().nullable().describe("Null if there was no answer"),
  errorCode: z.string().nullable(),
  message: z.string().nullable(),
  durationMs: z.int(),
}).meta({ id: "DeliveryAttempt" });

export type Attempt = z.infer<typeof Attempt>;

export const Delivery = z.object({
  id: z.string(),
  eventId: z.string().describe("Sent as `webhook-id`, the same in every attempt"),
  type: z.string().meta({ description: "The type of the event", example: "price.changed" }),
  status: z.enum(["pending", "delivered", "failed"]).describe(
    "`pending`: it will be tried, or waits for an earlier event of its product; " +
      "`failed`: it was given up",
  ),
  attempts: z.array(Attempt).describe("The last 20 attempts"),
  nextAttemptAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
}).meta({ id: "Delivery" });

export type Delivery = z.infer<typeof Delivery>;

/** `body` is stored so that every attempt signs and sends the same text. */
export interface StoredDelivery extends Delivery {
  readonly webhookId: string;
  readonly body: string;
}

/**
 * Rows are written without a version check, because each commit checks the delivery's row in the
 * queue.
 */
export const deliveries = defineTable<StoredDelivery, "webhookId" | "id">({
  prefix: "wd",
  about: "delivery",
  key: { webhookId: "id", id: "id" },
});

interface PlaceInLine {
  readonly productId: string;
  /** Sorts the deliveries of a product in the order of the product's events. */
  readonly place: string;
}

export interface DueDelivery extends Sendable {
  readonly line?: PlaceInLine;
}

/** Each webhook has its own partition of the queue, so a slow receiver does not delay others. */
export const dueQueue = new RowQueue<DueDelivery>("wdu", 2);

export type DueRow = QueueRow<DueDelivery>;

export const TEST_TYPE = "webhook.test";

/** The id is derived from event and webhook, so no webhook gets two deliveries of an event. */
export function newDelivery(
  webhookId: string,
  { eventId, type, at, data }: Record<"eventId" | "type" | "at", string> & { data: unknown },
): StoredDelivery {
  const hash = sha256(`${eventId} ${webhookId}`);
  return {
    webhookId,
    id: eventId.slice(0, 8) + hash.slice(0, 8).toHex(),
    eventId,
    type,
    status: "pending",
    attempts: [],
    nextAttemptAt: at,
    createdAt: at,
    finishedAt: null,
    body: JSON.stringify(eventBody(type, at, data)),
  };
}

export function serialiseDelivery(
  { body: _, webhookId: _webhookId, ...delivery }: StoredDelivery,
): Delivery {
  return delivery;
}

export function withAttempt(
  delivery: StoredDelivery,
  attempt: Attempt,
  nextAttemptAt: string | null,
): StoredDelivery {
  const isOver = nextAttemptAt === null;
  return {
    ...delivery,
    status: attempt.errorCode === null ? "delivered" : isOver ? "failed" : "pending",
    attempts: [...delivery.attempts, attempt].slice(-20),
    nextAttemptAt,
    finishedAt: isOver ? attempt.at : null,
  };
}

interface InLine extends PlaceInLine {
  readonly webhookId: string;
  readonly id: string;
  /** Queue row of a delivery that waits for an earlier delivery; null for other deliveries. */
  readonly waiting: Pick<DueRow, "dueMs" | "value"> | null;
}

export const lines = defineTable<InLine, "webhookId" | "productId" | "place">({
  prefix: "wdo",
  about: "the id of an unfinished delivery; `place` sorts the deliveries of a product",
  key: { webhookId: "id", productId: "id", place: "text" },
});

function lineOf(store: Store, { partition, value: { line } }: DueRow) {
  if (!line) return null;
  const [workspaceId = "", webhookId = ""] = partition;
  const { productId, place } = line;
  return { of: { store, workspaceId }, within: { webhookId, productId }, place };
}

/** If the delivery must wait for an earlier one, moves it out of the queue and returns true. */
export async function waitInLine(store: Store, write: Write, row: DueRow): Promise<boolean> {
  const line = lineOf(store, row);
  if (!line) return false;
  const { of, within, place } = line;
  const [earlier] = await lines.list(of, { within, before: { place }, limit: 1 });
  if (!earlier) return false;
  // Save the earlier row unchanged, so that the commit fails if that row is deleted meanwhile.
  lines.save(write, of, earlier, earlier.row);
  dueQueue.take(write, row);
  const { id, dueMs, value } = row;
  lines.put(write, of, { ...within, place, id, waiting: { dueMs, value } });
  return true;
}

/** Removes the delivery from the queue, and queues the delivery that waits for it, if any. */
export async function leaveQueue(store: Store, write: Write, row: DueRow): Promise<void> {
  dueQueue.take(write, row);
  const line = lineOf(store, row);
  if (!line) return;
  const { of, within, place } = line;
  const own = { ...within, place };
  const [found, firstTwo] = await Promise.all([
    lines.find(of, own),
    lines.list(of, { within, limit: 2 }),
  ]);
  lines.check(write, of, own, found);
  lines.drop(write, of, own);
  const next = firstTwo.find((other) => other.row.place !== place);
  if (!next) return;
  const { id, waiting } = next.row;
  lines.check(write, of, next.row, next);
  if (waiting === null) return;
  lines.put(write, of, { ...next.row, waiting: null });
  dueQueue.add(write, { partition: row.partition, id, ...waiting });
}

export async function holdsOthersUp(store: Store, row: DueRow): Promise<boolean> {
  const line = lineOf(store, row);
  if (!line) return false;
  const { of, within, place } = line;
  return (await lines.list(of, { within, after: { place }, limit: 1 })).length > 0;
}

const BATCH_SIZE = 200;

export async function sweepDeliveries(store: Store, madeBefore: Date): Promise<number> {
  const bound = madeBefore.toISOString();
  return await countInWorkspaces(store, "old deliveries", (workspace) => {
    const old = oldDeliveries(workspace, bound);
    return removeInBatches(store, old, BATCH_SIZE, (write, delivery) => {
      deliveries.drop(write, workspace, delivery);
    });
  });
}

async function* oldDeliveries(workspace: WorkspaceStore, bound: string) {
  const isThere = new Map<string, boolean>();
  for await (const { row } of deliveries.walk(workspace)) {
    const { webhookId, createdAt } = row;
    if (!isThere.has(webhookId)) {
      isThere.set(webhookId, await webhooks.find(workspace, { id: webhookId }) !== null);
    }
    if (!isThere.get(webhookId) || createdAt < bound) yield row;
  }
}
