/** Reasons to doubt that a price is our product's: another size, number, condition or variant. */
import type { ExtractionPage } from "./page/extraction_page.ts";
import { fitsWanted, isSiblingOf, type WantedProduct } from "./page_product.ts";
import type { Reading } from "./reading.ts";
import type { Doubt, JudgedOffer, OfferSources } from "./stated_offer.ts";
import { agree, CONTRADICTED, DOUBTFUL } from "./settle_price.ts";
import { addedWord, namesUsed, versionApart } from "./shop_words.ts";
import { CONDITIONAL, has, isOut, type ShownReading } from "./shown/scored_price.ts";
import type { VariantChoice } from "./variants/choose_variant.ts";
import { textTraits, unknownValue } from "./variants/text_traits.ts";

interface Asked extends Pick<OfferSources, "page" | "shown" | "ownTitle" | "variant"> {
  readonly wanted: WantedProduct | null;
}

/** Maximum confidence if another amount near the product's name remains unexplained. */
const UNEXPLAINED = 0.8;
const RIVAL_SCORE = 3;
const RIVAL_BEHIND = 4;
const RIVAL_FACTOR = 2;

/** Shown amounts raise no doubt if a person or a recipe has confirmed the price. */
export function doubtsAbout(
  { taken, judged }: { readonly taken: Reading; readonly judged: JudgedOffer },
  others: readonly Reading[],
  isConfirmed: boolean,
  around: Asked,
): readonly Doubt[] {
  return [
    ...judged.doubts,
    ...doubtsOfPage(taken, judged, others, around),
    ...(isConfirmed ? [] : doubtsOfShown(taken, around.shown, around.variant)),
    ...variantDoubts(around.variant),
  ];
}

/** Doubts the price if the page shows another amount of similar size near the product's name. */
function doubtsOfShown(
  { decimal, currency }: Reading,
  shown: ShownReading | null,
  variant: VariantChoice | null,
): readonly Doubt[] {
  const own = Number(decimal);
  const [first] = shown?.prices.filter((price) => Number(price.decimal) === own) ?? [];
  const scoreMin = Math.max(RIVAL_SCORE, (first?.score ?? 0) - RIVAL_BEHIND);
  const rival = shown?.prices.find((price) => {
    const factor = Number(price.decimal) / own;
    return factor !== 1 && factor <= RIVAL_FACTOR && factor >= 1 / RIVAL_FACTOR &&
      price.score >= scoreMin && has(price, "near_500") && !isOut(price) &&
      !has(price, "range", "other_part", ...CONDITIONAL) && price.codes.some((code) =>
        code === currency
      ) &&
      !variant?.amounts.has(price.decimal);
  });
  return rival ? [{ most: UNEXPLAINED, why: `${rival.text} is shown near it` }] : [];
}

function namesOf(
  first: Reading,
  others: readonly Reading[],
  { html }: ExtractionPage,
): readonly string[] {
  const named = [first, ...others.filter((other) => agree(first, other))];
  return named.find(({ names }) => names.length > 0)?.names ?? html?.headings ?? [];
}

function doubtsOfPage(
  taken: Reading,
  judged: JudgedOffer,
  others: readonly Reading[],
  { page, ownTitle, wanted, variant }: Asked,
): readonly Doubt[] {
  const doubts: Doubt[] = [];
  const doubt = (why: string, most = DOUBTFUL) => doubts.push({ most, why });
  if (ownTitle !== null) {
    const names = namesOf(taken, others, page);
    const other = unknownValue(names.map(textTraits), textTraits(ownTitle));
    if (other) doubt(`its name has not our "${other.ours}"`, CONTRADICTED);
    const added = addedWord(names, ownTitle);
    if (added !== null) doubt(`its name adds "${added}" to ours`);
    const isNumbered = taken.sold !== null &&
      fitsWanted([taken.sold.subject, taken.sold.offer], wanted);
    const version = isNumbered || isNumber(variant) ? null : versionApart(names, ownTitle);
    if (version !== null) doubt(`only one of the names has "${version}"`, UNEXPLAINED);
    if (isUsed(taken, judged, ownTitle)) doubt("it is not new");
  }
  if (page.html?.isWhole === false) doubt("only the begin of the page was read");
  return doubts;
}

function isNumber(variant: VariantChoice | null): boolean {
  return variant?.state === "chosen" &&
    (variant.by === "gtin" || variant.by === "mpn" || variant.by === "sku");
}

/** A page with another number of the same series sells another article. */
export function isOfSeries({ sold }: Reading, wanted: WantedProduct | null): boolean {
  return sold !== null && isSiblingOf([sold.subject, sold.offer], wanted);
}

export function isUsed(
  { isNew }: Reading,
  { stated: { condition } }: JudgedOffer,
  ownTitle: string | null,
): boolean {
  const isOfferNew = condition === null ? isNew : condition === "new";
  return !isOfferNew && ownTitle !== null && !namesUsed(ownTitle);
}

function variantDoubts(variant: VariantChoice | null): readonly Doubt[] {
  if (variant === null) return [];
  const { state, unknown, confidenceMost: most } = variant;
  if (state === "chosen") return [{ most, why: "" }];
  const why = unknown ? `no variant has "${unknown.ours}"` : "nothing says which variant is meant";
  return [{ most, why }];
}
