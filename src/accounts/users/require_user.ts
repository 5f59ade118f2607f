import { Failure } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { StoredUser } from "./user.ts";
import { checkOwners, findUser, type FoundUser, hasOtherOwner } from "./user_store.ts";

/** Refuses with `not_found` an id that is malformed, unknown or of another workspace. */
export async function requireUser(workspace: WorkspaceStore, id: string): Promise<FoundUser> {
  const found = isId(id) ? await findUser(workspace, id) : null;
  if (!found) throw new Failure("not_found", `There is no user "${id}"`);
  return found;
}

/**
 * Refuses with `conflict` where the user is the last owner, and fails the commit where they have become
 * that meanwhile: so somebody can always manage users, keys and settings.
 */
export async function keepAnOwner(
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

/** Refuses with `conflict`: an address belongs to one person in the whole store. */
export function emailTaken(email: string): Failure {
  return new Failure("conflict", `The address "${email}" is in use already`, { field: "email" });
}
