import { addAuditRow } from "../audit/audit_store.ts";
import { refuseFields } from "../../base/failure.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { isPast } from "../expiry.ts";
import { mintKey, type NewApiKey, type StoredApiKey } from "./api_key.ts";
import { addKeyRows } from "./api_key_store.ts";

/** A new key and its text, which is shown this once. Refuses a time of expiry that has passed. */
export async function createKey(
  ctx: Context,
  input: NewApiKey,
): Promise<{ key: StoredApiKey; text: string }> {
  requireFuture(input.expiresAt, ctx.now());
  return await transact(ctx, (write) => mintInto(write, ctx, input));
}

/** Refuses with `validation_failed` a time of expiry that has passed. */
export function requireFuture(expiresAt: string | null, now: Date): void {
  if (!isPast(expiresAt, now)) return;
  throw refuseFields([{ path: "expiresAt", message: "Must be in the future" }]);
}

/** Adds a new key to a commit of the workspace. */
export function mintInto(write: Write, ctx: Context, { name, scopes, expiresAt }: NewApiKey) {
  const { text, hash, prefix } = mintKey();
  const key: StoredApiKey = {
    id: ctx.newId(),
    workspaceId: ctx.workspaceId,
    name,
    prefix,
    scopes,
    expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    createdAt: ctx.now().toISOString(),
  };
  addKeyRows(write, hash, key);
  addAuditRow(write, ctx, {
    action: "api_key.create",
    resource: { type: "api_key", id: key.id, label: name },
    before: null,
    after: { name, scopes, expiresAt: key.expiresAt },
  });
  return { key, text };
}
