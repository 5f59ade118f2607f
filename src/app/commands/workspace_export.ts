/** `workspace export FILE|-`: one workspace as lines of JSON. */
import { dirname } from "node:path";
import { readConfig } from "../composition/config.ts";
import { commandContext, type Tools } from "../../accounts/anonymous.ts";
import type { Store } from "../../platform/store/kv.ts";
import { openStoreFile, storeFile } from "../../platform/store/open_store.ts";
import { copyLiveFile } from "../../platform/store/store_file.ts";
import { exportWorkspace } from "../workspace_files/export_workspace.ts";
import { openBackupPart } from "./backup_part.ts";
import { inFolder } from "./folder_trouble.ts";
import { requireNamedWorkspace } from "./named_workspace.ts";
import { storeLocation, withTools } from "./store_access.ts";
import { requireAbsent } from "./store_copy.ts";
import { printError, writeOut } from "./terminal.ts";

const PIECE_CHARACTERS = 65_536;
const BUSY_MS = 30_000;

/** `-` is standard output. A file appears whole or not at all; none is overwritten. */
export async function workspaceExport(
  path: string,
  { workspace: name }: { readonly workspace?: string },
): Promise<void> {
  if (path !== "-") await requireAbsent(path);
  await withTools(async (tools) => {
    const workspace = await requireNamedWorkspace(tools, name);
    const lines = await withStillStore(tools.store, (store) => {
      const pieces = piecesOf({ ...tools, store }, workspace.id);
      if (path === "-") return writeTo(pieces, writeOut);
      return inFolder(dirname(path), "name a file elsewhere", () => writeFile(pieces, path));
    });
    printError(`${workspace.name}: ${lines} lines`);
  });
}

/** A file is read as it was at one moment, from a copy; another store as it is in each moment. */
async function withStillStore<T>(store: Store, work: (store: Store) => Promise<T>): Promise<T> {
  const { dataDir } = storeLocation(readConfig());
  if (dataDir === null) return await work(store);
  const { kvPath } = storeFile(dataDir);
  await using copy = await openBackupPart(kvPath);
  await copyLiveFile(kvPath, copy.path);
  const still = await openStoreFile(copy.path, BUSY_MS);
  try {
    return await work(still);
  } finally {
    still.kv.close();
  }
}

async function* piecesOf(tools: Tools, workspaceId: string): AsyncGenerator<string> {
  let piece = "";
  for await (const line of exportWorkspace(commandContext(tools, workspaceId))) {
    piece += `${JSON.stringify(line)}\n`;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

/** How many lines went by. */
async function writeTo(
  pieces: AsyncIterable<string>,
  write: (piece: string) => Promise<unknown> | void,
): Promise<number> {
  let lines = 0;
  for await (const piece of pieces) {
    lines += piece.split("\n").length - 1;
    await write(piece);
  }
  return lines;
}

async function writeFile(pieces: AsyncIterable<string>, path: string): Promise<number> {
  await using part = await openBackupPart(path);
  const file = await Deno.open(part.path, { write: true, createNew: true });
  const writer = file.writable.getWriter();
  const encoder = new TextEncoder();
  const lines = await writeTo(pieces, (piece) => writer.write(encoder.encode(piece)));
  await file.sync();
  await writer.close();
  await requireAbsent(path);
  await Deno.rename(part.path, path);
  return lines;
}
