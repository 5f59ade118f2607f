/**
 * Keys: `dsa W competitorId` → how far links are made without a person at a shop; `dsq W competitorId
 * suggestionId` → empty, a suggestion that is looked at next for such a link; `dsn W` → how far the log of
 * changed products has been compared with the known pages.
 *
 * Who links writes the first, so that each link is in it once.
 */

import { idBytes, idText } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { idIn, lastIdOf } from "../../platform/store/id_keys.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { removeInBatches } from "../../platform/store/rows.ts";

/** As many links of a shop are remembered. */
export const REMEMBERED_LINKS = 100;
const ID_BYTES = 12;
const ROWS_PER_COMMIT = 500;

/** Since a person has switched a shop to `automatic`. */
export interface AutomaticStand {
  /**
   * Older suggestions that are still to be judged, those with smaller ids; "": all; `null`: none.
   */
  readonly before: string | null;
  /** The ids of the links that were made last, the oldest first. */
  readonly linkIds: readonly string[];
  /** Null where nothing was done yet. */
  readonly versionstamp: string | null;
}

interface Row {
  readonly before: string | null;
  readonly links: Uint8Array;
}

const standKey = (workspaceId: string, competitorId: string) => [
  "dsa",
  idBytes(workspaceId),
  idBytes(competitorId),
];
const queueKey = (workspaceId: string, competitorId: string) => [
  "dsq",
  idBytes(workspaceId),
  idBytes(competitorId),
];

export async function findAutomaticStand(
  { store, workspaceId }: WorkspaceStore,
  competitorId: string,
): Promise<AutomaticStand> {
  const { value, versionstamp } = await store.kv.get<Row>(standKey(workspaceId, competitorId));
  if (value === null) return { before: "", linkIds: [], versionstamp };
  return { before: value.before, linkIds: idsOf(value.links), versionstamp };
}

/** The commit fails when it was changed since it was read; of more links the last ones stay. */
export function saveAutomaticStand(
  write: Write,
  workspaceId: string,
  competitorId: string,
  { versionstamp }: Pick<AutomaticStand, "versionstamp">,
  { before, linkIds }: Omit<AutomaticStand, "versionstamp">,
): void {
  const key = standKey(workspaceId, competitorId);
  const kept = linkIds.slice(-REMEMBERED_LINKS);
  const links = new Uint8Array(ID_BYTES * kept.length);
  for (const [at, id] of kept.entries()) links.set(idBytes(id), ID_BYTES * at);
  write.check(key, versionstamp);
  write.set(key, { before, links } satisfies Row);
}

/** Switching a shop to `automatic` restarts its state: earlier corrections no longer count. */
export function forgetAutomaticStand(
  write: Write,
  workspaceId: string,
  competitorId: string,
): void {
  write.delete(standKey(workspaceId, competitorId));
}

/** A suggestion waits to be looked at; noting it twice is once. One mutation. */
export function queueSuggestion(
  write: Write,
  workspaceId: string,
  { competitorId, id }: { readonly competitorId: string; readonly id: string },
): void {
  write.set([...queueKey(workspaceId, competitorId), idBytes(id)], null);
}

/** A suggestion in the queue of its shop. */
export interface QueuedSuggestion {
  readonly competitorId: string;
  readonly id: string;
  readonly versionstamp: string;
}

/** Up to `limit` suggestions of a shop that wait, the oldest first. */
export async function listQueued(
  { store, workspaceId }: WorkspaceStore,
  competitorId: string,
  limit: number,
): Promise<QueuedSuggestion[]> {
  const prefix = queueKey(workspaceId, competitorId);
  const rows = await Array.fromAsync(store.kv.list({ prefix }, { limit, batchSize: limit }));
  return rows.map(({ key, versionstamp }) => ({ competitorId, id: lastIdOf(key), versionstamp }));
}

/** It was looked at. The commit fails when another process did so, or it was queued again meanwhile. */
export function takeQueued(
  write: Write,
  workspaceId: string,
  { competitorId, id, versionstamp }: QueuedSuggestion,
): void {
  const key = [...queueKey(workspaceId, competitorId), idBytes(id)];
  write.check(key, versionstamp);
  write.delete(key);
}

/** The shop goes. Safe to repeat. */
export async function removeAutomatic(
  workspace: WorkspaceStore,
  competitorId: string,
): Promise<void> {
  const { store, workspaceId } = workspace;
  const keys = async function* () {
    yield standKey(workspaceId, competitorId);
    const prefix = queueKey(workspaceId, competitorId);
    for await (const { key } of store.kv.list({ prefix }, { batchSize: 500 })) yield key;
  };
  await removeInBatches(store, keys(), ROWS_PER_COMMIT, (write, key) => write.delete(key));
}

/** The shops that have rows of either table, for checks of the store. */
export async function* walkAutomaticShops(
  { store, workspaceId }: { readonly store: Store; readonly workspaceId: string },
) {
  for (const table of ["dsa", "dsq"] as const) {
    const prefix = [table, idBytes(workspaceId)];
    let last = "";
    for await (const { key } of store.kv.list({ prefix }, { batchSize: 500 })) {
      const competitorId = idIn(key, 2);
      if (competitorId === last) continue;
      last = competitorId;
      yield { table, competitorId };
    }
  }
}

function idsOf(bytes: Uint8Array): string[] {
  const ids: string[] = [];
  for (let at = 0; at < bytes.length; at += ID_BYTES) {
    ids.push(idText(bytes.subarray(at, at + ID_BYTES)));
  }
  return ids;
}

const key = (workspaceId: string) => ["dsn", idBytes(workspaceId)];

export interface MetChanges {
  /** `null` before the start. */
  readonly position: string | null;
  readonly versionstamp: string | null;
}

export async function findMetChanges({ store, workspaceId }: WorkspaceStore): Promise<MetChanges> {
  const { value, versionstamp } = await store.kv.get<string>(key(workspaceId));
  return { position: value, versionstamp };
}

/** The commit fails when another process has gone on meanwhile. */
export function saveMetChanges(
  write: Write,
  { workspaceId }: WorkspaceStore,
  { versionstamp }: MetChanges,
  position: string,
): void {
  write.check(key(workspaceId), versionstamp);
  write.set(key(workspaceId), position);
}
