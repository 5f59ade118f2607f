/**
 * Computes how alike the titles, MPNs, brands and prices of two articles are. A `TitleIndex`
 * contains the titles of a shop's pages or of our products, and compares a title only with titles
 * that share a rare word with it.
 */
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
} from "./title_differences.ts";
import { type TitleFacts, titleFacts } from "./title_facts.ts";
import { EDITION_BITS, Vocabulary } from "./word_lists.ts";
import { TopN } from "../../base/collections.ts";

export type Side = ReturnType<typeof sideOf>;

const PRICE_LOG_MAX = 2;
const DIFFERENCES_MAX = 2;
const SHARE_INSIDE_LONGER_WORD = 0.8;
const INSIDE_CHARS_MIN = 4;

/** Computed by `tests/bench/fit_match_weights.ts`, in the order of the features in `featuresOf`. */
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
    ours.brandKey !== "" && theirs.brandKey !== "" && !areOneBrand(ours.brandKey, theirs.brandKey)
      ? 1
      : 0,
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
  const areBothKnown = ours.mpnKeys.length > 0 && theirs.mpnKeys.length > 0;
  if (areBothKnown) {
    if (ours.mpnKeys.some((key) => theirs.mpnKeys.includes(key))) return "same";
    const isPart = ours.mpnKeys.some((key) =>
      theirs.mpnKeys.some((other) => key.includes(other) || other.includes(key))
    );
    if (isPart) return null;
  }
  const isInText = ours.mpnKeys.some((key) => theirs.facts.joined.includes(key)) ||
    theirs.mpnKeys.some((key) => ours.facts.joined.includes(key));
  if (isInText) return "in_text";
  return areBothKnown ? "differs" : null;
}

function numbersApart({ numbers: ours }: TitleFacts, { numbers: theirs }: TitleFacts): number {
  if (ours.length === 0 || theirs.length === 0) return 0;
  const common = ours.filter((number) => theirs.includes(number)).length;
  if (common === 0) return 1;
  return common < ours.length && theirs.some((number) => !ours.includes(number)) ? 0.5 : 0;
}

function isFirstColourApart({ colours: ours }: TitleFacts, { colours: theirs }: TitleFacts) {
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
    /** In the other article's currency; null if the price is unknown or not comparable. */
    price,
  };
}

const WEIGHTS = Object.values(MATCH_WEIGHTS);

export function titleScore(ours: Side, theirs: Side, vocabulary: Vocabulary): number {
  const features = featuresOf(ours, theirs, vocabulary);
  const logit = WEIGHTS.reduce((sum, weight, at) => sum + weight * (features[at] ?? 0), MATCH_BASE);
  return 1 / (1 + Math.exp(-logit));
}

const FIRST_LENGTH = 1_024;

class GrowingNumbers {
  #numbers = new Uint32Array(FIRST_LENGTH);

  /** `set` may replace the array, so callers must not store it. */
  get all(): Uint32Array {
    return this.#numbers;
  }

  get(at: number): number {
    return this.#numbers[at] ?? 0;
  }

  set(at: number, value: number): void {
    if (at >= this.#numbers.length) {
      const grown = new Uint32Array(Math.max(at + 1, Math.ceil(this.#numbers.length * 1.5)));
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#numbers[at] = value;
  }
}

const TITLES_PER_LEAD_MAX = 2_000;
const LEADS_AT_ANY_LENGTH = 2;
const CANDIDATES_MAX = 20;

export const SUGGESTED_SCORE = 0.15;

const NONE = 0;

export class TitleIndex {
  readonly #vocabulary = new Vocabulary();
  readonly #sides: (Side | null)[] = [];
  /** For each word, the index in `#links` of its newest item; 0 if no title has the word. */
  readonly #last = new GrowingNumbers();
  readonly #lengths = new GrowingNumbers();
  /** One linked list per word; an item is a title's number and the index of the next item. */
  readonly #links = new GrowingNumbers();
  #free = 2;
  #sums = new Float32Array(0);

  add(text: SideText): number {
    const side = sideOf(text, this.#vocabulary);
    const entry = this.#sides.push(side) - 1;
    this.#vocabulary.count(side.facts.words);
    for (const word of this.#leadsOf(side)) {
      const link = this.#free;
      this.#free += 2;
      this.#links.set(link, entry);
      this.#links.set(link + 1, this.#last.get(word));
      this.#last.set(word, link);
      this.#lengths.set(word, this.#lengths.get(word) + 1);
    }
    return entry;
  }

  get words(): Vocabulary | null {
    return this.#sides.length >= 200 ? this.#vocabulary : null;
  }

  remove(entry: number): void {
    this.#sides[entry] = null;
  }

  read(text: SideText): Side {
    return sideOf(text, this.#vocabulary);
  }

  scoreOf(ours: Side, entry: number): number {
    const side = this.#sides[entry];
    return side ? titleScore(ours, side, this.#vocabulary) : 0;
  }

  suggest(ours: Side) {
    return this.rank(ours).filter(({ score }) => score >= SUGGESTED_SCORE).slice(0, 3);
  }

  rank(ours: Side) {
    return this.candidates(ours).map((entry) => ({ entry, score: this.scoreOf(ours, entry) }))
      .sort((a, b) => b.score - a.score || a.entry - b.entry);
  }

  candidates(ours: Side): number[] {
    if (this.#sums.length < this.#sides.length) {
      this.#sums = new Float32Array(2 * this.#sides.length);
    }
    const sums = this.#sums;
    const links = this.#links.all;
    const touched: number[] = [];
    for (const word of this.#rarest(ours)) {
      const weight = this.#vocabulary.weightOf(word) ** 2;
      for (let link = this.#last.get(word); link !== NONE; link = links[link + 1] ?? NONE) {
        const entry = links[link] ?? 0;
        if (this.#sides[entry] === null) continue;
        const sum = sums[entry] ?? 0;
        if (sum === 0) touched.push(entry);
        sums[entry] = sum + weight;
      }
    }
    const sumOf = (entry: number) => sums[entry] ?? 0;
    const best = new TopN<number>(
      CANDIDATES_MAX,
      (one, other) => sumOf(one) > sumOf(other) || (sumOf(one) === sumOf(other) && one < other),
    );
    for (const entry of touched) best.add(entry);
    const found = best.sorted();
    for (const entry of touched) sums[entry] = 0;
    return found;
  }

  #leadsOf({ facts, mpnKeys }: Side): Set<number> {
    const leads = new Set(facts.words);
    for (const join of facts.joins) leads.add(join);
    for (const key of mpnKeys) leads.add(this.#vocabulary.numberOf(key));
    return leads;
  }

  #rarest(ours: Side): number[] {
    const known = [...this.#leadsOf(ours)].filter((word) => this.#lengths.get(word) > 0);
    const rare = known.sort((a, b) => this.#lengths.get(a) - this.#lengths.get(b) || a - b);
    return rare.slice(0, 10).filter((word, at) =>
      at < LEADS_AT_ANY_LENGTH || this.#lengths.get(word) <= TITLES_PER_LEAD_MAX
    );
  }
}
