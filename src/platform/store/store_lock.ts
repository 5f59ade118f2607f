/**
 * Allows one server process per KV file. The process locks a lock file, and also its folder,
 * because somebody may delete the lock file. Both locks end with the process.
 */
import { dirname } from "node:path";
import { encoder } from "../../base/bytes.ts";
import { Failure } from "../../base/failure.ts";

interface LockHolder {
  readonly pid: number;
  readonly startedAt: string;
  readonly url: string | null;
}

export interface StoreLock extends Disposable {
  /** Writes this process's id and address into the lock file, for messages to other processes. */
  describe(url: string | null): void;
}

/**
 * Throws `unavailable` if another process has the lock. Never delete the lock file: a process that
 * creates it anew would get a second lock.
 */
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
    // The holder of the lock may not have written its description yet.
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
