import { Failure } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { findUser, type FoundUser } from "./user_store.ts";

/** Refuses with `not_found` an id that is malformed, unknown or of another workspace. */
export async function requireUser(workspace: WorkspaceStore, id: string): Promise<FoundUser> {
  const found = isId(id) ? await findUser(workspace, id) : null;
  if (!found) throw new Failure("not_found", `There is no user "${id}"`);
  return found;
}

/** Refuses with `conflict`, so that somebody can always manage users, keys and settings. */
export function lastOwner(): Failure {
  return new Failure("conflict", "This is the last owner: make somebody else an owner first");
}

/** Refuses with `conflict`: an address belongs to one person in the whole store. */
export function emailTaken(email: string): Failure {
  return new Failure("conflict", `The address "${email}" is in use already`, { field: "email" });
}
