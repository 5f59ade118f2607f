/** How commands bring a store of an older layout to today's: the file's lock in hand, a backup first. */
import { Failure } from "../../base/failure.ts";
import { MIGRATIONS } from "../composition/migrations.ts";
import { migrateStore } from "../../platform/store/migrate.ts";
import { type Migrate, storeFile, type StoreLocation } from "../../platform/store/open_store.ts";
import { DiskRefusal, withRoom } from "../../platform/store/disk_trouble.ts";
import type { Store } from "../../platform/store/kv.ts";
import { findLayout, LAYOUT } from "../../platform/store/layout_store.ts";
import { StoreTrouble } from "../../platform/store/store_trouble.ts";
import {
  bytesOfCopy,
  copyLiveFile,
  flushFile,
  removeFile,
} from "../../platform/store/store_file.ts";
import { lockStore } from "../../platform/store/store_lock.ts";
import { printError } from "./terminal.ts";

/** For a server, which holds the lock of its file already. */
export function migrationOf(location: StoreLocation): Migrate {
  const file = location.dataDir === null ? null : storeFile(location.dataDir);
  return async (store) => {
    const migrating = migrateStore(store, {
      migrations: MIGRATIONS,
      owner: crypto.randomUUID(),
      now: () => new Date(),
      backUp: file && (() => backUp(file.kvPath)),
      say: printError,
    });
    await migrating.catch(async (error) => {
      throw file === null ? error : await interrupted(store, file.kvPath, error);
    });
  };
}

/** An error between two commits of an upgrade, when the disk is the reason, in words that help. */
async function interrupted(store: Store, kvPath: string, error: unknown): Promise<unknown> {
  const cause = error instanceof Failure ? error.cause : error;
  if (!(cause instanceof StoreTrouble) || cause.kind !== "unable") return error;
  const { layout, progress } = await findLayout(store);
  const copy = progress?.backup ? `; the store as it was is kept as ${progress.backup}` : "";
  return new DiskRefusal(
    `The disk of "${kvPath}" took no more in the middle of the upgrade from layout ${layout} to ` +
      `${LAYOUT}: free space and start again, the upgrade goes on where it stopped${copy}`,
    error,
  );
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

/** Rewritten rows lie beside the old ones until a commit is done, and the log of the file beside both. */
const ROOM_PER_BYTE = 2;

/** The store as it was before the upgrade, beside the file; answers the copy's path. */
async function backUp(kvPath: string): Promise<string> {
  const path = `${kvPath}.before-layout-${LAYOUT}`;
  const part = `${path}.part`;
  const bytes = ROOM_PER_BYTE * bytesOfCopy(kvPath);
  const what = "the backup that comes before an upgrade, and for the upgrade itself";
  await removeFile(part);
  try {
    await withRoom({ beside: kvPath, bytes, what }, async () => {
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
