import { noSuch } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import type { Product } from "../../catalogue/products/product.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product_wire.ts";
import { cursorAt, openCursor, type Page, toPage } from "../../platform/http/page.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { findCompetitors } from "../../shops/competitor_store.ts";
import {
  countVerdicts,
  findSuggestions,
  listSuggestionIds,
  listSuggestionsOf,
  REJECTED_AS,
  StoredSuggestion,
  SUGGESTION_STATUSES,
  suggestions,
} from "../../shops/discovery/suggestion_store.ts";
import { VERDICTS } from "../../engine/matching/identity_codes.ts";
import { pageQuery } from "../../platform/http/http.ts";
import { ShopPage } from "../../shops/discovery/page_store.ts";
import { PackFactor } from "../../shops/matches/match.ts";
import { z } from "@hono/zod-openapi";

/** Few rows per read, so that a short page costs little. */
const READ = 200;

/** Newest first. Suggestions for deleted products and shops are left out. */
export async function listSuggestions(
  ctx: Context,
  { status, competitorId, productId, verdict, limit, cursor }: SuggestionQuery,
): Promise<Page<MatchSuggestion>> {
  const list = `match-suggestions ${JSON.stringify([status, competitorId, productId, verdict])}`;
  const fits = (one: StoredSuggestion) =>
    one.status === status && (competitorId === undefined || one.competitorId === competitorId) &&
    (productId === undefined || one.productId === productId) &&
    (verdict === undefined || one.verdict === verdict);
  const position = openCursor(ctx, list, cursor);
  let before = typeof position === "string" && isId(position) ? position : null;
  if (productId !== undefined) {
    const all = isId(productId) ? await listSuggestionsOf(ctx, productId) : [];
    const after = before;
    const rows = all.filter((one) => fits(one) && (after === null || one.id < after))
      .toSorted((a, b) => a.id < b.id ? 1 : -1);
    const shown = await asShown(ctx, rows.slice(0, limit + 1));
    return toPage(ctx, { list, rows: shown, limit, positionOf: ({ id }) => id });
  }
  const rows: MatchSuggestion[] = [];
  let isAtEnd = false;
  // If few rows match the filter, the page is short and the next one continues.
  for (let looked = 0; !isAtEnd && rows.length <= limit && looked < 5_000; looked += READ) {
    const ids = await listSuggestionIds(ctx, status, before, READ);
    rows.push(...await asShown(ctx, (await findSuggestions(ctx, ids)).filter(fits)));
    before = ids.at(-1) ?? before;
    isAtEnd = ids.length < READ;
  }
  const page = toPage(ctx, { list, rows, limit, positionOf: ({ id }) => id });
  // The next page begins after the last row that was read.
  return page.nextCursor === null && !isAtEnd && before !== null
    ? { ...page, nextCursor: cursorAt(ctx, list, before) }
    : page;
}

export async function countOpenSuggestions(workspace: WorkspaceStore): Promise<SuggestionCounts> {
  const counts = await countVerdicts(workspace, "open", COUNTED_MAX + 1);
  const [same, probably, unknown] = (["same", "probably", "unknown"] as const)
    .map((verdict) => counts.get(verdict) ?? 0);
  const open = counts.values().reduce((sum, count) => sum + count, 0);
  return {
    open: Math.min(open, COUNTED_MAX),
    same: same ?? 0,
    probably: probably ?? 0,
    unknown: unknown ?? 0,
    isCut: open > COUNTED_MAX,
  };
}

/** A suggestion in any status. Throws `not_found`. */
export async function readSuggestion(
  workspace: WorkspaceStore,
  id: string,
): Promise<MatchSuggestion> {
  const [shown] = await asShown(workspace, [await requireSuggestion(workspace, id)]);
  if (shown) return shown;
  throw noSuch("suggestion", id);
}

export async function requireSuggestion(
  workspace: WorkspaceStore,
  id: string,
): Promise<StoredSuggestion> {
  const found = isId(id) ? await suggestions.find(workspace, { id }) : null;
  if (!found) throw noSuch("suggestion", id);
  return found.row;
}

async function asShown(
  workspace: WorkspaceStore,
  suggestions: readonly StoredSuggestion[],
): Promise<MatchSuggestion[]> {
  const productIds = [...new Set(suggestions.map(({ productId }) => productId))];
  const [documents, competitors, rivals] = await Promise.all([
    findDocuments(workspace, productIds),
    findCompetitors(workspace, suggestions.map(({ competitorId }) => competitorId)),
    openPerShop(workspace, suggestions),
  ]);
  const products = new Map(documents.map(({ id, bytes }) => [id, parseProduct(bytes)]));
  return suggestions.flatMap((one) => {
    const product = products.get(one.productId);
    const competitor = competitors.get(one.competitorId);
    if (!product || !competitor) return [];
    const open = rivals.get(shopOf(one)) ?? 0;
    return [{
      id: one.id,
      product: shownProduct(product),
      competitor: { id: competitor.id, displayName: competitor.displayName },
      page: one.page,
      verdict: one.verdict,
      score: one.score,
      reasons: one.reasons,
      packFactor: one.packFactor,
      rivals: Math.max(0, open - (one.status === "open" ? 1 : 0)),
      status: one.status,
      rejectedAs: one.rejectedAs,
      createdAt: one.createdAt,
      decidedAt: one.decidedAt,
    }];
  });
}

function shownProduct({ id, sku, title, brand, ean, mpn, ourPriceCents, currency }: Product) {
  return { id, sku, title, brand, gtin: ean, mpn, price: ourPriceCents, currency };
}

const shopOf = ({ productId, competitorId }: StoredSuggestion) => `${productId} ${competitorId}`;

async function openPerShop(
  workspace: WorkspaceStore,
  suggestions: readonly StoredSuggestion[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const productIds = new Set(suggestions.map(({ productId }) => productId));
  const all = await Promise.all([...productIds].map((id) => listSuggestionsOf(workspace, id)));
  for (const one of all.flat()) {
    if (one.status === "open") counts.set(shopOf(one), (counts.get(shopOf(one)) ?? 0) + 1);
  }
  return counts;
}

const { verdict, score, reasons, createdAt, decidedAt } = StoredSuggestion.shape;

export const MatchSuggestion = z.object({
  id: z.string(),
  product: z.object({
    id: z.string(),
    sku: z.string(),
    title: z.string(),
    brand: z.string().nullable(),
    gtin: z.string().nullable().describe("Our GTIN or EAN"),
    mpn: z.string().nullable(),
    price: z.int().nullable().describe("Our price, minor units of `currency`"),
    currency: z.string(),
  }).describe("Our product"),
  competitor: z.object({ id: z.string(), displayName: z.string() }).describe(
    "The shop of the page",
  ),
  page: ShopPage.describe("The product as the page describes it"),
  verdict: verdict.describe("Whether the page shows our product"),
  score: score.describe("How likely the titles name the same article, from 0 to 1"),
  reasons: reasons.describe("The reasons, the deciding one first"),
  packFactor: z.number().nullable().describe(
    "Number of our pieces in the pack of the page, if its number belongs to another pack",
  ),
  rivals: z.int().describe("Number of other open suggestions for the product at the same shop"),
  status: z.enum(SUGGESTION_STATUSES),
  rejectedAs: z.enum(REJECTED_AS).nullable().describe(
    "`variant`: a variant of our product; null: not rejected",
  ),
  createdAt,
  decidedAt,
}).meta({ id: "MatchSuggestion" });
export type MatchSuggestion = Readonly<z.output<typeof MatchSuggestion>>;

export const SuggestionQuery = z.strictObject({
  status: z.enum(SUGGESTION_STATUSES).default("open"),
  competitorId: z.string().optional(),
  productId: z.string().optional(),
  verdict: z.enum(VERDICTS).optional(),
  ...pageQuery(50, 200),
});
export type SuggestionQuery = z.output<typeof SuggestionQuery>;

/** Larger counts are not shown exactly, because no person reviews so many suggestions. */
export const COUNTED_MAX = 50_000;

export const SuggestionCounts = z.object({
  open: z.int().describe("Number of undecided suggestions"),
  same: z.int().describe("Number of certain ones among them"),
  probably: z.int().describe("Number of likely ones among them"),
  unknown: z.int().describe("Number of those whose page says too little"),
  isCut: z.boolean().describe(`True if more than ${COUNTED_MAX} are open`),
}).meta({ id: "SuggestionCounts" });
export type SuggestionCounts = Readonly<z.output<typeof SuggestionCounts>>;

export const AcceptRequest = z.strictObject({
  packFactor: PackFactor.optional().describe(
    "Number of our pieces that the page sells for the price; default: as suggested",
  ),
}).meta({ id: "AcceptSuggestion" });
export type AcceptRequest = z.output<typeof AcceptRequest>;

export const RejectRequest = z.strictObject({
  as: z.enum(REJECTED_AS).default("other").describe("`variant`: a variant, such as another colour"),
}).meta({ id: "RejectSuggestion" });
export type RejectRequest = z.output<typeof RejectRequest>;

export const BulkRequest = z.strictObject({
  action: z.enum(["accept", "reject", "reopen"]).describe(
    "The decision about all of them; `reopen` revokes earlier decisions",
  ),
  ids: z.array(z.string()).min(1).max(200),
}).meta({ id: "BulkSuggestions" });
export type BulkRequest = z.output<typeof BulkRequest>;

export const BulkOutcome = z.object({
  id: z.string(),
  status: z.enum(SUGGESTION_STATUSES).nullable().describe("Null if the decision failed"),
  errorCode: z.string().nullable(),
  message: z.string().nullable(),
}).meta({ id: "SuggestionOutcome" });
export type BulkOutcome = Readonly<z.output<typeof BulkOutcome>>;
