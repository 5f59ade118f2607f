import { addAuditRow } from "../audit/audit_store.ts";
import type { Context } from "../../platform/store/context.ts";
import { requireVersion, versionOf } from "../../platform/http/http.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { endLink } from "./link_store.ts";
import { personName, shownUser, USER_READ_ONLY } from "./user.ts";
import { keepAnOwner, requireUser } from "./require_user.ts";
import { removeVisit } from "./visit_store.ts";
import { removeUserRows } from "./user_store.ts";

/** What else goes with a person, and the version that a client has read; null for any. */
export interface Removal {
  forget(write: Write, ctx: Context, userId: string): Promise<void>;
  readonly expected: string | null;
}

/**
 * Ends the sessions and links of the user with it, and whatever `forget` knows of theirs. Refuses
 * with `conflict` to remove the last owner, with `version_conflict` another version than the expected.
 */
export async function removeUser(
  ctx: Context,
  id: string,
  { forget, expected }: Removal,
): Promise<void> {
  await transact(ctx, async (write) => {
    const { user, versionstamp } = await requireUser(ctx, id);
    requireVersion(expected, versionOf(shownUser(user), USER_READ_ONLY));
    await keepAnOwner(write, ctx, user);
    removeUserRows(write, user, versionstamp);
    removeVisit(write, user.workspaceId, user.id);
    await endLink(ctx.store, write, user.id);
    await forget(write, ctx, user.id);
    addAuditRow(write, ctx, {
      action: "user.delete",
      resource: { type: "user", id: user.id, label: personName(user) },
      before: { email: user.email, role: user.role },
      after: null,
    });
  });
}
