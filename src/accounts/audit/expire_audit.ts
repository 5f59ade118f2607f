/**
 * Deletes audit rows because of their age, seal by seal. The seals stay, so the chain can still be
 * verified; a seal says that its rows have expired before the first of them is deleted.
 */
import { batchesOf } from "../../base/collections.ts";
import { countInWorkspaces } from "../each_workspace.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import {
  type AuditPlace,
  auditSeals,
  ENTRY_BYTES,
  placeOf,
  sealedLists,
} from "./audit_seal_store.ts";
import { auditRows } from "./audit_store.ts";

/** A row has about ten index rows. */
const ROWS_PER_COMMIT = 40;

/**
 * Deletes the rows that were sealed before `before`, and returns their number. The time of the seal
 * counts, because that of a row may come from a wrong clock.
 */
export async function expireAuditRows(store: Store, before: Date, now: Date): Promise<number> {
  return await countInWorkspaces(store, "old audit rows", async (workspace) => {
    let count = 0;
    for await (const { row: { number, bytes } } of sealedLists.walk(workspace)) {
      const seal = await auditSeals.find(workspace, { number });
      // Seals are in the order of time, so the others are younger.
      if (seal === null || seal.row.at >= before.toISOString()) break;
      const places = placesIn(bytes);
      if (places.length > 0) await expire(workspace, number, places, now);
      count += places.length;
    }
    return count;
  });
}

function placesIn(list: Uint8Array): AuditPlace[] {
  const places: AuditPlace[] = [];
  for (let at = 0; at < list.length; at += ENTRY_BYTES) places.push(placeOf(list.subarray(at)));
  return places;
}

/** May be repeated after a crash: the list goes last. */
async function expire(
  workspace: WorkspaceStore,
  number: number,
  places: readonly AuditPlace[],
  now: Date,
): Promise<void> {
  await transact(workspace, async (write) => {
    const found = await auditSeals.find(workspace, { number });
    if (found === null || found.row.expiredAt !== null) return;
    auditSeals.save(write, workspace, found, { ...found.row, expiredAt: now.toISOString() });
  });
  for await (const batch of batchesOf(each(places), ROWS_PER_COMMIT)) {
    await transact(workspace, async (write) => {
      for (const found of await auditRows.getMany(workspace, batch)) {
        if (found) auditRows.drop(write, workspace, found.row);
      }
    });
  }
  await transact(workspace, (write) => {
    sealedLists.drop(write, workspace, { number });
  });
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
