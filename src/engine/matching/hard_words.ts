/** Finds differences of two titles which suggest that the titles name different articles. */
import type { HardKind } from "./identity_codes.ts";
import { areOneMeasure } from "../../base/title_atoms.ts";
import type { TitleFacts } from "./title_facts.ts";
import { EDITION_BITS, type Vocabulary } from "./word_lists.ts";

export interface HardWord {
  readonly kind: HardKind;
  readonly ours: string | null;
  readonly theirs: string | null;
}

export const STANDARD_CODE = /^(?:ddr|pc\d|sata|usb|lga|hdmi|80211|\d+rpm|\d+x\d)/;
const CODE_PREFIX_CHARS_MIN = 4;

export function hardWords(
  ours: TitleFacts,
  theirs: TitleFacts,
  vocabulary: Vocabulary,
): HardWord[] {
  const found: HardWord[] = [];
  const say = (kind: HardKind, difference: Difference | null) => {
    if (difference !== null) found.push({ kind, ours: difference[0], theirs: difference[1] });
  };
  say("quantity", quantitiesApart(ours, theirs));
  say("pack", packsApart(ours, theirs));
  say("size", sizesApart(ours, theirs));
  say("gender", gendersApart(ours, theirs));
  say("colour", coloursApart(ours, theirs) === 1 ? [coloursOf(ours), coloursOf(theirs)] : null);
  say("edition", editionsApart(ours, theirs));
  say("series", compareSeries(ours, theirs).difference);
  say("model", modelsApart(ours, theirs, vocabulary));
  say("accessory", accessoriesApart(ours, theirs));
  say("condition", oneSided(ours.usedWord, theirs.usedWord));
  return found;
}

type Difference = readonly [string | null, string | null];

function oneSided(ours: string | null, theirs: string | null): Difference | null {
  return (ours === null) === (theirs === null) ? null : [ours, theirs];
}

export function accessoriesApart(ours: TitleFacts, theirs: TitleFacts): Difference | null {
  const [our, their] = [ours.accessory, theirs.accessory];
  const isApart = (our === null) !== (their === null) && (our ?? their)?.meaning === "for";
  return isApart ? [our?.text ?? null, their?.text ?? null] : null;
}

export function compareQuantities({ quantities: ours }: TitleFacts, other: TitleFacts) {
  const theirs = other.quantities;
  if (ours.length === 0 || theirs.length === 0) return { agreeing: 0, apart: 0 };
  const lacking = ours.filter((one) => !hasMeasure(theirs, one));
  const lackingThere = theirs.filter((one) => !hasMeasure(ours, one));
  const apart = new Set(
    lacking.map(({ dimension }) => dimension)
      .filter((dimension) => lackingThere.some((other) => other.dimension === dimension)),
  );
  const agreeing = Math.min(ours.length - lacking.length, theirs.length - lackingThere.length);
  return { agreeing, apart: apart.size };
}

type Measures = TitleFacts["quantities"];

function hasMeasure(measures: Measures, { dimension, value }: Measures[number]): boolean {
  return measures.some((one) => one.dimension === dimension && areOneMeasure(one.value, value));
}

function quantitiesApart(ours: TitleFacts, theirs: TitleFacts): Difference | null {
  for (const one of ours.quantities) {
    if (one.dimension === "pieces" || hasMeasure(theirs.quantities, one)) continue;
    const other = theirs.quantities.find((their) =>
      their.dimension === one.dimension && !hasMeasure(ours.quantities, their)
    );
    if (other) return [one.text, other.text];
  }
  return null;
}

export function packsApart(ours: TitleFacts, theirs: TitleFacts): Difference | null {
  const [our, their] = [piecesIn(ours), piecesIn(theirs)];
  if (our.isPack || their.isPack || (our.text !== null && their.text !== null)) {
    return our.pieces === their.pieces ? null : [our.text, their.text];
  }
  return null;
}

function piecesIn({ pack, quantities }: TitleFacts) {
  if (pack !== null) return { pieces: pack.meaning, text: pack.text, isPack: pack.meaning > 1 };
  const counted = quantities.find(({ dimension }) => dimension === "pieces");
  return { pieces: counted?.value ?? 1, text: counted?.text ?? null, isPack: false };
}

function sizesApart({ sizes: ours }: TitleFacts, { sizes: theirs }: TitleFacts): Difference | null {
  if (ours.length === 0 || theirs.length === 0) return null;
  return ours.some((size) => theirs.includes(size)) ? null : [ours.join(" "), theirs.join(" ")];
}

export function gendersApart(ours: TitleFacts, theirs: TitleFacts): Difference | null {
  const [our, their] = [ours.genders, theirs.genders];
  if (our === null || their === null) return null;
  return (our.meaning & their.meaning) === 0 ? [our.text, their.text] : null;
}

export function coloursApart({ colours: ours }: TitleFacts, other: TitleFacts): number {
  const theirs = other.colours;
  if (ours.length === 0 || theirs.length === 0) return 0;
  const isIn = (list: TitleFacts["colours"], colour: number) =>
    list.some(({ meaning }) => meaning === colour);
  const common = ours.filter(({ meaning }) => isIn(theirs, meaning)).length;
  if (common === 0) return 1;
  const isAll = common === ours.length && theirs.every(({ meaning }) => isIn(ours, meaning));
  return isAll ? 0 : 0.5;
}

function coloursOf({ colours }: TitleFacts): string {
  return colours.map(({ text }) => text).join(" ");
}

const TWO_SIDED = [
  EDITION_BITS.mac | EDITION_BITS.windows,
  EDITION_BITS.single | EDITION_BITS.family,
] as const;
const ONE_SIDED = EDITION_BITS.upgrade | EDITION_BITS.education;

function editionsApart(ours: TitleFacts, theirs: TitleFacts): Difference | null {
  const [our, their] = [ours.editions?.meaning ?? 0, theirs.editions?.meaning ?? 0];
  const isApart = ((our ^ their) & ONE_SIDED) !== 0 || isOtherChoice(our, their);
  if (isApart) return [ours.editions?.text ?? null, theirs.editions?.text ?? null];
  if (tiersApart(ours, theirs)) return [ours.tiers?.text ?? null, theirs.tiers?.text ?? null];
  return null;
}

function isOtherChoice(our: number, their: number): boolean {
  return TWO_SIDED.some((choice) =>
    (our & choice) !== 0 && (their & choice) !== 0 && (our & their & choice) === 0
  );
}

export function isEditionApart(ours: TitleFacts, theirs: TitleFacts, bit: number): boolean {
  return (((ours.editions?.meaning ?? 0) ^ (theirs.editions?.meaning ?? 0)) & bit) !== 0;
}

export function areOtherPlatforms(ours: TitleFacts, theirs: TitleFacts): boolean {
  return isOtherChoice(ours.editions?.meaning ?? 0, theirs.editions?.meaning ?? 0);
}

export function tiersApart({ tiers: ours }: TitleFacts, { tiers: theirs }: TitleFacts): boolean {
  return ours !== null && theirs !== null && (ours.meaning & theirs.meaning) === 0;
}

export function compareSeries({ series: ours }: TitleFacts, other: TitleFacts) {
  const differences: Difference[] = [];
  const seen = new Set<number>();
  for (const { meaning: { word }, text } of ours) {
    if (seen.has(word)) continue;
    seen.add(word);
    const theirs = other.series.filter(({ meaning }) => meaning.word === word);
    const [first] = theirs;
    const agrees = ours.some(({ meaning }) =>
      meaning.word === word && theirs.some((their) => their.meaning.number === meaning.number)
    );
    if (first && !agrees) differences.push([text, first.text]);
  }
  return { apart: differences.length, difference: differences[0] ?? null };
}

function isCodeIn(code: string, other: TitleFacts, vocabulary: Vocabulary): boolean {
  if (code.length >= CODE_PREFIX_CHARS_MIN && other.joined.includes(code)) return true;
  return other.codes.some((number) => areOneCode(vocabulary.wordOf(number), code));
}

export function areOneCode(one: string, other: string): boolean {
  return one === other || isCodePrefix(one, other);
}

export function isCodePrefix(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= CODE_PREFIX_CHARS_MIN && short.length < long.length &&
    long.startsWith(short);
}

export function strangeCodes(one: TitleFacts, other: TitleFacts, vocabulary: Vocabulary): number[] {
  if (one.codes.length === 0) return [];
  return one.codes.filter((number) => {
    const code = vocabulary.wordOf(number);
    return code.length >= 6 && !isCodeIn(code, other, vocabulary);
  });
}

function modelsApart(
  ours: TitleFacts,
  theirs: TitleFacts,
  vocabulary: Vocabulary,
): Difference | null {
  const isStandard = (code: number) => STANDARD_CODE.test(vocabulary.wordOf(code));
  const our = strangeCodes(ours, theirs, vocabulary).find((code) => !isStandard(code));
  const their = strangeCodes(theirs, ours, vocabulary).find((code) => !isStandard(code));
  if (our === undefined || their === undefined) return null;
  return [vocabulary.wordOf(our), vocabulary.wordOf(their)];
}
