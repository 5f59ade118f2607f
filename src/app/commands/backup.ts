/** `backup FILE`: the store as it was at one moment, while a server goes on writing. */
import { dirname } from "node:path";
import { readConfig } from "../composition/config.ts";
import {
  copyLiveFile,
  flushFile,
  requireSoundFile,
  sizeOf,
} from "../../platform/store/store_file.ts";
import { openBackupPart } from "./backup_part.ts";
import { inFolder } from "./folder_trouble.ts";
import {
  type CheckOptions,
  judgeCopy,
  requireAbsent,
  requirePresent,
  requireStoreFile,
} from "./store_copy.ts";
import { print } from "./terminal.ts";

/**
 * Answers whether the copy's rows agree with each other; a copy in which they do not is kept all the
 * same. Refuses to overwrite, and leaves no half copy behind.
 */
export async function backup(path: string, options: CheckOptions): Promise<boolean> {
  const { kvPath } = requireStoreFile(readConfig(), "backup");
  await requirePresent(kvPath);
  await requireAbsent(path);
  return await inFolder(dirname(path), "name a file elsewhere", async () => {
    await using part = await openBackupPart(path);
    await copyLiveFile(kvPath, part.path);
    await requireSoundFile(part.path);
    const { isSound, words } = await judgeCopy(part.path, options);
    await flushFile(part.path);
    await requireAbsent(path);
    await Deno.rename(part.path, path);
    print(`${path}: ${await sizeOf(path)} bytes, ${words}`);
    return isSound;
  });
}
