import { addUser } from "../identity/add_user.ts";
import type { Role } from "../identity/roles.ts";
import { readPassword } from "./password_input.ts";
import { withTools } from "./store_access.ts";
import { print } from "./terminal.ts";

export interface UserAddOptions {
  readonly email: string;
  readonly role: Role;
  readonly workspace?: string;
  readonly passwordFile?: string;
}

/** `user add`: the user can sign in at once, on a running server too. */
export async function userAdd(options: UserAddOptions): Promise<void> {
  const password = await readPassword(options.passwordFile);
  const { email, role, workspace: workspaceName } = options;
  const user = await withTools((tools) => addUser(tools, { email, role, password, workspaceName }));
  print(`Added ${user.email} as ${user.role}`);
}
