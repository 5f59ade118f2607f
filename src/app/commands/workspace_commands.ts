/**
 * Runs commands that concern one workspace, and the commands `user …`, `key …` and `secret …`. A
 * running server notices the changes within 5 s.
 */
import { commandContext } from "../../platform/store/context.ts";
import {
  type AddedKey,
  type AddedUser,
  addKey,
  addUser,
  findWorkspaceOf,
  parseWorkspaceName,
  provideWorkspace,
  resetFactorsOf,
  setPassword,
} from "../../accounts/set_up.ts";
import { listUsers } from "../../accounts/users/user.ts";
import { changeSettings } from "../../accounts/change_settings.ts";
import { requireWorkspace, WorkspaceSettings } from "../../accounts/workspace.ts";
import { encoder } from "../../base/bytes.ts";
import { Failure } from "../../base/failure.ts";
import { countActiveProducts } from "../../catalogue/products/change_log_store.ts";
import { type ExportFormat, exportPrices } from "../../market/export/price_export_routes.ts";
import { parseOrRefuse } from "../../platform/http/http.ts";
import type { Store } from "../../platform/store/kv.ts";
import { openStoreFile, storeFile } from "../../platform/store/open_store.ts";
import { copyLiveFile, removeFile } from "../../platform/store/store_file.ts";
import { readConfig } from "../composition/config.ts";
import { deleteWorkspace, findWorkspaceToDelete } from "../workspace_files/delete_workspace.ts";
import { exportWorkspace } from "../workspace_files/export_workspace.ts";
import { importWorkspace, readLines } from "../workspace_files/import_workspace.ts";
import { lockStoreFile, requireAbsent } from "./backup.ts";
import { openPart, writeDurably } from "./part_file.ts";
import { migrationOf, storeLocation, withTools } from "./store_access.ts";
import { print, printError, readInput, unreadable, writeOut } from "./terminal.ts";
import {
  type ApiKey,
  KeyRotation,
  listKeys,
  revokeKey,
  rotateKey,
} from "../../accounts/keys/api_key.ts";
import { newSecretKey, sealingKey } from "../../platform/store/secret_store.ts";
import { findSecretTroubles, resealAll } from "../composition/tables.ts";

/**
 * Without `yes`, only throws an error that says what would be deleted. Stop all servers first: with
 * a remote store, the command cannot detect a running server.
 */
export async function workspaceDelete(
  nameOrId: string,
  { yes = false }: { readonly yes?: boolean },
): Promise<void> {
  const { dataDir } = storeLocation(readConfig());
  using _lock = dataDir === null ? null : await lockStoreFile(storeFile(dataDir));
  await withTools(async ({ store }) => {
    const { id, name } = await findWorkspaceToDelete(store, nameOrId);
    const workspace = { store, workspaceId: id };
    if (!yes) {
      const products = await countActiveProducts(workspace);
      const message = `"${name}" (${id}) with ${products} products would be deleted for good: ` +
        'make a backup or a "workspace export", then repeat with --yes';
      throw new Failure("validation_failed", message);
    }
    const rows = await deleteWorkspace(workspace);
    print(`Workspace "${name}" (${id}) is gone: ${rows} rows`);
  }, migrationOf);
}

const PIECE_CHARACTERS = 65_536;

/** The path `-` is standard output. */
export async function workspaceExport(
  path: string,
  { workspace: name }: { readonly workspace?: string },
): Promise<void> {
  if (path !== "-") await requireAbsent(path);
  await withTools(async (tools) => {
    const ctx = await findWorkspaceOf(tools, parseWorkspaceName(name));
    let lines = 0;
    await withStillStore(tools.store, async (store) => {
      const all = exportWorkspace(commandContext({ ...tools, store }, ctx.workspaceId));
      const pieces = piecesOf(all, () => lines++);
      if (path !== "-") return await writeFile(path, pieces);
      for await (const piece of pieces) writeOut(piece);
    });
    printError(`${(await requireWorkspace(ctx)).name}: ${lines} lines`);
  });
}

/** Runs `work` on an unchanging copy of the store file, or on the remote store itself. */
async function withStillStore<T>(store: Store, work: (store: Store) => Promise<T>): Promise<T> {
  const { dataDir } = storeLocation(readConfig());
  if (dataDir === null) return await work(store);
  const { kvPath } = storeFile(dataDir);
  await using copy = await openPart(kvPath);
  await copyLiveFile(kvPath, copy.path);
  const still = await openStoreFile(copy.path, 30_000);
  try {
    return await work(still);
  } finally {
    still.kv.close();
  }
}

async function* piecesOf(
  lines: AsyncIterable<object>,
  count: () => void,
): AsyncGenerator<Uint8Array> {
  let piece = "";
  for await (const line of lines) {
    count();
    piece += `${JSON.stringify(line)}\n`;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield encoder.encode(piece);
    piece = "";
  }
  yield encoder.encode(piece);
}

async function writeFile(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  await using part = await openPart(path);
  await writeDurably(part.path, content);
  await requireAbsent(path);
  await Deno.rename(part.path, path);
}

/** Standard input (`-`) is copied first, because an import reads its file twice. */
export async function workspaceImport(
  path: string,
  { name }: { readonly name?: string },
): Promise<void> {
  const named = parseWorkspaceName(name);
  if (path !== "-") return await importFile(path, named);
  const spool = await Deno.makeTempFile({ prefix: "kurant-", suffix: ".ndjson" });
  try {
    await Deno.writeFile(spool, Deno.stdin.readable);
    await importFile(spool, named);
  } finally {
    await removeFile(spool);
  }
}

async function importFile(path: string, named: string | undefined): Promise<void> {
  const counts = new Map<string, number>();
  for await (const { type } of readLines(await open(path))) {
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  await withTools(async (tools) => {
    const { id, name } = await importWorkspace(tools, readLines(await open(path)), named);
    const place = { store: tools.store, workspaceId: id };
    const users = await listUsers(place, { after: null, limit: null });
    const left = (counts.get("user") ?? 0) - users.length;
    const words = left > 0 ? `, ${left} left out because another workspace uses their address` : "";
    print(`Workspace "${name}" has the id ${id}`);
    for (const [type, count] of counts) {
      if (type === "user") print(`  user: ${users.length}${words}`);
      else if (type !== "workspace" && type !== "end") print(`  ${type}: ${count}`);
    }
    if (users.length > 0) print('Its users have no password yet: "kurant user password" sets one');
  });
}

async function open(path: string): Promise<ReadableStream<Uint8Array>> {
  try {
    return (await Deno.open(path)).readable;
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    throw new Failure("not_found", `There is no file "${path}"`, undefined, { cause });
  }
}

interface WorkspaceSetOptions {
  readonly vat?: string;
  readonly gross?: boolean;
  readonly net?: boolean;
  readonly workspace?: string;
}

export async function workspaceSet(
  { vat, gross = false, net = false, workspace: name }: WorkspaceSetOptions,
): Promise<void> {
  if (gross && net) throw new Failure("validation_failed", "Prices are --gross or --net, not both");
  const given = {
    ...(vat === undefined ? {} : { vatRatePct: Number(vat.trim().replace(",", ".") || NaN) }),
    ...(gross || net ? { pricesIncludeVat: gross } : {}),
  };
  if (Object.keys(given).length === 0) {
    throw new Failure("validation_failed", "Say what to set: --vat, and --gross or --net");
  }
  const changes = parseOrRefuse(WorkspaceSettings, given);
  const settings = await withTools(async (tools) =>
    await changeSettings(await provideWorkspace(tools, name), changes)
  );
  const { name: called, pricesIncludeVat, vatRatePct } = settings;
  const rate = vatRatePct === null ? "without a rate of VAT" : `VAT ${vatRatePct} %`;
  print(`Workspace "${called}": prices are ${pricesIncludeVat ? "gross" : "net"}, ${rate}`);
}

export async function exportPriceChanges(
  options: { readonly since?: string; readonly format: ExportFormat; readonly workspace?: string },
): Promise<void> {
  const { since, format, workspace } = options;
  await withTools(async (tools) => {
    const ctx = await findWorkspaceOf(tools, parseWorkspaceName(workspace));
    const asked = { since, format, dialect: "rfc4180" } as const;
    const { nextSince, chunks } = await exportPrices(ctx, asked);
    for await (const chunk of chunks) writeOut(chunk);
    printError(`next-since: ${nextSince}`);
  });
}

interface PasswordOptions {
  readonly passwordFile?: string;
}

export async function userAdd(
  { passwordFile, ...person }: Omit<AddedUser, "password"> & PasswordOptions,
): Promise<void> {
  const password = await readPassword(passwordFile);
  const user = await withTools((tools) => addUser(tools, { ...person, password }));
  print(`Added ${user.email} as ${user.role}`);
}

export async function userPassword(
  { email, passwordFile }: { readonly email: string } & PasswordOptions,
): Promise<void> {
  const password = await readPassword(passwordFile);
  const user = await withTools((tools) => setPassword(tools, { email, password }));
  print(`Set the password of ${user.email}`);
}

export async function userFactorReset({ email }: { readonly email: string }): Promise<void> {
  const user = await withTools((tools) => resetFactorsOf(tools, email));
  print(`Removed the second factors of ${user.email}`);
}

export async function keyAdd(key: AddedKey): Promise<void> {
  print((await withTools((tools) => addKey(tools, key))).text);
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
