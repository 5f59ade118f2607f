/**
 * Keys: `wdo W webhookId productId place` → a delivery in line. A receiver gets the events of a
 * product in order: each delivery waits until the previous delivery of the product has been
 * delivered or given up. The row of a waiting delivery is not in the queue of due deliveries but is
 * stored here.
 */

import { countInWorkspaces } from "../../accounts/each_workspace.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { firstRow, idKey, removeInBatches } from "../../platform/store/rows.ts";
import { deliveries, dueQueue, type DueRow, type PlaceInLine, webhooks } from "./webhook_store.ts";

interface InLine {
  readonly id: string;
  /** The content of the delivery's row in the queue; null while that row is in the queue. */
  readonly waiting: Pick<DueRow, "dueMs" | "value"> | null;
}

type Partition = DueRow["partition"];

const partitionKey = (partition: Partition) => idKey("wdo", ...partition);
const lineKey = (partition: Partition, { productId }: PlaceInLine) =>
  idKey("wdo", ...partition, productId);
const placeKey = (
  partition: Partition,
  line: PlaceInLine,
) => [...lineKey(partition, line), line.place];

/** The same commit must add the delivery to the queue. */
export function joinLine(
  write: Write,
  partition: Partition,
  id: string,
  line: PlaceInLine,
): void {
  write.set(placeKey(partition, line), { id, waiting: null } satisfies InLine);
}

/** Moves `row` from the queue into the line if the line has an earlier delivery. True if moved. */
export async function waitInLine(store: Store, write: Write, row: DueRow): Promise<boolean> {
  const { partition, id, dueMs, value } = row;
  const { line } = value;
  if (!line) return false;
  const prefix = lineKey(partition, line);
  const before = await firstRow<InLine>(store, { prefix, end: placeKey(partition, line) });
  if (!before) return false;
  // Write the earlier row again, so that a simultaneous commit that removes this row fails.
  write.check(before.key, before.versionstamp);
  write.set(before.key, before.value);
  dueQueue.take(write, row);
  write.set(placeKey(partition, line), { id, waiting: { dueMs, value } } satisfies InLine);
  return true;
}

/** Removes a delivery from its line. The next waiting delivery is added to the queue again. */
export async function leaveLine(
  { kv }: Store,
  write: Write,
  { partition, id: ownId, value: { line } }: DueRow,
): Promise<void> {
  if (!line) return;
  const own = placeKey(partition, line);
  const [{ versionstamp }, firstTwo] = await Promise.all([
    kv.get(own),
    Array.fromAsync(kv.list<InLine>({ prefix: lineKey(partition, line) }, { limit: 2 })),
  ]);
  write.check(own, versionstamp);
  write.delete(own);
  const next = firstTwo.find(({ value }) => value.id !== ownId);
  if (!next) return;
  write.check(next.key, next.versionstamp);
  const { id, waiting } = next.value;
  if (waiting === null) return;
  write.set(next.key, { id, waiting: null } satisfies InLine);
  dueQueue.add(write, { partition, id, ...waiting });
}

export async function holdsOthersUp(
  store: Store,
  { partition, value: { line } }: DueRow,
): Promise<boolean> {
  return line !== undefined && await firstBehind(store, partition, line) !== null;
}

export async function isWaitingInLine(
  { kv }: Store,
  partition: Partition,
  id: string,
): Promise<boolean> {
  for await (const { value } of kv.list<InLine>({ prefix: partitionKey(partition) })) {
    if (value.id === id) return value.waiting !== null;
  }
  return false;
}

function firstBehind(store: Store, partition: Partition, line: PlaceInLine) {
  // A key ends with the place, so the first key after this one belongs to the next delivery.
  const start = [...placeKey(partition, line), 0];
  return firstRow<InLine>(store, { prefix: lineKey(partition, line), start });
}

const BATCH_SIZE = 200;

/** Deletes old deliveries and deliveries of deleted webhooks (docs/operations.md). */
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
