/**
 * Stores results of the last visits to pages. A result in `knownPages` is used again if the shop
 * answers 304 (not modified). `noteLesson` stores what a visit shows about the places of prices on
 * the shop's pages.
 */
import { z } from "@hono/zod-openapi";
import { HIGH_CONFIDENCE } from "../../base/codes.ts";
import { Failure } from "../../base/failure.ts";
import type { Product } from "../../catalogue/products/product.ts";
import type { ExplicitExtractor } from "../../engine/extraction/page/extraction_page.ts";
import type { PageFacts } from "../../engine/extraction/page_facts.ts";
import type { WantedProduct } from "../../engine/extraction/page_product.ts";
import {
  OPEN_VARIANTS,
  PAGE_STATUSES,
  type PageStatus,
} from "../../engine/extraction/page_status.ts";
import type { ExtractedPrice } from "../../engine/extraction/reconcile_readings.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { defineTable } from "../../platform/store/table.ts";
import { type KeptArticle, PageArticle } from "../../shops/matches/match_identity.ts";
import type { Validators } from "./visit.ts";
import { exponentOf } from "../../base/money.ts";
import type { PageDigest } from "../../engine/extraction/recipe/recipe.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { Competitor } from "../../shops/competitor_store.ts";
import { type LiveMatch, requireMatch } from "../../shops/matches/list_matches.ts";
import {
  keepPage,
  type KeptPage,
  lessonsOf,
  listKeptPages,
  pageRecipe,
  type PlacedPage,
  shopLessons,
  wantsPage,
  withOutcomeOf,
  withPagesKept,
} from "../../shops/pages/recipe_store.ts";
import type { PageLearning, PageLesson } from "./visit_tools.ts";

export const PageStatusField = z.enum(PAGE_STATUSES).describe(
  "The kind of page, with or without a price: `priced` is an article with its price, " +
    "`unread` a page that was not understood",
);

export const ArticleStatement = z.object({
  ...PageArticle.shape,
  seller: z.string().nullable().describe("The seller, if the page says it"),
  isThirdParty: z.boolean().describe("True if the price belongs to another seller than the shop"),
  unitPrice: z.object({
    amount: z.int().describe("Minor units of the currency of the page"),
    per: z.string().meta({
      description: "Quantity of the unit price",
      examples: ["1 kg", "100 ml"],
    }),
  }).nullable().describe("The unit price on the page"),
}).meta({ id: "SaidOfArticle" });
export type ArticleStatement = Readonly<z.infer<typeof ArticleStatement>>;

export const PriceCandidate = z.object({
  id: z.string().describe("Stays the same when the page is read again"),
  amount: z.int().describe("Minor units of `currency`; hundredths if the currency is unknown"),
  currency: z.string().nullable(),
  source: z.string().describe("The extraction method, as in `method`"),
  score: z.number().nullable().describe("Score of a displayed price"),
  features: z.array(z.string()).describe("Evidence for and against a displayed price"),
  text: z.string().nullable().describe("The text on the page"),
}).meta({ id: "PriceCandidate" });
export type PriceCandidate = Readonly<z.infer<typeof PriceCandidate>>;

export function articleStatement(facts: PageFacts): ArticleStatement {
  const { title, brand, gtin, ownGtins, mpn, sku } = facts;
  const { condition, seller, isThirdParty, unitPrice, variant } = facts;
  const several = ownGtins.length > 1 && { gtins: [...ownGtins] };
  const numbers = { gtin, ...several, mpn, sku };
  return { title, brand, ...numbers, condition, variant, seller, isThirdParty, unitPrice };
}

export const UnsurePage = z.object({
  competitorProductId: z.string(),
  url: z.string(),
  at: z.iso.datetime(),
  pageStatus: PageStatusField,
  errorCode: z.string().nullable().describe("Null if the page has a price"),
  price: z.int().nullable().describe("Minor units of `currency`"),
  currency: z.string().nullable(),
  confidence: z.number().nullable(),
  page: ArticleStatement.describe("The article as the page describes it"),
  candidates: z.array(PriceCandidate).describe("The prices of the page, best first"),
}).meta({ id: "UnsurePage" });
export type UnsurePage = Readonly<z.infer<typeof UnsurePage>>;

export function wantedOf(
  { sku, ean, mpn, title, currency }: Product,
  shopSku: string | null = null,
): Required<WantedProduct> {
  return { sku, ean, mpn, shopSku, title, currency };
}

export function articleOf(
  { title, brand, gtin, gtins, mpn, sku, condition, variant }: ArticleStatement,
  pageStatus: PageStatus,
): KeptArticle {
  const isOtherVariant = OPEN_VARIANTS.has(pageStatus);
  const several = gtins && { gtins };
  const chosen = variant && { variant };
  return { title, brand, gtin, ...several, mpn, sku, condition, ...chosen, isOtherVariant };
}

export const OF_ARTICLES: ReadonlySet<PageStatus> = new Set<PageStatus>([
  "sold_out",
  "on_request",
  "variant_open",
  "variant_unknown",
  "net_only",
  "third_party",
]);

const KEPT_MS = 90 * 86_400_000;

export const unsurePages = defineTable<UnsurePage, "competitorProductId">({
  prefix: "sw",
  about: "a match's last page if it had no price or an uncertain price; expires after 90 days",
  key: { competitorProductId: "id" },
  valueHasKey: true,
  expireInMs: KEPT_MS,
});

export async function readUnsurePage(
  workspace: WorkspaceStore,
  matchId: string,
): Promise<UnsurePage> {
  const { links, match } = await requireMatch(workspace, matchId);
  const offer = links.offers.offers.find((one) => one.matchId === matchId);
  const isSure = offer?.status === "ok" && (offer.confidence ?? 0) >= HIGH_CONFIDENCE;
  const found = isSure ? null : await unsurePages.find(workspace, { competitorProductId: matchId });
  if (found?.row.url !== match.url) {
    throw new Failure("not_found", "The last page of this link is not unsure");
  }
  return found.row;
}

export interface PageQuestion {
  readonly matchUrl: string;
  readonly extractor: ExplicitExtractor | null;
  readonly product: Required<WantedProduct> | null;
  readonly recipe?: string | null;
}

interface KnownPage extends PageQuestion {
  readonly matchId: string;
  readonly validators: Validators;
  readonly found: ExtractedPrice;
  readonly pageStatus?: PageStatus;
}

export const knownPages = defineTable<KnownPage, "matchId">({
  prefix: "sv",
  about:
    "the last result of a match's page, and validators for its next request; expires after 90 days",
  key: { matchId: "id" },
  expireInMs: KEPT_MS,
});

export async function findKnownPage(
  workspace: WorkspaceStore,
  matchId: string,
  question: PageQuestion,
): Promise<KnownPage | null> {
  const { row = null } = await knownPages.find(workspace, { matchId }) ?? {};
  return row && textOf(row) === textOf(question) ? row : null;
}

function textOf({ matchUrl, extractor, product, recipe = null }: PageQuestion): string {
  const wanted = product && [product.sku, product.ean, product.mpn, product.title, product.shopSku];
  return JSON.stringify([matchUrl, extractor, wanted, recipe]);
}

export async function noteLesson(
  write: Write,
  ctx: Pick<Context, "store" | "workspaceId" | "now" | "newId">,
  { match, competitor }: LiveMatch,
  product: Product,
  { recipe, digest }: PageLesson,
): Promise<void> {
  if (recipe === null && digest === null) return;
  const nowMs = ctx.now().getTime();
  const stored = await shopLessons.find(ctx, { competitorId: competitor.id });
  const before = lessonsOf(stored?.row ?? null, competitor.domain, nowMs);
  const noted = recipe ? withOutcomeOf(before, recipe, nowMs) : { lessons: before, isNew: false };
  let { lessons } = noted;
  if (digest !== null) {
    const kept = await listKeptPages(ctx, competitor.id);
    const ownPrice = ownPriceIn(product, digest);
    const page: KeptPage = { matchId: match.id, atMs: nowMs, ownPrice, digest };
    keepPage(write, ctx.workspaceId, competitor.id, kept, page);
    lessons = withPagesKept(lessons, withPage(kept, page), nowMs, ctx.newId);
  }
  if (lessons === stored?.row) return;
  shopLessons.save(write, ctx, stored, { ...lessons, competitorId: competitor.id });
  if (!noted.isNew) return;
  const { id, domain, displayName } = competitor;
  publish(write, ctx, [{
    type: "recipe.drifting",
    data: { competitorId: id, domain, competitor: displayName },
  }]);
}

function withPage(kept: readonly PlacedPage[], page: KeptPage): readonly KeptPage[] {
  const others = kept.flatMap((one) => one.matchId === page.matchId ? [] : [one]);
  return [page, ...others];
}

function ownPriceIn({ ourPriceCents, currency }: Product, { reference }: PageDigest) {
  if (ourPriceCents === null || reference === null) return null;
  const isSame = reference.codes.length === 0 || reference.codes.includes(currency);
  return isSame ? ourPriceCents / 10 ** exponentOf(currency) : null;
}

export async function learningOf(
  ctx: Pick<Context, "store" | "workspaceId" | "now">,
  { id, domain }: Competitor,
): Promise<PageLearning> {
  const nowMs = ctx.now().getTime();
  const stored = await shopLessons.find(ctx, { competitorId: id });
  const lessons = lessonsOf(stored?.row ?? null, domain, nowMs);
  const recipe = pageRecipe(lessons.recipe, nowMs);
  return { recipe, isLearning: wantsPage(lessons, nowMs), wanted: null };
}
