/** What is looked for in a shop's search, and which links of its answer are hits. */

import { gtin14, trustIn } from "../../base/gtin.ts";
import type { Product } from "../../catalogue/products/product.ts";
import { judgeIdentity } from "../../engine/matching/judge_identity.ts";
import { partNumberKey } from "../../engine/matching/title_atoms.ts";
import { SUGGESTED_SCORE } from "../../engine/matching/title_index.ts";
import { SEARCH_PLACE } from "../../shops/discovery/discovery.ts";
import { slugTitle } from "../suggestions/choose_urls.ts";
import type { PageLink } from "./read_links.ts";

/** Pages that are visited of one answer. */
export const HITS_MAX = 3;

type Sought = Pick<Product, "title" | "brand" | "ean" | "mpn" | "condition">;

/** The number by which a product is looked for: its GTIN where that proves something, else its part number. */
export function searchNumber({ ean, mpn }: Pick<Sought, "ean" | "mpn">): string | null {
  const number = ean === null ? null : gtin14(ean);
  if (ean !== null && number !== null && trustIn(number) === "proof") return ean.trim();
  return mpn !== null && partNumberKey(mpn) !== null ? mpn.trim() : null;
}

/** The address of the search for a number; nothing of the number can lead elsewhere. */
export function searchUrl(template: string, number: string): string {
  return new URL(template.replace(SEARCH_PLACE, () => encodeURIComponent(number))).href;
}

/** The links that name the number, then those whose words are likeliest those of the product. */
export function chooseHits(product: Sought, number: string, links: readonly PageLink[]): string[] {
  const key = keyOf(number);
  const { title, brand, condition } = product;
  const ours = { title, brand, gtin: null, mpn: null, condition };
  const ranked = links.map(({ url, text }) => {
    if (keyOf(`${text} ${url}`).includes(key)) return { url, rank: 2 };
    const scores = [text, slugTitle(url)].map((words) =>
      judgeIdentity(
        ours,
        {
          title: words,
          brand: null,
          gtins: [],
          mpns: [],
          skus: [],
          condition: null,
          isOtherVariant: false,
        },
        "candidate",
      ).score ?? 0
    );
    return { url, rank: Math.max(...scores) };
  });
  return ranked.filter(({ rank }) => rank >= SUGGESTED_SCORE)
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, HITS_MAX)
    .map(({ url }) => url);
}

function keyOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
