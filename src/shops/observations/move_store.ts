/**
 * Keys: `mv W at id` → the moves of one commit, packed, at most 60,000 bytes; `mvp W productId at id` →
 * a move that no observation tells of, kept for 400 days. Times are milliseconds: of the commit in the
 * one, of the sight in the other.
 *
 * Both are written in the commit of the offers whose moves they tell of, and never changed.
 */
import { idBytes } from "../../base/id.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { idIn, lastIdOf } from "../../platform/store/id_keys.ts";
import type { Write } from "../../platform/store/kv.ts";
import { removeRows } from "../../platform/store/rows.ts";
import { type Move, moveId } from "./move.ts";
import { decodeMoves, encodeMoves, type PackedMove, packedMove } from "./move_row.ts";

/** Of a row: stays below 60,000 bytes whatever the moves are. */
const MOVES_PER_ROW = 400;
const READ_MAX = 500;
const DAY_MS = 86_400_000;
/** A move that no observation tells of is known so long. */
const LONE_MOVE_DAYS = 400;

const rowsOf = (workspaceId: string) => ["mv", idBytes(workspaceId)];
const loneOf = (workspaceId: string, productId: string) => [
  "mvp",
  idBytes(workspaceId),
  idBytes(productId),
];

/** The moves of one commit: a mutation for all of them, and one for each that was not observed. */
export function addMoves(
  write: Write,
  { workspaceId, now }: Pick<Context, "workspaceId" | "now">,
  moves: readonly Move[],
): void {
  const atMs = now().getTime();
  for (let from = 0; from < moves.length; from += MOVES_PER_ROW) {
    const row = moves.slice(from, from + MOVES_PER_ROW);
    const [first] = row;
    if (first === undefined) return;
    putMoves(write, workspaceId, { atMs, id: moveId(first), moves: row.map(packedMove) });
  }
  for (const move of moves) {
    if (!move.isObserved) putLoneMove(write, workspaceId, move, now());
  }
}

/** The moves of one commit. */
export interface MovesRow {
  /** Of the commit. */
  readonly atMs: number;
  readonly id: string;
  readonly moves: readonly PackedMove[];
}

/** A row as it was, here or in another store. */
export function putMoves(
  write: Write,
  workspaceId: string,
  { atMs, id, moves }: MovesRow,
): void {
  write.set([...rowsOf(workspaceId), atMs, idBytes(id)], encodeMoves(moves, atMs));
}

/** A move that no observation tells of, by itself or of another store; one that is too old is left out. */
export function putLoneMove(
  write: Write,
  workspaceId: string,
  move: Move,
  now: Date,
): void {
  const keptMs = move.atMs + LONE_MOVE_DAYS * DAY_MS - now.getTime();
  if (keptMs <= 0) return;
  const { productId, atMs, isObserved: _, ...row } = move;
  write.set([...loneOf(workspaceId, productId), atMs, idBytes(moveId(move))], row, keptMs);
}

/** Rows of commits from `fromMs` to before `beforeMs`; the newest first. */
export async function* walkMoves(
  { store, workspaceId }: WorkspaceStore,
  { fromMs, beforeMs }: { readonly fromMs: number; readonly beforeMs: number },
): AsyncGenerator<MovesRow> {
  if (fromMs >= beforeMs) return;
  const prefix = rowsOf(workspaceId);
  const selector = { start: [...prefix, fromMs], end: [...prefix, beforeMs] };
  const options = { reverse: true, batchSize: READ_MAX };
  for await (const { key, value } of store.kv.list<Uint8Array>(selector, options)) {
    const place = placeOf(key);
    yield { ...place, moves: decodeMoves(value, place.atMs) };
  }
}

/** Takes away up to `limit` rows of commits before a time; answers how many. */
export async function removeMoves(
  write: Write,
  { store, workspaceId }: WorkspaceStore,
  beforeMs: number,
  limit: number,
): Promise<number> {
  return await removeRows(write, store, rowsOf(workspaceId), limit, beforeMs);
}

/** A move that no observation tells of. */
export interface LoneMove {
  readonly id: string;
  readonly move: Move;
}

type LoneRow = Omit<Move, "productId" | "atMs" | "isObserved">;

/** Those of a product that are kept, up to `toMs`, the newest first. */
export async function* walkLoneMoves(
  { store, workspaceId, now }: WorkspaceStore & Pick<Context, "now">,
  productId: string,
  toMs: number,
): AsyncGenerator<LoneMove> {
  const prefix = loneOf(workspaceId, productId);
  const keptMs = now().getTime() - LONE_MOVE_DAYS * DAY_MS;
  if (toMs < keptMs) return;
  const selector = { start: [...prefix, keptMs], end: [...prefix, toMs + 1] };
  for await (const { key, value } of store.kv.list<LoneRow>(selector, { reverse: true })) {
    yield loneMoveOf(key, value);
  }
}

/** All of a workspace that are kept, by product, the oldest first: for its file and checks of the store. */
export async function* walkAllLoneMoves(
  { store, workspaceId, now }: WorkspaceStore & Pick<Context, "now">,
): AsyncGenerator<LoneMove> {
  const prefix = ["mvp", idBytes(workspaceId)];
  const keptMs = now().getTime() - LONE_MOVE_DAYS * DAY_MS;
  for await (const { key, value } of store.kv.list<LoneRow>({ prefix }, { batchSize: READ_MAX })) {
    const found = loneMoveOf(key, value);
    if (found.move.atMs >= keptMs) yield found;
  }
}

function loneMoveOf(key: Deno.KvKey, row: LoneRow): LoneMove {
  const { atMs, id } = placeOf(key);
  return { id, move: { ...row, productId: idIn(key, 2), atMs, isObserved: false } };
}

function placeOf(key: Deno.KvKey): Pick<MovesRow, "atMs" | "id"> {
  const atMs = key.at(-2);
  if (typeof atMs !== "number") throw new Error("A key of moves has no time");
  return { atMs, id: lastIdOf(key) };
}
