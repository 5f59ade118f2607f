import { addAuditRow } from "../audit/audit_store.ts";
import { Failure } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { findKey, removeKey } from "./api_key_store.ts";
import type { KeyRing } from "./key_ring.ts";

/** Ends the key at once in this process, within 5 s in others (docs/decisions/identity.md). */
export async function revokeKey(ctx: Context, id: string, keyRing: KeyRing): Promise<void> {
  await transact(ctx, async (write) => {
    const found = isId(id) ? await findKey(ctx, id) : null;
    if (!found) throw new Failure("not_found", `There is no key "${id}"`);
    const { name, scopes, expiresAt } = found.key;
    removeKey(write, found.key, found.hash, found.versionstamp);
    addAuditRow(write, ctx, {
      action: "api_key.revoke",
      resource: { type: "api_key", id, label: name },
      before: { name, scopes, expiresAt },
      after: null,
    });
  });
  keyRing.forget(id);
}
