import { addAuditRow } from "./audit/audit_store.ts";
import { Failure } from "../base/failure.ts";
import { transact } from "../platform/store/kv.ts";
import { parseEmail } from "./add_user.ts";
import { commandContext, type Tools } from "./anonymous.ts";
import { hashNewPassword, wordsOf } from "./passwords/hash_new_password.ts";
import type { StoredUser } from "./users/user.ts";
import { findUserByEmail, saveUser } from "./users/user_store.ts";

/** A new password by command: ends the user's sessions. Refuses with `not_found` an unknown address. */
export async function setPassword(
  tools: Tools,
  { email: typed, password }: { email: string; password: string },
): Promise<StoredUser> {
  const email = parseEmail(typed);
  const { user: asked } = await requireByEmail(tools, email);
  const passwordHash = await hashNewPassword(password, {
    field: "password",
    words: await wordsOf(tools.store, asked),
  });
  return await transact(tools, async (write) => {
    const { user, versionstamp } = await requireByEmail(tools, email);
    const changed = { ...user, passwordHash, sessionGeneration: user.sessionGeneration + 1 };
    saveUser(write, changed, versionstamp);
    addAuditRow(write, commandContext(tools, user.workspaceId), {
      action: "user.password",
      resource: { type: "user", id: user.id, label: email },
      before: null,
      after: null,
    });
    return changed;
  });
}

async function requireByEmail({ store }: Tools, email: string) {
  const found = await findUserByEmail(store, email);
  if (!found) throw new Failure("not_found", `There is no user with the address "${email}"`);
  return found;
}
