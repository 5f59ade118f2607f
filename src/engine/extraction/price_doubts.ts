/** Reasons to doubt that a price is the price of our product: another size, number, state or variant. */
import type { ExtractionPage } from "./page/extraction_page.ts";
import { isSiblingOf, type WantedProduct } from "./page_product.ts";
import type { Reading } from "./reading.ts";
import type { Doubt, HeardOffer } from "./said_offer.ts";
import { agree, CONTRADICTED, DOUBTFUL } from "./settle_price.ts";
import { addedWord, namesUsed } from "./shop_words.ts";
import type { VariantChoice } from "./variants/choose_variant.ts";
import { textTraits, unknownValue } from "./variants/text_traits.ts";

interface Asked {
  readonly page: ExtractionPage;
  readonly ownTitle: string | null;
}

/** Names from the reading, or else from a reading that agrees, or else the page's headings. */
function namesOf(
  first: Reading,
  others: readonly Reading[],
  { html }: ExtractionPage,
): readonly string[] {
  const named = [first, ...others.filter((other) => agree(first, other))];
  return named.find(({ names }) => names.length > 0)?.names ?? html?.headings ?? [];
}

/** Doubts whether the page sells the product of our title, and whether the whole page was read. */
export function doubtsOfPage(
  taken: Reading,
  heard: HeardOffer,
  others: readonly Reading[],
  { page, ownTitle }: Asked,
): readonly Doubt[] {
  const doubts: Doubt[] = [];
  const doubt = (why: string, most = DOUBTFUL) => doubts.push({ most, why });
  if (ownTitle !== null) {
    const names = namesOf(taken, others, page);
    const other = unknownValue(names.map(textTraits), textTraits(ownTitle));
    if (other) doubt(`its name has not our "${other.ours}"`, CONTRADICTED);
    const added = addedWord(names, ownTitle);
    if (added !== null) doubt(`its name adds "${added}" to ours`);
    if (isUsed(taken, heard, ownTitle)) doubt("it is not new");
  }
  if (page.html?.isWhole === false) doubt("only the begin of the page was read");
  return doubts;
}

/** True if the markup gives the article another number of our series: it is another article. */
export function isOfSeries({ sold }: Reading, wanted: WantedProduct | null): boolean {
  return sold !== null && isSiblingOf([sold.subject, sold.offer], wanted);
}

/** True for a used article, if ours is new. */
export function isUsed(
  { isNew }: Reading,
  { said: { condition } }: HeardOffer,
  ownTitle: string | null,
): boolean {
  const isOfferNew = condition === null ? isNew : condition === "new";
  return !isOfferNew && ownTitle !== null && !namesUsed(ownTitle);
}

export function variantDoubts(variant: VariantChoice | null): readonly Doubt[] {
  if (variant === null) return [];
  const { state, unknown, confidenceMost: most } = variant;
  if (state === "chosen") return [{ most, why: "" }];
  const why = unknown ? `no variant has "${unknown.ours}"` : "nothing says which variant is meant";
  return [{ most, why }];
}
