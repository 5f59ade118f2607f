/** Whether the page of a match shows the product that it is linked to. */
import type { Product } from "../../catalogue/products/product.ts";
import type { IdentityCode } from "../../engine/matching/identity_codes.ts";
import { judgeIdentity, type Judgement } from "../../engine/matching/judge_identity.ts";
import type { KeptArticle } from "./match_identity.ts";

/** Numbers of another pack: of a link to several of ours they are what one expects. */
const OF_PACKS: ReadonlySet<IdentityCode> = new Set<IdentityCode>([
  "gtin_other_pack",
  "gtin_differs",
]);

/** A pack of several has a number of its own, so there only the rest of the page can speak against it. */
export function judgeLink(
  { title, brand, ean, mpn, condition }: Pick<
    Product,
    "title" | "brand" | "ean" | "mpn" | "condition"
  >,
  packFactor: number,
  page: KeptArticle,
): Judgement {
  const ours = { title, brand, gtin: ean, mpn, condition };
  const theirs = {
    title: page.title,
    brand: page.brand,
    gtins: page.gtins ?? listOf(page.gtin),
    mpns: listOf(page.mpn),
    skus: listOf(page.sku),
    condition: page.condition,
    isOtherVariant: page.isOtherVariant,
  };
  const judged = judgeIdentity(ours, theirs, "link");
  const [first] = judged.reasons;
  const isOfPack = packFactor !== 1 && judged.verdict === "different" &&
    first !== undefined && OF_PACKS.has(first.code);
  return isOfPack ? judgeIdentity({ ...ours, gtin: null }, theirs, "link") : judged;
}

function listOf(text: string | null): string[] {
  return text === null ? [] : [text];
}
