/**
 * Creates folders with an empty store. Each store file is a copy of a prepared file, because
 * creating a new one takes a large part of an app's start.
 */
import { prepareStoreFile } from "../src/platform/store/file_layout.ts";
import { storeFile } from "../src/platform/store/open_store.ts";
import { type TemporaryFolder, temporaryFolder } from "./temporary_folder.ts";

let made: Promise<Uint8Array> | null = null;

async function makeOnce(): Promise<Uint8Array> {
  await using folder = await temporaryFolder();
  const { kvPath } = storeFile(folder.path);
  await prepareStoreFile(kvPath);
  return await Deno.readFile(kvPath);
}

export async function folderOfNewStore(): Promise<TemporaryFolder> {
  const bytes = await (made ??= makeOnce());
  const folder = await temporaryFolder();
  await Deno.writeFile(storeFile(folder.path).kvPath, bytes);
  return folder;
}
