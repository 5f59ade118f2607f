/** Shrinks the store file by the space of deleted rows. */
import { prepareStoreFile, preparingPath, rewriteFile } from "../../platform/store/file_layout.ts";
import { sizeOf } from "../../platform/store/store_file.ts";
import { readConfig } from "../composition/config.ts";
import { lockStoreFile, requireStoreFile } from "./backup.ts";
import { inFolder, print } from "./terminal.ts";
import { dirname } from "node:path";

/** If `compact` is killed, the next `compact` or `serve` removes this file. */
export const compactingPath = (kvPath: string) => `${kvPath}.compacting`;

/** Throws if the store is in use. After a crash, either the old or the new file is complete. */
export async function compact(): Promise<void> {
  const files = requireStoreFile(readConfig(), "compact");
  using _lock = await lockStoreFile(files);
  const { before, after, isNew } = await rewriteFile(files.kvPath, compactingPath(files.kvPath));
  if (isNew) print(`${before} bytes before, ${after} bytes now`);
  else print(`${before} bytes, and no space to gain`);
}

export async function storePrepare(path: string): Promise<void> {
  await inFolder(dirname(path), "name a file elsewhere", async () => {
    if (await sizeOf(path) === null) {
      await prepareStoreFile(path);
      return print(`${path}: a new store of ${await sizeOf(path)} bytes`);
    }
    const { before, after, isNew } = await rewriteFile(path, preparingPath(path));
    print(isNew ? `${path}: ${before} bytes before, ${after} bytes now` : `${path}: as it was`);
  });
}
