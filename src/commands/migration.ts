/** How commands bring a store of an older layout to today's: the file's lock in hand, a backup first. */
import { Failure } from "../base/failure.ts";
import { MIGRATIONS } from "../migrations.ts";
import { migrateStore } from "../platform/store/migrate.ts";
import { type Migrate, storeFile, type StoreLocation } from "../platform/store/open_store.ts";
import {
  copyLiveFile,
  flushFile,
  isOutOfSpace,
  removeFile,
  sizeOf,
} from "../platform/store/store_file.ts";
import { lockStore } from "../platform/store/store_lock.ts";
import { printError } from "./terminal.ts";

/** For a server, which holds the lock of its file already. */
export function migrationOf(location: StoreLocation): Migrate {
  const file = location.dataDir === null ? null : storeFile(location.dataDir);
  return (store) =>
    migrateStore(store, {
      migrations: MIGRATIONS,
      owner: crypto.randomUUID(),
      now: () => new Date(),
      backUp: file && ((to) => backUp(file.kvPath, to)),
      say: printError,
    });
}

/** For a tool, which takes the lock meanwhile: a server of the older version must not go on beside it. */
export function migrationOfTool(location: StoreLocation): Migrate {
  const migrate = migrationOf(location);
  return async (store) => {
    using _lock = location.dataDir === null
      ? null
      : lockStore(storeFile(location.dataDir).lockPath);
    await migrate(store);
  };
}

/** The store as it was before the migration to `to`, beside the file; answers the copy's path. */
async function backUp(kvPath: string, to: number): Promise<string> {
  const path = `${kvPath}.before-layout-${to}`;
  const part = `${path}.part`;
  await removeFile(part);
  try {
    await copyLiveFile(kvPath, part);
    await flushFile(part);
    await Deno.rename(part, path);
  } catch (cause) {
    await removeFile(part);
    if (!isOutOfSpace(cause)) throw cause;
    const bytes = (await sizeOf(kvPath) ?? 0) + (await sizeOf(`${kvPath}-wal`) ?? 0);
    const message = `There is no room for the backup that comes before a migration: ` +
      `it needs ${bytes} bytes beside "${kvPath}". Nothing was changed`;
    throw new Failure("unavailable", message, { bytes }, { cause });
  }
  printError(`The store as it was is kept as ${path}`);
  return path;
}
