/**
 * Reads, withdraws and groups moves: changes in the market, such as a new price of a competitor
 * (docs/decisions/market.md).
 */
import type { ClockAndIds, WorkspaceStore } from "../../platform/store/context.ts";
import {
  MOVE_KINDS,
  type MoveKind,
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

/** Returns a function that tells whether a move is a withdrawal, or was withdrawn later. */
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
  /** Size of the price change, as a share of the old price; 0 if unknown. */
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

interface Group {
  readonly kind: MoveKind;
  readonly competitorId: string | null;
  readonly category: string | null | undefined;
  readonly rows: Set<number>;
  readonly cheapestRows: Set<number>;
  moves: number;
  changed: number;
  changeSum: number;
  weight: number;
  first: FoundMove;
}

export class MoveGroups {
  readonly #groups = new Map<string, Group>();
  readonly #movesOf = new Map<string, number>();
  readonly #table: MarketTable;
  readonly #byCompetitor: boolean;
  readonly #byCategory: boolean;

  constructor(grouping: Grouping, table: MarketTable) {
    this.#table = table;
    this.#byCompetitor = grouping !== "category";
    this.#byCategory = grouping !== "competitor";
  }

  add(found: FoundMove): void {
    const { kind, competitorId, productId, fromCents, toCents } = found.move;
    const table = this.#table;
    const row = table.rowOf(productId);
    if (row === undefined) return;
    const shop = this.#byCompetitor ? competitorId : "";
    const category = this.#byCategory ? table.columns.words.category[row] ?? 0 : 0;
    const key = `${kind} ${shop} ${category}`;
    const known = this.#groups.get(key);
    const group = known ?? {
      kind,
      competitorId: this.#byCompetitor ? competitorId : null,
      category: this.#byCategory ? table.list("category").textOf(category) : undefined,
      rows: new Set<number>(),
      cheapestRows: new Set<number>(),
      moves: 0,
      changed: 0,
      changeSum: 0,
      weight: 0,
      first: found,
    };
    if (known === undefined) this.#groups.set(key, group);
    group.moves++;
    this.#movesOf.set(competitorId, (this.#movesOf.get(competitorId) ?? 0) + 1);
    group.rows.add(row);
    if (table.text("competitor", row) === competitorId) group.cheapestRows.add(row);
    group.weight += found.weight;
    if (isBefore(found, group.first)) group.first = found;
    if (fromCents === null || fromCents === 0) return;
    group.changed++;
    group.changeSum += (toCents - fromCents) / fromCents;
  }

  heaviest() {
    const placeOf = ({ kind }: Group) => MOVE_KINDS.indexOf(kind);
    const heavier = (a: Group, b: Group) =>
      b.weight - a.weight || b.moves - a.moves || placeOf(a) - placeOf(b) ||
      (isBefore(a.first, b.first) ? -1 : 1);
    return [...this.#groups.values()].sort(heavier).slice(0, 50).map((group) => ({
      first: group.first,
      competitorId: group.competitorId,
      summary: {
        kind: group.kind,
        ...(group.category !== undefined && { category: group.category }),
        moves: group.moves,
        ...(group.competitorId !== null && {
          competitorMoves: this.#movesOf.get(group.competitorId) ?? 0,
        }),
        products: group.rows.size,
        changePct: group.changed === 0
          ? null
          : Math.round(group.changeSum / group.changed * 10_000) / 100,
        nowCheapest: group.cheapestRows.size,
        undercutUs: this.#count(group.cheapestRows, (gapPct) => gapPct > 0),
        withRoom: this.#count(group.rows, (gapPct) => gapPct < 0),
      },
    }));
  }

  #count(rows: Iterable<number>, fits: (gapPct: number) => boolean): number {
    let count = 0;
    for (const row of rows) {
      const gapPct = this.#table.number("gapPct", row);
      if (gapPct !== null && fits(gapPct)) count++;
    }
    return count;
  }
}
