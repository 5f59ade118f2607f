/**
 * Reads traits, such as size, colour and grade, from a title or a variant's name, for comparison.
 */

import {
  areOneMeasure,
  type Atom,
  atomsOf,
  COLOURS,
  type Dimension,
  measuredValue,
  PACK_COUNTS,
  PACK_WORDS,
  SIZE_WORDS,
  SIZES,
  unitOf,
} from "../../../base/title_atoms.ts";

type TraitKind = Exclude<Dimension, "pieces" | "sheets"> | "pack" | "colour" | "size" | "grade";

interface Trait {
  readonly value: number | string;
  readonly text: string;
}

export interface TextTraits {
  readonly kinds: ReadonlyMap<TraitKind, readonly Trait[]>;
  readonly words: ReadonlySet<string>;
  readonly numbers: ReadonlySet<number>;
}

const PACK_MAX = 1_000;
const UNITS: ReadonlyMap<string, string> = new Map([
  ["mo", "mb"],
  ["go", "gb"],
  ["to", "tb"],
  ["po", "zoll"],
  ["pouce", "zoll"],
  ["pouces", "zoll"],
  ["in", "zoll"],
  ["grammes", "g"],
  ["litres", "l"],
  ["metres", "m"],
  ["pieces", "st"],
  ["unites", "st"],
  ["capsules", "st"],
  ["teilig", "st"],
]);
const PACK_LEADS: ReadonlySet<string> = new Set(
  "lot jeu boite paquet coffret satz bundle box packung set pack sachet".split(" "),
);
const OF: ReadonlySet<string> = new Set(["of", "de", "a", "von", "mit", "with"]);
const SHADES =
  /^(?:hell|dunkel|matt|tief|space|himmel|nacht|eis|stahl|perl|creme|wein|feuer|gras|moos|mint|royal|tiefsee|natur)(.{3,})$/;
const LONG_SIZES: Readonly<Record<string, string>> = { xxs: "2xs", xxl: "2xl", xxxl: "3xl" };
const LETTER_SIZE = /(?:^|[\s,(/–-])([SML])(?=$|[\s,)/–-])/g;

/** Matches the grade of a used article: at the start, after `(`, or after a word like `Zustand`. */
const GRADE =
  /(?:^|\(|(?<!\p{L})(?:zustand|condition|grade|état|etat|refurbished|(?:general)?überholt|reconditionné|gebraucht|used))[\s:,(–-]{0,3}(?:(wie neu|neuwertig|like new|comme neuf)|(exzellent|hervorragend|excellent)|(sehr gut|very good|très bon)|(gut|good|bon)|(akzeptabel|acceptable|fair|correct))(?!\p{L})/iu;

export function textTraits(text: string): TextTraits {
  const head = text.slice(0, 300).replace(/_/g, " ");
  const reading = new TraitReading(atomsOf(head));
  reading.read();
  for (const [, letter = ""] of head.matchAll(LETTER_SIZE)) {
    reading.add("size", letter.toLowerCase(), letter);
  }
  const [, ...grades] = GRADE.exec(head.trimStart()) ?? [];
  const grade = grades.findIndex((found) => found !== undefined);
  if (grade >= 0) reading.add("grade", grade, grades[grade] ?? "");
  return reading;
}

const CENTIMETRE = { dimension: "length", size: 10 } as const;

class TraitReading implements TextTraits {
  readonly kinds = new Map<TraitKind, Trait[]>();
  readonly words = new Set<string>();
  readonly numbers = new Set<number>();
  readonly #atoms: readonly Atom[];

  constructor(atoms: readonly Atom[]) {
    this.#atoms = atoms;
  }

  read(): void {
    for (let at = 0; at < this.#atoms.length;) {
      const atom = this.#atoms[at];
      if (!atom) return;
      at = atom.isWord ? this.#readWord(atom, at) : this.#readNumber(atom, at);
    }
  }

  add(kind: TraitKind, value: Trait["value"], text: string): void {
    const known = this.kinds.getOrInsertComputed(kind, () => []);
    if (!known.some((one) => one.value === value)) known.push({ value, text });
  }

  #readWord(atom: Atom, at: number): number {
    const { word, text } = atom;
    const [next, many] = [this.#atoms[at + 1], this.#atoms[at + 2]];
    const shade = SHADES.exec(word)?.[1];
    const colour = COLOURS.get(word) ?? (shade === undefined ? undefined : COLOURS.get(shade));
    const count = PACK_COUNTS.get(word);
    if (colour !== undefined) this.add("colour", colour, text);
    if (count !== undefined) this.add("pack", count, text);
    if (SIZES.has(word)) this.add("size", LONG_SIZES[word] ?? word, text);
    else if (SIZE_WORDS.has(word) && next && !next.isWord) {
      const unit = many && this.#unitAt(at + 2);
      if (!unit) {
        this.add("size", String(next.value), next.text);
        this.numbers.add(next.value);
        return at + 2;
      }
    } else if ((PACK_LEADS.has(word) || PACK_WORDS.has(word)) && next && OF.has(next.word)) {
      if (many && !many.isWord && many.value <= PACK_MAX) {
        this.add("pack", many.value, `${text} ${next.text} ${many.text}`);
        this.numbers.add(many.value);
        return at + 3;
      }
    }
    const isOfTrait = COLOURS.has(word) || count !== undefined || SIZES.has(word);
    if (!isOfTrait && !SIZE_WORDS.has(word)) this.words.add(word);
    return at + 1;
  }

  #readNumber(atom: Atom, at: number): number {
    const before = this.#atoms[at - 1];
    const next = this.#atoms[at + 1];
    this.numbers.add(atom.value);
    if (before?.isWord && atom.glue === "" && before.word !== "x") {
      this.words.add(before.word + atom.word); // A code such as `S24`.
      return at + 1;
    }
    if (next?.isWord) {
      const text = atom.text + (next.glue === "" ? "" : " ") + next.text;
      if (next.word === "er" && next.glue === "" && atom.value <= PACK_MAX) {
        this.add("pack", atom.value, `${text}-Set`);
        const isSet = PACK_WORDS.has(this.#atoms[at + 2]?.word ?? "");
        return at + (isSet ? 3 : 2);
      }
      if (
        /^x*[sl]$/.test(next.word) && next.word !== "l" && next.word !== "s" && next.glue === ""
      ) {
        this.add("size", `${atom.value}${next.word}`, text);
        return at + 2;
      }
      if (PACK_WORDS.has(next.word) && atom.value <= PACK_MAX) {
        this.add("pack", atom.value, text);
        return at + 2;
      }
      if (next.word === "x") {
        const after = this.#atoms[at + 2];
        const unit = after && !after.isWord ? this.#unitAt(at + 3) : null;
        // Two lengths of at least 40 without a unit are in centimetres: `140 x 200`.
        const areSides = after && atom.value >= 40 && after.value >= 40;
        if (areSides && !after.isWord && !unit) {
          for (const side of [atom, after]) this.#addMeasure(side, CENTIMETRE, side.text);
          this.numbers.add(after.value);
          return at + 3;
        }
        if (unit?.dimension === "length") this.#addMeasure(atom, unit, atom.text);
        else if (atom.value <= PACK_MAX) this.add("pack", atom.value, `${atom.text} x`);
        return at + 2;
      }
      const unit = this.#unitAt(at + 1);
      if (unit) {
        this.#addMeasure(atom, unit, text);
        return at + 2;
      }
    }
    this.words.add(atom.word);
    return at + 1;
  }

  #unitAt(at: number): ReturnType<typeof unitOf> {
    const atom = this.#atoms[at];
    if (!atom?.isWord) return null;
    const isGlued = atom.glue === "";
    // Before another number, `to` and `in` are English words and not units: `100 to 200`.
    const isEnglish = (atom.word === "to" || atom.word === "in") && !isGlued;
    if (isEnglish && this.#atoms[at + 1]?.isWord === false) return null;
    return unitOf(UNITS.get(atom.word) ?? atom.word, isGlued);
  }

  #addMeasure(
    atom: Atom,
    { dimension, size }: Pick<NonNullable<ReturnType<typeof unitOf>>, "dimension" | "size">,
    text: string,
  ): void {
    const value = measuredValue(atom, size);
    if (dimension === "pieces" || dimension === "sheets") this.add("pack", value, text);
    else this.add(dimension, Math.round(value * 1_000) / 1_000, text);
  }
}

function areSame(one: Trait, other: Trait): boolean {
  if (one.value === other.value) return true;
  return typeof one.value === "number" && typeof other.value === "number" &&
    one.value > 50 && areOneMeasure(one.value, other.value);
}

export function withoutCommon(all: readonly TextTraits[]): readonly TextTraits[] {
  if (all.length < 2) return all;
  const [first, ...others] = all;
  if (!first) return all;
  const words = [...first.words].filter((word) => others.every((one) => one.words.has(word)));
  const kinds = [...first.kinds].map(([kind, traits]): [TraitKind, readonly Trait[]] => [
    kind,
    traits.filter((trait) =>
      others.every((one) => one.kinds.get(kind)?.some((other) => areSame(trait, other)))
    ),
  ]);
  const common = new Map(kinds);
  return all.map(({ kinds, words: own, numbers }) => ({
    words: own.difference(new Set(words)),
    numbers,
    kinds: new Map(
      [...kinds].map(([kind, traits]): [TraitKind, readonly Trait[]] => [
        kind,
        traits.filter((one) => !common.get(kind)?.some((other) => areSame(one, other))),
      ]).filter(([, traits]) => traits.length > 0),
    ),
  }));
}

export function likenessTo(variant: TextTraits, title: TextTraits) {
  let [hits, misses] = [0, 0];
  const conflicts: TraitKind[] = [];
  for (const [kind, traits] of variant.kinds) {
    const ours = title.kinds.get(kind);
    const isBareNumber = kind === "size" &&
      traits.some(({ value }) => title.numbers.has(Number(value)));
    const found = traits.filter((trait) => ours?.some((own) => areSame(own, trait)));
    if (found.length > 0 || isBareNumber) hits += 1;
    else if (ours) conflicts.push(kind);
    if (found.length < traits.length && !isBareNumber) misses += 1;
  }
  const words = [...variant.words];
  const known = words.filter((word) =>
    title.words.has(word) || (/^\d/.test(word) && title.numbers.has(Number(word)))
  );
  if (words.length > 0 && known.length === words.length) hits += 1;
  else misses += words.length - known.length;
  return { hits, misses, words: known.length, conflicts };
}

/**
 * Finds a kind of trait, such as the colour, for which every variant has a value, but none has the
 * value of our title. Returns both sides' values, or null if no such kind exists.
 */
export function unknownValue(variants: readonly TextTraits[], title: TextTraits) {
  for (const [kind, ours] of title.kinds) {
    const theirs = variants.map(({ kinds }) => kinds.get(kind) ?? []);
    if (theirs.length === 0 || theirs.some((traits) => traits.length === 0)) continue;
    const isOffered = theirs.flat().some((trait) => ours.some((own) => areSame(own, trait)));
    if (isOffered) continue;
    const texts = new Set(theirs.flat().map(({ text }) => text));
    return { ours: ours.map(({ text }) => text).join(" "), theirs: [...texts] };
  }
  return null;
}
