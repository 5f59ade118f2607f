import { changedFields } from "../../audit/audit.ts";
import { addAuditRow } from "../../audit/audit_store.ts";
import type { Context } from "../../platform/store/context.ts";
import type { Role } from "../roles.ts";
import { transact } from "../../platform/store/kv.ts";
import { lastOwner, requireUser } from "./require_user.ts";
import type { StoredUser } from "./user.ts";
import { checkOwners, hasOtherOwner, saveUser } from "./user_store.ts";

/** Counts from the next request of the user on. Refuses with `conflict` to demote the last owner. */
export async function changeRole(
  ctx: Context,
  id: string,
  role: Role | undefined,
): Promise<StoredUser> {
  return await transact(ctx, async (write) => {
    const { user, versionstamp } = await requireUser(ctx, id);
    if (role === undefined || role === user.role) return user;
    if (user.role === "owner") {
      const owners = await hasOtherOwner(ctx, user.id);
      if (!owners.isTrue) throw lastOwner();
      checkOwners(write, ctx.workspaceId, owners.versionstamp);
    }
    const changed = { ...user, role };
    saveUser(write, changed, versionstamp);
    addAuditRow(write, ctx, {
      action: "user.update",
      resource: { type: "user", id: user.id, label: user.email },
      ...changedFields({ role: user.role }, { role }),
    });
    return changed;
  });
}
