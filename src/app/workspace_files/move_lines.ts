/** Moves at competitors as lines, and lines as rows. */

import { iso } from "../../base/time.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import {
  commitMoves,
  loneMoves,
  type PackedMove,
  putLoneMove,
  walkMoves,
} from "../../shops/observations/move_store.ts";
import type { LineOf } from "./workspace_line.ts";

/** Rows of commits, and moves that no observation tells of. */
export async function* moveLines(
  workspace: WorkspaceStore & Pick<Context, "now">,
): AsyncGenerator<LineOf<"moves"> | LineOf<"loneMove">> {
  for await (const { id, atMs, moves } of walkMoves(workspace, ALL)) {
    const rows = moves.map(({ isObserved, linkMark, ...move }) => ({
      ...fieldsOf(move),
      isObserved,
      linkMark,
    }));
    yield { type: "moves", id, at: iso(atMs), moves: rows };
  }
  for await (const { row: move } of loneMoves.walk(workspace)) {
    yield { type: "loneMove", ...fieldsOf(move), matchId: move.matchId };
  }
}

const ALL = { fromMs: 0, beforeMs: Infinity };

function fieldsOf(
  { kind, productId, competitorId, fromCents, toCents, currency, packFactor, atMs }: Omit<
    PackedMove,
    "isObserved" | "linkMark"
  >,
) {
  const prices = { fromCents, toCents, currency, packFactor };
  return { kind, productId, competitorId, ...prices, at: iso(atMs) };
}

export function putMovesLine(
  write: Write,
  { workspaceId }: Context,
  { id, at, moves }: LineOf<"moves">,
): void {
  const rows = moves.map(({ at: seenAt, ...move }) => ({ ...move, atMs: Date.parse(seenAt) }));
  commitMoves.put(write, { workspaceId }, { id, atMs: Date.parse(at), moves: rows });
}

export function putLoneMoveLine(
  write: Write,
  { workspaceId, now }: Context,
  { type: _, at, ...move }: LineOf<"loneMove">,
): void {
  const row = { ...move, atMs: Date.parse(at), isObserved: false };
  putLoneMove(write, workspaceId, row, now());
}
