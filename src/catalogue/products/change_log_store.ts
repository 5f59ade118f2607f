/**
 * Keys: `mkc W versionstamp` → the ids of the products that the commit changed, 12 bytes each; `mks
 * W` → the position up to which the log has been deleted. A reader of this log that continues after
 * its last position misses no change.
 */
import { idText, keptIdBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { firstRow, removeRows } from "../../platform/store/rows.ts";

const logKey = (workspaceId: string) => ["mkc", keptIdBytes(workspaceId)];
const sweptKey = (workspaceId: string) => ["mks", keptIdBytes(workspaceId)];
const ID_BYTES = 12;
/** Appended to a position, this suffix gives the lowest key part after the position. */
const JUST_AFTER = "!";

interface LogSweep {
  /**
   * Position up to which the log was deleted; "" if nothing was deleted. A reader at an earlier
   * position must read all products again.
   */
  readonly swept: string;
  /** The end of the log at the time `markedAtMs`. */
  readonly mark: string;
  readonly markedAtMs: number;
}

/** All products of a commit share one row. */
export function noteProduct(write: Write, workspaceId: string, productId: string): void {
  write.append(logKey(workspaceId), productId);
}

/** In order, at most `limit`. "" is the start of the log. */
export async function listChanges(
  { store, workspaceId }: WorkspaceStore,
  position: string,
  limit: number,
): Promise<{ readonly position: string; readonly productIds: readonly string[] }[]> {
  const prefix = logKey(workspaceId);
  const selector = position === ""
    ? { prefix }
    : { prefix, start: [...prefix, position + JUST_AFTER] };
  const options = { limit, batchSize: Math.min(limit, 1_000) };
  const rows = await Array.fromAsync(store.kv.list<Uint8Array>(selector, options));
  return rows.map(({ key, value }) => ({ position: positionOf(key), productIds: idsOf(value) }));
}

/** Must be called before a reader reads all products. */
export async function findLogEnd(workspace: WorkspaceStore): Promise<string> {
  const { store, workspaceId } = workspace;
  const last = await firstRow(store, { prefix: logKey(workspaceId) }, { reverse: true });
  return last ? positionOf(last.key) : (await findLogSweep(workspace))?.swept ?? "";
}

export async function findLogSweep(
  { store, workspaceId }: WorkspaceStore,
): Promise<LogSweep | null> {
  return (await store.kv.get<LogSweep>(sweptKey(workspaceId))).value;
}

/**
 * Replaces the stored `LogSweep` by the result of `change`, unless the result is null. The commit
 * must precede the deletion of log rows.
 */
export async function changeLogSweep(
  write: Write,
  { store, workspaceId }: WorkspaceStore,
  change: (before: LogSweep | null) => LogSweep | null,
): Promise<LogSweep | null> {
  const key = sweptKey(workspaceId);
  const { value, versionstamp } = await store.kv.get<LogSweep>(key);
  const after = change(value);
  if (after === null) return value;
  write.check(key, versionstamp);
  write.set(key, after);
  return after;
}

/** Changes nothing if `swept` is already at or after `position`. */
export async function sweepUpTo(
  write: Write,
  workspace: WorkspaceStore,
  position: string,
): Promise<void> {
  await changeLogSweep(write, workspace, (before) => {
    const { swept, mark, markedAtMs } = before ?? { swept: "", mark: "", markedAtMs: 0 };
    if (swept >= position) return null;
    return { swept: position, mark: mark > position ? mark : position, markedAtMs };
  });
}

/** Deletes no row after `position`. Returns the number of deleted rows. */
export async function removeChanges(
  write: Write,
  { store, workspaceId }: WorkspaceStore,
  position: string,
  limit: number,
): Promise<number> {
  return await removeRows(write, store, logKey(workspaceId), limit, position + JUST_AFTER);
}

export async function* walkLog({ store, workspaceId }: WorkspaceStore) {
  const prefix = logKey(workspaceId);
  for await (const { key, value } of store.kv.list<Uint8Array>({ prefix }, { batchSize: 1_000 })) {
    const isWhole = value.length > 0 && value.length % ID_BYTES === 0;
    yield { position: positionOf(key), isWhole };
  }
}

function positionOf(key: Deno.KvKey): string {
  const part = key.at(-1);
  if (typeof part !== "string") throw new Error("A key of the change log has no position");
  return part;
}

function idsOf(bytes: Uint8Array): string[] {
  const ids: string[] = [];
  for (let at = 0; at < bytes.length; at += ID_BYTES) {
    ids.push(idText(bytes.subarray(at, at + ID_BYTES)));
  }
  return ids;
}
