import type { JsonValue } from "../../base/collections.ts";
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
  findSuggestion,
  findSuggestions,
  listSuggestionIds,
  listSuggestionsOf,
  type StoredSuggestion,
} from "../../shops/discovery/suggestion_store.ts";
import {
  COUNTED_MAX,
  type MatchSuggestion,
  type SuggestionCounts,
  type SuggestionQuery,
} from "./match_suggestion.ts";

/** Read at once, so that a page of few costs little. */
const READ = 200;
/** Of one request: a filter that fits next to nothing goes on with the next page. */
const LOOKED_AT_MAX = 5_000;

/** One page, the newest first; those whose product or shop is gone are left out. */
export async function listSuggestions(
  ctx: Context,
  { status, competitorId, productId, verdict, limit, cursor }: SuggestionQuery,
): Promise<Page<MatchSuggestion>> {
  const list = `match-suggestions ${JSON.stringify([status, competitorId, productId, verdict])}`;
  const fits = (one: StoredSuggestion) =>
    one.status === status && (competitorId === undefined || one.competitorId === competitorId) &&
    (productId === undefined || one.productId === productId) &&
    (verdict === undefined || one.verdict === verdict);
  let before = idOf(openCursor(ctx, list, cursor));
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
  for (let looked = 0; !isAtEnd && rows.length <= limit && looked < LOOKED_AT_MAX; looked += READ) {
    const ids = await listSuggestionIds(ctx, status, before, READ);
    rows.push(...await asShown(ctx, (await findSuggestions(ctx, ids)).filter(fits)));
    before = ids.at(-1) ?? before;
    isAtEnd = ids.length < READ;
  }
  const page = toPage(ctx, { list, rows, limit, positionOf: ({ id }) => id });
  // Rows that were not read are on the next page.
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

function idOf(position: JsonValue | null): string | null {
  return typeof position === "string" && isId(position) ? position : null;
}

/** One suggestion, whatever became of it. Refuses with `not_found`. */
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
  const found = isId(id) ? await findSuggestion(workspace, id) : null;
  if (!found) throw noSuch("suggestion", id);
  return found;
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

/** How many suggestions of a product are open at a shop, for those that are shown. */
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
