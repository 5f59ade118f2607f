import type { WorkspaceStore } from "../../platform/store/context.ts";
import { comparePositions, type Position } from "./observation.ts";
import { findBlocks, type Owner, type StoredBlock } from "./pack_store.ts";

/** What a block is to hold from now on; without rows it goes. */
export interface BlockChange<T extends Position> {
  readonly start: Position;
  readonly rows: readonly T[];
}

/** So many blocks fit into a commit, even of an earlier version (56 KB), each cut anew. */
const BLOCKS_MAX = 4;

/**
 * The blocks with `rows` in them, which are in order: each row goes where its position belongs, and
 * one that is there already is there once. Answers how many rows, from the first on, it came to.
 */
export async function insertRows<T extends Position>(
  workspace: WorkspaceStore,
  owner: Owner<T>,
  rows: readonly T[],
): Promise<{ changes: BlockChange<T>[]; used: number }> {
  const first = rows[0];
  const last = rows.at(-1);
  if (!first || !last) return { changes: [], used: 0 };
  const range = { fromMs: first.atMs, toMs: last.atMs };
  const blocks = await findBlocks(workspace, owner, range);
  const changes: BlockChange<T>[] = [];
  let used = 0;
  for (let touched = 0; used < rows.length && touched < BLOCKS_MAX; touched++) {
    const { block, next } = blockFor(blocks, rows[used] ?? first);
    const fitting = rows.slice(used).findIndex((row) => next && comparePositions(row, next) >= 0);
    const end = fitting < 0 ? rows.length : used + fitting;
    const start = block?.start ?? rows[used] ?? first;
    const merged = withoutTwins([...rows.slice(used, end), ...block?.rows ?? []]);
    changes.push(...cut(start, merged, owner.pack.rowsMax));
    used = end;
  }
  return { changes, used };
}

/** The block that a position belongs to (null: it is before all), and where the next one begins. */
function blockFor<T extends Position>(blocks: readonly StoredBlock<T>[], position: Position) {
  const behind = blocks.findIndex(({ start }) => comparePositions(start, position) > 0);
  const block = behind < 0 ? blocks.at(-1) : blocks[behind - 1];
  return { block: block ?? null, next: blocks[behind]?.start ?? null };
}

/** Of twins the one that was brought last stays: it is the one that lists have shown. */
function withoutTwins<T extends Position>(rows: readonly T[]): T[] {
  const sorted = rows.toSorted(comparePositions);
  return sorted.filter((row, position) => {
    const before = sorted[position - 1];
    return !before || comparePositions(before, row) !== 0;
  });
}

/** The first part keeps the key of the block. */
function cut<T extends Position>(
  start: Position,
  rows: readonly T[],
  rowsMax: number,
): BlockChange<T>[] {
  const parts: BlockChange<T>[] = [];
  for (let at = 0; at < rows.length; at += rowsMax) {
    const part = rows.slice(at, at + rowsMax);
    parts.push({ start: at === 0 ? start : part[0] ?? start, rows: part });
  }
  return parts;
}

/** The blocks that lose rows when those that `isGone` names are taken out between two times. */
export function withoutRows<T extends Position>(
  blocks: readonly StoredBlock<T>[],
  isGone: (row: T) => boolean,
): BlockChange<T>[] {
  return blocks.flatMap(({ start, rows }) => {
    const left = rows.filter((row) => !isGone(row));
    return left.length === rows.length ? [] : [{ start, rows: left }];
  });
}
