/** Decides by numbers and words whether a page shows our product (docs/decisions/matching.md). */

import { areOtherPacks, type Condition, gtin14, trustIn } from "../../base/codes.ts";
import { type HardWord, hardWords, isCodePrefix, wordsApart } from "./title_differences.ts";
import type {
  HardKind,
  IdentityCode,
  IdentityEvidence,
  ReasonSide,
  Verdict,
} from "./identity_codes.ts";
import { areOneBrand, brandKey, partNumberKey } from "../../base/title_atoms.ts";
import { compareWords, type Side, sideOf, titleScore } from "./title_likeness.ts";
import { Vocabulary } from "./word_lists.ts";

export interface OurIdentity {
  readonly title: string;
  readonly brand: string | null;
  readonly gtin: string | null;
  readonly mpn: string | null;
  readonly condition: Condition | null;
  /** Our price in minor units; null if it cannot be compared with the page's price. */
  readonly price?: number | null;
}

export interface TheirIdentity {
  readonly title: string | null;
  readonly brand: string | null;
  readonly gtins: readonly string[];
  readonly mpns: readonly string[];
  readonly skus: readonly string[];
  readonly condition: Condition | null;
  /** True if it is unclear which variant of the page is ours, or if no variant is ours. */
  readonly isOtherVariant: boolean;
  /** The page's price in minor units of our currency. */
  readonly price?: number | null;
}

export interface Judgement {
  readonly verdict: Verdict;
  readonly reasons: readonly IdentityEvidence[];
  /**
   * Probability that product and page are the same article, computed from titles, MPNs, brands and
   * prices; null if the page has no title.
   */
  readonly score: number | null;
  /**
   * Number of pieces of our article in the page's pack. Set only if the GTINs differ in the pack
   * and only the page's title states a number of pieces.
   */
  readonly packFactor: number | null;
}

export type PageOrigin = "candidate" | "link";

export const PROBABLE_SCORE = 0.3;
const FOREIGN_SHARE = 0.15;
const FOREIGN_SCORE = 0.02;
const FOREIGN_WORDS_MIN = 3;
const UNSHARED_SCORE = 0.05;
const QUOTED_UNITS = 200;

const IGNORED_IF_SAME_GTIN: ReadonlySet<HardKind> = new Set<HardKind>(["gender"]);

type Conclusion = Omit<Judgement, "score">;

/**
 * Compares condition, GTIN, MPN and words, in this order, until one of them decides. Differences in
 * certain words of the titles weaken the verdicts `same` and `probably`.
 */
export function judgeIdentity(
  ours: OurIdentity,
  theirs: TheirIdentity,
  origin: PageOrigin,
  vocabulary: Vocabulary = new Vocabulary(brandKey(ours.brand).split(" ")),
): Judgement {
  const ourSide = sideOf({ ...ours, mpns: ours.mpn === null ? [] : [ours.mpn] }, vocabulary);
  if (theirs.title === null || theirs.title.trim() === "") {
    const silent = verdict("unknown", [reason("page_silent", "doubt", null, null)]);
    return { ...judgeNumbers({ ours, theirs, ourSide, hard: [] }) ?? silent, score: null };
  }
  const theirSide = sideOf({ ...theirs, title: theirs.title }, vocabulary);
  const hard = hardWords(ourSide.facts, theirSide.facts, vocabulary);
  const score = titleScore(ourSide, theirSide, vocabulary);
  const evidence = { ours, theirs, ourSide, hard };
  const conclusion = judgeNumbers(evidence) ??
    judgeWords({ ...evidence, theirSide, score, origin, vocabulary });
  const words = wordsApart([ours.title, theirs.title], [ours.brand, theirs.brand]);
  return { ...withWordsApart(conclusion, words), score };
}

function withWordsApart(
  conclusion: Conclusion,
  { hard, light }: ReturnType<typeof wordsApart>,
): Conclusion {
  const { verdict, reasons } = conclusion;
  if (verdict !== "same" && verdict !== "probably") return conclusion;
  const known = new Set(reasons.map(({ code }) => code));
  if (hard.length > 0) {
    const further = hardReasons(hard.filter(({ kind }) => !known.has(kind)), "doubt");
    return { ...conclusion, verdict: "unknown", reasons: [...further, ...reasons] };
  }
  if (verdict === "probably" || light.length === 0) return conclusion;
  const doubts = hardReasons(light, "doubt");
  return { ...conclusion, verdict: "probably", reasons: [...reasons, ...doubts] };
}

interface Evidence {
  readonly ours: OurIdentity;
  readonly theirs: TheirIdentity;
  readonly ourSide: Side;
  readonly hard: readonly HardWord[];
}

function judgeNumbers(evidence: Evidence): Conclusion | null {
  const { ours, theirs, hard } = evidence;
  const [our, their] = [ours.condition ?? "new", theirs.condition];
  if (their !== null && their !== our) {
    return verdict("different", [reason("condition", "against", our, their)]);
  }
  const gtin = judgeGtins(evidence);
  if (gtin !== null) return gtin;
  const mpn = sharedMpn(evidence);
  const others = [...brandReasons(evidence), ...hardReasons(hard, "doubt")];
  if (mpn !== null) {
    const isSame = hard.length === 0 && isBrandShared(evidence) && !theirs.isOtherVariant;
    return verdict(isSame ? "same" : "probably", [mpn, ...variantReasons(theirs), ...others]);
  }
  return null;
}

function judgeGtins(evidence: Evidence): Conclusion | null {
  const { ours, theirs, hard } = evidence;
  const our = gtin14(ours.gtin ?? "");
  const all = theirs.gtins.flatMap((gtin) => gtin14(gtin) ?? []);
  if (our === null || all.length === 0) return null;
  const trust = trustIn(our);
  if (all.includes(our)) {
    if (trust === "nothing") return null;
    const heavy = hard.some(({ kind }) => !IGNORED_IF_SAME_GTIN.has(kind));
    const isSame = trust === "proof" && !heavy && !theirs.isOtherVariant;
    return verdict(isSame ? "same" : "probably", [
      reason("gtin_same", "for", ours.gtin, our),
      ...variantReasons(theirs),
      ...hardReasons(hard, "doubt"),
    ]);
  }
  // If the page may show another variant, a different GTIN does not prove another article.
  if (trust === "nothing" || theirs.isOtherVariant) return null;
  const trusted = all.filter((gtin) => trustIn(gtin) !== "nothing");
  const [first] = trusted;
  if (first === undefined) return null;
  const otherPack = trusted.find((gtin) => areOtherPacks(our, gtin));
  if (otherPack !== undefined) {
    const pack = hard.find(({ kind }) => kind === "pack");
    return {
      ...verdict("different", [
        reason("gtin_other_pack", "against", ours.gtin, otherPack),
        ...hardReasons(pack ? [pack] : [], "against"),
      ]),
      packFactor: packFactorOf(pack),
    };
  }
  const shown = first.replace(/^0{6}(?=\d{8}$)|^0(?=\d{13}$)/, "");
  const differs = reason("gtin_differs", "against", ours.gtin, shown);
  const mpn = sharedMpn(evidence);
  if (mpn !== null && isBrandShared(evidence) && hard.length === 0) {
    return verdict("probably", [mpn, ...brandReasons(evidence), { ...differs, side: "doubt" }]);
  }
  return verdict("different", [differs, ...hardReasons(hard, "against")]);
}

function packFactorOf(pack: HardWord | undefined): number | null {
  if (!pack || pack.ours !== null) return null;
  const pieces = Number(/\d+/.exec(pack.theirs ?? "")?.[0] ?? NaN);
  return pieces > 1 ? pieces : null;
}

interface WordEvidence extends Evidence {
  readonly theirSide: Side;
  readonly score: number;
  readonly origin: PageOrigin;
  readonly vocabulary: Vocabulary;
}

function judgeWords(evidence: WordEvidence): Conclusion {
  const { ours, theirs, hard, score, origin } = evidence;
  const against: Verdict = origin === "candidate" ? "different" : "unknown";
  const side = origin === "candidate" ? "against" : "doubt";
  const titles = (code: IdentityCode, to: ReasonSide) => reason(code, to, ours.title, theirs.title);
  if (isMpnApart(evidence)) {
    return verdict(against, [
      reason("mpn_differs", side, ours.mpn, theirs.mpns[0] ?? null),
      ...hardReasons(hard, side),
    ]);
  }
  if (theirs.isOtherVariant) {
    return verdict("unknown", [...variantReasons(theirs), ...hardReasons(hard, side)]);
  }
  if (hard.length > 0) return verdict(against, hardReasons(hard, side));
  if (origin === "link" && areForeign(evidence)) {
    return verdict("different", [titles("title_foreign", "against")]);
  }
  const brand = brandReasons(evidence);
  const inTitle = mpnInTitle(evidence);
  if (inTitle !== null) return verdict("probably", [inTitle, ...brand]);
  if (score >= PROBABLE_SCORE) return verdict("probably", [titles("title", "for"), ...brand]);
  return verdict("unknown", [titles("title_differs", "doubt"), ...brand]);
}

function areForeign({ ourSide, theirSide, score, vocabulary }: WordEvidence): boolean {
  const [ours, theirs] = [ourSide.facts, theirSide.facts];
  const { shareFound } = compareWords(ours, theirs, vocabulary);
  if (score < FOREIGN_SCORE && shareFound < FOREIGN_SHARE) return true;
  const fewer = Math.min(ours.words.length, theirs.words.length);
  return shareFound === 0 && fewer >= FOREIGN_WORDS_MIN && score < UNSHARED_SCORE;
}

function sharedMpn({ ours, theirs, ourSide }: Evidence): IdentityEvidence | null {
  const [our] = ourSide.mpnKeys;
  if (our === undefined) return null;
  const their = theirs.mpns.find((mpn) => partNumberKey(mpn) === our);
  return their === undefined ? null : reason("mpn_same", "for", ours.mpn, their);
}

function isMpnApart({ ourSide, theirSide }: WordEvidence): boolean {
  const [our] = ourSide.mpnKeys;
  if (our === undefined || theirSide.mpnKeys.length === 0) return false;
  return theirSide.mpnKeys.every((their) => !isCodePrefix(our, their));
}

function mpnInTitle({ ours, theirs, ourSide, theirSide }: WordEvidence): IdentityEvidence | null {
  const [our] = ourSide.mpnKeys;
  if (our === undefined) return null;
  const sku = theirs.skus.find((one) => partNumberKey(one) === our);
  if (sku !== undefined) return reason("mpn_in_title", "for", ours.mpn, sku);
  return theirSide.facts.joined.includes(our)
    ? reason("mpn_in_title", "for", ours.mpn, theirs.title)
    : null;
}

function isBrandShared({ ours, theirs }: Evidence): boolean {
  return areOneBrand(brandKey(ours.brand), brandKey(theirs.brand));
}

function brandReasons({ ours, theirs }: Evidence): IdentityEvidence[] {
  const [our, their] = [brandKey(ours.brand), brandKey(theirs.brand)];
  if (our === "" || their === "") return [];
  return areOneBrand(our, their)
    ? [reason("brand_same", "for", ours.brand, theirs.brand)]
    : [reason("brand_differs", "doubt", ours.brand, theirs.brand)];
}

function variantReasons({ isOtherVariant }: TheirIdentity): IdentityEvidence[] {
  return isOtherVariant ? [reason("variant_unknown", "doubt", null, null)] : [];
}

function hardReasons(words: readonly HardWord[], side: ReasonSide): IdentityEvidence[] {
  return words.map(({ kind, ours, theirs }) => reason(kind, side, ours, theirs));
}

function reason(
  code: IdentityCode,
  side: ReasonSide,
  ours: string | null,
  theirs: string | null,
): IdentityEvidence {
  return {
    code,
    side,
    ours: ours?.slice(0, QUOTED_UNITS) ?? null,
    theirs: theirs?.slice(0, QUOTED_UNITS) ?? null,
  };
}

function verdict(wanted: Verdict, reasons: readonly IdentityEvidence[]): Conclusion {
  return { verdict: wanted, reasons, packFactor: null };
}
