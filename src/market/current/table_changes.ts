/** Updates a market table from the change log. */

import { findLogSweep, listChanges } from "../../catalogue/products/change_log_store.ts";
import type { ClockAndIds, WorkspaceStore } from "../../platform/store/context.ts";
import type { TableMoment } from "./checkpoint.ts";
import { type MarketTerms, readRows } from "./read_market.ts";

export type Reader = WorkspaceStore & Pick<ClockAndIds, "now">;

export interface Loaded extends TableMoment {
  position: string;
  readonly terms: MarketTerms;
  /** The next time at which facts change only because time passes. */
  nextDueMs: number;
  asOfMs: number;
  isBehind: boolean;
}

export function caughtUpMax({ table }: TableMoment): number {
  return Math.max(2_000, table.size * 0.05);
}

/** Returns `nowMs`, but at least 1 ms more than `asOfMs`, the time of the last answer. */
export function tickOf({ asOfMs }: Pick<Loaded, "asOfMs">, nowMs: number): number {
  return Math.max(nowMs, asOfMs + 1);
}

interface Backlog {
  readonly ids: ReadonlySet<string>;
  readonly position: string;
  /** True if a rebuild is cheaper than applying the changes, or if the log is incomplete. */
  readonly isTooLong: boolean;
}

export async function readBacklog(
  workspace: WorkspaceStore,
  loaded: TableMoment,
): Promise<Backlog> {
  const ids = new Set<string>();
  let { position } = loaded;
  const limit = 250;
  for (;;) {
    const changes = await listChanges(workspace, position, limit);
    for (const { productIds } of changes) for (const id of productIds) ids.add(id);
    position = changes.at(-1)?.position ?? position;
    if (ids.size > caughtUpMax(loaded)) return { ids, position, isTooLong: true };
    if (changes.length < limit) break;
  }
  // The sweep is read after the log, because a sweep stores its end before it deletes entries.
  const sweep = await findLogSweep(workspace);
  return { ids, position, isTooLong: sweep !== null && sweep.swept > loaded.position };
}

interface Changes extends Pick<Backlog, "ids" | "position"> {
  readonly nextDueMs: number;
}

/** The position is set last: after an interruption, the same changes are read again. */
export async function apply(
  workspace: Reader,
  loaded: Loaded,
  { ids, position, nextDueMs }: Changes,
  nowMs: number,
): Promise<void> {
  const { table, terms } = loaded;
  const tickMs = tickOf(loaded, nowMs);
  let [isMoved, dueMs] = [false, nextDueMs];
  for await (const { asked, rows } of readRows(workspace, [...ids], terms, nowMs)) {
    const active = new Set<string>();
    for (const row of rows) {
      active.add(row.id);
      isMoved = table.put(row, tickMs) || isMoved;
      dueMs = Math.min(dueMs, row.facts.changesAtMs ?? Infinity);
    }
    for (const id of asked) {
      if (!active.has(id)) isMoved = table.remove(id, tickMs) || isMoved;
    }
  }
  loaded.nextDueMs = dueMs;
  loaded.position = position;
  loaded.asOfMs = isMoved ? tickMs : Math.max(loaded.asOfMs, nowMs);
}
