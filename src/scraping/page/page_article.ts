/** What a page says of the article that it shows, for the comparison with ours; and which is looked for. */
import type { Product } from "../../catalogue/products/product.ts";
import type { KeptArticle } from "../../shops/matches/match_identity.ts";
import type { PageFacts } from "../../engine/extraction/page_facts.ts";
import type { WantedProduct } from "../../engine/extraction/page_product.ts";
import type { PageStatus } from "../../engine/extraction/page_status.ts";
import type { SaidOfArticle } from "./page_said.ts";

/** What is looked for: of variants our own. Another article is shown all the same, with its price. */
export function wantedOf({ sku, ean, mpn, title, currency }: Product): Required<WantedProduct> {
  return { sku, ean, mpn, title, currency };
}

/** Of what a page says of its article. */
export function articleOf(
  { title, brand, gtin, gtins, mpn, sku, condition }: SaidOfArticle,
  pageStatus: PageStatus,
): KeptArticle {
  const isOtherVariant = pageStatus === "variant_open";
  const several = gtins && { gtins };
  return { title, brand, gtin, ...several, mpn, sku, condition, isOtherVariant };
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
