/**
 * Facts of a page besides its price, in the form of the interfaces (docs/decisions/scraping.md).
 */

import type { Product } from "../../catalogue/products/product.ts";
import type { PageFacts } from "../../engine/extraction/page_facts.ts";
import type { WantedProduct } from "../../engine/extraction/page_product.ts";
import {
  OPEN_VARIANTS,
  PAGE_STATUSES,
  type PageStatus,
} from "../../engine/extraction/page_status.ts";
import { type KeptArticle, PageArticle } from "../../shops/matches/match_identity.ts";
import { z } from "@hono/zod-openapi";

export const PageStatusField = z.enum(PAGE_STATUSES).meta({
  description:
    "The kind of page, with or without a price: `priced` is an article with its price, " +
    "`unread` a page that was not understood",
});

export const ArticleStatement = z.object({
  ...PageArticle.shape,
  seller: z.string().nullable().meta({ description: "The seller, if the page says it" }),
  isThirdParty: z.boolean().meta({
    description: "True if the price belongs to another seller than the shop",
  }),
  unitPrice: z.object({
    amount: z.int().meta({ description: "Minor units of the currency of the page" }),
    per: z.string().meta({
      description: "Quantity of the unit price",
      examples: ["1 kg", "100 ml"],
    }),
  }).nullable().meta({ description: "The unit price on the page" }),
}).meta({ id: "SaidOfArticle" });

export type ArticleStatement = Readonly<z.infer<typeof ArticleStatement>>;

export const PriceCandidate = z.object({
  id: z.string().meta({ description: "Stays the same when the page is read again" }),
  amount: z.int().meta({
    description: "Minor units of `currency`; hundredths if the currency is unknown",
  }),
  currency: z.string().nullable(),
  source: z.string().meta({ description: "The extraction method, as in `method`" }),
  score: z.number().nullable().meta({ description: "Score of a displayed price" }),
  features: z.array(z.string()).meta({
    description: "Evidence for and against a displayed price",
  }),
  text: z.string().nullable().meta({ description: "The text on the page" }),
}).meta({ id: "PriceCandidate" });

export type PriceCandidate = Readonly<z.infer<typeof PriceCandidate>>;

export function articleStatement(facts: PageFacts): ArticleStatement {
  const { title, brand, gtin, ownGtins, mpn, sku } = facts;
  const { condition, seller, isThirdParty, unitPrice, variant: about } = facts;
  const variant = about && {
    ...about,
    attributes: about.attributes.map((one) => ({ ...one })),
    offered: [...about.offered],
  };
  const several = ownGtins.length > 1 && { gtins: [...ownGtins] };
  const numbers = { gtin, ...several, mpn, sku };
  return { title, brand, ...numbers, condition, variant, seller, isThirdParty, unitPrice };
}

export function candidatesOf({ candidates }: PageFacts): PriceCandidate[] {
  return candidates.map((one) => ({ ...one, features: [...one.features] }));
}

export const UnsurePage = z.object({
  competitorProductId: z.string(),
  url: z.string(),
  at: z.iso.datetime(),
  pageStatus: PageStatusField,
  errorCode: z.string().nullable().meta({ description: "Null if the page has a price" }),
  price: z.int().nullable().meta({ description: "Minor units of `currency`" }),
  currency: z.string().nullable(),
  confidence: z.number().nullable(),
  page: ArticleStatement.meta({ description: "The article as the page describes it" }),
  candidates: z.array(PriceCandidate).meta({
    description: "The prices of the page, best first",
  }),
}).meta({ id: "UnsurePage" });

export type UnsurePage = Readonly<z.infer<typeof UnsurePage>>;

/**
 * Returns the wanted product, so that our variant is chosen. The price of another article is
 * returned too.
 */
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

/**
 * Statuses of pages that show an article without a price. The titles of other pages (home pages,
 * lists, refusals) do not name an article.
 */
const OF_ARTICLES: ReadonlySet<PageStatus> = new Set<PageStatus>([
  "sold_out",
  "on_request",
  "variant_open",
  "variant_unknown",
  "net_only",
  "third_party",
]);

/** True if a page without a price shows an article. */
export function isOfArticle({ pageStatus }: Pick<PageFacts, "pageStatus">): boolean {
  return OF_ARTICLES.has(pageStatus);
}
