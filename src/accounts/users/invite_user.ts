/** Links with which people choose a password. */
import { sha256 } from "../../base/bytes.ts";
import type { Context } from "../../platform/store/context.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import type { Role } from "../roles.ts";
import { newToken } from "../secret.ts";
import { emailTaken, requireUser } from "./change_user.ts";
import { addLink, endLink } from "./link_store.ts";
import { addUserRows, findUserByEmail, newUser, noteUser, type StoredUser } from "./user.ts";

/** Adds a user, and a link with which the user chooses a password. Throws `conflict`. */
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
    noteUser(write, ctx, user, {
      action: "user.create",
      after: { email, role, ...(name !== null && { name }) },
    });
    // Name no path, because a repeated answer could not contain the link.
    ctx.receipt?.put(write, null);
    return { user, link };
  });
}

export interface NewLink {
  readonly token: string;
  readonly expiresAt: string;
}

/** The user's previous link becomes invalid. */
export async function beginLink(
  store: Store,
  write: Write,
  // The default is for invitations and for reset links from owners.
  { userId, now, livesMs = 72 * 3_600_000 }: {
    readonly userId: string;
    readonly now: Date;
    readonly livesMs?: number;
  },
): Promise<NewLink> {
  const token = newToken();
  const expiresAt = new Date(now.getTime() + livesMs).toISOString();
  await endLink(store, write, userId);
  addLink(write, sha256(token), { userId, expiresAt });
  return { token, expiresAt };
}

/** The old password works until the link is used. */
export async function createResetLink(
  ctx: Context,
  id: string,
): Promise<{ user: StoredUser; link: NewLink }> {
  return await transact(ctx, async (write) => {
    const { user } = await requireUser(ctx, id);
    const link = await beginLink(ctx.store, write, { userId: user.id, now: ctx.now() });
    noteUser(write, ctx, user, { action: "user.reset_link", after: { expiresAt: link.expiresAt } });
    return { user, link };
  });
}
