import { refuseFields } from "../../base/failure.ts";
import type { Store } from "../../platform/store/kv.ts";
import { findWorkspace } from "../workspace_store.ts";
import { hashPassword, passwordTrouble } from "./password.ts";

export interface NewPassword {
  readonly field: string;
  /** What it must not be made of. */
  readonly words: readonly string[];
}

/** The hash of a new password. Refuses as `refuseEasyPassword` does. */
export async function hashNewPassword(password: string, asked: NewPassword): Promise<string> {
  refuseEasyPassword(password, asked);
  return await hashPassword(password);
}

/** Refuses with `validation_failed` at `field` what is too easy to guess; costs next to nothing. */
export function refuseEasyPassword(password: string, { field, words }: NewPassword): void {
  const message = passwordTrouble(password, words);
  if (message !== null) throw refuseFields([{ path: field, message }]);
}

/** What a password of this person must not be made of. */
export async function wordsOf(
  store: Store,
  { email, workspaceId }: { email: string; workspaceId: string },
): Promise<string[]> {
  const workspace = await findWorkspace(store, workspaceId);
  return [email, ...(workspace ? [workspace.name] : [])];
}
