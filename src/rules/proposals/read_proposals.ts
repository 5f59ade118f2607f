/**
 * Reads one proposal, or a page of a filtered and sorted list. Open proposals are filtered by their
 * briefs, which contain a few fields of each proposal.
 */
import { PROPOSAL_STATUSES } from "../../engine/pricing/codes.ts";
import { pick } from "../../base/collections.ts";
import { refuseFields } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { normaliseSku, searchFor } from "../../base/text.ts";
import { parseBound } from "../../base/time.ts";
import type { MarketSource } from "../../catalogue/prices/product_market.ts";
import { findIndexRow } from "../../catalogue/products/index_row_store.ts";
import { skuError } from "../../catalogue/products/product_fields.ts";
import { findDocuments, findProduct } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product.ts";
import { marketFacts } from "../../engine/pricing/market_facts.ts";
import {
  BOUND_FORMS,
  BoundText,
  choiceFilter,
  cursorAt,
  openCursor,
  pageQuery,
  toPage,
} from "../../platform/http/http.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import {
  comparePlaces,
  fitsFilter,
  isNamed,
  movedAmong,
  OPEN_FILTER_SHAPE,
  type OpenFilter,
  type OpenFilterTexts,
  placeOf,
  type PlaceValue,
  PROPOSAL_SORTS,
  RULE_EFFECT_PLACE,
  ruleEffects,
  WORDS_SHAPE,
} from "./proposal_filter.ts";
import {
  type PositionsNow,
  type Proposal,
  type ProposalBrief,
  type ProposalInMarket,
  type StoredProposal,
  toProposal,
} from "./proposal.ts";
import {
  countOpenProposals,
  findProposals,
  findTraces,
  listProposals,
  type ProposalIndex,
  requireProposal,
  walkOpenBriefs,
} from "./proposal_store.ts";
import { marketPositionOf, readSituations } from "./priced_product.ts";
import { z } from "@hono/zod-openapi";

const filterText = z.string().max(300).optional();

export const ANY_FILTER_SHAPE = {
  ruleId: filterText,
  productId: filterText,
  sku: filterText,
  ...WORDS_SHAPE,
};

export const ProposalFilter = z.strictObject({
  status: choiceFilter(PROPOSAL_STATUSES),
  ...ANY_FILTER_SHAPE,
  ...OPEN_FILTER_SHAPE,
  decidedSince: BoundText.meta({
    anyOf: [...BOUND_FORMS],
    description: "Only proposals that were decided or superseded at this time or later",
  }),
  sort: z.enum(PROPOSAL_SORTS).optional()
    .describe(
      "Order of open proposals: largest effect first, earliest expiry first, by rule, or " +
        "`ruleEffect`: rules with the largest sum of 30-day effects first",
    ),
  order: z.enum(["asc", "desc"]).optional()
    .describe("Order of creation; `desc`: newest first"),
});

export const ProposalQuery = z.strictObject({ ...pageQuery(50, 200), ...ProposalFilter.shape });

export type ProposalQuery = z.infer<typeof ProposalQuery>;

export async function readProposal(
  ctx: Context,
  market: MarketSource,
  id: string,
): Promise<ProposalInMarket> {
  const { row: proposal } = await requireProposal(ctx, id);
  const [document, offersOf, product] = await Promise.all([
    serialiseProposal(ctx, proposal),
    market.offersOf(ctx, [proposal.productId]),
    findProduct(ctx, proposal.productId),
  ]);
  const references = document.trace?.references ?? [];
  const thenOf = new Map(references.map(({ matchId, unitCents }) => [matchId, unitCents]));
  const offers = (offersOf.get(proposal.productId) ?? []).map((offer) => ({
    ...offer,
    thenCents: thenOf.get(offer.competitorProductId) ?? null,
  }));
  return { ...document, offers, targetPriceCents: product?.product.targetPriceCents ?? null };
}

export async function serialiseProposal(ctx: Context, proposal: StoredProposal): Promise<Proposal> {
  const [document] = await serialiseProposals(ctx, [proposal]);
  if (!document) throw new Error("A proposal has no document");
  return document;
}

async function serialiseProposals(ctx: Context, proposals: readonly StoredProposal[]) {
  const [traces, positions] = await Promise.all([
    findTraces(ctx, proposals.map(({ id }) => id)),
    readPositions(ctx, proposals.filter(({ status }) => status === "open")),
  ]);
  return proposals.map((proposal) =>
    toProposal(proposal, traces.get(proposal.id) ?? null, positions.get(proposal.id) ?? null)
  );
}

async function readPositions(ctx: Context, open: readonly StoredProposal[]) {
  if (open.length === 0) return new Map();
  const documents = await findDocuments(ctx, open.map(({ productId }) => productId));
  const situations = await readSituations(ctx, documents.map(({ bytes }) => parseProduct(bytes)));
  return new Map(open.flatMap(({ id, productId, proposedCents }): [string, PositionsNow][] => {
    const situation = situations.get(productId);
    if (!situation) return [];
    const product = { ...situation.product, ourPriceCents: proposedCents };
    const now = marketPositionOf(marketFacts(situation));
    return [[id, { now, after: marketPositionOf(marketFacts({ ...situation, product })) }]];
  }));
}

export async function pageOfProposals(
  ctx: Context,
  query: ProposalQuery,
  market: MarketSource | null = null,
) {
  const { rows, total, ...page } = await pageOfRows(ctx, query, market);
  return { items: await serialiseProposals(ctx, rows), ...page, total };
}

const OPEN_FIELDS = z.strictObject(OPEN_FILTER_SHAPE).keyof().options;

export async function pageOfRows(
  ctx: Context,
  query: ProposalQuery,
  market: MarketSource | null,
) {
  const { status = "", ruleId, productId, sku, q, sort, decidedSince } = query;
  const open = pick(query, OPEN_FIELDS);
  const first = Object.entries({ ...open, sort })
    .find(([, text]) => text !== undefined && text !== "");
  const isOpenOnly = first !== undefined;
  if (isOpenOnly && status !== "" && status !== "open") {
    throw refuseFields([{ path: first[0], message: "Is for open proposals: send status=open" }]);
  }
  if (decidedSince && (isOpenOnly || status === "open")) {
    throw refuseFields([{ path: "decidedSince", message: "Is only for decided proposals" }]);
  }
  const isNarrowed = isOpenOnly || ruleId || productId || sku || q;
  if (status === "open" && !isNarrowed) {
    const [page, total] = await Promise.all([
      pageOfAny(ctx, query),
      // No workspace has 10 million open proposals, so all are counted.
      countOpenProposals(ctx, 10_000_000),
    ]);
    return { ...page, total };
  }
  if (isOpenOnly || (status === "open" && !productId && !sku)) {
    return await pageOfOpen(ctx, query, open, market);
  }
  return { ...await pageOfAny(ctx, query), total: null };
}

type NamedIds = Pick<ProposalQuery, "ruleId" | "productId" | "sku">;

export async function findOpenBriefs(
  ctx: Context,
  market: MarketSource | null,
  query: NamedIds & Pick<ProposalQuery, "q">,
  texts: OpenFilterTexts,
): Promise<ProposalBrief[]> {
  const ids = await findNamed(ctx, query);
  if (ids === null) return [];
  const filter = { ...texts, ...ids, search: searchFor(query.q) };
  const nowMs = ctx.now().getTime();
  const found: ProposalBrief[] = [];
  for await (const briefs of walkOpenBriefs(ctx)) {
    found.push(...briefs.filter((brief) => fitsFilter(brief, filter, nowMs)));
  }
  const { hasMarketMoved } = texts;
  if (hasMarketMoved === undefined) return found;
  const moved = await movedAmong(ctx, market, found);
  return found.filter(({ id }) => moved.has(id) === hasMarketMoved);
}

const Place = z.array(z.union([z.string(), z.number(), z.null()]));

async function pageOfOpen(
  ctx: Context,
  query: ProposalQuery,
  texts: OpenFilterTexts,
  market: MarketSource | null,
) {
  const { limit, cursor, sort = null, order = "asc" } = query;
  const after = openCursor(ctx, cursor, Place);
  const found = await findOpenBriefs(ctx, market, query, texts);
  const effects = sort === "ruleEffect" ? effectsSince(after, found) : NO_EFFECTS;
  const placed = found.map((brief) => ({ id: brief.id, place: placeOf(brief, sort, effects) }));
  const sign = order === "desc" ? -1 : 1;
  placed.sort((a, b) => sign * comparePlaces(a.place, b.place));
  const behind = after === null
    ? placed
    : placed.filter(({ place }) => sign * comparePlaces(place, after) > 0);
  const { items, ...page } = toPage(ctx, {
    rows: behind.slice(0, limit + 1),
    limit,
    positionOf: ({ place }) => [...place, ...[...effects].flat()],
  });
  const rows = await findProposals(ctx, items.map(({ id }) => id));
  return { rows: items.flatMap(({ id }) => rows.get(id) ?? []), ...page, total: found.length };
}

const NO_EFFECTS: ReadonlyMap<string, number> = new Map();

/**
 * Returns the sums of `ruleEffects`, by which the list is sorted. Later pages take the first page's
 * sums from the cursor, so that decisions do not change the order.
 */
function effectsSince(
  after: readonly PlaceValue[] | null,
  found: Parameters<typeof ruleEffects>[0],
): ReadonlyMap<string, number> {
  const effects = ruleEffects(found);
  const pairs = after?.slice(RULE_EFFECT_PLACE) ?? [];
  for (const [at, ruleId] of pairs.entries()) {
    if (at % 2 === 0) effects.set(String(ruleId), Number(pairs[at + 1]));
  }
  return effects;
}

async function findNamed(workspace: WorkspaceStore, { ruleId, productId, sku }: NamedIds) {
  if ((productId && !isId(productId)) || (ruleId && !isId(ruleId))) return null;
  const skuId = sku ? await findProductId(workspace, sku) : null;
  if (sku && (skuId === null || (productId && productId !== skuId))) return null;
  return { ruleId: ruleId || null, productId: skuId ?? (productId || null) };
}

async function pageOfAny(ctx: Context, query: ProposalQuery) {
  const { limit, cursor, order = "asc", status, ruleId, decidedSince } = query;
  let after = openCursor(ctx, cursor, z.string());
  const ids = await findNamed(ctx, query);
  const index = ids && indexOf(ids, status);
  const search = searchFor(query.q);
  const sinceMs = decidedSince ? parseBound(decidedSince, "start") : null;
  // If a product is given, `index` lists only its proposals, so `isWanted` need not check it.
  const isWanted = (proposal: StoredProposal) =>
    (!status || proposal.status === status) && (!ruleId || proposal.ruleId === ruleId) &&
    (sinceMs === null || Date.parse(proposal.decidedAt ?? "") >= sinceMs) &&
    isNamed(proposal, search);
  const rows: StoredProposal[] = [];
  const isRare = search !== null || sinceMs !== null;
  const atOnce = isRare ? Math.max(limit + 1, 1_000) : limit + 1;
  for (let seen = 0; index !== null && rows.length <= limit;) {
    const read = await listProposals(ctx, index, after, atOnce, order);
    rows.push(...read.filter(isWanted));
    after = read.at(-1)?.id ?? null;
    seen += read.length;
    if (read.length < atOnce) break;
    if (seen >= 20_000 && isRare && rows.length <= limit) {
      return { rows, nextCursor: cursorAt(ctx, after), count: rows.length };
    }
  }
  const { items, ...page } = toPage(ctx, { rows, limit, positionOf: ({ id }) => id });
  return { rows: items, ...page };
}

function indexOf(
  { ruleId, productId }: Pick<OpenFilter, "ruleId" | "productId">,
  status: ProposalQuery["status"],
): ProposalIndex {
  if (productId !== null) return { by: "product", id: productId };
  if (ruleId !== null) return { by: "rule", id: ruleId };
  return status ? { by: "status", status } : { by: "all" };
}

async function findProductId(workspace: WorkspaceStore, sku: string): Promise<string | null> {
  const text = normaliseSku(sku);
  const indexRow = skuError(text) === null ? await findIndexRow(workspace, text) : null;
  return indexRow?.id ?? null;
}
