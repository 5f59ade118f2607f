import { addAuditRow } from "./audit/audit_store.ts";
import { refuseFields } from "../base/failure.ts";
import type { Role } from "./roles.ts";
import { transact } from "../platform/store/kv.ts";
import { commandContext, type Tools } from "./anonymous.ts";
import { chooseWorkspace, parseWorkspaceName } from "./choose_workspace.ts";
import { hashNewPassword } from "./passwords/hash_new_password.ts";
import { emailTaken } from "./users/require_user.ts";
import { Email, newUser, type StoredUser } from "./users/user.ts";
import { addUserRows, claimFirstUser, findUserByEmail, hasHadUsers } from "./users/user_store.ts";

export interface AddedUser {
  readonly email: string;
  readonly role: Role;
  readonly password: string;
  /** What people call them. */
  readonly name?: string;
  /** Without a name the oldest workspace; a name that is new makes one. */
  readonly workspaceName?: string | undefined;
}

/**
 * A user by command, who can sign in at once. Refuses with `validation_failed` what is no address,
 * an easy password and a wrong name, with `conflict` an address that is in use.
 */
export async function addUser(tools: Tools, input: AddedUser): Promise<StoredUser> {
  const email = parseEmail(input.email);
  const workspaceName = parseWorkspaceName(input.workspaceName);
  const passwordHash = await hashNewPassword(input.password, {
    field: "password",
    words: [email, ...(workspaceName === undefined ? [] : [workspaceName])],
  });
  return await transact(tools, async (write) => {
    if (await findUserByEmail(tools.store, email)) throw emailTaken(email);
    const workspace = await chooseWorkspace(tools, write, workspaceName);
    const ctx = commandContext(tools, workspace.id);
    const { name, role } = input;
    const known = { email, ...(name !== undefined && { name }), role, passwordHash };
    const user = newUser(ctx, workspace.id, known);
    addUserRows(write, user);
    if (!await hasHadUsers(tools.store)) claimFirstUser(write, user.id);
    addAuditRow(write, ctx, {
      action: "user.create",
      resource: { type: "user", id: user.id, label: email },
      before: null,
      after: { email, role: user.role },
    });
    return user;
  });
}

/** The normalised address, or `validation_failed` at `email`. */
export function parseEmail(text: string): string {
  const parsed = Email.safeParse(text);
  if (parsed.success) return parsed.data;
  throw refuseFields([{ path: "email", message: `"${text}" is not an e-mail address` }]);
}
