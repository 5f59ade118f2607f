/** One server process per KV file: a kernel lock on a side file, gone when its holder is killed. */
import { Failure } from "../base/failure.ts";

export interface LockHolder {
  readonly pid: number;
  readonly startedAt: string;
  readonly url: string | null;
}

export interface StoreLock extends Disposable {
  /** Says in the lock file who holds it, for the message of a process that is refused. */
  describe(holder: LockHolder): void;
}

/**
 * Takes the lock of `path` or refuses with `unavailable`, naming the holder. The file is never
 * deleted: a new file would be a new lock. For local file systems only.
 */
export function lockStore(path: string): StoreLock {
  const file = Deno.openSync(path, { read: true, write: true, create: true });
  if (!file.tryLockSync(true)) {
    const holder = readHolder(path);
    file.close();
    throw new Failure("unavailable", refusal(path, holder), { holder });
  }
  return {
    describe(holder) {
      file.truncateSync();
      file.seekSync(0, Deno.SeekMode.Start);
      file.writeSync(new TextEncoder().encode(JSON.stringify(holder)));
    },
    [Symbol.dispose]() {
      file.close();
    },
  };
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
