/** How commands bring a store of an older layout to today's: the file's lock in hand, a backup first. */
import { MIGRATIONS } from "../migrations.ts";
import { migrateStore } from "../platform/store/migrate.ts";
import { type Migrate, storeFile, type StoreLocation } from "../platform/store/open_store.ts";
import { withRoom } from "../platform/store/disk_trouble.ts";
import { bytesOfCopy, copyLiveFile, flushFile, removeFile } from "../platform/store/store_file.ts";
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
  const what = "the backup that comes before a migration";
  await removeFile(part);
  try {
    await withRoom({ beside: kvPath, bytes: bytesOfCopy(kvPath), what }, async () => {
      await copyLiveFile(kvPath, part);
      await flushFile(part);
    });
    await Deno.rename(part, path);
  } finally {
    await removeFile(part);
  }
  printError(`The store as it was is kept as ${path}`);
  return path;
}
