import { refuseFields } from "../../base/failure.ts";
import type { Store } from "../../platform/kv.ts";
import { findWorkspace } from "../workspace_store.ts";
import { hashPassword, passwordTrouble } from "./password.ts";

/** The hash of a new password. Refuses with `validation_failed` at `field` one that is too easy to guess. */
export async function hashNewPassword(
  password: string,
  { field, words }: { field: string; words: readonly string[] },
): Promise<string> {
  const message = passwordTrouble(password, words);
  if (message !== null) throw refuseFields([{ path: field, message }]);
  return await hashPassword(password);
}

/** What a password of this person must not be made of. */
export async function wordsOf(
  store: Store,
  { email, workspaceId }: { email: string; workspaceId: string },
): Promise<string[]> {
  const workspace = await findWorkspace(store, workspaceId);
  return [email, ...(workspace ? [workspace.name] : [])];
}
