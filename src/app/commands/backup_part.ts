/**
 * The file that a backup is written to before it has its name. A process that is killed removes
 * nothing, so the next backup into the folder does: a lock beside the part says whether its process lives.
 */
import { basename, dirname } from "node:path";
import { removeFile } from "../../platform/store/store_file.ts";

const PREFIX = ".kurant-backup-";
const LOCK = ".lock";
const PART_LOCK = /^\.kurant-backup-.+\.part\.lock$/;

export interface BackupPart extends AsyncDisposable {
  readonly path: string;
}

/** A new name in the folder of `path`, whose remains of killed backups are removed; disposing removes the part. */
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

/** Removes what killed processes have left of their parts in a folder. */
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
