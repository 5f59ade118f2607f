/** Caches the moves of the last two days (docs/decisions/market.md). */
import { type MovesRow, walkMoves } from "../../shops/observations/move_store.ts";
import type { ClockAndIds, WorkspaceStore } from "../../platform/store/context.ts";

interface ReadMoves {
  readonly rows: Iterable<MovesRow>;
  readonly isCut: boolean;
}

export interface MoveCache {
  /** Includes all moves that were committed before the call. */
  read(workspace: Reader, sinceMs: number): Promise<ReadMoves>;
  size(): number;
}

type Reader = WorkspaceStore & Pick<ClockAndIds, "now">;

const KEPT_MS = 48 * 3_600_000;

interface Entry {
  readonly rows: Map<string, MovesRow>;
  count: number;
  newestMs: number;
  wholeFromMs: number;
}

export function createMoveCache(keptMax = 100_000, readMax = 20_000): MoveCache {
  const entries = new Map<string, Entry>();
  const size = () => entries.values().reduce((sum, { count }) => sum + count, 0);

  const refresh = async (workspace: Reader, nowMs: number): Promise<Entry> => {
    const { workspaceId } = workspace;
    const keptFromMs = nowMs - KEPT_MS;
    const known = entries.get(workspaceId);
    const entry = known ?? { rows: new Map(), count: 0, newestMs: 0, wholeFromMs: keptFromMs };
    // A row may be committed up to ten minutes after its time.
    const fromMs = Math.max(keptFromMs, entry.newestMs - (10 * 60_000));
    for await (const row of walkMoves(workspace, { fromMs, beforeMs: Infinity })) {
      const key = `${row.atMs} ${row.id}`;
      if (entry.rows.has(key)) continue;
      if (entry.count >= keptMax && row.atMs < entry.newestMs) {
        entry.wholeFromMs = Math.max(entry.wholeFromMs, row.atMs + 1);
        break;
      }
      entry.rows.set(key, row);
      entry.count += row.moves.length;
      entry.newestMs = Math.max(entry.newestMs, row.atMs);
    }
    forgetOld(entry, keptFromMs, keptMax);
    // Moves the entry to the end, so that the least recently used entry comes first.
    entries.delete(workspaceId);
    entries.set(workspaceId, entry);
    for (const id of entries.keys()) {
      if (size() <= keptMax || id === workspaceId) break;
      entries.delete(id);
    }
    return entry;
  };

  return {
    async read(workspace, sinceMs) {
      const nowMs = workspace.now().getTime();
      if (sinceMs < nowMs - KEPT_MS) return await readOld(workspace, sinceMs, readMax);
      const entry = await refresh(workspace, nowMs);
      const rows = entry.rows.values().filter(({ atMs }) => atMs >= sinceMs);
      return { rows: [...rows], isCut: entry.wholeFromMs > sinceMs };
    },
    size,
  };
}

function forgetOld(entry: Entry, keptFromMs: number, keptMax: number): void {
  const drop = (key: string, { atMs, moves }: MovesRow) => {
    entry.rows.delete(key);
    entry.count -= moves.length;
    entry.wholeFromMs = Math.max(entry.wholeFromMs, atMs + 1);
  };
  for (const [key, row] of entry.rows) if (row.atMs < keptFromMs) drop(key, row);
  if (entry.count <= keptMax) return;
  const oldestFirst = [...entry.rows].sort(([, a], [, b]) => a.atMs - b.atMs);
  for (const [key, row] of oldestFirst) {
    if (entry.count <= keptMax) return;
    drop(key, row);
  }
}

async function readOld(
  workspace: WorkspaceStore,
  sinceMs: number,
  readMax: number,
): Promise<ReadMoves> {
  const rows: MovesRow[] = [];
  let count = 0;
  for await (const row of walkMoves(workspace, { fromMs: sinceMs, beforeMs: Infinity })) {
    if (count + row.moves.length > readMax) return { rows, isCut: true };
    rows.push(row);
    count += row.moves.length;
  }
  return { rows, isCut: false };
}
