import { changedFields } from "../audit/audit.ts";
import { addAuditRow } from "../audit/audit_store.ts";
import { requireVersion, versionOf } from "../../platform/http/http.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import type { Role } from "../roles.ts";
import { keepAnOwner, requireUser } from "./require_user.ts";
import { personName, shownUser, type StoredUser, USER_READ_ONLY } from "./user.ts";
import { saveUser } from "./user_store.ts";

/** What is changed of a person; absent is unchanged, a name of null is none. */
export interface UserChange {
  readonly role?: Role | undefined;
  readonly name?: string | null | undefined;
}

/**
 * Counts from the next request of the user on; one that changes nothing writes nothing. Refuses with
 * `version_conflict`, and with `conflict` to demote the last owner.
 */
export async function changeUser(
  ctx: Context,
  id: string,
  { role, name }: UserChange,
  expected: string | null = null,
): Promise<StoredUser> {
  return await transact(ctx, async (write) => {
    const { user, versionstamp } = await requireUser(ctx, id);
    requireVersion(expected, versionOf(shownUser(user), USER_READ_ONLY));
    const changed = {
      ...user,
      role: role ?? user.role,
      name: name === undefined ? user.name ?? null : name,
    };
    const fields = changedFields(editedOf(user), editedOf(changed));
    if (Object.keys(fields.after ?? {}).length === 0) return user;
    if (changed.role !== user.role) await keepAnOwner(write, ctx, user);
    saveUser(write, changed, versionstamp);
    addAuditRow(write, ctx, {
      action: "user.update",
      resource: { type: "user", id: user.id, label: personName(changed) },
      ...fields,
    });
    return changed;
  });
}

function editedOf({ role, name = null }: StoredUser) {
  return { role, name };
}
