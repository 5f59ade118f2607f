/**
 * Keys: `wh W id` → webhook with its secret; `whv W` → empty, set when one is added;
 * `wd W webhookId deliveryId` → delivery; `wdu W webhookId dueMs deliveryId` → a delivery to try. A
 * sender moves that row to the end of its lease before it sends, so that no other sends it too.
 */
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { idIn } from "../../platform/store/id_keys.ts";
import type { Write } from "../../platform/store/kv.ts";
import { createRowQueue, type QueueRow } from "../../platform/store/row_queue_store.ts";
import type { StoredDelivery } from "./delivery.ts";
import type { StoredWebhook } from "./webhook.ts";

const EMPTY = new Uint8Array();

const rowKey = (workspaceId: string, id: string) => ["wh", idBytes(workspaceId), idBytes(id)];
const setKey = (workspaceId: string) => ["whv", idBytes(workspaceId)];
const logPrefix = (workspaceId: string, webhookId: string) => [
  "wd",
  idBytes(workspaceId),
  idBytes(webhookId),
];

/** The place of a delivery among those of its product: see `line_store.ts`. */
export interface PlaceInLine {
  readonly productId: string;
  /** In the order in which the events happened. */
  readonly place: string;
}

/** Facts of a delivery that are needed before it is read. */
export interface DueDelivery {
  /** Tries that failed since it was queued. */
  readonly failures: number;
  /** True while a sender holds the row: its time is the end of a lease. */
  readonly isInHand: boolean;
  /** Absent where the event is of no product, and for what was sent again when it was over. */
  readonly line?: PlaceInLine;
}

/** Lanes are workspace and webhook: a receiver with a backlog delays no other. */
export const dueQueue = createRowQueue<DueDelivery>("wdu", 2);

/** A delivery as it lies in the queue. */
export type DueRow = QueueRow<DueDelivery>;

export interface FoundWebhook {
  readonly webhook: StoredWebhook;
  readonly versionstamp: string;
}

/** Null for an unknown id and for another workspace's alike. */
export async function findWebhook(
  { store, workspaceId }: WorkspaceStore,
  id: string,
): Promise<FoundWebhook | null> {
  const { value, versionstamp } = await store.kv.get<StoredWebhook>(rowKey(workspaceId, id));
  return value === null ? null : { webhook: value, versionstamp };
}

/** All webhooks of the workspace, by id; there are few. */
export async function listWebhooks(
  { store, workspaceId }: WorkspaceStore,
): Promise<StoredWebhook[]> {
  const rows = store.kv.list<StoredWebhook>({ prefix: ["wh", idBytes(workspaceId)] });
  return (await Array.fromAsync(rows)).map(({ value }) => value);
}

/** The version of the set, read before its webhooks are counted. */
export async function findWebhooksVersion({ store, workspaceId }: WorkspaceStore) {
  return (await store.kv.get(setKey(workspaceId))).versionstamp;
}

/** The commit fails when another webhook was added since the version was read. */
export function addWebhook(
  write: Write,
  workspaceId: string,
  webhook: StoredWebhook,
  setVersion: string | null,
): void {
  write.check(setKey(workspaceId), setVersion);
  write.set(setKey(workspaceId), EMPTY);
  write.set(rowKey(workspaceId, webhook.id), webhook);
}

/** The commit fails when the webhook was changed or deleted since it was read. */
export function saveWebhook(
  write: Write,
  workspaceId: string,
  before: FoundWebhook,
  after: StoredWebhook,
): void {
  write.check(rowKey(workspaceId, after.id), before.versionstamp);
  write.set(rowKey(workspaceId, after.id), after);
}

/** The log and pending deliveries are removed later; they can no longer be found. */
export function removeWebhook(write: Write, workspaceId: string, found: FoundWebhook): void {
  write.check(rowKey(workspaceId, found.webhook.id), found.versionstamp);
  write.delete(rowKey(workspaceId, found.webhook.id));
}

/** Writes a delivery, new or changed. Who queues or tries it holds the row of the queue. */
export function putDelivery(
  write: Write,
  workspaceId: string,
  webhookId: string,
  delivery: StoredDelivery,
): void {
  write.set([...logPrefix(workspaceId, webhookId), idBytes(delivery.id)], delivery);
}

export function removeDelivery(
  write: Write,
  workspaceId: string,
  webhookId: string,
  deliveryId: string,
): void {
  write.delete([...logPrefix(workspaceId, webhookId), idBytes(deliveryId)]);
}

/** Null for an unknown id and for another webhook's alike. */
export async function findDelivery(
  { store, workspaceId }: WorkspaceStore,
  webhookId: string,
  deliveryId: string,
): Promise<StoredDelivery | null> {
  const key = [...logPrefix(workspaceId, webhookId), idBytes(deliveryId)];
  return (await store.kv.get<StoredDelivery>(key)).value;
}

/** The newest deliveries first, up to `limit`, older than `before`. */
export async function listDeliveries(
  { store, workspaceId }: WorkspaceStore,
  webhookId: string,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<StoredDelivery[]> {
  const prefix = logPrefix(workspaceId, webhookId);
  const selector = before === null ? { prefix } : { prefix, end: [...prefix, idBytes(before)] };
  const options = { limit, reverse: true, batchSize: Math.min(limit, 100) };
  const rows = await Array.fromAsync(store.kv.list<StoredDelivery>(selector, options));
  return rows.map(({ value }) => value);
}

/** Every delivery of a workspace, webhook by webhook, oldest first. */
export async function* walkDeliveries({ store, workspaceId }: WorkspaceStore) {
  const rows = store.kv.list<StoredDelivery>({ prefix: ["wd", idBytes(workspaceId)] });
  for await (const { key, value } of rows) {
    yield { webhookId: idIn(key, 2), delivery: value };
  }
}
