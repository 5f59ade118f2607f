/**
 * Checks, copies and locks the store's SQLite file. Only one server process may use a file. The
 * process locks a lock file and also its folder, because somebody may delete the lock file. The
 * locks of the file and of the folder end with the process.
 */
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { encoder } from "../../base/bytes.ts";
import { Failure } from "../../base/failure.ts";

const MAGIC = "SQLite format 3\0";
/** Copies all pages in one step, because a copy in steps would restart after each commit. */
const ALL_PAGES = 2_147_483_647;
/** SQLite may keep a file busy for this time after the file was closed. */
const CLOSING_MS = 1_000;
const CLOSING_POLL_MS = 5;

const COMPANIONS = ["-wal", "-shm", "-journal"] as const;

/**
 * Throws `unavailable` if the file is empty, truncated or not a store; a missing file is accepted.
 */
export async function requireWholeFile(path: string): Promise<void> {
  const bytes = await sizeOf(path);
  if (bytes === null) return;
  if (bytes === 0) {
    // Wait before the file counts as empty, because another process may be creating it.
    await pause(500);
    if (await sizeOf(path) === 0 && !await sizeOf(`${path}-wal`)) {
      throw torn(path, "is empty", ", or delete it to begin anew");
    }
    return;
  }
  const head = await readHead(path);
  if (new TextDecoder().decode(head.subarray(0, MAGIC.length)) !== MAGIC) {
    throw torn(path, "is not a store");
  }
  // While SQLite's `-wal` file exists, recent pages may be only there, so do not check the size.
  if (await sizeOf(`${path}-wal`)) return;
  const view = new DataView(head.buffer);
  const pageBytes = view.getUint16(16) === 1 ? 65_536 : view.getUint16(16);
  const whole = view.getUint32(28) * pageBytes;
  if (bytes < whole) throw torn(path, `has ${bytes} bytes instead of ${whole}`);
}

async function readHead(path: string): Promise<Uint8Array<ArrayBuffer>> {
  using file = await Deno.open(path);
  const head = new Uint8Array(100);
  await file.read(head);
  return head;
}

function torn(path: string, what: string, more = "", cause?: unknown): Failure {
  const message = `The store file "${path}" ${what}: restore a backup (kurant restore FILE)${more}`;
  return new Failure("unavailable", message, undefined, { cause });
}

export async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await Deno.stat(path)).size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

export function asTornFile(path: string, error: unknown): unknown {
  const isTorn = error instanceof Error && /malformed|not a database/i.test(error.message);
  return isTorn ? torn(path, "is damaged", "", error) : error;
}

/** Copies the file as it is at one moment, even if other processes write to the file. */
export async function copyLiveFile(from: string, to: string): Promise<void> {
  using source = openFile(from);
  await backup(source, to, { rate: ALL_PAGES });
}

export function pragma(file: DatabaseSync, name: string): number {
  return Number(file.prepare(`PRAGMA ${name}`).get()?.[name]);
}

export async function requireSoundFile(path: string): Promise<void> {
  if (await sizeOf(path) === null) {
    throw new Failure("not_found", `There is no file "${path}"`);
  }
  await requireWholeFile(path);
  try {
    using file = openFile(path);
    const [row] = file.prepare("PRAGMA integrity_check(1)").all();
    const says = String(row?.integrity_check).replaceAll(/\s+/g, " ");
    if (says !== "ok") throw torn(path, `is damaged (${says})`);
    const isStore = file.prepare("SELECT 1 FROM sqlite_master WHERE name = 'kv'").get();
    if (!isStore) throw torn(path, "is not a store");
  } catch (error) {
    throw asTornFile(path, error);
  }
}

/** Writes SQLite's log into the file; throws `unavailable` if another process uses the file. */
export async function flushFile(path: string): Promise<void> {
  const giveUpAt = performance.now() + CLOSING_MS;
  for (;;) {
    try {
      using file = openFile(path);
      file.exec("PRAGMA journal_mode = DELETE");
      break;
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() > giveUpAt) throw inUse(path, error);
      await pause(CLOSING_POLL_MS);
    }
  }
  using file = await Deno.open(path, { read: true, write: true });
  await file.sync();
}

export function isBusy(error: unknown): boolean {
  return error instanceof Error && /locked|busy/i.test(error.message);
}

function inUse(path: string, cause: unknown): Failure {
  const message = `Another process has the store file "${path}" open: stop it, or wait for its end`;
  return new Failure("unavailable", message, undefined, { cause });
}

export async function holdFile(path: string): Promise<DatabaseSync> {
  await flushFile(path);
  const file = openFile(path);
  try {
    file.exec("BEGIN EXCLUSIVE");
    return file;
  } catch (error) {
    file.close();
    throw isBusy(error) ? inUse(path, error) : error;
  }
}

export async function removeFile(path: string): Promise<void> {
  for (const name of ["", ...COMPANIONS]) {
    try {
      await Deno.remove(path + name);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}

/**
 * Replaces the closed store at `kvPath` with the file `path`, which must be flushed. Keeps the old
 * store as `aside`; if `aside` is null, the old store is overwritten.
 */
export async function replaceFile(
  path: string,
  kvPath: string,
  aside: string | null,
): Promise<void> {
  if (aside !== null && await sizeOf(kvPath) !== null) {
    await keepAside(kvPath, aside);
    // Move the old store's log too, because SQLite would apply it to the new file.
    for (const name of COMPANIONS) {
      if (await sizeOf(kvPath + name) !== null) await Deno.rename(kvPath + name, aside + name);
    }
  }
  await Deno.rename(path, kvPath);
  await syncFolder(kvPath);
}

/** Syncs the folder that contains `path`, so that a rename is durable. */
export async function syncFolder(path: string): Promise<void> {
  if (Deno.build.os === "windows") return;
  using folder = await Deno.open(dirname(path), { read: true });
  await folder.sync();
}

async function keepAside(kvPath: string, aside: string): Promise<void> {
  try {
    await Deno.link(kvPath, aside);
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) throw error;
    await Deno.copyFile(kvPath, aside);
  }
}

export function openFile(path: string, busyMs = 30_000): DatabaseSync {
  return new DatabaseSync(path, { timeout: busyMs });
}

/** Reads fail at once while a writer locks the file, because waiting would block the thread. */
export function openFileToRead(path: string): DatabaseSync {
  const file = new DatabaseSync(path, { readOnly: true });
  // Use a pragma, because the driver's option `timeout` has no effect on read-only handles.
  file.exec("PRAGMA busy_timeout = 0");
  return file;
}

interface LockHolder {
  readonly pid: number;
  readonly startedAt: string;
  readonly url: string | null;
}

export interface StoreLock extends Disposable {
  describe(url: string | null): void;
}

/** Throws `unavailable` if another process has the lock; the lock file is never deleted. */
export function lockStore(path: string): StoreLock {
  // Lock the folder first, so that a refused process creates no lock file.
  const folder = lockFolder(dirname(path));
  const file = folder && locked(Deno.openSync(path, { read: true, write: true, create: true }));
  if (!folder || !file) {
    folder?.[Symbol.dispose]();
    const holder = readHolder(path);
    throw new Failure("unavailable", refusal(path, holder), { holder });
  }
  return {
    describe(url) {
      const holder: LockHolder = { pid: Deno.pid, startedAt: new Date().toISOString(), url };
      file.truncateSync();
      file.writeSync(encoder.encode(JSON.stringify(holder)));
    },
    [Symbol.dispose]() {
      file.close();
      folder[Symbol.dispose]();
    },
  };
}

/** Windows needs no lock of the folder, because Windows never deletes an open file. */
function lockFolder(path: string): Disposable | null {
  if (Deno.build.os === "windows") return { [Symbol.dispose]: () => {} };
  return locked(Deno.openSync(path, { read: true }));
}

function locked(file: Deno.FsFile): Deno.FsFile | null {
  if (file.tryLockSync(true)) return file;
  file.close();
  return null;
}

function readHolder(path: string): LockHolder | null {
  try {
    return JSON.parse(Deno.readTextFileSync(path));
  } catch {
    // The process with the lock may not have written the file yet.
    return null;
  }
}

function refusal(path: string, holder: LockHolder | null): string {
  const who = holder
    ? ` by process ${holder.pid}, since ${holder.startedAt}${
      holder.url ? `, at ${holder.url}` : ""
    }`
    : "";
  return `The store is in use${who}: stop that server or choose another DATA_DIR (lock: ${path})`;
}
