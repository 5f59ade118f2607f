/** Lists moves of competitors, the largest price change first (docs/decisions/market.md). */

import { HOUR_MS, parseBound } from "../../base/time.ts";
import { requireWorkspace } from "../../accounts/workspace.ts";
import { fromKeys, pick, SortedQueue, sumOf } from "../../base/collections.ts";
import { fold } from "../../base/text.ts";
import type { MarketAsker } from "../../catalogue/lists/product_page.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import { BOUND_FORMS, BoundText, pageQuery } from "../../platform/http/http.ts";
import { type Columns, fields, openListTable } from "../../catalogue/lists/list_file.ts";
import type { Context } from "../../platform/store/context.ts";
import { codeCell } from "../../engine/wording/code_words.ts";
import { momentCell, moneyCell, type OutgoingTable } from "../../platform/tables/cell.ts";
import { type Competitor, readCompetitorSet } from "../../shops/competitor_store.ts";
import { MOVE_KINDS } from "../../shops/observations/move_store.ts";
import { changePct, ourSideOf, shownUnitCents } from "../unit_cents.ts";
import type { MarketCache } from "../current/market_cache.ts";
import type { MarketTable } from "../table/market_table.ts";
import type { RowTest } from "../table/table_page.ts";
import {
  type FoundMove,
  type Grouping,
  GROUPINGS,
  groupKeyOf,
  heaviestGroups,
  isBefore,
  movesSince,
  weightOf,
  withdrawalTest,
} from "./moves.ts";
import { z } from "@hono/zod-openapi";

const MOVE_DAYS = 30;

export const MovesFilter = z.strictObject({
  since: BoundText.meta({
    anyOf: [...BOUND_FORMS],
    description:
      `Moves committed at this time or later; default: 24 hours ago; at most ${MOVE_DAYS} days ago`,
  }),
  kind: z.enum(MOVE_KINDS).optional(),
  competitorId: z.string().regex(/^[0-9a-f]{24}$/, "Must be an id").optional(),
  category: z.string().min(1).max(300).optional()
    .describe("Moves of products with this category; case does not matter"),
  hasCategory: z.enum(["true", "false"]).transform((text) => text === "true").optional().meta({
    type: "boolean",
    description: "True: only products with a category; false: only products without one",
  }),
});

export const MovesQuery = z.strictObject({
  limit: pageQuery(50, 200).limit,
  ...MovesFilter.shape,
  groupBy: z.enum(GROUPINGS).optional()
    .describe("Adds groups of moves of one kind, most important first"),
});

const cents = z.int().nullable();

const MarketMove = z.object({
  id: z.string(),
  at: z.iso.datetime().describe("When the move was observed"),
  kind: z.enum(MOVE_KINDS),
  productId: z.string(),
  sku: z.string(),
  title: z.string(),
  competitorId: z.string(),
  competitor: z.string().describe("Display name"),
  fromCents: cents.describe(
    "Earlier price for one of our pieces, with or without VAT like our prices; null for a new offer",
  ),
  toCents: cents.describe("New price, like `fromCents`; the last known price of a sold-out offer"),
  currency: z.string(),
  changePct: z.number().nullable(),
  isNowCheapest: z.boolean().describe("The competitor has the cheapest offer now"),
  gapPct: z.number().nullable().describe("Current (ours − cheapest) ÷ cheapest"),
  roomPct: z.number().nullable().describe("Current (cheapest − ours) ÷ ours"),
}).meta({ id: "MarketMove" });

export const MoveGroup = z.object({
  kind: z.enum(MOVE_KINDS),
  competitorId: z.string().optional(),
  competitor: z.string().optional(),
  category: z.string().nullable().optional(),
  moves: z.int().describe("Number of moves"),
  competitorMoves: z.int().optional()
    .describe("Number of the competitor's moves in all groups; only when grouped by competitor"),
  products: z.int(),
  changePct: z.number().nullable().describe("Mean of the moves"),
  nowCheapest: z.int()
    .describe("Number of products whose cheapest offer is from the competitor of the move"),
  undercutUs: z.int().describe("Number of those for which we are dearer"),
  withRoom: z.int().describe("Number of products that we sell below the cheapest offer"),
  biggest: MarketMove.describe("The largest change of the group"),
}).meta({ id: "MarketMoveGroup" });

export const MarketMoves = z.object({
  items: z.array(MarketMove).describe("Moves, largest change first"),
  groups: z.array(MoveGroup).optional().describe("With `groupBy`"),
  counts: z.object(fromKeys(MOVE_KINDS, () => z.int()))
    .describe("Number of moves of all kinds, independent of `kind`"),
  total: z.int().describe("Number of matching moves"),
  products: z.int().describe("Number of products with matching moves"),
  since: z.iso.datetime(),
  asOf: z.iso.datetime(),
  isCut: z.boolean().describe("True if only the newest of very many moves were considered"),
}).meta({ id: "MarketMoves" });

export interface MovesDeps extends MarketAsker {
  readonly tables: MarketCache;
}

export async function readMoves(
  ctx: Context,
  deps: MovesDeps,
  { groupBy, limit, ...filter }: z.output<typeof MovesQuery>,
): Promise<z.output<typeof MarketMoves>> {
  const { moves, table, byId, figures, sinceMs } = await findMoves(ctx, deps, filter, groupBy);
  const heaviest = groupBy ? heaviestGroups(moves, groupBy, table) : [];
  const best = new SortedQueue(moves.flat(), isBefore).take(limit);
  const asked = [...best, ...heaviest.map(({ first }) => first)];
  const documents = await serialiseMoves(ctx, deps.market, byId, asked);
  return {
    items: best.flatMap(({ id }) => documents.get(id) ?? []),
    ...(groupBy !== undefined && {
      groups: heaviest.flatMap((group) => {
        const first = documents.get(group.first.id);
        const { competitorId: id, summary } = group;
        const shop = id === null ? {} : { competitorId: id, competitor: byId.get(id)?.displayName };
        return first ? [{ ...summary, ...shop, biggest: first }] : [];
      }),
    }),
    ...figures,
    since: new Date(sinceMs).toISOString(),
    asOf: ctx.now().toISOString(),
  };
}

const COLUMNS: Columns<z.output<typeof MarketMove>> = {
  at: ({ at }) => momentCell(at),
  kind: ({ kind }) => codeCell("moveKinds", kind),
  ...fields("sku", "title", "competitor"),
  from: ({ fromCents, currency }) => moneyCell(fromCents, currency),
  to: ({ toCents, currency }) => moneyCell(toCents, currency),
  ...fields("currency", "changePct", "isNowCheapest", "gapPct", "productId", "competitorId", "id"),
};

export async function openMoveTable(
  ctx: Context,
  deps: MovesDeps,
  filter: z.output<typeof MovesFilter>,
): Promise<OutgoingTable> {
  const { byId, moves: every } = await findMoves(ctx, deps, filter);
  const moves = new SortedQueue(every.flat(), isBefore);
  return await openListTable("moves", COLUMNS, async ({ limit }) => {
    const found = moves.take(limit);
    const documents = await serialiseMoves(ctx, deps.market, byId, found);
    const items = found.flatMap(({ id }) => documents.get(id) ?? []);
    // `openListTable` only checks whether the cursor is null, so its text does not matter.
    return { items, nextCursor: moves.size === 0 ? null : "more", count: items.length };
  });
}

async function findMoves(
  ctx: Context,
  { tables }: MovesDeps,
  filter: z.output<typeof MovesFilter>,
  groupBy?: Grouping,
) {
  const sinceMs = sinceOf(ctx, filter.since);
  const [{ byId }, { table }, { rows, isCut }] = await Promise.all([
    readCompetitorSet(ctx),
    tables.read(ctx),
    movesSince(ctx, sinceMs),
  ]);
  const counts = fromKeys(MOVE_KINDS, () => 0);
  const groups = new Map<string, FoundMove[]>();
  const keyOf = groupKeyOf(groupBy, table);
  const fits = categoryTest(table, filter);
  const productIds = new Set<string>();
  const isWithdrawn = withdrawalTest(rows);
  const slice = new TimeSlice();
  for (const stored of rows) {
    await slice.yield();
    for (const [at, move] of stored.moves.entries()) {
      const { kind, productId, competitorId, linkMark } = move;
      if (!byId.get(competitorId)?.enabled || isWithdrawn(stored, move)) continue;
      if (filter.competitorId !== undefined && competitorId !== filter.competitorId) continue;
      const row = table.rowOf(productId);
      if (row === undefined || !table.hasLink(row, competitorId, linkMark) || !fits(row)) continue;
      counts[kind]++;
      if (filter.kind !== undefined && kind !== filter.kind) continue;
      productIds.add(productId);
      const id = stored.id + at.toString(16).padStart(4, "0");
      const found = { id, move, row, weight: weightOf(move) };
      groups.getOrInsertComputed(keyOf(found), () => []).push(found);
    }
  }
  const moves = [...groups.values()];
  const total = sumOf(moves, ({ length }) => length);
  return {
    moves,
    table,
    figures: { counts, total, products: productIds.size, isCut },
    sinceMs,
    byId,
  };
}

function categoryTest(
  table: MarketTable,
  { category, hasCategory }: Pick<z.output<typeof MovesFilter>, "category" | "hasCategory">,
): RowTest {
  if (category === undefined && hasCategory === undefined) return () => true;
  const word = category === undefined ? null : table.list("category").find(fold(category));
  return (row) => {
    const own = table.columns.words.category[row];
    return word !== 0 && (word === null || own === word) &&
      (hasCategory === undefined || (own !== 0) === hasCategory);
  };
}

function sinceOf({ now }: Pick<Context, "now">, text: string | undefined): number {
  const nowMs = now().getTime();
  const asked = text ? parseBound(text, "start") : null;
  return Math.max(asked ?? nowMs - (24 * HOUR_MS), nowMs - MOVE_DAYS * 24 * HOUR_MS);
}

async function serialiseMoves(
  ctx: Context,
  market: MarketAsker["market"],
  competitors: ReadonlyMap<string, Competitor>,
  found: readonly FoundMove[],
): Promise<Map<string, z.output<typeof MarketMove>>> {
  const ids = [...new Set(found.map(({ move }) => move.productId))];
  const [rows, { markets }, settings] = await Promise.all([
    findDocuments(ctx, ids),
    market.beside(ctx, ids),
    requireWorkspace(ctx),
  ]);
  const products = new Map(rows.map(({ id, bytes }) => [id, parseProduct(bytes)]));
  const documents = new Map<string, z.output<typeof MarketMove>>();
  for (const { id, move } of found) {
    const { kind, productId, competitorId, currency, fromCents, toCents } = move;
    const product = products.get(productId);
    const competitor = competitors.get(competitorId);
    const facts = markets.get(productId);
    if (!product || !competitor || !facts) continue;
    const { pricesIncludeVat } = competitor;
    const terms = { packFactor: move.packFactor, pricesIncludeVat };
    const unit = (cents: number) => shownUnitCents(cents, terms, ourSideOf(product, settings));
    documents.set(id, {
      id,
      at: new Date(move.atMs).toISOString(),
      kind,
      productId,
      ...pick(product, ["sku", "title"]),
      competitorId,
      competitor: competitor.displayName,
      fromCents: fromCents === null ? null : unit(fromCents),
      toCents: unit(toCents),
      currency,
      changePct: fromCents === null ? null : changePct(fromCents, toCents),
      isNowCheapest: facts.cheapestCompetitorId === competitorId,
      ...pick(facts, ["gapPct", "roomPct"]),
    });
  }
  return documents;
}
