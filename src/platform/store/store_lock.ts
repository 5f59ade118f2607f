/**
 * One server process per KV file: a kernel lock on a side file, which also names its holder, and
 * one on the folder, which stays when that file is deleted. Both end with their holder.
 */
import { dirname } from "node:path";
import { Failure } from "../../base/failure.ts";

interface LockHolder {
  readonly pid: number;
  readonly startedAt: string;
  readonly url: string | null;
}

/** The state of the lock file. */
type LockState = "held" | "made_anew" | "lost";

/**
 * Takes the lock of `path` or refuses with `unavailable`, naming the holder. The file is never
 * deleted: a new file would be a new lock. For local file systems only.
 */
export function lockStore(path: string): StoreLock {
  // The folder is locked first: a process that is refused there creates no lock file.
  const folder = lockFolder(dirname(path));
  const file = folder && lockFile(path);
  if (!folder || !file) {
    folder?.[Symbol.dispose]();
    const holder = readHolder(path);
    throw new Failure("unavailable", refusal(path, holder), { holder });
  }
  return new StoreLock(path, file, folder);
}

/** See `lockStore`. */
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

  /** Says in the lock file who holds it, for the message of a process that is refused. */
  describe(holder: LockHolder): void {
    this.#holder = holder;
    this.#file.truncateSync();
    this.#file.seekSync(0, Deno.SeekMode.Start);
    this.#file.writeSync(new TextEncoder().encode(JSON.stringify(holder)));
  }

  /**
   * Checks that the lock file is still this one. A missing file is created and locked again; the
   * lock is `lost` where another process has locked a new one, and where the folder is gone.
   */
  verify(): LockState {
    if (isFileAt(this.#path, this.#file)) return "held";
    const file = lockFileAnew(this.#path);
    if (file === null) return "lost";
    this.#file.close();
    this.#file = file;
    if (this.#holder) this.describe(this.#holder);
    return "made_anew";
  }

  [Symbol.dispose](): void {
    this.#file.close();
    this.#folder[Symbol.dispose]();
  }
}

/** True while `file` is the one that lies at `path`. */
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

/** Null when another process has it. */
function lockFile(path: string): Deno.FsFile | null {
  return locked(Deno.openSync(path, { read: true, write: true, create: true }));
}

/** Null when another process has it, or there is no place for it. */
function lockFileAnew(path: string): Deno.FsFile | null {
  try {
    return lockFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Null when another process has it. Windows opens no folder, and deletes no file that is open. */
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
    // The holder has not described itself yet: the refusal does without.
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
