import { addAuditRow } from "../../audit/audit_store.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { endLink } from "./link_store.ts";
import { lastOwner, requireUser } from "./require_user.ts";
import { checkOwners, hasOtherOwner, removeUserRows } from "./user_store.ts";

/** Ends the sessions and links of the user with it. Refuses with `conflict` to remove the last owner. */
export async function removeUser(ctx: Context, id: string): Promise<void> {
  await transact(ctx, async (write) => {
    const { user, versionstamp } = await requireUser(ctx, id);
    if (user.role === "owner") {
      const owners = await hasOtherOwner(ctx, user.id);
      if (!owners.isTrue) throw lastOwner();
      checkOwners(write, ctx.workspaceId, owners.versionstamp);
    }
    removeUserRows(write, user, versionstamp);
    await endLink(ctx.store, write, user.id);
    addAuditRow(write, ctx, {
      action: "user.delete",
      resource: { type: "user", id: user.id, label: user.email },
      before: { email: user.email, role: user.role },
      after: null,
    });
  });
}
