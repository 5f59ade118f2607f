/** A cache of API keys, so that a request with a valid key does not read the store. */

import { Failure, refuseFields } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { HOUR_MS } from "../../base/time.ts";
import { roomLog } from "../../platform/log.ts";
import type { Context } from "../../platform/store/context.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import { addAuditRow } from "../audit/audit_store.ts";
import { isPast } from "../secret.ts";
import { KEY_SCOPE_NAMES } from "../roles.ts";
import {
  addKeyRows,
  endKeyAt,
  findKey,
  findKeyByHash,
  keyHash,
  type KeyRotation,
  mintKey,
  type NewApiKey,
  removeKey,
  saveKeyUse,
  type StoredApiKey,
} from "./api_key.ts";

const log = roomLog("identity");

export interface KeyRing {
  /** Null for an unknown or revoked key. Entries are cached for 5 s. */
  find(text: string, now: Date): Promise<StoredApiKey | null>;
  /** Applies a revocation in this process. Called after the commit of the revocation. */
  forget(keyId: string): void;
  /** Stores a use in the background, at most once a minute. Failures are logged. */
  noteUse(key: StoredApiKey, now: Date): void;
  /** Resolves when no use is being stored any more. */
  drain(): Promise<void>;
}

/** One per process, shared by admission and the verbs that revoke keys. */
export function createKeyRing(store: Store): KeyRing {
  const known = new Map<string, { key: StoredApiKey; readAtMs: number }>();
  const usedAtMs = new Map<string, number>();
  const notes = new Set<Promise<void>>();
  let revocations = 0;

  return {
    async find(text, now) {
      const nowMs = now.getTime();
      const held = known.get(text);
      // Later it is read again: another process may have revoked it (docs/decisions/identity.md).
      if (held && Math.abs(nowMs - held.readAtMs) < 5_000) return held.key;
      const revocationsBefore = revocations;
      const key = await findKeyByHash(store, keyHash(text));
      if (known.size >= 10_000) known.clear();
      // The key may have been revoked after it was read.
      if (key && revocations === revocationsBefore) known.set(text, { key, readAtMs: nowMs });
      else known.delete(text);
      return key;
    },
    forget(keyId) {
      revocations++;
      for (const [text, { key }] of known) if (key.id === keyId) known.delete(text);
      usedAtMs.delete(keyId);
    },
    noteUse(key, now) {
      const lastMs = usedAtMs.get(key.id);
      if (lastMs !== undefined && Math.abs(now.getTime() - lastMs) < 60_000) return;
      usedAtMs.set(key.id, now.getTime());
      const note: Promise<void> = transact({ store }, (write) => saveKeyUse(write, key, now))
        .catch((error) => {
          usedAtMs.delete(key.id);
          log.warning("use of a key not noted", { keyId: key.id, error });
        })
        .finally(() => notes.delete(note));
      notes.add(note);
    },
    async drain() {
      await Promise.all(notes);
    },
  };
}

/** The text is shown only once. Throws `validation_failed` for an expiry in the past. */
export async function createKey(
  ctx: Context,
  input: NewApiKey,
): Promise<{ key: StoredApiKey; text: string }> {
  requireFuture(input.expiresAt, ctx.now());
  return await transact(ctx, (write) => mintInto(write, ctx, input));
}

/** Throws `validation_failed` for an expiry in the past. */
export function requireFuture(expiresAt: string | null, now: Date): void {
  if (!isPast(expiresAt, now)) return;
  throw refuseFields([{ path: "expiresAt", message: "Must be in the future" }]);
}

export function mintInto(
  write: Write,
  ctx: Context,
  { name, scopes, expiresAt, allowedAddresses }: NewApiKey,
) {
  const { text, hash, prefix } = mintKey();
  const key: StoredApiKey = {
    id: ctx.newId(),
    workspaceId: ctx.workspaceId,
    name,
    prefix,
    scopes,
    expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    allowedAddresses,
    createdAt: ctx.now().toISOString(),
  };
  addKeyRows(write, hash, key);
  addAuditRow(write, ctx, {
    action: "api_key.create",
    resource: { type: "api_key", id: key.id, label: name },
    after: {
      ...{ name, scopes, expiresAt: key.expiresAt },
      ...(allowedAddresses.length > 0 && { allowedAddresses }),
    },
  });
  return { key, text };
}

/** The old key stays valid during the overlap, unless it expires earlier. Throws `not_found`. */
export async function rotateKey(
  ctx: Context,
  id: string,
  { overlapHours }: KeyRotation,
  keyRing?: KeyRing,
): Promise<{ key: StoredApiKey; text: string }> {
  const made = await transact(ctx, async (write) => {
    const found = await requireKey(ctx, id);
    const { name, scopes, expiresAt, allowedAddresses = [] } = found.row;
    const minted = mintInto(write, ctx, {
      ...{ name, expiresAt, allowedAddresses: [...allowedAddresses] },
      scopes: KEY_SCOPE_NAMES.filter((scope) => scopes.includes(scope)),
    });
    const endsAt = new Date(ctx.now().getTime() + overlapHours * HOUR_MS).toISOString();
    const oldEndsAt = expiresAt !== null && expiresAt < endsAt ? expiresAt : endsAt;
    if (overlapHours === 0) removeKey(write, found);
    else endKeyAt(write, found, oldEndsAt);
    addAuditRow(write, ctx, {
      action: "api_key.rotate",
      resource: { type: "api_key", id, label: name },
      before: { expiresAt },
      after: { expiresAt: oldEndsAt, replacedBy: minted.key.id },
    });
    return minted;
  });
  keyRing?.forget(id);
  return made;
}

async function requireKey(ctx: Context, id: string) {
  const found = isId(id) ? await findKey(ctx, id) : null;
  if (found) return found;
  throw new Failure("not_found", `There is no key "${id}"`);
}

/** Ends the key at once in this process, and within 5 s in others (docs/decisions/identity.md). */
export async function revokeKey(ctx: Context, id: string, keyRing?: KeyRing): Promise<void> {
  await transact(ctx, async (write) => {
    const found = await requireKey(ctx, id);
    const { name, scopes, expiresAt } = found.row;
    removeKey(write, found);
    addAuditRow(write, ctx, {
      action: "api_key.revoke",
      resource: { type: "api_key", id, label: name },
      before: { name, scopes, expiresAt },
    });
  });
  keyRing?.forget(id);
}
