import { brandKey } from "./brand_key.ts";
import { partNumberKey } from "./part_number.ts";
import { titleFacts } from "./title_facts.ts";
import type { Side } from "./title_features.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** No honest page gives an article more numbers. */
const NUMBERS_MAX = 20;

/** What a title is compared with, as it stands on a page or in the catalogue. */
export interface SideText {
  readonly title: string;
  readonly brand?: string | null;
  readonly mpns?: readonly string[];
  /** A description, cut; it only helps to find words of the other title. */
  readonly text?: string | null;
  readonly price?: number | null;
}

/** Takes one side apart, once for all comparisons with one vocabulary. */
export function sideOf(
  { title, brand = null, mpns = [], text = null, price = null }: SideText,
  vocabulary: Vocabulary,
): Side {
  const keys = mpns.slice(0, NUMBERS_MAX).flatMap((mpn) => partNumberKey(mpn) ?? []);
  return {
    facts: titleFacts({ title, brand, text }, vocabulary),
    mpnKeys: [...new Set(keys)],
    brandKey: brandKey(brand),
    price,
  };
}
