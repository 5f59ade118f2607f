/** Keys: `xe W at id` → an export of price changes that was read to its end, by when that was. */
import { idBytes } from "../../base/id.ts";
import type { Actor, WorkspaceStore } from "../../platform/store/context.ts";
import { lastIdOf } from "../../platform/store/id_keys.ts";
import type { Write } from "../../platform/store/kv.ts";
import { removeRows } from "../../platform/store/rows.ts";
import type { PriceChange } from "./price_history.ts";

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

/**
 * True when an export told the price while it was in force. `endedMs`: when the next price came. What
 * an import brought is no news to whoever reads exports.
 */
export type HasTold = (change: Pick<PriceChange, "at" | "source">, endedMs: number) => boolean;

/**
 * By the exports that were read to their end since a time. A span is told from its beginning on by an
 * export and the ones before it, so time alone decides: rather a price too many than one too few.
 */
export async function exportsSince(workspace: WorkspaceStore, sinceMs: number): Promise<HasTold> {
  const exports = await Array.fromAsync(walkFinishedExports(workspace, sinceMs));
  return ({ at, source }, endedMs) => {
    if (source === "import") return false;
    const atMs = Date.parse(at);
    return exports.some(({ fromMs, toMs }) => fromMs <= atMs && atMs <= toMs && toMs < endedMs);
  };
}
