/** Whether a suggested page may be linked without a person (docs/decisions/discovery.md). */
import type { Product } from "../../catalogue/products/product.ts";
import { findDocuments, findProduct } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product_wire.ts";
import { findPagesByNumber } from "../../shops/discovery/page_store.ts";
import type { StoredSuggestion } from "../../shops/discovery/suggestion.ts";
import { listSuggestionsOf } from "../../shops/discovery/suggestion_store.ts";
import { findRemovals } from "../../shops/matches/match_store.ts";
import { findOffers } from "../../shops/offers/offer_store.ts";
import type { IdentityCode, Verdict } from "../../engine/matching/identity_codes.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { ProductIndexes } from "./product_indexes.ts";
import { judgePage } from "./suggest.ts";

/** A price so many times ours, or such a part of it, is another pack or another article. */
const PRICE_FACTOR_MAX = 3;

/** What numbers make one article: a second one means that they do not tell the two apart. */
const RIVAL_VERDICTS: ReadonlySet<Verdict> = new Set<Verdict>(["same", "probably"]);
const NUMBERS_AGREE: ReadonlySet<IdentityCode> = new Set<IdentityCode>(["gtin_same", "mpn_same"]);

/**
 * True where numbers say that the page is ours and nothing leaves a doubt: it is judged anew by what is
 * known now, has a price near ours, and is alone on both sides, among the pages of the shop and among
 * our products; and nobody has decided about the two, or linked the product at the shop.
 */
export async function fitsAutomatic(
  workspace: WorkspaceStore,
  indexes: ProductIndexes,
  { status, productId, competitorId, urlHash, page }: StoredSuggestion,
): Promise<boolean> {
  if (status !== "open") return false;
  const product = (await findProduct(workspace, productId))?.product;
  if (!product || judgePage(product, page).verdict !== "same" || !isPriceNear(product, page)) {
    return false;
  }
  const { offers } = await findOffers(workspace, productId);
  if (offers.some((offer) => offer.competitorId === competitorId || offer.urlHash === urlHash)) {
    return false;
  }
  if ((await findRemovals(workspace, productId, [urlHash])).has(urlHash)) return false;
  return !await hasRivalPage(workspace, product, { competitorId, urlHash, page }) &&
    !await hasRivalProduct(workspace, indexes, product, page);
}

/** Prices are compared as they are, without taxes or shipping; unknown ones are near nothing. */
export function isPriceNear(
  { ourPriceCents, currency }: Pick<Product, "ourPriceCents" | "currency">,
  page: Pick<StoredSuggestion["page"], "price" | "currency">,
): boolean {
  if (ourPriceCents === null || page.price === null || page.currency !== currency) return false;
  if (ourPriceCents <= 0 || page.price <= 0) return false;
  return page.price <= PRICE_FACTOR_MAX * ourPriceCents &&
    ourPriceCents <= PRICE_FACTOR_MAX * page.price;
}

/**
 * Another page of the shop has a number of the product, or a title that fits it no worse, whichever was
 * seen first, and nobody has said that it is not ours. Pages stay behind when a workspace is carried to another store, suggestions do not.
 */
async function hasRivalPage(
  workspace: WorkspaceStore,
  product: Product,
  { competitorId, urlHash, page }: Pick<StoredSuggestion, "competitorId" | "urlHash" | "page">,
): Promise<boolean> {
  const isOther = (one: Pick<StoredSuggestion, "competitorId" | "urlHash">) =>
    one.competitorId === competitorId && one.urlHash !== urlHash;
  const suggested = (await listSuggestionsOf(workspace, product.id)).filter(isOther);
  const ownScore = judgePage(product, page).score ?? 0;
  const isOpenRival = (one: StoredSuggestion) => {
    const { verdict, reasons, score } = judgePage(product, one.page);
    if (one.status !== "open" || !RIVAL_VERDICTS.has(verdict)) return false;
    return reasons.some(({ code }) => NUMBERS_AGREE.has(code)) || (score ?? 0) >= ownScore;
  };
  if (suggested.some(isOpenRival)) return true;
  const rejected = suggested.filter(({ status }) => status === "rejected");
  const pages = (await findPagesByNumber(workspace, product)).filter(isOther);
  return pages.some((one) =>
    RIVAL_VERDICTS.has(judgePage(product, one.page).verdict) &&
    !rejected.some((said) => said.urlHash === one.urlHash)
  );
}

/** The page has a number of another product of ours, too. */
async function hasRivalProduct(
  workspace: WorkspaceStore,
  indexes: ProductIndexes,
  { id }: Product,
  page: StoredSuggestion["page"],
): Promise<boolean> {
  const ids = (await indexes.of(workspace)).sharing(page);
  ids.delete(id);
  const others = await findDocuments(workspace, [...ids]);
  return others.some(({ bytes }) =>
    RIVAL_VERDICTS.has(judgePage(parseProduct(bytes), page).verdict)
  );
}
