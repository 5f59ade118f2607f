/** Expresses as numbers how alike the titles, MPNs, brands and prices of two articles are. */
import { areOneBrand, brandKey, partNumberKey } from "../../base/title_atoms.ts";
import {
  accessoriesApart,
  areOneCode,
  areOtherPlatforms,
  coloursApart,
  compareQuantities,
  compareSeries,
  gendersApart,
  isEditionApart,
  packsApart,
  strangeCodes,
  tiersApart,
} from "./hard_words.ts";
import { type TitleFacts, titleFacts } from "./title_facts.ts";
import { EDITION_BITS, type Vocabulary } from "./word_lists.ts";

export type Side = ReturnType<typeof sideOf>;

const PRICE_LOG_MAX = 2;
const DIFFERENCES_MAX = 2;
const SHARE_INSIDE_LONGER_WORD = 0.8;
const INSIDE_CHARS_MIN = 4;

/**
 * The weights are in the order in which `featuresOf` lists the features.
 * `tests/bench/fit_match_weights.ts` computes the weights.
 */
export const MATCH_WEIGHTS = {
  likeness: 3.47,
  shareFound: 1.07,
  codeShared: 0.69,
  codeInText: 2.56,
  otherCode: -1.59,
  firstCodeDiffers: -1.44,
  mpnSame: 3.83,
  mpnInText: 2.29,
  mpnDiffers: -2.43,
  brandDiffers: -0.6,
  quantitiesSame: 0.64,
  quantitiesDiffer: -1.59,
  numbersDiffer: -0.94,
  seriesDiffer: -1.52,
  coloursSame: 0.68,
  coloursDiffer: -1.85,
  firstColourDiffers: -0.83,
  packDiffers: -1.2,
  genderDiffers: -2.35,
  upgradeDiffers: -1.35,
  platformDiffers: -0.68,
  educationDiffers: -1.05,
  tierDiffers: -1.47,
  accessoryDiffers: -0.48,
  priceDiffers: -4.36,
  wordsWithoutPartner: -0.61,
};

const MATCH_BASE = -2.7;

export function featuresOf(ours: Side, theirs: Side, vocabulary: Vocabulary): number[] {
  const [a, b] = [ours.facts, theirs.facts];
  const { agreeing, apart } = compareQuantities(a, b);
  const words = compareWords(a, b, vocabulary);
  const codes = compareCodes(a, b, vocabulary);
  const mpn = compareMpns(ours, theirs);
  const colours = coloursApart(a, b);
  return [
    words.likeness,
    words.shareFound,
    codes.shared,
    codes.inText,
    codes.strange,
    codes.isFirstApart ? 1 : 0,
    mpn === "same" ? 1 : 0,
    mpn === "in_text" ? 1 : 0,
    mpn === "differs" ? 1 : 0,
    areBrandsApart(ours, theirs) ? 1 : 0,
    Math.min(agreeing, 3),
    Math.min(apart, DIFFERENCES_MAX),
    numbersApart(a, b),
    Math.min(compareSeries(a, b).apart, DIFFERENCES_MAX),
    a.colours.length > 0 && b.colours.length > 0 && colours === 0 ? 1 : 0,
    colours,
    isFirstColourApart(a, b) ? 1 : 0,
    packsApart(a, b) === null ? 0 : 1,
    gendersApart(a, b) === null ? 0 : 1,
    isEditionApart(a, b, EDITION_BITS.upgrade) ? 1 : 0,
    areOtherPlatforms(a, b) ? 1 : 0,
    isEditionApart(a, b, EDITION_BITS.education) ? 1 : 0,
    tiersApart(a, b) ? 1 : 0,
    accessoriesApart(a, b) === null ? 0 : 1,
    pricesApart(ours.price, theirs.price),
    words.withoutPartner,
  ];
}

function areBrandsApart({ brandKey: ours }: Side, { brandKey: theirs }: Side): boolean {
  return ours !== "" && theirs !== "" && !areOneBrand(ours, theirs);
}

export function compareWords(a: TitleFacts, b: TitleFacts, vocabulary: Vocabulary) {
  const ours = weighWords(a, b, vocabulary);
  const theirs = weighWords(b, a, vocabulary);
  const weight = Math.min(ours.weight, theirs.weight);
  const norm = Math.sqrt(ours.squares * theirs.squares);
  if (norm === 0) return { likeness: 0, shareFound: 0, withoutPartner: 0 };
  const found = Math.max(
    ours.weight === weight ? ours.found : 0,
    theirs.weight === weight ? theirs.found : 0,
  );
  const lacking = Math.min(ours.weight - ours.found, theirs.weight - theirs.found);
  return {
    likeness: Math.min(1, (ours.sharedSquares + theirs.sharedSquares) / 2 / norm),
    shareFound: found / weight,
    withoutPartner: Math.min(1, lacking / weight),
  };
}

function weighWords({ words }: TitleFacts, other: TitleFacts, vocabulary: Vocabulary) {
  let weight = 0;
  let squares = 0;
  let found = 0;
  let sharedSquares = 0;
  let at = 0;
  const theirs = other.words;
  for (const word of words) {
    const says = vocabulary.weightOf(word);
    weight += says;
    squares += says * says;
    while ((theirs[at] ?? Infinity) < word) at += 1;
    if (theirs[at] === word) {
      found += says;
      sharedSquares += says * says;
      continue;
    }
    const text = vocabulary.wordOf(word);
    if (text.length >= INSIDE_CHARS_MIN && other.joined.includes(text)) {
      found += SHARE_INSIDE_LONGER_WORD * says;
      sharedSquares += SHARE_INSIDE_LONGER_WORD * says * says;
    }
  }
  return { weight, squares, found, sharedSquares };
}

function compareCodes(a: TitleFacts, b: TitleFacts, vocabulary: Vocabulary) {
  const max = vocabulary.weightMax;
  let shared = 0;
  let inText = 0;
  for (const code of a.codes) {
    if (b.codes.includes(code)) shared = Math.max(shared, vocabulary.weightOf(code) / max);
  }
  for (const [one, other] of [[a, b], [b, a]] as const) {
    for (const code of one.codes) {
      const text = vocabulary.wordOf(code);
      if (text.length >= INSIDE_CHARS_MIN && other.joined.includes(text)) {
        inText = Math.max(inText, vocabulary.weightOf(code) / max);
      }
    }
  }
  const haveBoth = a.codes.length > 0 && b.codes.length > 0;
  const [first, other] = [a.codes[0], b.codes[0]];
  return {
    shared,
    inText,
    strange: haveBoth ? strangeness(a, b, vocabulary) : 0,
    isFirstApart: first !== undefined && other !== undefined &&
      !areOneCode(vocabulary.wordOf(first), vocabulary.wordOf(other)),
  };
}

function strangeness(a: TitleFacts, b: TitleFacts, vocabulary: Vocabulary): number {
  const weightOf = (codes: readonly number[]) =>
    codes.reduce((most, code) => Math.max(most, vocabulary.weightOf(code)), 0) /
    vocabulary.weightMax;
  const ours = weightOf(strangeCodes(a, b, vocabulary));
  return ours === 0 ? 0 : Math.min(ours, weightOf(strangeCodes(b, a, vocabulary)));
}

function compareMpns(ours: Side, theirs: Side): "same" | "differs" | "in_text" | null {
  if (ours.mpnKeys.length > 0 && theirs.mpnKeys.length > 0) {
    if (ours.mpnKeys.some((key) => theirs.mpnKeys.includes(key))) return "same";
    const isPart = ours.mpnKeys.some((key) =>
      theirs.mpnKeys.some((other) => key.includes(other) || other.includes(key))
    );
    if (isPart) return null;
  }
  const isInText = ours.mpnKeys.some((key) => theirs.facts.joined.includes(key)) ||
    theirs.mpnKeys.some((key) => ours.facts.joined.includes(key));
  if (isInText) return "in_text";
  return ours.mpnKeys.length > 0 && theirs.mpnKeys.length > 0 ? "differs" : null;
}

function numbersApart({ numbers: ours }: TitleFacts, { numbers: theirs }: TitleFacts): number {
  if (ours.length === 0 || theirs.length === 0) return 0;
  const common = ours.filter((number) => theirs.includes(number)).length;
  if (common === 0) return 1;
  return common < ours.length && theirs.some((number) => !ours.includes(number)) ? 0.5 : 0;
}

function isFirstColourApart(
  { colours: ours }: TitleFacts,
  { colours: theirs }: TitleFacts,
): boolean {
  return ours.length > 0 && theirs.length > 0 && (ours.length > 1 || theirs.length > 1) &&
    ours[0]?.meaning !== theirs[0]?.meaning;
}

function pricesApart(ours: number | null, theirs: number | null): number {
  if (ours === null || theirs === null || !(ours > 0) || !(theirs > 0)) return 0;
  return Math.min(Math.abs(Math.log(ours / theirs)), PRICE_LOG_MAX) / PRICE_LOG_MAX;
}

export interface SideText {
  readonly title: string;
  readonly brand?: string | null;
  readonly mpns?: readonly string[];
  readonly price?: number | null;
}

export function sideOf(
  { title, brand = null, mpns = [], price = null }: SideText,
  vocabulary: Vocabulary,
) {
  const keys = mpns.slice(0, 20).flatMap((mpn) => partNumberKey(mpn) ?? []);
  return {
    facts: titleFacts({ title, brand }, vocabulary),
    mpnKeys: [...new Set(keys)],
    brandKey: brandKey(brand),
    /** Price of the article, in the same currency for both titles; null if unknown. */
    price,
  };
}

const WEIGHTS = Object.values(MATCH_WEIGHTS);

export function titleScore(ours: Side, theirs: Side, vocabulary: Vocabulary): number {
  const features = featuresOf(ours, theirs, vocabulary);
  const logit = WEIGHTS.reduce((sum, weight, at) => sum + weight * (features[at] ?? 0), MATCH_BASE);
  return 1 / (1 + Math.exp(-logit));
}
