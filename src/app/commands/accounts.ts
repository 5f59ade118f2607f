/**
 * Runs the commands `user …`, `key …` and `secret …`. A running server applies changes within 5 s.
 */
import {
  addKey,
  addUser,
  findWorkspaceOf,
  resetFactorsOf,
  setPassword,
} from "../../accounts/set_up.ts";
import {
  type ApiKey,
  KeyRotation,
  listKeys,
  revokeKey,
  rotateKey,
} from "../../accounts/keys/api_key.ts";
import type { Role } from "../../accounts/roles.ts";
import { Failure } from "../../base/failure.ts";
import { parseOrRefuse } from "../../platform/http/http.ts";
import { withTools } from "./store_access.ts";
import { print, printError, readInput, unreadable } from "./terminal.ts";
import { sealingKey } from "../../platform/store/sealed_fields.ts";
import { newSecretKey } from "../../platform/store/secret_key.ts";
import { findSecretTroubles, resealAll } from "../composition/secrets.ts";

interface UserAddOptions {
  readonly email: string;
  readonly role: Role;
  readonly workspace?: string;
  readonly passwordFile?: string;
}

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

export async function userPassword({ email, passwordFile }: UserPasswordOptions): Promise<void> {
  const password = await readPassword(passwordFile);
  const user = await withTools((tools) => setPassword(tools, { email, password }));
  print(`Set the password of ${user.email}`);
}

export async function userFactorReset({ email }: { readonly email: string }): Promise<void> {
  const user = await withTools((tools) => resetFactorsOf(tools, email));
  print(`Removed the second factors of ${user.email}`);
}

interface KeyAddOptions {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly workspace?: string;
  readonly expires?: string;
  readonly addresses?: readonly string[];
}

export async function keyAdd(options: KeyAddOptions): Promise<void> {
  const { name, scopes, workspace: workspaceName, expires: expiresAt } = options;
  const { addresses: allowedAddresses } = options;
  const { text } = await withTools((tools) =>
    addKey(tools, { name, scopes, workspaceName, expiresAt, allowedAddresses })
  );
  print(text);
}

interface KeyOptions {
  readonly workspace?: string;
}

export async function keyList({ workspace }: KeyOptions): Promise<void> {
  await withTools(async (tools) => {
    const ctx = await findWorkspaceOf(tools, workspace);
    for (let after: string | null = null;;) {
      const keys: ApiKey[] = await listKeys(ctx, { after, limit: KEYS_AT_ONCE });
      for (const key of keys) print(JSON.stringify(key));
      after = keys.at(-1)?.id ?? null;
      if (keys.length < KEYS_AT_ONCE) return;
    }
  });
}

const KEYS_AT_ONCE = 200;

export async function keyRevoke(id: string, { workspace }: KeyOptions): Promise<void> {
  await withTools(async (tools) => revokeKey(await findWorkspaceOf(tools, workspace), id));
  print(`Revoked ${id}`);
}

export async function keyRotate(
  id: string,
  { workspace, overlapHours }: KeyOptions & { readonly overlapHours: number },
): Promise<void> {
  const rotation = parseOrRefuse(KeyRotation, { overlapHours });
  const { text } = await withTools(async (tools) =>
    rotateKey(await findWorkspaceOf(tools, workspace), id, rotation)
  );
  print(text);
}

/** The password is not an argument, because process lists show arguments. */
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
    throw unreadable(`The password file "${path}"`, cause);
  }
}

export function secretNew(): Promise<void> {
  return Promise.resolve(print(newSecretKey()));
}

/**
 * Encrypts all stored credentials with the first key in `SECRET_KEY`. Returns false if a credential
 * cannot be decrypted.
 */
export async function secretRotate(): Promise<boolean> {
  return await withTools(async ({ store }) => {
    const key = sealingKey(store);
    if (key === null) {
      throw new Failure("validation_failed", "There is no key: set SECRET_KEY (`secret new`)");
    }
    const count = await resealAll(store);
    print(`Sealed ${count} credentials under the key ${key}`);
    const troubles = await Array.fromAsync(findSecretTroubles(store));
    for (const trouble of troubles) print(trouble);
    return troubles.length === 0;
  });
}
