/**
 * Converts rows of the store to lines of a workspace file, and back. A line contains times as ISO
 * 8601 texts, and bytes as hex digits.
 */
import { auditRows, putAuditRow } from "../../accounts/audit/audit_store.ts";
import { views } from "../../accounts/views/view.ts";
import { vatSteps } from "../../accounts/workspace.ts";
import { isoOrNull, msOrNull } from "../../base/time.ts";
import { awaitedPrices, finishedExports } from "../../catalogue/prices/awaited_price_store.ts";
import { priceMarks } from "../../catalogue/prices/price_rows.ts";
import { termsSteps } from "../../catalogue/prices/price_terms_store.ts";
import { sales } from "../../catalogue/sales/sales.ts";
import { packMonth, unpackMonth } from "../../catalogue/sales/sale.ts";
import { ownProfiles } from "../../imports/profiles/import_profiles.ts";
import { trends } from "../../market/trends/trend_days.ts";
import { alerts } from "../../messages/alert_store.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { shareOfCommit, type Write } from "../../platform/store/kv.ts";
import { spentDays } from "../../rules/evaluation/rule_stats.ts";
import { discoveries, NOTHING_DISCOVERED } from "../../shops/pages/discovery_store.ts";
import { suggestions } from "../../shops/pages/found_page_store.ts";
import { linkRemovals, removedMatches } from "../../shops/matches/match_store.ts";
import { commitMoves } from "../../shops/observations/move_store.ts";
import { releasedPrices } from "../../shops/offers/failing_and_held_store.ts";
import { NO_LESSONS, shopLessons } from "../../shops/pages/recipe_store.ts";
import type { LineOf, LineType } from "./workspace_line.ts";

type Owner = Pick<WorkspaceStore, "workspaceId">;

export interface LineSource<T extends LineType> {
  lines(ctx: WorkspaceStore & Pick<Context, "now">): AsyncGenerator<LineOf<T>>;
}

type Fields<T extends LineType> = Omit<LineOf<T>, "type">;

/** Rows for which `toLine` returns null are not exported. */
export function linesFrom<T extends LineType, Row>(
  type: T,
  rowsOf: (workspace: WorkspaceStore) => AsyncIterable<Row> | Promise<Iterable<Row>>,
  toLine: (row: Row) => Fields<T> | null,
): LineSource<T> {
  return {
    async *lines(workspace) {
      for await (const row of await rowsOf(workspace)) {
        const line = toLine(row);
        if (line) yield Object({ type, ...line });
      }
    },
  };
}

export interface LineTarget<T extends LineType> {
  /**
   * Imports at least the first of `lines`, and returns the number of imported lines. Skipped lines,
   * such as an existing user, count as imported.
   */
  put(write: Write, ctx: Context, lines: readonly LineOf<T>[]): number | Promise<number>;
}

const NEXT_LINE = { ...shareOfCommit(0.5), checks: 1 };

export function each<T extends LineType>(
  put: (write: Write, ctx: Context, line: LineOf<T>) => void,
): LineTarget<T> {
  return { put: (write, ctx, lines) => take(write, lines, (line) => put(write, ctx, line)) };
}

export function take<L>(write: Write, lines: readonly L[], put: (line: L) => void): number {
  let taken = 0;
  for (const line of lines) {
    if (taken > 0 && !write.fits(NEXT_LINE)) break;
    put(line);
    taken++;
  }
  return taken;
}

type TextOf<Ms> = null extends Ms ? string | null : string;
type MsOf<Text> = null extends Text ? number | null : number;

/** Converts times in milliseconds, such as `atMs`, to texts, such as `at`. */
export function withTexts<Row extends object, Time extends string>(
  row: Row,
  ...times: readonly Time[]
):
  & Omit<Row, `${Time}Ms`>
  & { readonly [Name in Time]: TextOf<`${Name}Ms` extends keyof Row ? Row[`${Name}Ms`] : never> } {
  const names = new Map<string, string>(times.map((time) => [`${time}Ms`, time]));
  return Object(Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const time = names.get(name);
      return time === undefined ? [name, value] : [time, isoOrNull(value)];
    }),
  ));
}

export function withMs<Line extends object, Time extends keyof Line & string>(
  line: Line,
  ...times: readonly Time[]
): Omit<Line, Time> & { readonly [Name in Time as `${Name}Ms`]: MsOf<Line[Name]> } {
  const names = new Set<string>(times);
  return Object(Object.fromEntries(
    Object.entries(line).map(([name, value]) =>
      names.has(name) ? [`${name}Ms`, msOrNull(value)] : [name, value]
    ),
  ));
}

export const OFFER_TIMES = ["observedAt", "checkedAt", "heldAt", "failingSince", "since"] as const;

interface TableLines<T extends LineType> extends LineSource<T>, LineTarget<T> {}

interface LineTable<Row> {
  walk(workspace: WorkspaceStore): AsyncIterable<{ readonly row: Row }>;
  put(write: Write, owner: Owner, row: Row): void;
}

interface Conversion<Line, Row> {
  toLine(row: Row): Line | null;
  toRow(line: Line): Row;
}

function ofTable<T extends LineType, Row>(
  type: T,
  table: LineTable<Row>,
  { toLine, toRow }: Conversion<Fields<T>, Row>,
): TableLines<T> {
  return {
    ...linesFrom(type, (workspace) => table.walk(workspace), ({ row }) => toLine(row)),
    ...each((write, ctx, { type: _, ...line }) => table.put(write, ctx, toRow(Object(line)))),
  };
}

function ofPlainTable<T extends LineType>(type: T, table: LineTable<Fields<T>>): TableLines<T> {
  return ofTable(type, table, { toLine: (row) => row, toRow: (line) => line });
}

export const TABLE_LINES = {
  view: ofPlainTable("view", views),
  importProfile: ofTable("importProfile", ownProfiles, {
    toLine: (profile) => ({ profile }),
    toRow: ({ profile }) => profile,
  }),
  shopRecipe: ofTable("shopRecipe", shopLessons, {
    toLine: ({ competitorId, recipe, window }) => recipe && { competitorId, recipe, window },
    toRow: (line) => ({ ...NO_LESSONS, ...line }),
  }),
  discovery: ofTable("discovery", discoveries, {
    toLine: ({ competitorId, settings, isPaused }) => ({ competitorId, settings, isPaused }),
    toRow: (line) => ({ ...NOTHING_DISCOVERED, ...line }),
  }),
  priceMark: ofTable("priceMark", priceMarks, {
    toLine: (row) => withTexts(row, "at"),
    toRow: (line) => withMs(line, "at"),
  }),
  priceTerms: ofTable("priceTerms", termsSteps, {
    toLine: ({ vat, tiers, ...row }) => ({
      ...withTexts(row, "at"),
      vat: vat && [...vat],
      tiers: tiers.map((step) => [...step]),
    }),
    toRow: (line) => withMs(line, "at"),
  }),
  vatTerms: ofTable("vatTerms", vatSteps, {
    toLine: (row) => withTexts(row, "at"),
    toRow: (line) => withMs(line, "at"),
  }),
  sales: ofTable("sales", sales, {
    toLine: ({ bytes, ...row }) => ({ ...row, days: unpackMonth(row.month, bytes) }),
    toRow: ({ days, ...line }) => ({ ...line, bytes: packMonth(days) }),
  }),
  removedMatch: ofTable("removedMatch", removedMatches, {
    toLine: ({ id: _, ...row }) => row,
    toRow: (line) => ({ ...line, id: line.match.id }),
  }),
  linkRemoval: ofPlainTable("linkRemoval", linkRemovals),
  suggestion: ofPlainTable("suggestion", suggestions),
  moves: ofTable("moves", commitMoves, {
    toLine: ({ moves, ...row }) => ({
      ...withTexts(row, "at"),
      moves: moves.map((move) => withTexts(move, "at")),
    }),
    toRow: ({ moves, ...line }) => ({
      ...withMs(line, "at"),
      moves: moves.map((move) => withMs(move, "at")),
    }),
  }),
  awaitedPrice: ofTable("awaitedPrice", awaitedPrices, {
    toLine: ({ brought: _, ...row }) => ({ ...withTexts(row, "toldAt"), tier: row.tier || null }),
    toRow: (line) => ({ ...withMs(line, "toldAt"), tier: line.tier ?? "" }),
  }),
  priceExport: ofTable("priceExport", finishedExports, {
    toLine: (row) => withTexts(row, "at", "from", "to"),
    toRow: (line) => withMs(line, "at", "from", "to"),
  }),
  trend: ofTable("trend", trends, {
    toLine: ({ value, bytes, ...row }) => ({ ...row, value: value.toHex(), days: bytes.toHex() }),
    toRow: ({ value, days, ...line }) => ({
      ...line,
      value: Uint8Array.fromHex(value),
      bytes: Uint8Array.fromHex(days),
    }),
  }),
  releasedPrice: ofPlainTable("releasedPrice", releasedPrices),
  budgetDay: ofPlainTable("budgetDay", spentDays),
  alert: ofTable("alert", alerts, {
    toLine: ({ mailId: _, isMailOff: _off, ...row }) => row,
    toRow: (line) => ({ ...line, mailId: null, isMailOff: false }),
  }),
  audit: ofTable("audit", { walk: (workspace) => auditRows.walk(workspace), put: putAuditRow }, {
    toLine: ({ atMs: _, ...row }) => row,
    toRow: (line) => ({ ...line, atMs: Date.parse(line.at) }),
  }),
} satisfies { readonly [T in LineType]?: TableLines<T> };
