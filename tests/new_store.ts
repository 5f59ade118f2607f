/** Folders with an empty store, whose file is a copy of one that is created once. */
import { prepareStoreFile } from "../src/platform/store/file_layout.ts";
import { storeFile } from "../src/platform/store/open_store.ts";
import { type TemporaryFolder, temporaryFolder } from "./temporary_folder.ts";

/** The file of a new store, created once because that takes a third of the time of a whole app. */
let made: Promise<Uint8Array> | null = null;

async function makeOnce(): Promise<Uint8Array> {
  await using folder = await temporaryFolder();
  const { kvPath } = storeFile(folder.path);
  await prepareStoreFile(kvPath);
  return await Deno.readFile(kvPath);
}

/** A folder with the file of an empty store. */
export async function folderOfNewStore(): Promise<TemporaryFolder> {
  const bytes = await (made ??= makeOnce());
  const folder = await temporaryFolder();
  await Deno.writeFile(storeFile(folder.path).kvPath, bytes);
  return folder;
}
