/** `compact`: gives the space of deleted rows back to the disk; the server must be stopped. */
import { readConfig } from "../composition/config.ts";
import { rewriteFile } from "../../platform/store/rewrite_file.ts";
import { lockStoreFile, requireStoreFile } from "./store_copy.ts";
import { print } from "./terminal.ts";

/** Where it is put together; what a killed command leaves there is removed by the next one and by `serve`. */
export const compactingPath = (kvPath: string) => `${kvPath}.compacting`;

/**
 * Refuses while a server or a tool has the store, and where the disk has no room for a second file; a
 * crash leaves either the old file or the new one.
 */
export async function compact(): Promise<void> {
  const files = requireStoreFile(readConfig(), "compact");
  using _lock = await lockStoreFile(files);
  const { before, after, isNew } = await rewriteFile(files.kvPath, compactingPath(files.kvPath));
  if (isNew) print(`${before} bytes before, ${after} bytes now`);
  else print(`${before} bytes, and no space to gain`);
}
