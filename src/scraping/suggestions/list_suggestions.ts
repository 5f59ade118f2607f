/** Lists suggested links, and records people's decisions about the links. */
import { Failure, noSuch, requireById, requireRefusal } from "../../base/failure.ts";
import { batchesOf, fromKeys, pick } from "../../base/collections.ts";
import { isId } from "../../base/id.ts";
import { parseProduct, type Product } from "../../catalogue/products/product.ts";
import { findDocuments, findProduct } from "../../catalogue/products/product_store.ts";
import {
  cursorAt,
  openCursor,
  type Page,
  pageById,
  pageQuery,
  toPage,
} from "../../platform/http/http.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { competitorsById } from "../../shops/competitor_store.ts";
import {
  changeSuggestion,
  countVerdicts,
  listSuggestionsOf,
  REJECTED_AS,
  ShopPage,
  StoredSuggestion,
  SUGGESTION_STATUSES,
  suggestions,
  walkSuggestions,
} from "../../shops/pages/found_page_store.ts";
import { VERDICTS } from "../../engine/matching/identity_codes.ts";
import { PackFactor } from "../../shops/matches/match.ts";
import { z } from "@hono/zod-openapi";
import type { AuditEntry } from "../../accounts/audit/audit.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import type { AddressAllowList } from "../../platform/fetch/fetch_limits.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { addLink, putDeletion, requireTarget } from "../../shops/matches/change_match.ts";
import { requireMatch } from "../../shops/matches/list_matches.ts";
import { findOffers } from "../../shops/offers/offer_store.ts";

const READ = 200;
const READ_MAX = 5_000;

export async function listSuggestions(
  ctx: Context,
  { status, competitorId, productId, verdict, limit, cursor }: SuggestionQuery,
): Promise<Page<MatchSuggestion>> {
  const fits = (one: StoredSuggestion) =>
    one.status === status && (competitorId === undefined || one.competitorId === competitorId) &&
    (productId === undefined || one.productId === productId) &&
    (verdict === undefined || one.verdict === verdict);
  if (productId !== undefined) {
    const all = isId(productId) ? await listSuggestionsOf(ctx, productId) : [];
    return await pageById(ctx, { limit, cursor }, async ({ after, limit }) => {
      const rows = all.filter((one) => fits(one) && (after === null || one.id < after))
        .toSorted((a, b) => a.id < b.id ? 1 : -1);
      return await toDocuments(ctx, rows.slice(0, limit));
    });
  }
  const before = openCursor(ctx, cursor, z.string().refine(isId));
  const rows: MatchSuggestion[] = [];
  let count = 0;
  let last: StoredSuggestion | undefined;
  const walk = walkSuggestions(ctx, status, before, READ_MAX);
  for await (const batch of batchesOf(walk, READ)) {
    count += batch.length;
    last = batch.at(-1);
    rows.push(...await toDocuments(ctx, batch.filter(fits)));
    if (rows.length > limit) break;
  }
  const page = toPage(ctx, { rows, limit, positionOf: ({ id }) => id });
  return page.nextCursor === null && last && count === READ_MAX
    ? { ...page, nextCursor: cursorAt(ctx, last.id) }
    : page;
}

export async function countOpenSuggestions(
  workspace: WorkspaceStore,
): Promise<Omit<SuggestionCounts, "searching">> {
  const counts = await countVerdicts(workspace, "open", COUNTED_MAX + 1);
  const open = counts.values().reduce((sum, count) => sum + count, 0);
  return {
    open: Math.min(open, COUNTED_MAX),
    ...fromKeys(["same", "probably", "unknown"], (verdict) => counts.get(verdict) ?? 0),
    isCut: open > COUNTED_MAX,
  };
}

export async function readSuggestion(ctx: Context, id: string): Promise<MatchSuggestion> {
  const [document] = await toDocuments(ctx, [await requireSuggestion(ctx, id)]);
  if (document) return document;
  throw noSuch("suggestion", id);
}

async function requireSuggestion(workspace: WorkspaceStore, id: string): Promise<StoredSuggestion> {
  const find = (id: string) => suggestions.find(workspace, { id });
  return (await requireById("suggestion", id, find)).row;
}

async function toDocuments(
  ctx: Context,
  suggestions: readonly StoredSuggestion[],
): Promise<MatchSuggestion[]> {
  const productIds = [...new Set(suggestions.map(({ productId }) => productId))];
  const [documents, competitors, rivals] = await Promise.all([
    findDocuments(ctx, productIds),
    competitorsById(ctx),
    openPerShop(ctx, suggestions),
  ]);
  const products = new Map(documents.map(({ id, bytes }) => [id, parseProduct(bytes)]));
  return suggestions.flatMap((one) => {
    const product = products.get(one.productId);
    const competitor = competitors.get(one.competitorId);
    if (!product || !competitor) return [];
    const open = rivals.get(shopOf(one)) ?? [];
    return [{
      id: one.id,
      product: toProduct(product),
      competitor: { id: competitor.id, displayName: competitor.displayName },
      ...pick(one, ["page", "verdict", "score", "reasons", "packFactor"]),
      rivals: open.filter(({ id }) => id !== one.id).length,
      ...pick(one, ["status", "rejectedAs", "createdAt", "decidedAt"]),
    }];
  });
}

function toProduct({ id, sku, title, brand, ean, mpn, ourPriceCents, currency }: Product) {
  return { id, sku, title, brand, gtin: ean, mpn, price: ourPriceCents, currency };
}

const shopOf = ({ productId, competitorId }: StoredSuggestion) => `${productId} ${competitorId}`;

async function openPerShop(
  workspace: WorkspaceStore,
  suggestions: readonly StoredSuggestion[],
): Promise<Map<string, StoredSuggestion[]>> {
  const productIds = new Set(suggestions.map(({ productId }) => productId));
  const all = await Promise.all([...productIds].map((id) => listSuggestionsOf(workspace, id)));
  return Map.groupBy(all.flat().filter(({ status }) => status === "open"), shopOf);
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
  competitor: z.object({ id: z.string(), displayName: z.string() })
    .describe("The shop of the page"),
  page: ShopPage.describe("The product as the page describes it"),
  verdict: verdict.describe("Whether the page shows our product"),
  score: score.describe("How likely the titles name the same article, from 0 to 1"),
  reasons: reasons.describe("The reasons, the deciding one first"),
  packFactor: z.number().nullable().describe(
    "Number of our pieces in the pack of the page, if its number belongs to another pack",
  ),
  rivals: z.int().describe("Number of other open suggestions for the product at the same shop"),
  status: z.enum(SUGGESTION_STATUSES),
  rejectedAs: z.enum(REJECTED_AS).nullable()
    .describe("`variant`: a variant of our product; null: not rejected"),
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

const COUNTED_MAX = 50_000;

export const SuggestionCounts = z.object({
  open: z.int().describe("Number of undecided suggestions"),
  same: z.int().describe("Number of certain ones among them"),
  probably: z.int().describe("Number of likely ones among them"),
  unknown: z.int().describe("Number of those whose page says too little"),
  isCut: z.boolean().describe(`True if more than ${COUNTED_MAX} are open`),
  searching: z.int().describe("Number of shops whose pages are being searched: more may follow"),
}).meta({ id: "SuggestionCounts" });
export type SuggestionCounts = Readonly<z.output<typeof SuggestionCounts>>;

export const AcceptRequest = z.strictObject({
  packFactor: PackFactor.optional()
    .describe("Number of our pieces that the page sells for the price; default: as suggested"),
}).meta({ id: "AcceptSuggestion" });
export type AcceptRequest = z.output<typeof AcceptRequest>;

export const RejectRequest = z.strictObject({
  as: z.enum(REJECTED_AS).default("other").describe("`variant`: a variant, such as another colour"),
}).meta({ id: "RejectSuggestion" });
export type RejectRequest = z.output<typeof RejectRequest>;

export const BulkRequest = z.strictObject({
  action: z.enum(["accept", "reject", "reopen"])
    .describe("The decision about all of them; `reopen` revokes earlier decisions"),
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

type SuggestionAction =
  | { readonly action: "accept" } & AcceptRequest
  | { readonly action: "reject" } & RejectRequest
  | { readonly action: "reopen" };

/** A repeated decision changes nothing. Throws `conflict` if the status forbids the decision. */
export async function decideSuggestion(
  ctx: Context,
  id: string,
  asked: SuggestionAction,
  allowed: AddressAllowList,
): Promise<MatchSuggestion> {
  await transact(ctx, async (write) => {
    const suggestion = await requireSuggestion(ctx, id);
    const status = STATUS_AFTER[asked.action];
    if (suggestion.status === status) return;
    if (asked.action === "reopen") {
      if (suggestion.status === "superseded") {
        throw new Failure(
          "conflict",
          "The page or the product has changed, or another page fits better",
        );
      }
      if (suggestion.status === "accepted") await removeLinkOf(write, ctx, suggestion);
    } else if (suggestion.status !== "open") {
      throw new Failure("conflict", `The suggestion is ${suggestion.status} already`);
    } else if (asked.action === "accept") {
      await linkSuggested(write, ctx, suggestion, asked, allowed);
    }
    const rejectedAs = asked.action === "reject" ? asked.as : null;
    await putDecision(write, ctx, suggestion, { status, rejectedAs });
    ctx.receipt?.put(write, `/api/match-suggestions/${id}`);
  });
  return await readSuggestion(ctx, id);
}

async function linkSuggested(
  write: Write,
  ctx: Context,
  { productId, competitorId, urlHash, page: { url }, verdict, ...suggestion }: StoredSuggestion,
  { packFactor = suggestion.packFactor ?? undefined }: AcceptRequest,
  allowed: AddressAllowList,
): Promise<void> {
  const { offers } = await findOffers(ctx, productId);
  if (offers.some((offer) => offer.urlHash === urlHash)) return;
  const terms = {
    ...(verdict !== "same" && { confirmed: true }),
    ...(packFactor && { packFactor }),
  };
  const link = { productId, url, competitorId, ...terms };
  await addLink(write, ctx, link, requireTarget(url, allowed), "discovery");
}

async function removeLinkOf(
  write: Write,
  ctx: Context,
  { productId, urlHash }: StoredSuggestion,
): Promise<void> {
  const { offers } = await findOffers(ctx, productId);
  const offer = offers.find((one) => one.urlHash === urlHash);
  const found = offer && await requireMatch(ctx, offer.matchId);
  if (found?.match.source === "discovery") await putDeletion(write, ctx, found);
}

export async function decideSuggestions(
  ctx: Context,
  { action, ids }: BulkRequest,
  allowed: AddressAllowList,
): Promise<BulkOutcome[]> {
  const asked = action === "reject" ? { action, as: "other" as const } : { action };
  const outcomes: BulkOutcome[] = [];
  const alone = { ...ctx, receipt: null };
  for (const id of ids) {
    try {
      const { status } = await decideSuggestion(alone, id, asked, allowed);
      outcomes.push({ id, status, errorCode: null, message: null });
    } catch (error) {
      const { code, message } = requireRefusal(error);
      outcomes.push({ id, status: null, errorCode: code, message });
    }
  }
  return outcomes;
}

const VERBS = { accepted: "accept", rejected: "reject", open: "reopen" } as const;
const STATUS_AFTER = { accept: "accepted", reject: "rejected", reopen: "open" } as const;

interface Decision extends Pick<StoredSuggestion, "rejectedAs"> {
  readonly status: keyof typeof VERBS;
}

export async function putDecision(
  write: Write,
  ctx: Context,
  before: StoredSuggestion,
  decision: Decision,
): Promise<void> {
  const { type, id, name } = ctx.actor;
  const after = {
    ...before,
    ...decision,
    ...(decision.status === "open"
      ? { decidedAt: null, decidedBy: null }
      : { decidedAt: ctx.now().toISOString(), decidedBy: { type, id, name } }),
  };
  if (!await changeSuggestion(write, ctx, before, after)) {
    throw new Failure("conflict", "The suggestion has just been decided");
  }
  addAuditRow(write, ctx, await suggestionAudit(ctx, before, after));
}

async function suggestionAudit(
  workspace: WorkspaceStore,
  before: StoredSuggestion,
  after: StoredSuggestion & Decision,
): Promise<AuditEntry> {
  const product = await findProduct(workspace, before.productId);
  return {
    action: `match_suggestion.${VERBS[after.status]}`,
    resource: {
      type: "match_suggestion",
      id: before.id,
      label: `${product?.product.sku ?? ""} ${before.page.url}`.trim().slice(0, 300),
    },
    before: { status: before.status },
    after: {
      status: after.status,
      url: before.page.url,
      ...(after.rejectedAs && { rejectedAs: after.rejectedAs }),
    },
    about: [`product:${before.productId}`],
  };
}
