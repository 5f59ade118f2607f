/**
 * Commands that back up the store, restore a backup and test a backup. `compact` removes the space
 * of deleted rows from the store file.
 */
import { basename, dirname, resolve } from "node:path";
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
  removeFile,
  replaceFile,
  requireSoundFile,
  sizeOf,
  type StoreLock,
} from "../../platform/store/store_file.ts";
import { type Config, readConfig } from "../composition/config.ts";
import { backupMark, drillMark, writeMark } from "../composition/diagnosis.ts";
import { findSecretTroubles } from "../composition/tables.ts";
import { findDisagreements } from "./check_store.ts";
import { storeLocation, withTools } from "./store_access.ts";
import { print, printError } from "./terminal.ts";

/** Returns false, and keeps the copy, if rows of the copy contradict each other. */
export async function backup(path: string, options: CheckOptions): Promise<boolean> {
  const config = readConfig();
  const { kvPath } = requireStoreFile(config, "backup");
  await requirePresent(kvPath);
  await requireAbsent(path);
  await using part = await openBackupPart(path);
  await copyLiveFile(kvPath, part.path);
  await requireSoundFile(part.path);
  const { isSound, words } = await judgeCopy(part.path, options, config);
  await flushFile(part.path);
  await requireAbsent(path);
  await Deno.rename(part.path, path);
  const bytes = await sizeOf(path) ?? 0;
  if (isSound && options.check) {
    const mark = { at: new Date().toISOString(), path: resolve(path), bytes };
    await writeMark(config.DATA_DIR, backupMark, mark);
  }
  print(`${path}: ${bytes} bytes, ${words}`);
  return isSound;
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

interface Verdict {
  readonly isSound: boolean;
  readonly isOlder?: boolean;
  readonly words: string;
  readonly first: string | null;
}

/** Does not check the rows of a copy with an older layout, because the next start converts them. */
async function judgeCopy(
  path: string,
  { check }: CheckOptions,
  { DATA_DIR, SECRET_KEY }: Config,
): Promise<Verdict> {
  let layout: number | null = null;
  const store = await openStoreFile(path, BUSY_MS, async (older) => {
    layout = (await findLayout(older)).layout;
  }, await keysOfFolder(DATA_DIR, SECRET_KEY ?? []));
  try {
    if (layout !== null) {
      return {
        isSound: true,
        isOlder: true,
        words: `layout ${layout}, which the next start migrates`,
        first: null,
      };
    }
    if (!check) return { isSound: true, words: "rows not checked", first: null };
    let findings = 0;
    let first: string | null = null;
    for await (const finding of findDisagreements(store)) {
      findings++;
      first ??= finding;
    }
    for await (const trouble of findSecretTroubles(store)) printError(trouble);
    return { isSound: findings === 0, words: `${findings} disagreements`, first };
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

const PREFIX = ".kurant-backup-";
const LOCK = ".lock";
const PART_LOCK = /^\.kurant-backup-.+\.part\.lock$/;

interface BackupPart extends AsyncDisposable {
  readonly path: string;
}

/** Also removes the partial files of killed commands. */
export async function openBackupPart(path: string): Promise<BackupPart> {
  const folder = dirname(path);
  await sweepBackupParts(folder);
  const part = `${folder}/${PREFIX}${basename(path)}.${Deno.pid}.part`;
  const lock = await Deno.open(part + LOCK, { write: true, create: true });
  await lock.lock(true);
  return {
    path: part,
    async [Symbol.asyncDispose]() {
      await removeFile(part);
      lock.close();
      await removeFile(part + LOCK);
    },
  };
}

export async function sweepBackupParts(folder: string): Promise<void> {
  const locks = await Array.fromAsync(Deno.readDir(folder));
  for (const { name } of locks.filter(({ name }) => PART_LOCK.test(name))) {
    const path = `${folder}/${name}`;
    using lock = await Deno.open(path, { write: true });
    if (!await lock.tryLock(true)) continue;
    await removeFile(path.slice(0, -LOCK.length));
    await removeFile(path);
  }
}

/** If `restore` is killed, the next `restore` or `serve` removes this file. */
export const restoringPath = (kvPath: string) => `${kvPath}.restoring`;

/** Restores the backup even if its rows contradict each other, but then returns false. */
export async function restore(path: string, options: CheckOptions): Promise<boolean> {
  const config = readConfig();
  const { kvPath, lockPath } = requireStoreFile(config, "restore");
  await Deno.mkdir(config.DATA_DIR, { recursive: true });
  using lock = lockStore(lockPath);
  lock.describe(null);
  const part = restoringPath(kvPath);
  await removeFile(part);
  try {
    await copyResting(path, part);
    await requireSoundFile(part);
    for (const { text } of notesOfFile(part)) printError(text);
    const { isSound, words } = await judgeCopy(part, options, config);
    await flushFile(part);
    const aside = await freeStore(kvPath);
    await replaceFile(part, kvPath, aside);
    print(`Restored: ${await sizeOf(kvPath)} bytes, ${words}`);
    if (aside !== null) print(`The store before is kept as ${aside}`);
    return isSound;
  } finally {
    await removeFile(part);
  }
}

async function copyResting(path: string, part: string): Promise<void> {
  if (await sizeOf(path) === null) throw new Failure("not_found", `There is no file "${path}"`);
  await Deno.copyFile(path, part);
  if (await sizeOf(`${path}-wal`)) await Deno.copyFile(`${path}-wal`, `${part}-wal`);
}

/** Returns a free path to move the store to. Throws if another program has the store open. */
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

const DRILL_PREFIX = ".kurant-drill-";

/** Tests the newest backup in `folder`. Returns false if the test has findings. */
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
  await sweepDrills(config.DATA_DIR);
  const folder = await Deno.makeTempDir({ dir: config.DATA_DIR, prefix: DRILL_PREFIX });
  const copy = storeFile(folder).kvPath;
  try {
    await copyResting(path, copy);
    await requireSoundFile(copy);
    const { isSound, isOlder = false, words, first } = await judgeCopy(
      copy,
      { check: true },
      config,
    );
    if (!isSound) return [`${words}, the first: ${first}`];
    return await differences(copy, config, isOlder);
  } catch (error) {
    if (error instanceof Failure) return [error.message.replaceAll(copy, path)];
    return [`"${path}" cannot be checked: ${error}`];
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function sweepDrills(dataDir: string): Promise<void> {
  for await (const { name } of Deno.readDir(dataDir)) {
    if (name.startsWith(DRILL_PREFIX)) await Deno.remove(`${dataDir}/${name}`, { recursive: true });
  }
}

/** Does not compare seals with a backup of an older layout, which only a migration can read. */
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

/** Returns a finding for each workspace whose newest audit seal in `backup` is not in `running`. */
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

/** If `compact` is killed, the next `compact` or `serve` removes this file. */
export const compactingPath = (kvPath: string) => `${kvPath}.compacting`;

/** Throws if the store is in use. After a crash, the store is complete: the old or the new file. */
export async function compact(): Promise<void> {
  const files = requireStoreFile(readConfig(), "compact");
  using _lock = await lockStoreFile(files);
  const { before, after, isNew } = await rewriteFile(files.kvPath, compactingPath(files.kvPath));
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
