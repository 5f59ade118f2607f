/** Judges whether a page shows our product. */
import { gtin14 } from "../../base/gtin.ts";
import type { Product } from "../../catalogue/products/product.ts";
import {
  judgeIdentity,
  type Judgement,
  type PageOrigin,
} from "../../engine/matching/judge_identity.ts";
import type { Vocabulary } from "../../engine/matching/word_lists.ts";
import type { ShopPage } from "../../shops/discovery/page_store.ts";

type Judged = Pick<
  Product,
  "title" | "brand" | "ean" | "mpn" | "condition" | "ourPriceCents" | "currency"
>;

/** Unknown facts are null. */
type JudgedPage = Partial<Omit<ShopPage, "url" | "availability" | "foundBy" | "seenAt">>;

export function judgePage(
  product: Judged,
  page: JudgedPage,
  words: Vocabulary | null,
  origin: PageOrigin = "candidate",
): Judgement {
  const { title, brand, ean, mpn, condition, ourPriceCents } = product;
  const { title: named = null, gtins = [], price = null } = page;
  const isPriced = ourPriceCents !== null && price !== null && (page.pack ?? 1) === 1 &&
    page.currency === product.currency;
  const ours = ean === null ? null : gtin14(ean);
  const hasOurs = ours !== null && gtins.some((gtin) => gtin14(gtin) === ours);
  return judgeIdentity(
    { title, brand, gtin: ean, mpn, condition, price: isPriced ? ourPriceCents : null },
    {
      title: named,
      brand: page.brand ?? null,
      gtins,
      mpns: page.mpn ? [page.mpn] : [],
      skus: page.sku ? [page.sku] : [],
      condition: page.condition ?? null,
      // A page with our GTIN shows our variant.
      isOtherVariant: page.isOpenVariant === true && !hasOurs,
      price: isPriced ? price : null,
    },
    origin,
    words ?? undefined,
  );
}
