/**
 * Allows one server process per KV file. The process locks a lock file and, in case the lock file
 * is deleted, the folder. Both locks end with the process.
 */
import { dirname } from "node:path";
import { Failure } from "../../base/failure.ts";

interface LockHolder {
  readonly pid: number;
  readonly startedAt: string;
  readonly url: string | null;
}

type LockState = "held" | "recreated" | "lost";

/**
 * Throws `unavailable` if another process has the lock. Never delete a lock file, because a new
 * file would be a new lock. Works on local file systems only.
 */
export function lockStore(path: string): StoreLock {
  // Lock the folder first, so that a refused process creates no lock file.
  const folder = lockFolder(dirname(path));
  const file = folder && lockFile(path);
  if (!folder || !file) {
    folder?.[Symbol.dispose]();
    const holder = readHolder(path);
    throw new Failure("unavailable", refusal(path, holder), { holder });
  }
  return new StoreLock(path, file, folder);
}

export class StoreLock implements Disposable {
  readonly #path: string;
  readonly #folder: Disposable;
  #file: Deno.FsFile;
  #holder: LockHolder | null = null;

  constructor(path: string, file: Deno.FsFile, folder: Disposable) {
    this.#path = path;
    this.#file = file;
    this.#folder = folder;
  }

  /** Writes the holder into the lock file, so that a refused process can name the holder. */
  describe(holder: LockHolder): void {
    this.#holder = holder;
    this.#file.truncateSync();
    this.#file.seekSync(0, Deno.SeekMode.Start);
    this.#file.writeSync(new TextEncoder().encode(JSON.stringify(holder)));
  }

  /** Recreates the lock file if it is missing. `lost` means that this was impossible. */
  verify(): LockState {
    if (isFileAt(this.#path, this.#file)) return "held";
    const file = recreateLockFile(this.#path);
    if (file === null) return "lost";
    this.#file.close();
    this.#file = file;
    if (this.#holder) this.describe(this.#holder);
    return "recreated";
  }

  [Symbol.dispose](): void {
    this.#file.close();
    this.#folder[Symbol.dispose]();
  }
}

export function isFileAt(path: string, file: Deno.FsFile): boolean {
  const held = file.statSync();
  try {
    const found = Deno.statSync(path);
    return found.ino === held.ino && found.dev === held.dev;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function lockFile(path: string): Deno.FsFile | null {
  return locked(Deno.openSync(path, { read: true, write: true, create: true }));
}

function recreateLockFile(path: string): Deno.FsFile | null {
  try {
    return lockFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Null if another process has the lock. On Windows, nobody can delete the open lock file. */
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
    // The holder may not have written its description yet.
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
