/**
 * A partial file is an unfinished result of a command, such as half a backup. While the command
 * runs, it locks a second file next to the partial file. A killed command leaves a partial file
 * without this lock; later commands and a starting server remove it.
 */
import { basename, dirname } from "node:path";
import { removeFile } from "../../platform/store/store_file.ts";

const PREFIX = ".kurant-backup-";
const LOCK = ".lock";
const PART_LOCK = /^\.kurant-backup-.+\.part\.lock$/;

export async function openPart(path: string) {
  const folder = dirname(path);
  await sweepParts(folder);
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

/** Resolves when the content is on the disk. */
export async function writeDurably(
  path: string,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true, truncate: true });
  for await (const bytes of content) {
    for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await file.write(rest));
  }
  await file.sync();
}

export async function sweepParts(folder: string): Promise<void> {
  const locks = await Array.fromAsync(Deno.readDir(folder));
  for (const { name } of locks.filter(({ name }) => PART_LOCK.test(name))) {
    const path = `${folder}/${name}`;
    using lock = await Deno.open(path, { write: true });
    if (!await lock.tryLock(true)) continue;
    await removeFile(path.slice(0, -LOCK.length));
    await removeFile(path);
  }
}
