/**
 * API keys by their hashes. The time of the last use has its own row, so that updating it never conflicts
 * with a revocation.
 */
import { batchesOf } from "../../base/collections.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { GET_MANY_MAX } from "../../platform/store/rows.ts";
import { defineStoreTable, defineTable, type Found } from "../../platform/store/table.ts";
import type { ApiKey, StoredApiKey } from "./api_key.ts";

type HashedKey = StoredApiKey & { readonly hash: Uint8Array };

export const keysByHash = defineStoreTable<HashedKey, "hash">({
  prefix: "k",
  about: "the API key with this SHA-256; deleted when it is revoked",
  key: { hash: "bytes" },
  keyOnly: ["hash"],
});

export const keyHashes = defineTable<Pick<HashedKey, "id" | "hash">, "id">({
  prefix: "kw",
  about: "the hash of an API key",
  key: { id: "id" },
  keyOnly: ["id"],
  codec: { encode: ({ hash }) => hash, decode: (hash) => Object({ hash }) },
});

interface KeyUse {
  readonly id: string;
  readonly at: string;
}

export const keyUses = defineTable<KeyUse, "id">({
  prefix: "kl",
  about: "the last use of an API key",
  key: { id: "id" },
  keyOnly: ["id"],
  codec: { encode: ({ at }) => at, decode: (at) => Object({ at }) },
});

/** Null for an unknown or revoked key. The caller checks whether the key has expired. */
export async function findKeyByHash(store: Store, hash: Uint8Array): Promise<StoredApiKey | null> {
  return (await keysByHash.find({ store }, { hash }))?.row ?? null;
}

/** A key of the workspace, with the version that `removeKey` checks. */
export async function findKey(workspace: WorkspaceStore, id: string) {
  const found = await keyHashes.find(workspace, { id });
  return found && await keysByHash.find(workspace, found.row);
}

/** A key of the workspace in the form for answers; null if it is unknown or revoked. */
export async function findShownKey(workspace: WorkspaceStore, id: string): Promise<ApiKey | null> {
  const [found, use] = await Promise.all([findKey(workspace, id), keyUses.find(workspace, { id })]);
  return found && serialiseKey(found.row, use?.row.at ?? null);
}

/** Sets the end of the old key of a rotation to `expiresAt`. */
export function endKeyAt(write: Write, found: Found<HashedKey>, expiresAt: string): void {
  keysByHash.save(write, {}, found, { ...found.row, expiresAt });
}

/** Up to `limit` keys after the id `after`, in the order of ids, with their last use. */
export async function listKeys(
  workspace: WorkspaceStore,
  { after, limit }: { after: string | null; limit: number },
): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  const hashes = keyHashes.walk(workspace, { after: after === null ? null : { id: after } });
  for await (const batch of batchesOf(hashes, GET_MANY_MAX)) {
    const places = batch.map(({ row }) => row);
    const found = await keysByHash.getMany(workspace, places);
    const uses = await keyUses.getMany(workspace, places);
    for (const [n, key] of found.entries()) {
      if (key) keys.push(serialiseKey(key.row, uses[n]?.row.at ?? null));
    }
    if (keys.length >= limit) break;
  }
  return keys.slice(0, limit);
}

export function addKeyRows(write: Write, hash: Uint8Array, key: StoredApiKey): void {
  keysByHash.save(write, {}, null, { ...key, hash });
  keyHashes.put(write, key, { id: key.id, hash });
}

/** The commit fails if the key was revoked meanwhile. */
export function removeKey(write: Write, found: Found<HashedKey>): void {
  keysByHash.remove(write, {}, found);
  keyHashes.drop(write, found.row, found.row);
  keyUses.drop(write, found.row, found.row);
}

export function saveKeyUse(write: Write, key: StoredApiKey, at: Date): void {
  keyUses.put(write, key, { id: key.id, at: at.toISOString() });
}

/** The displayed part of a stored key. */
export function serialiseKey(key: StoredApiKey, lastUsedAt: string | null): ApiKey {
  const { id, name, prefix, scopes, expiresAt, allowedAddresses = [], createdAt } = key;
  const shown = { id, name, prefix, scopes, expiresAt, createdAt, lastUsedAt };
  return { ...shown, allowedAddresses: [...allowedAddresses] };
}
