/**
 * Backs up the store, restores a backup, and tests a backup. `compact` makes the store file smaller
 * by removing the space of deleted rows.
 */
import { resolve } from "node:path";
import { auditSeals, findLastSeal } from "../../accounts/audit/audit_seal_store.ts";
import { listWorkspaces } from "../../accounts/workspace.ts";
import { Failure } from "../../base/failure.ts";
import {
  notesOfFile,
  prepareStoreFile,
  preparingPath,
  rewriteFile,
} from "../../platform/store/file_layout.ts";
import type { Store } from "../../platform/store/kv.ts";
import { findLayout, openStoreFile, storeFile } from "../../platform/store/open_store.ts";
import { keysOfFolder } from "../../platform/store/secret_store.ts";
import {
  copyLiveFile,
  flushFile,
  lockStore,
  openFileToRead,
  replaceFile,
  requireSoundFile,
  sizeOf,
  type StoreLock,
} from "../../platform/store/store_file.ts";
import { type Config, readConfig } from "../composition/config.ts";
import { backupMark, drillMark, writeMark } from "../composition/diagnosis.ts";
import { findSecretTroubles } from "../composition/tables.ts";
import { findDisagreements } from "./check_store.ts";
import { openPart } from "./part_file.ts";
import { storeLocation, withTools } from "./store_access.ts";
import { print, printError } from "./terminal.ts";

/** Returns false if the copy's rows are inconsistent (see `check_store.ts`), but keeps the copy. */
export async function backup(path: string, options: CheckOptions): Promise<boolean> {
  const config = readConfig();
  const { kvPath } = requireStoreFile(config, "backup");
  await requirePresent(kvPath);
  await requireAbsent(path);
  await using part = await openPart(path);
  await copyLiveFile(kvPath, part.path);
  await requireSoundFile(part.path);
  const { words, first } = await judgeCopy(part.path, options, config);
  await flushFile(part.path);
  await requireAbsent(path);
  await Deno.rename(part.path, path);
  const bytes = await sizeOf(path) ?? 0;
  if (first === null && options.check) {
    const mark = { at: new Date().toISOString(), path: resolve(path), bytes };
    await writeMark(config.DATA_DIR, backupMark, mark);
  }
  print(`${path}: ${bytes} bytes, ${words}`);
  return first === null;
}

const BUSY_MS = 5_000;

function requireStoreFile(config: Config, command: string) {
  const { dataDir, kvUrl } = storeLocation(config);
  if (dataDir !== null) return storeFile(dataDir);
  const what = kvUrl === null ? "the platform's store" : "the store that KV_URL names";
  throw new Failure(
    "validation_failed",
    `"${command}" is for a store that is a file, and this is ${what}: back it up where it runs, ` +
      `or use "workspace export" and "workspace import"`,
  );
}

export async function lockStoreFile(
  { kvPath, lockPath }: { readonly kvPath: string; readonly lockPath: string },
): Promise<StoreLock> {
  await requirePresent(kvPath);
  const lock = lockStore(lockPath);
  lock.describe(null);
  return lock;
}

interface CheckOptions {
  readonly check: boolean;
}

/** Does not check rows of an older store format, because the next server start converts them. */
async function judgeCopy(
  path: string,
  { check }: CheckOptions,
  { DATA_DIR, SECRET_KEY }: Config,
) {
  let layout: number | null = null;
  const store = await openStoreFile(path, BUSY_MS, async (older) => {
    layout = (await findLayout(older)).layout;
  }, await keysOfFolder(DATA_DIR, SECRET_KEY ?? []));
  try {
    let findings = 0;
    let first: string | null = null;
    if (layout !== null) {
      return { words: `layout ${layout}, which the next start migrates`, first, isOlder: true };
    }
    if (!check) return { words: "rows not checked", first, isOlder: false };
    for await (const finding of findDisagreements(store)) {
      findings++;
      first ??= finding;
    }
    for await (const trouble of findSecretTroubles(store)) printError(trouble);
    return { words: `${findings} disagreements`, first, isOlder: false };
  } finally {
    store.kv.close();
  }
}

async function requirePresent(kvPath: string): Promise<void> {
  if (await sizeOf(kvPath) !== null) return;
  throw new Failure("not_found", `There is no store "${kvPath}": set DATA_DIR to its folder`);
}

export async function requireAbsent(path: string): Promise<void> {
  if (await sizeOf(path) === null) return;
  throw new Failure("conflict", `"${path}" is there already: choose another name or remove it`);
}

/** Returns false if the backup's rows are inconsistent, but restores the backup. */
export async function restore(path: string, options: CheckOptions): Promise<boolean> {
  const config = readConfig();
  const { kvPath, lockPath } = requireStoreFile(config, "restore");
  await Deno.mkdir(config.DATA_DIR, { recursive: true });
  using lock = lockStore(lockPath);
  lock.describe(null);
  await using part = await openPart(kvPath);
  await copyResting(path, part.path);
  await requireSoundFile(part.path);
  for (const { text } of notesOfFile(part.path)) printError(text);
  const { words, first } = await judgeCopy(part.path, options, config);
  await flushFile(part.path);
  const aside = await freeStore(kvPath);
  await replaceFile(part.path, kvPath, aside);
  print(`Restored: ${await sizeOf(kvPath)} bytes, ${words}`);
  if (aside !== null) print(`The store before is kept as ${aside}`);
  return first === null;
}

async function copyResting(path: string, part: string): Promise<void> {
  if (await sizeOf(path) === null) throw new Failure("not_found", `There is no file "${path}"`);
  await Deno.copyFile(path, part);
  if (await sizeOf(`${path}-wal`)) await Deno.copyFile(`${path}-wal`, `${part}-wal`);
}

/** Returns a free path for the old store, if there is one. Throws if the old store is in use. */
async function freeStore(kvPath: string): Promise<string | null> {
  if (await sizeOf(kvPath) === null) return null;
  try {
    await flushFile(kvPath);
  } catch (error) {
    if (error instanceof Failure) throw error;
  }
  const at = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  for (let n = 1;; n++) {
    const aside = `${kvPath}.before-${at}${n === 1 ? "" : `-${n}`}`;
    if (await sizeOf(aside) === null) return aside;
  }
}

/** Tests the newest backup in `folder`; returns false if the test finds a problem. */
export async function drill(folder: string | undefined): Promise<boolean> {
  const config = readConfig();
  requireStoreFile(config, "drill");
  const from = folder ?? config.BACKUP_DIR ?? config.DATA_DIR;
  const began = performance.now();
  const path = await newestBackup(from, config);
  const findings = path === null
    ? [`There is no backup (*.db) in "${from}"`]
    : await restoreBeside(path, config);
  const isSound = findings.length === 0;
  const seconds = Math.round(performance.now() - began) / 1_000;
  const at = new Date().toISOString();
  await writeMark(config.DATA_DIR, drillMark, { at, path, isSound, seconds, findings });
  for (const finding of findings) printError(`error: ${finding}`);
  if (path !== null) print(`${path}: ${isSound ? "restored and good" : "not good"}, ${seconds} s`);
  return isSound;
}

async function newestBackup(folder: string, { DATA_DIR }: Config): Promise<string | null> {
  const running = await Deno.realPath(storeFile(DATA_DIR).kvPath).catch(() => null);
  let newest: { readonly path: string; readonly atMs: number } | null = null;
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (!isFile || name.startsWith(".") || !name.endsWith(".db")) continue;
    const path = await Deno.realPath(`${folder}/${name}`);
    const atMs = (await Deno.stat(path)).mtime?.getTime() ?? 0;
    if (path !== running && atMs >= (newest?.atMs ?? 0)) newest = { path, atMs };
  }
  return newest?.path ?? null;
}

async function restoreBeside(path: string, config: Config): Promise<string[]> {
  await using part = await openPart(storeFile(config.DATA_DIR).kvPath);
  try {
    await copyResting(path, part.path);
    await requireSoundFile(part.path);
    const { words, first, isOlder } = await judgeCopy(part.path, { check: true }, config);
    if (first !== null) return [`${words}, the first: ${first}`];
    return await differences(part.path, config, isOlder);
  } catch (error) {
    if (error instanceof Failure) return [error.message.replaceAll(part.path, path)];
    return [`"${path}" cannot be checked: ${error}`];
  }
}

/** If the backup has an older store format, compares only the number of rows. */
async function differences(
  copy: string,
  { DATA_DIR, SECRET_KEY }: Config,
  isOlder: boolean,
): Promise<string[]> {
  const [rows, running] = [copy, storeFile(DATA_DIR).kvPath].map(countRows);
  print(`${rows} rows, the running store has ${running}`);
  if (Number(rows) < 0.5 * Number(running)) {
    return [`It has ${rows} rows, the running store ${running}`];
  }
  if (isOlder) return [];
  const backup = await openStoreFile(copy, BUSY_MS, null, SECRET_KEY ?? []);
  try {
    return await withTools(({ store }) => strangeSeals(backup, store));
  } finally {
    backup.kv.close();
  }
}

function countRows(path: string): number {
  using file = openFileToRead(path);
  return Number(file.prepare("SELECT count(*) AS n FROM kv").get()?.n);
}

/** Finds workspaces whose last audit seal in the backup is missing in the running store. */
async function strangeSeals(backup: Store, running: Store): Promise<string[]> {
  const findings: string[] = [];
  const known = new Set((await listWorkspaces(running)).map(({ id }) => id));
  for (const { id: workspaceId, name } of await listWorkspaces(backup)) {
    const last = await findLastSeal({ store: backup, workspaceId });
    if (last === null || !known.has(workspaceId)) continue;
    const { number, hash } = last;
    const same = await auditSeals.find({ store: running, workspaceId }, { number });
    if (same?.row.hash === hash) continue;
    findings.push(`${name}: audit seal ${number} of the backup is not that of the running store`);
  }
  return findings;
}

/** Throws if the store is in use. After a crash, either the old or the new file is complete. */
export async function compact(): Promise<void> {
  const files = requireStoreFile(readConfig(), "compact");
  using _lock = await lockStoreFile(files);
  await using part = await openPart(files.kvPath);
  const { before, after, isNew } = await rewriteFile(files.kvPath, part.path);
  if (isNew) print(`${before} bytes before, ${after} bytes now`);
  else print(`${before} bytes, and no space to gain`);
}

export async function storePrepare(path: string): Promise<void> {
  if (await sizeOf(path) === null) {
    await prepareStoreFile(path);
    return print(`${path}: a new store of ${await sizeOf(path)} bytes`);
  }
  const { before, after, isNew } = await rewriteFile(path, preparingPath(path));
  print(isNew ? `${path}: ${before} bytes before, ${after} bytes now` : `${path}: as it was`);
}
