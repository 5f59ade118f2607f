/** `compact`: gives the space of deleted rows back to the disk; the server must be stopped. */
import { readConfig } from "../config.ts";
import {
  copyRows,
  flushFile,
  removeFile,
  replaceFile,
  requireRoomForCopy,
  requireSoundFile,
  sizeOf,
} from "../platform/store/store_file.ts";
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
  const { kvPath } = files;
  using _lock = await lockStoreFile(files);
  const before = await sizeOf(kvPath) ?? 0;
  const part = compactingPath(kvPath);
  await removeFile(part);
  try {
    await requireSoundFile(kvPath);
    await flushFile(kvPath);
    await requireRoomForCopy(kvPath);
    copyRows(kvPath, part);
    await requireSoundFile(part);
    await flushFile(part);
    const after = await sizeOf(part) ?? 0;
    if (after >= before) return print(`${before} bytes, and no space to gain`);
    await replaceFile(part, kvPath, null);
    print(`${before} bytes before, ${after} bytes now`);
  } finally {
    await removeFile(part);
  }
}
