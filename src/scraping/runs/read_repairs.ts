/** Lists pages that should have a price but have none. */
import { compareTexts } from "../../base/text.ts";
import { Failure } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import type { JsonValue } from "../../base/collections.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { parseProducts } from "../../catalogue/products/product.ts";
import { cursorAt, openCursor, type Page, pageQuery, toPage } from "../../platform/http/http.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { findCompetitors, listCompetitors } from "../../shops/competitor_store.ts";
import { listMatchesOfProducts } from "../../shops/matches/list_matches.ts";
import { CompetitorProduct } from "../../shops/matches/match.ts";
import {
  type FailingGroup,
  type FailingPage,
  type FailingPlace,
  listFailing,
  listFailingCounts,
} from "../../shops/offers/failing_page_store.ts";
import { REPAIR_CAUSES, type RepairCause } from "../../shops/offers/offer.ts";
import { lastRetries } from "./retry_kind.ts";
import { z } from "@hono/zod-openapi";

const Cause = z.enum(REPAIR_CAUSES);

export const RepairsQuery = z.strictObject({
  competitorId: z.string().optional(),
  ...pageQuery(50, 200),
});

export const RepairPagesQuery = z.strictObject({
  competitorId: z.string().optional().describe("The shop; default: all shops"),
  cause: z.enum(["", ...REPAIR_CAUSES]).optional(),
  ...pageQuery(50, 200),
});

export const RepairGroup = z.object({
  competitorId: z.string(),
  competitor: z.string().describe("The competitor's display name"),
  domain: z.string(),
  cause: Cause,
  pages: z.int().describe("Number of failing pages"),
  since: z.iso.datetime().describe("Since when the first of these pages has failed"),
  retryId: z.string().nullable().describe("The unfinished retry of the shop's failing pages"),
}).meta({ id: "RepairGroup" });
export type RepairGroup = z.output<typeof RepairGroup>;

export const RepairGroups = z.object({
  items: z.array(RepairGroup),
  nextCursor: z.string().nullable(),
  count: z.int(),
  pages: z.int().describe("Number of failing pages in all groups"),
  shops: z.int().describe("Number of shops with failing pages"),
}).meta({ id: "RepairGroups" });

export const RepairPage = CompetitorProduct.extend({
  cause: Cause,
  since: z.iso.datetime().describe("Since when every fetch has failed"),
  sku: z.string(),
  title: z.string(),
}).meta({ id: "RepairPage" });
export type RepairPage = z.output<typeof RepairPage>;

type Counted = FailingGroup & { readonly pages: number };

/** The groups of failing pages in enabled shops; groups with the most pages come first. */
export async function readRepairs(
  ctx: Context,
  { competitorId, limit, cursor }: z.output<typeof RepairsQuery>,
): Promise<z.output<typeof RepairGroups>> {
  const list = `repairs ${JSON.stringify([competitorId ?? null])}`;
  const after = placeIn(GroupPlace, openCursor(ctx, list, cursor));
  const isVain = competitorId !== undefined && !isId(competitorId);
  const [counts, competitors] = await Promise.all([
    isVain ? [] : listFailingCounts(ctx, competitorId ?? null),
    competitorId === undefined
      ? listCompetitors(ctx, null, null)
      : findCompetitors(ctx, isVain ? [] : [competitorId]).then((found) => [...found.values()]),
  ]);
  const shops = new Map(competitors.filter(({ enabled }) => enabled).map((one) => [one.id, one]));
  const groups = counts.filter((one) => shops.has(one.competitorId)).sort(byPages);
  const rows = groups.filter((one) => after === null || byPages(one, after) > 0);
  const page = toPage(ctx, { list, rows, limit, positionOf });
  const items = await Promise.all(page.items.map(async (group): Promise<RepairGroup[]> => {
    const shop = shops.get(group.competitorId);
    const [first] = await listFailing(ctx, group, null, 1);
    // The group was repaired between the two reads.
    if (!shop || !first) return [];
    const retry = await lastRetries.find(ctx, { competitorId: shop.id });
    const since = new Date(first.sinceMs).toISOString();
    const { id, displayName: competitor, domain } = shop;
    const retryId = retry?.row.retryId ?? null;
    return [{ ...group, competitorId: id, competitor, domain, since, retryId }];
  }));
  return {
    ...page,
    items: items.flat(),
    pages: groups.reduce((sum, group) => sum + group.pages, 0),
    shops: new Set(groups.map((group) => group.competitorId)).size,
  };
}

function byPages(a: Counted, b: Counted): number {
  return b.pages - a.pages || compareTexts(a.competitorId, b.competitorId) ||
    compareTexts(a.cause, b.cause);
}

function positionOf({ pages, competitorId, cause }: Counted): JsonValue {
  return [pages, competitorId, cause];
}

const GroupPlace = z.tuple([z.number(), z.string(), Cause])
  .transform(([pages, competitorId, cause]) => ({ pages, competitorId, cause }));

/** Sorted by shop. With `cause`, the pages that have failed longest come first within a shop. */
export async function readRepairPages(
  ctx: Context,
  { competitorId, cause: text, limit, cursor }: z.output<typeof RepairPagesQuery>,
): Promise<Page<RepairPage>> {
  const cause = text ? text : null;
  const list = `repair-pages ${JSON.stringify([competitorId ?? null, cause])}`;
  const after = placeIn(PagePlace, openCursor(ctx, list, cursor));
  const shops = competitorId === undefined
    ? await failingShops(ctx, cause)
    : [competitorId].filter(isId);
  const rows: (FailingPage & ShopPlace)[] = [];
  for (const shop of shops) {
    if (after && shop < after.competitorId) continue;
    const behind = after?.competitorId === shop ? after : null;
    const room = limit + 1 - rows.length;
    if (room === 0) break;
    const own = await listFailing(ctx, { competitorId: shop, cause }, behind, room);
    rows.push(...own.map((page) => ({ ...page, competitorId: shop })));
  }
  const pages = rows.slice(0, limit);
  const last = pages.at(-1);
  const items = await withNames(ctx, pages);
  return {
    items,
    nextCursor: rows.length > limit && last ? cursorAt(ctx, list, positionOfPage(last)) : null,
    count: items.length,
  };
}

type ShopPlace = FailingPlace & { readonly competitorId: string };

async function failingShops(ctx: Context, cause: RepairCause | null): Promise<readonly string[]> {
  const [counts, competitors] = await Promise.all([
    listFailingCounts(ctx),
    listCompetitors(ctx, null, null),
  ]);
  const failing = new Set(
    counts.filter((one) => cause === null || one.cause === cause).map((one) => one.competitorId),
  );
  return competitors.filter(({ id, enabled }) => enabled && failing.has(id))
    .map(({ id }) => id).sort(compareTexts);
}

async function withNames(
  workspace: WorkspaceStore,
  pages: readonly FailingPage[],
): Promise<RepairPage[]> {
  const productIds = [...new Set(pages.map(({ productId }) => productId))];
  const [documents, matches] = await Promise.all([
    findDocuments(workspace, productIds),
    listMatchesOfProducts(workspace, pages),
  ]);
  const products = new Map(
    parseProducts(documents.map(({ bytes }) => bytes)).map((product) => [product.id, product]),
  );
  return pages.flatMap(({ matchId, productId, cause, sinceMs }) => {
    const product = products.get(productId);
    const match = matches.get(matchId);
    if (!product || !match) return [];
    const { sku, title } = product;
    return [{ ...match, cause, since: new Date(sinceMs).toISOString(), sku, title }];
  });
}

function positionOfPage({ cause, sinceMs, matchId, competitorId }: ShopPlace): JsonValue {
  return [cause, sinceMs, matchId, competitorId];
}

const PagePlace = z.tuple([Cause, z.number(), z.string().refine(isId), z.string().refine(isId)])
  .transform(([cause, sinceMs, matchId, competitorId]) => (
    { cause, sinceMs, matchId, competitorId }
  ));

/** A cursor of an earlier version may have another form. */
function placeIn<T>(place: z.ZodType<T>, position: JsonValue | null): T | null {
  if (position === null) return null;
  const parsed = place.safeParse(position);
  if (parsed.success) return parsed.data;
  throw new Failure("invalid_cursor", "The cursor is of another version: start again without one");
}
