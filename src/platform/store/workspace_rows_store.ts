/**
 * Finds the rows of a workspace in all tables by the form of their keys. The workspace's id follows
 * the table's name, or in tables that span all workspaces, the parts that order them. Some rows can
 * only be found through other rows (chunks of a blob, users, API keys); their own stores handle
 * them.
 */
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "./context.ts";
import type { Store, Write } from "./kv.ts";
import { firstRow } from "./rows.ts";

/** After every key that begins with a text. */
const AFTER_TEXTS = [true];
const BATCH = { batchSize: 500 };

/** A row of a workspace with its raw value. */
export interface WorkspaceRow {
  readonly table: string;
  readonly key: Deno.KvKey;
}

/**
 * All rows whose keys contain the workspace, table by table. Rows may be deleted during the walk.
 */
export async function* walkWorkspaceRows(
  { store, workspaceId }: WorkspaceStore,
): AsyncGenerator<WorkspaceRow> {
  const workspace = idBytes(workspaceId);
  for await (const table of walkTables(store)) {
    const isOwned = await beginsWithId(store, table);
    // A prefix would not match the row whose key equals the prefix.
    const rows = isOwned
      ? { start: [table, workspace], end: [table, new Uint8Array([...workspace, 0])] }
      : { prefix: [table] };
    for await (const { key } of store.kv.list(rows, BATCH)) {
      if (isOwned || key.some((part) => isSame(part, workspace))) yield { table, key };
    }
  }
}

export function removeRow(write: Write, { key }: WorkspaceRow): void {
  write.delete(key);
}

/** The distinct first parts of all keys. */
async function* walkTables(store: Store): AsyncGenerator<string> {
  for (let start: Deno.KvKey = [""];;) {
    const row = await firstRow(store, { start, end: AFTER_TEXTS });
    const table = row?.key[0];
    if (typeof table !== "string") return;
    yield table;
    start = [`${table}\u0000`];
  }
}

/**
 * True for tables whose keys begin with the id of a workspace, user or key. Other keys begin with a
 * time or a name.
 */
async function beginsWithId(store: Store, table: string): Promise<boolean> {
  const owner = (await firstRow(store, { prefix: [table] }))?.key[1];
  return owner === undefined || owner instanceof Uint8Array;
}

function isSame(part: Deno.KvKeyPart, bytes: Uint8Array): boolean {
  return part instanceof Uint8Array && part.length === bytes.length &&
    part.every((byte, at) => byte === bytes[at]);
}
