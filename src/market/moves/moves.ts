/**
 * Reads and groups moves: changes in the market, such as a new price of a competitor. A move is
 * withdrawn if its price is later put into quarantine (docs/decisions/market.md).
 */
import { sumOf } from "../../base/collections.ts";
import type { ClockAndIds, WorkspaceStore } from "../../platform/store/context.ts";
import {
  MOVE_KINDS,
  type MovesRow,
  type PackedMove,
  walkMoves,
} from "../../shops/observations/move_store.ts";
import type { MarketTable } from "../table/market_table.ts";

const RECENT_MS = 48 * 3_600_000;

/** `isCut` is true if some of the moves since `sinceMs` are missing, because there are too many. */
export async function movesSince(
  workspace: WorkspaceStore & Pick<ClockAndIds, "now">,
  sinceMs: number,
  { recentMax = 100_000, olderMax = 20_000 } = {},
) {
  const isRecent = sinceMs >= workspace.now().getTime() - RECENT_MS;
  const max = isRecent ? recentMax : olderMax;
  const rows: MovesRow[] = [];
  let count = 0;
  for await (const row of walkMoves(workspace, { fromMs: sinceMs, beforeMs: Infinity })) {
    if (count + row.moves.length > max) return { rows, isCut: true };
    rows.push(row);
    count += row.moves.length;
  }
  return { rows, isCut: false };
}

/** The returned function is true for withdrawn moves, and for entries that record a withdrawal. */
export function withdrawalTest(rows: readonly MovesRow[]) {
  const keyOf = ({ productId, linkMark, toCents }: PackedMove) =>
    `${productId} ${linkMark} ${toCents}`;
  const withdrawn = rows.flatMap(({ atMs: untilMs, moves }) =>
    moves.flatMap((move) =>
      move.isWithdrawn ? { key: keyOf(move), fromMs: move.atMs, untilMs } : []
    )
  );
  const byKey = Map.groupBy(withdrawn, ({ key }) => key);
  return ({ atMs }: MovesRow, move: PackedMove): boolean =>
    move.isWithdrawn === true || (byKey.size > 0 &&
      byKey.get(keyOf(move))?.some((one) => one.fromMs <= move.atMs && atMs <= one.untilMs) ===
        true);
}

export const GROUPINGS = ["competitor", "category", "competitor,category"] as const;
export type Grouping = (typeof GROUPINGS)[number];

export interface FoundMove {
  readonly id: string;
  readonly move: PackedMove;
  /** Index of the product's row in the market table. */
  readonly row: number;
  /** The size of the price change relative to the old price, such as 0.1 for 10 %; 0 if unknown. */
  readonly weight: number;
}

export function weightOf({ fromCents, toCents }: PackedMove): number {
  return fromCents === null || fromCents === 0 ? 0 : Math.abs(toCents - fromCents) / fromCents;
}

export function isBefore(a: FoundMove, b: FoundMove): boolean {
  if (a.weight !== b.weight) return a.weight > b.weight;
  if (a.move.atMs !== b.move.atMs) return a.move.atMs > b.move.atMs;
  if (a.move.kind === b.move.kind) return a.id > b.id;
  return MOVE_KINDS.indexOf(a.move.kind) < MOVE_KINDS.indexOf(b.move.kind);
}

export function groupKeyOf(grouping: Grouping | undefined, table: MarketTable) {
  if (grouping === undefined) return () => "";
  return ({ move: { kind, competitorId }, row }: FoundMove) => {
    const shop = grouping === "category" ? "" : competitorId;
    const category = grouping === "competitor" ? "" : table.columns.words.category[row];
    return `${kind} ${shop} ${category}`;
  };
}

/** Returns the 50 groups with the largest sums of price changes, largest sum first. */
export function heaviestGroups(
  all: readonly (readonly FoundMove[])[],
  grouping: Grouping,
  table: MarketTable,
) {
  const shops = Map.groupBy(all, ([found]) => found?.move.competitorId);
  const movesOf = (competitorId: string) =>
    sumOf(shops.get(competitorId) ?? [], ({ length }) => length);
  const placeOf = ({ move: { kind } }: FoundMove) => MOVE_KINDS.indexOf(kind);
  const groups = all.map((moves) => ({
    moves,
    first: moves.reduce((first, one) => isBefore(one, first) ? one : first),
    weight: sumOf(moves, ({ weight }) => weight),
  }));
  groups.sort((a, b) =>
    b.weight - a.weight || b.moves.length - a.moves.length ||
    placeOf(a.first) - placeOf(b.first) || (isBefore(a.first, b.first) ? -1 : 1)
  );
  return groups.slice(0, 50).map(({ moves, first }) => {
    const { kind, competitorId } = first.move;
    return {
      first,
      competitorId: grouping === "category" ? null : competitorId,
      summary: {
        kind,
        ...(grouping !== "competitor" && { category: table.text("category", first.row) }),
        moves: moves.length,
        ...(grouping !== "category" && { competitorMoves: movesOf(competitorId) }),
        ...positionsOf(moves, table),
      },
    };
  });
}

function positionsOf(moves: readonly FoundMove[], table: MarketTable) {
  const rows = new Set(moves.map(({ row }) => row));
  const isCheapest = ({ move, row }: FoundMove) =>
    table.text("competitor", row) === move.competitorId;
  const cheapest = new Set(moves.filter(isCheapest).map(({ row }) => row));
  const changes = moves.flatMap(({ move: { fromCents, toCents } }) =>
    fromCents ? [(toCents - fromCents) / fromCents] : []
  );
  const changePct = sumOf(changes, (change) => change) / changes.length;
  const gapOf = (row: number) => table.number("gapPct", row) ?? 0;
  return {
    products: rows.size,
    changePct: changes.length === 0 ? null : Math.round(changePct * 10_000) / 100,
    nowCheapest: cheapest.size,
    undercutUs: [...cheapest].filter((row) => gapOf(row) > 0).length,
    withRoom: [...rows].filter((row) => gapOf(row) < 0).length,
  };
}
