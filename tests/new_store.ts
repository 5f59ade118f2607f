/** Folders for stores that a test begins with nothing in: their file is a copy of one that is made once. */
import { prepareStoreFile } from "../src/platform/store/file_layout.ts";
import { storeFile } from "../src/platform/store/open_store.ts";
import { type TemporaryFolder, temporaryFolder } from "./temporary_folder.ts";

/**
 * The file of a new store. It is made once, because making it takes a third of the time of a whole
 * app.
 */
let made: Promise<Uint8Array> | null = null;

async function makeOnce(): Promise<Uint8Array> {
  await using folder = await temporaryFolder();
  const { kvPath } = storeFile(folder.path);
  await prepareStoreFile(kvPath);
  return await Deno.readFile(kvPath);
}

/** A folder with the file of an empty store, as it is before a program opens it. */
export async function folderOfNewStore(): Promise<TemporaryFolder> {
  const bytes = await (made ??= makeOnce());
  const folder = await temporaryFolder();
  await Deno.writeFile(storeFile(folder.path).kvPath, bytes);
  return folder;
}
