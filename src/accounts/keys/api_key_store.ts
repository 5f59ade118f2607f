/**
 * Keys: `k sha256(key)` → key, gone when revoked; `kw W id` → sha256(key); `kl W id` → time of
 * the last use, apart so that a note of it never stands in the way of a revocation.
 */
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { listThrough } from "../../platform/store/rows.ts";
import type { ApiKey, StoredApiKey } from "./api_key.ts";

const rowKey = (hash: Uint8Array) => ["k", hash];
const memberKey = (workspaceId: string, id: string) => ["kw", idBytes(workspaceId), idBytes(id)];
const useKey = (workspaceId: string, id: string) => ["kl", idBytes(workspaceId), idBytes(id)];

/** Null for an unknown and a revoked key alike; whether it has expired is for the reader to judge. */
export async function findKeyByHash({ kv }: Store, hash: Uint8Array): Promise<StoredApiKey | null> {
  return (await kv.get<StoredApiKey>(rowKey(hash))).value;
}

/** A key of the workspace with its hash and the version that `removeKey` checks. */
export async function findKey({ store: { kv }, workspaceId }: WorkspaceStore, id: string) {
  const { value: hash } = await kv.get<Uint8Array>(memberKey(workspaceId, id));
  if (hash === null) return null;
  const { value: key, versionstamp } = await kv.get<StoredApiKey>(rowKey(hash));
  return key === null ? null : { key, hash, versionstamp };
}

/** Up to `limit` keys after the id `after`, in id order, with their last use. */
export async function listKeys(
  { store, workspaceId }: WorkspaceStore,
  { after, limit }: { after: string | null; limit: number },
): Promise<ApiKey[]> {
  const page = { prefix: ["kw", idBytes(workspaceId)], after, limit };
  return await listThrough<Uint8Array, ApiKey>(store, page, async (rows) => {
    const found = await store.kv.getMany<StoredApiKey[]>(rows.map(({ value }) => rowKey(value)));
    const stored = found.flatMap(({ value }) => value === null ? [] : [value]);
    const uses = await store.kv.getMany<string[]>(stored.map(({ id }) => useKey(workspaceId, id)));
    return stored.map((key, n) => serialiseKey(key, uses[n]?.value ?? null));
  });
}

export function addKeyRows(write: Write, hash: Uint8Array, key: StoredApiKey): void {
  write.check(rowKey(hash), null);
  write.set(rowKey(hash), key);
  write.set(memberKey(key.workspaceId, key.id), hash);
}

/** The commit fails when the key was revoked meanwhile. */
export function removeKey(
  write: Write,
  { workspaceId, id }: StoredApiKey,
  hash: Uint8Array,
  versionstamp: string,
): void {
  write.check(rowKey(hash), versionstamp);
  write.delete(rowKey(hash));
  write.delete(memberKey(workspaceId, id));
  write.delete(useKey(workspaceId, id));
}

export function saveKeyUse(write: Write, { workspaceId, id }: StoredApiKey, at: Date): void {
  write.set(useKey(workspaceId, id), at.toISOString());
}

/** The displayed part of a stored key. */
export function serialiseKey(key: StoredApiKey, lastUsedAt: string | null): ApiKey {
  const { id, name, prefix, scopes, expiresAt, createdAt } = key;
  return { id, name, prefix, scopes, expiresAt, createdAt, lastUsedAt };
}
