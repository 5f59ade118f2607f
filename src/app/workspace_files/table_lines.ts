/** Converts rows to lines and back. Times become texts, and bytes become hex digits. */
import { auditRows, putAuditRow } from "../../accounts/audit/audit_store.ts";
import { vatSteps } from "../../accounts/workspace_store.ts";
import { iso } from "../../base/time.ts";
import { awaitedPrices, finishedExports } from "../../catalogue/prices/awaited_price_store.ts";
import { priceMarks } from "../../catalogue/prices/price_rows.ts";
import { termsSteps } from "../../catalogue/prices/price_terms_store.ts";
import { packMonth, sales, unpackMonth } from "../../catalogue/sales/sales_store.ts";
import { trends } from "../../market/trends/trend_days.ts";
import { alerts } from "../../messages/alerts/alert.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { shareOfCommit, type Write } from "../../platform/store/kv.ts";
import { spentDays } from "../../rules/evaluation/situation_reader.ts";
import { discoveries, NOTHING_DISCOVERED } from "../../shops/discovery/discovery_store.ts";
import { suggestions } from "../../shops/discovery/suggestion_store.ts";
import { linkRemovals, removedMatches } from "../../shops/matches/match_store.ts";
import { commitMoves } from "../../shops/observations/move_store.ts";
import { releasedPrices } from "../../shops/offers/held_price_store.ts";
import { NO_LESSONS, shopLessons } from "../../shops/recipes/recipe_store.ts";
import type { LineOf, LineType } from "./workspace_line.ts";

type Owner = Pick<WorkspaceStore, "workspaceId">;

/** How lines of a type are read from the store. */
export interface LineSource<T extends LineType> {
  lines(ctx: WorkspaceStore & Pick<Context, "now">): AsyncGenerator<LineOf<T>>;
}

/** How lines of a type are written to the store. */
export interface LineTarget<T extends LineType> {
  /** Writes the first lines, at least one, and returns their number. */
  put(write: Write, ctx: Context, lines: readonly LineOf<T>[]): number | Promise<number>;
}

/** Half of each commit is for rows that several lines share. */
const NEXT_LINE = { ...shareOfCommit(0.5), checks: 1 };

/** Writes each line separately, because these lines share no rows. */
export function each<T extends LineType>(
  put: (write: Write, ctx: Context, line: LineOf<T>) => void,
): LineTarget<T> {
  return { put: (write, ctx, lines) => take(write, lines, (line) => put(write, ctx, line)) };
}

/** Writes at least one line. Returns the number of written lines. */
export function take<L>(write: Write, lines: readonly L[], put: (line: L) => void): number {
  let taken = 0;
  for (const line of lines) {
    if (taken > 0 && !write.fits(NEXT_LINE)) break;
    put(line);
    taken++;
  }
  return taken;
}

interface TableLines<T extends LineType> extends LineSource<T>, LineTarget<T> {}

interface LineTable<Row> {
  walk(workspace: WorkspaceStore): AsyncIterable<{ readonly row: Row }>;
  put(write: Write, owner: Owner, row: Row): void;
}

interface Conversion<Line, Row> {
  /** Null for a row that is not exported. */
  toLine(row: Row): Line | null;
  toRow(line: Line): Row;
}

function ofTable<T extends LineType, Row>(
  _type: T,
  table: LineTable<Row>,
  { toLine, toRow }: Conversion<LineOf<T>, Row>,
): TableLines<T> {
  return {
    async *lines(workspace) {
      for await (const { row } of table.walk(workspace)) {
        const line = toLine(row);
        if (line) yield line;
      }
    },
    ...each((write, ctx, line) => table.put(write, ctx, toRow(line))),
  };
}

export const TABLE_LINES = {
  // Pages from which recipes were learned can be found again.
  shopRecipe: ofTable("shopRecipe", shopLessons, {
    toLine: ({ competitorId, recipe, window }) =>
      recipe && { type: "shopRecipe", competitorId, recipe, window },
    toRow: ({ competitorId, recipe, window }) => ({ ...NO_LESSONS, competitorId, recipe, window }),
  }),
  discovery: ofTable("discovery", discoveries, {
    toLine: ({ competitorId, settings, isPaused }) => ({
      type: "discovery",
      competitorId,
      settings,
      isPaused,
    }),
    toRow: ({ type: _, ...line }) => ({ ...NOTHING_DISCOVERED, ...line }),
  }),
  priceMark: ofTable("priceMark", priceMarks, {
    toLine: ({ atMs, ...row }) => ({ type: "priceMark", ...row, at: iso(atMs) }),
    toRow: ({ type: _, at, ...line }) => ({ ...line, atMs: Date.parse(at) }),
  }),
  priceTerms: ofTable("priceTerms", termsSteps, {
    toLine: ({ productId, atMs, vat, tiers }) => ({
      type: "priceTerms",
      productId,
      at: iso(atMs),
      vat: vat && [...vat],
      tiers: tiers.map((step) => [...step]),
    }),
    toRow: ({ type: _, at, ...line }) => ({ ...line, atMs: Date.parse(at) }),
  }),
  vatTerms: ofTable("vatTerms", vatSteps, {
    toLine: ({ atMs, ...row }) => ({ type: "vatTerms", at: iso(atMs), ...row }),
    toRow: ({ type: _, at, ...line }) => ({ ...line, atMs: Date.parse(at) }),
  }),
  sales: ofTable("sales", sales, {
    toLine: ({ productId, month, bytes }) => ({
      type: "sales",
      productId,
      month,
      days: unpackMonth(month, bytes),
    }),
    toRow: ({ productId, month, days }) => ({ productId, month, bytes: packMonth(days) }),
  }),
  removedMatch: ofTable("removedMatch", removedMatches, {
    toLine: ({ id: _, ...row }) => ({ type: "removedMatch", ...row }),
    toRow: ({ type: _, ...line }) => ({ ...line, id: line.match.id }),
  }),
  linkRemoval: ofTable("linkRemoval", linkRemovals, {
    toLine: (row) => ({ type: "linkRemoval", ...row }),
    toRow: ({ type: _, ...line }) => line,
  }),
  suggestion: ofTable("suggestion", suggestions, {
    toLine: (row) => ({ type: "suggestion", ...row }),
    toRow: ({ type: _, ...line }) => line,
  }),
  moves: ofTable("moves", commitMoves, {
    toLine: ({ id, atMs, moves }) => ({
      type: "moves",
      id,
      at: iso(atMs),
      moves: moves.map(({ atMs: seenMs, ...move }) => ({ ...move, at: iso(seenMs) })),
    }),
    toRow: ({ id, at, moves }) => ({
      id,
      atMs: Date.parse(at),
      moves: moves.map(({ at: seenAt, ...move }) => ({ ...move, atMs: Date.parse(seenAt) })),
    }),
  }),
  awaitedPrice: ofTable("awaitedPrice", awaitedPrices, {
    toLine: ({ toldAtMs, tier, brought: _, ...row }) => ({
      type: "awaitedPrice",
      ...row,
      tier: tier || null,
      toldAt: iso(toldAtMs),
    }),
    toRow: ({ type: _, tier, toldAt, ...line }) => ({
      ...line,
      tier: tier ?? "",
      toldAtMs: Date.parse(toldAt),
    }),
  }),
  priceExport: ofTable("priceExport", finishedExports, {
    toLine: ({ atMs, fromMs, toMs, ...row }) => ({
      type: "priceExport",
      ...row,
      at: iso(atMs),
      from: iso(fromMs),
      to: iso(toMs),
    }),
    toRow: ({ type: _, at, from, to, ...line }) => ({
      ...line,
      atMs: Date.parse(at),
      fromMs: Date.parse(from),
      toMs: Date.parse(to),
    }),
  }),
  trend: ofTable("trend", trends, {
    toLine: ({ value, bytes, ...row }) => ({
      type: "trend",
      ...row,
      value: value.toHex(),
      days: bytes.toHex(),
    }),
    toRow: ({ type: _, value, days, ...line }) => ({
      ...line,
      value: Uint8Array.fromHex(value),
      bytes: Uint8Array.fromHex(days),
    }),
  }),
  releasedPrice: ofTable("releasedPrice", releasedPrices, {
    toLine: (row) => ({ type: "releasedPrice", ...row }),
    toRow: ({ type: _, ...line }) => line,
  }),
  budgetDay: ofTable("budgetDay", spentDays, {
    toLine: (row) => ({ type: "budgetDay", ...row }),
    toRow: ({ type: _, ...line }) => line,
  }),
  alert: ofTable("alert", alerts, {
    toLine: ({ mailId: _, isMailOff: _off, ...row }) => ({ type: "alert", ...row }),
    toRow: ({ type: _, ...line }) => ({ ...line, mailId: null, isMailOff: false }),
  }),
  audit: ofTable("audit", { walk: (workspace) => auditRows.walk(workspace), put: putAuditRow }, {
    toLine: ({ atMs: _, ...row }) => ({ type: "audit", ...row }),
    toRow: ({ type: _, ...line }) => ({ ...line, atMs: Date.parse(line.at) }),
  }),
} satisfies { readonly [T in LineType]?: TableLines<T> };
