import { addAuditRow } from "../audit/audit_store.ts";
import type { Context } from "../../platform/store/context.ts";
import type { Role } from "../roles.ts";
import { transact } from "../../platform/store/kv.ts";
import { beginLink, type NewLink } from "./begin_link.ts";
import { emailTaken } from "./require_user.ts";
import { newUser, personName, type StoredUser } from "./user.ts";
import { addUserRows, findUserByEmail } from "./user_store.ts";

/** A user without a password, and the link to choose one. Refuses with `conflict` an address that is in use. */
export async function inviteUser(
  ctx: Context,
  { email, role, name = null }: {
    readonly email: string;
    readonly role: Role;
    readonly name?: string | null | undefined;
  },
): Promise<{ user: StoredUser; link: NewLink }> {
  return await transact(ctx, async (write) => {
    if (await findUserByEmail(ctx.store, email)) throw emailTaken(email);
    const user = newUser(ctx, ctx.workspaceId, { email, name, role, passwordHash: null });
    addUserRows(write, user);
    const link = await beginLink(ctx.store, write, { userId: user.id, now: ctx.now() });
    addAuditRow(write, ctx, {
      action: "user.create",
      resource: { type: "user", id: user.id, label: personName(user) },
      before: null,
      after: { email, role, ...(name !== null && { name }) },
    });
    return { user, link };
  });
}
