/** Keys: `xe W at id` → an export of price changes that was read to its end, by when that was. */
import { idBytes } from "../../base/id.ts";
import { lastIdOf } from "../../platform/store/id_keys.ts";
import type { Actor, WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { removeRows } from "../../platform/store/rows.ts";

/** What somebody has taken away of the changes of own prices. Times are milliseconds. */
export interface FinishedExport {
  readonly id: string;
  readonly atMs: number;
  readonly actor: Actor;
  readonly format: string;
  /** No older changes were told. */
  readonly fromMs: number;
  /** When it was begun: no younger ones were. */
  readonly toMs: number;
  readonly rows: number;
  /** The same for an export of the same changes. */
  readonly range: string;
}

const rowsOf = (workspaceId: string) => ["xe", idBytes(workspaceId)];

export function putFinishedExport(
  write: Write,
  workspaceId: string,
  { id, atMs, ...row }: FinishedExport,
): void {
  write.set([...rowsOf(workspaceId), atMs, idBytes(id)], row);
}

/** From `fromMs` on, the newest first. */
export async function* walkFinishedExports(
  { store, workspaceId }: WorkspaceStore,
  fromMs: number,
): AsyncGenerator<FinishedExport> {
  const prefix = rowsOf(workspaceId);
  const selector = { prefix, start: [...prefix, fromMs] };
  const options = { reverse: true, batchSize: 200 };
  const rows = store.kv.list<Omit<FinishedExport, "id" | "atMs">>(selector, options);
  for await (const { key, value } of rows) {
    yield { id: lastIdOf(key), atMs: Number(key[2]), ...value };
  }
}

/** Takes away up to `limit` of those before a time; answers how many. */
export async function removeFinishedExports(
  write: Write,
  { store, workspaceId }: WorkspaceStore,
  beforeMs: number,
  limit: number,
): Promise<number> {
  return await removeRows(write, store, rowsOf(workspaceId), limit, beforeMs);
}
