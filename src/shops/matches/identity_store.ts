/**
 * Keys: `idn W matchId` → what the page of a match says it shows, how that was judged and what a person
 * said of it, as packed bytes (`identity_row.ts`). Absent of a match whose page was never read so.
 *
 * Every commit that writes one writes the product's offers row too, whose `verdict` follows from it; who
 * writes one that was read before that row checks it (`checkIdentity`). It goes with its match.
 */

import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { lastIdOf } from "../../platform/store/id_keys.ts";
import type { Write } from "../../platform/store/kv.ts";
import { getRows } from "../../platform/store/rows.ts";
import { type KeptIdentity, packIdentity, unpackIdentity } from "./match_identity.ts";

const rowKey = (workspaceId: string, matchId: string) => [
  "idn",
  idBytes(workspaceId),
  idBytes(matchId),
];

/** Null where nothing is known of the page. */
export interface StoredIdentity {
  readonly matchId: string;
  readonly identity: KeptIdentity | null;
  readonly versionstamp: string | null;
}

export async function findIdentity(
  { store, workspaceId }: WorkspaceStore,
  matchId: string,
): Promise<StoredIdentity> {
  const { value, versionstamp } = await store.kv.get<Uint8Array>(rowKey(workspaceId, matchId));
  return { matchId, identity: value && unpackIdentity(value), versionstamp };
}

/** Identities of the pages of many matches, by id; unknown ones are absent. */
export async function findIdentities(
  { store, workspaceId }: WorkspaceStore,
  matchIds: readonly string[],
): Promise<Map<string, KeptIdentity>> {
  const rows = await getRows<Uint8Array>(store, matchIds.map((id) => rowKey(workspaceId, id)));
  return new Map(rows.flatMap(({ value }, at): [string, KeptIdentity][] => {
    const id = matchIds[at];
    return id === undefined || value === null ? [] : [[id, unpackIdentity(value)]];
  }));
}

/** The commit fails when it was written since it was read. */
export function checkIdentity(
  write: Write,
  workspaceId: string,
  { matchId, versionstamp }: StoredIdentity,
): void {
  write.check(rowKey(workspaceId, matchId), versionstamp);
}

export function saveIdentity(
  write: Write,
  workspaceId: string,
  matchId: string,
  identity: KeptIdentity,
): void {
  write.set(rowKey(workspaceId, matchId), packIdentity(identity));
}

/** Of a match that goes, or has another page. */
export function forgetIdentity(write: Write, workspaceId: string, matchId: string): void {
  write.delete(rowKey(workspaceId, matchId));
}

/** Everything that is known of pages, for checks of the store. */
export async function* walkIdentities({ store, workspaceId }: WorkspaceStore) {
  const prefix = ["idn", idBytes(workspaceId)];
  for await (const { key, value } of store.kv.list<Uint8Array>({ prefix }, { batchSize: 500 })) {
    yield { matchId: lastIdOf(key), identity: unpackIdentity(value) };
  }
}
