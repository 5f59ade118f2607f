/** `store prepare FILE`: the layout of our own stores for the file of a KV Connect server, while that is stopped. */
import { dirname } from "node:path";
import { prepareStoreFile, preparingPath } from "../../platform/store/file_layout.ts";
import { rewriteFile } from "../../platform/store/rewrite_file.ts";
import { sizeOf } from "../../platform/store/store_file.ts";
import { inFolder } from "./folder_trouble.ts";
import { print } from "./terminal.ts";

/** Refuses with `unavailable` while somebody has the file open; it is then as it was. */
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
