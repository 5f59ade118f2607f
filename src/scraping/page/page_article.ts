/** What a page says of the article that it shows, for the comparison with ours; and which is looked for. */
import type { Product } from "../../catalogue/products/product.ts";
import type { KeptArticle } from "../../competitors/matches/match_identity.ts";
import type { PageFacts } from "../../extraction/page_facts.ts";
import type { WantedProduct } from "../../extraction/page_product.ts";
import type { PageStatus } from "../../extraction/page_status.ts";

/** What is looked for: of variants our own. Another article is shown all the same, with its price. */
export function wantedOf({ sku, ean, mpn, title, currency }: Product): Required<WantedProduct> {
  return { sku, ean, mpn, title, currency };
}

/** Of the facts of a page. */
export function articleOf(
  { title, brand, gtin, mpn, sku, condition, pageStatus }: Pick<
    PageFacts,
    "title" | "brand" | "gtin" | "mpn" | "sku" | "condition" | "pageStatus"
  >,
): KeptArticle {
  const isOtherVariant = pageStatus === "variant_open";
  return { title, brand, gtin, mpn, sku, condition, isOtherVariant };
}

/**
 * Pages of an article that have no price. Of the others nobody knows what they are: the start of a shop,
 * a list and a refusal have a title, too, and it is not that of an article.
 */
const OF_ARTICLES: ReadonlySet<PageStatus> = new Set<PageStatus>([
  "sold_out",
  "on_request",
  "variant_open",
  "net_only",
  "third_party",
]);

/** True where a page without a price says which article it is of. */
export function isOfArticle({ pageStatus }: Pick<PageFacts, "pageStatus">): boolean {
  return OF_ARTICLES.has(pageStatus);
}
