/** Changes and removes users. A workspace always keeps at least one owner. */
import { Failure } from "../../base/failure.ts";
import { requireVersion, versionOf } from "../../platform/http/http.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { changedFields } from "../audit/audit.ts";
import { addAuditRow } from "../audit/audit_store.ts";
import type { Role } from "../roles.ts";
import { endLink } from "./links.ts";
import {
  checkOwners,
  hasOtherOwner,
  noteUser,
  removeUserRows,
  requireUser,
  saveUser,
  serialiseUser,
  type StoredUser,
  USER_READ_ONLY,
  visitRows,
} from "./user.ts";

/** Absent fields keep their values; null removes the name. */
interface UserChange {
  readonly role?: Role | undefined;
  readonly name?: string | null | undefined;
}

/** Throws `version_conflict` if the user has changed, and `conflict` if no owner would remain. */
export async function changeUser(
  ctx: Context,
  id: string,
  { role, name }: UserChange,
  expected: string | null = null,
): Promise<StoredUser> {
  return await transact(ctx, async (write) => {
    const { user, versionstamp } = await requireUser(ctx, id);
    requireVersion(expected, versionOf(serialiseUser(user), USER_READ_ONLY));
    const changed = {
      ...user,
      role: role ?? user.role,
      name: name === undefined ? user.name ?? null : name,
    };
    const fields = changedFields(editedOf(user), editedOf(changed));
    if (Object.keys(fields.after ?? {}).length === 0) return user;
    if (changed.role !== user.role) await keepAnOwner(write, ctx, user);
    saveUser(write, changed, versionstamp);
    noteUser(write, ctx, changed, { action: "user.update", ...fields });
    return changed;
  });
}

function editedOf({ role, name = null }: StoredUser) {
  return { role, name };
}

interface Removal {
  forget(write: Write, ctx: Context, userId: string): Promise<void>;
  readonly expected: string | null;
}

export async function removeUser(
  ctx: Context,
  id: string,
  { forget, expected }: Removal,
): Promise<void> {
  await transact(ctx, async (write) => {
    const { user, versionstamp } = await requireUser(ctx, id);
    requireVersion(expected, versionOf(serialiseUser(user), USER_READ_ONLY));
    await keepAnOwner(write, ctx, user);
    removeUserRows(write, user, versionstamp);
    visitRows.drop(write, user, { userId: user.id });
    await endLink(ctx.store, write, user.id);
    await forget(write, ctx, user.id);
    noteUser(write, ctx, user, {
      action: "user.delete",
      before: { email: user.email, role: user.role },
    });
  });
}

export async function setDailyMail(ctx: Context, isOn: boolean): Promise<void> {
  await transact(ctx, async (write) => {
    const { user, versionstamp } = await requireUser(ctx, ctx.actor.id);
    const { dailyMail = false } = user;
    if (dailyMail === isOn) return;
    saveUser(write, { ...user, dailyMail: isOn }, versionstamp);
    addAuditRow(write, ctx, {
      action: "user.update",
      resource: { type: "user", id: user.id, label: user.email },
      ...changedFields({ dailyMail }, { dailyMail: isOn }),
    });
  });
}

/** Throws `conflict` if `user` is the last owner. */
async function keepAnOwner(
  write: Write,
  workspace: WorkspaceStore,
  user: StoredUser,
): Promise<void> {
  if (user.role !== "owner") return;
  const owners = await hasOtherOwner(workspace, user.id);
  if (!owners.isTrue) {
    throw new Failure("conflict", "This is the last owner: make somebody else an owner first");
  }
  checkOwners(write, workspace.workspaceId, owners.versionstamp);
}
