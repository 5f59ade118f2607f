import { setPassword } from "../identity/set_password.ts";
import { readPassword } from "./password_input.ts";
import { withTools } from "./store_access.ts";
import { print } from "./terminal.ts";

export interface UserPasswordOptions {
  readonly email: string;
  readonly passwordFile?: string;
}

/** `user password`: ends the user's sessions, on a running server too. */
export async function userPassword({ email, passwordFile }: UserPasswordOptions): Promise<void> {
  const password = await readPassword(passwordFile);
  const user = await withTools((tools) => setPassword(tools, { email, password }));
  print(`Set the password of ${user.email}`);
}
