import { addAuditRow } from "../audit/audit_store.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { beginLink, type NewLink } from "./begin_link.ts";
import { requireUser } from "./require_user.ts";
import { personName, type StoredUser } from "./user.ts";

/** A link to choose a new password, also for somebody whose invitation has expired. The old password counts until it is used. */
export async function createResetLink(
  ctx: Context,
  id: string,
): Promise<{ user: StoredUser; link: NewLink }> {
  return await transact(ctx, async (write) => {
    const { user } = await requireUser(ctx, id);
    const link = await beginLink(ctx.store, write, { userId: user.id, now: ctx.now() });
    addAuditRow(write, ctx, {
      action: "user.reset_link",
      resource: { type: "user", id: user.id, label: personName(user) },
      before: null,
      after: { expiresAt: link.expiresAt },
    });
    return { user, link };
  });
}
