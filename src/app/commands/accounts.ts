/** `user add`, `user password` and `key add`; they also work while a server runs. */

import { addKey, addUser, setPassword } from "../../accounts/add_user.ts";
import type { Role } from "../../accounts/roles.ts";
import { Failure } from "../../base/failure.ts";
import { withTools } from "./store_access.ts";
import { print, printError, readInput } from "./terminal.ts";

interface UserAddOptions {
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

interface UserPasswordOptions {
  readonly email: string;
  readonly passwordFile?: string;
}

/** `user password`: ends the user's sessions, on a running server too. */
export async function userPassword({ email, passwordFile }: UserPasswordOptions): Promise<void> {
  const password = await readPassword(passwordFile);
  const user = await withTools((tools) => setPassword(tools, { email, password }));
  print(`Set the password of ${user.email}`);
}

interface KeyAddOptions {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly workspace?: string;
  readonly expires?: string;
}

/** `key add`: prints the key and nothing else, so that a script can take it as it is. */
export async function keyAdd(options: KeyAddOptions): Promise<void> {
  const { name, scopes, workspace: workspaceName, expires: expiresAt } = options;
  const { text } = await withTools((tools) =>
    addKey(tools, { name, scopes, workspaceName, expiresAt })
  );
  print(text);
}

/**
 * The password of a command, never an argument, which a process list would show. The line end
 * behind it, which `echo` and editors add, is no part of it.
 */
async function readPassword(file: string | undefined): Promise<string> {
  if (file === undefined && Deno.stdin.isTerminal()) printError("Password, then Enter and Ctrl-D:");
  const text = file === undefined ? await readInput() : await readFile(file);
  const password = text.replace(/\r?\n$/, "");
  if (password !== "") return password;
  throw new Failure("validation_failed", "The password is empty: send it on standard input");
}

async function readFile(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The password file "${path}" cannot be read: ${reason}`;
    throw new Failure("validation_failed", message, undefined, { cause });
  }
}
