/** A title, taken apart once, so that it can be compared with many. */
import { type Atom, atomsOf, type Dimension, unitOf } from "./title_atoms.ts";
import type { Vocabulary } from "./vocabulary.ts";
import {
  COLOURS,
  EDITIONS,
  FITTING_WORDS,
  FOR_WORDS,
  GENDER_PREFIXES,
  GENDERS,
  isAccessoryWord,
  LITTLE_WORDS,
  PACK_COUNTS,
  PACK_WORDS,
  ROMAN,
  SET_WORDS,
  SHORT_SIZES,
  SIZE_WORDS,
  SIZES,
  TIERS,
  USED_WORDS,
  WITH_WORDS,
} from "./word_lists.ts";

/** No honest title has more of anything. */
const MANY = 40;
/** Shorter numbers are measures, years and prices. */
const CODE_DIGITS_MIN = 5;
const CODE_DIGITS_BESIDE_LETTERS_MIN = 2;
/** Longer runs of letters beside a number are words, not parts of a code. */
const CODE_LETTERS_MAX = 5;
const SERIES_NUMBER_MAX = 999;
const SERIES_LETTERS_MAX = 4;
const PACK_MAX = 200;
/** Dimensions in which `4 x 250 ml` is a pack; two modules of memory are one article. */
const PACKED: ReadonlySet<Dimension> = new Set<Dimension>(["volume", "mass", "pieces", "sheets"]);
/** So far behind an accessory may stand what it is for. */
const FOR_WITHIN = 5;

export interface Quantity {
  readonly dimension: Dimension;
  readonly value: number;
  /** As the title has it, folded. */
  readonly text: string;
}

/** A word or more that means something, as the title has it, folded. */
export interface Said<Meaning> {
  readonly meaning: Meaning;
  readonly text: string;
}

/** The facts in a title. Words are their numbers in a vocabulary, each once and ascending. */
export interface TitleFacts {
  readonly words: readonly number[];
  /** Words of the description, which only help to find those of another title. */
  readonly textWords: readonly number[];
  /** Letters and digits of title and description without anything between them. */
  readonly joined: string;
  /** Model and part numbers without separators, in their order. */
  readonly codes: readonly number[];
  /** Letters and the number behind a blank as one: `ECAM 22.110`. For finding alone. */
  readonly joins: readonly number[];
  readonly quantities: readonly Quantity[];
  readonly numbers: readonly number[];
  /** A word and the short number behind it. */
  readonly series: readonly Said<{ readonly word: number; readonly number: number }>[];
  readonly colours: readonly Said<number>[];
  readonly genders: Said<number> | null;
  readonly editions: Said<number> | null;
  /** Bits of the steps of a line. */
  readonly tiers: Said<number> | null;
  /** How many pieces are sold as one; null where the title does not say. */
  readonly pack: Said<number> | null;
  readonly sizes: readonly string[];
  /** A word for an accessory, and whether the title says that it is for another article. */
  readonly accessory: Said<"named" | "for"> | null;
  /** A word for an article that is not new. */
  readonly usedWord: string | null;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

interface Reading extends
  Omit<
    Mutable<TitleFacts>,
    "words" | "codes" | "joins" | "quantities" | "numbers" | "series" | "colours" | "sizes"
  > {
  readonly words: Set<number>;
  readonly codes: Set<number>;
  readonly joins: Set<number>;
  readonly quantities: Quantity[];
  readonly numbers: number[];
  readonly series: Said<{ word: number; number: number }>[];
  readonly colours: Said<number>[];
  readonly sizes: string[];
}

const NOTHING: readonly never[] = [];

/** Takes a title apart; the words of the brand count as words of it. */
export function titleFacts(
  { title, brand, text }: {
    readonly title: string;
    readonly brand?: string | null;
    readonly text?: string | null;
  },
  vocabulary: Vocabulary,
): TitleFacts {
  const atoms = atomsOf(title);
  const brandAtoms = brand ? atomsOf(brand) : NOTHING;
  const textAtoms = text ? atomsOf(text) : NOTHING;
  const reading: Reading = {
    words: new Set(),
    textWords: NOTHING,
    joined: "",
    codes: new Set(),
    joins: new Set(),
    quantities: [],
    numbers: [],
    series: [],
    colours: [],
    genders: null,
    editions: null,
    tiers: null,
    pack: null,
    sizes: [],
    accessory: null,
    usedWord: null,
  };
  readAtoms(atoms, reading, vocabulary);
  for (const { word, isWord } of brandAtoms) {
    if (isWord) reading.words.add(vocabulary.numberOf(word));
  }
  if (textAtoms.length > 0) {
    const described = new Set<number>();
    for (const one of textAtoms) described.add(vocabulary.numberOf(one.word));
    reading.textWords = ascending(described);
  }
  reading.joined = joinedOf(atoms) + (textAtoms.length > 0 ? ` ${joinedOf(textAtoms)}` : "");
  return {
    ...reading,
    words: ascending(reading.words),
    codes: kept([...reading.codes]),
    joins: ascending(reading.joins),
    quantities: kept(reading.quantities),
    numbers: kept(reading.numbers),
    series: kept(reading.series),
    colours: kept(reading.colours),
    sizes: kept(reading.sizes),
  };
}

function joinedOf(atoms: readonly Atom[]): string {
  let joined = "";
  for (const { digits, word } of atoms) joined += digits ?? word;
  return joined;
}

function ascending(numbers: ReadonlySet<number>): readonly number[] {
  return numbers.size === 0 ? NOTHING : [...numbers].sort((a, b) => a - b);
}

function kept<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? NOTHING : list.slice(0, MANY);
}

function readAtoms(atoms: readonly Atom[], reading: Reading, vocabulary: Vocabulary): void {
  for (let from = 0; from < atoms.length;) {
    let to = from + 1;
    while (to < atoms.length && atoms[to]?.glue !== " ") to += 1;
    from = Math.max(to, readChunk(atoms, from, to, reading, vocabulary));
  }
}

/** Reads what stands between two blanks, and a unit behind it; the place of what comes next. */
function readChunk(
  atoms: readonly Atom[],
  from: number,
  to: number,
  reading: Reading,
  vocabulary: Vocabulary,
): number {
  const spent = new Set<number>();
  let next = to;
  for (let at = from; at < to; at += 1) {
    if (spent.has(at)) continue;
    const end = atoms[at]?.isWord
      ? readWord(atoms, at, reading, vocabulary)
      : readMeasure(atoms, at, reading, vocabulary);
    for (let used = at; used < end; used += 1) spent.add(used);
    next = Math.max(next, end);
  }
  const rest: Atom[] = [];
  for (let at = from; at < to; at += 1) {
    const atom = atoms[at];
    if (atom && !spent.has(at)) rest.push(atom);
  }
  if (rest.length > 0) readRest(rest, atoms[from - 1], spent.size === 0, reading, vocabulary);
  return next;
}

/** A number with its unit, or a pack; the place behind it, or its own where it is neither. */
function readMeasure(
  atoms: readonly Atom[],
  at: number,
  reading: Reading,
  vocabulary: Vocabulary,
): number {
  const atom = atoms[at];
  const before = atoms[at - 1];
  const unit = atoms[at + 1];
  if (!atom || !unit?.isWord) return at;
  if (before?.isWord && before.word !== "x" && atom.glue === "") return at;
  const isGlued = unit.glue === "";
  if (!isGlued && unit.glue !== " " && unit.glue !== "-") return at;
  const behind = atoms[at + 2];
  const text = `${atom.text}${isGlued ? "" : unit.glue}${unit.text}`;
  if (unit.word === "er" && isGlued && atom.glue === " " && atom.value <= PACK_MAX) {
    reading.pack ??= { meaning: atom.value, text };
    return at + 2;
  }
  if (unit.word === "x" && behind && !behind.isWord) {
    const behindUnit = atoms[at + 3];
    const measured = behindUnit?.isWord && behindUnit.glue !== "-"
      ? unitOf(behindUnit.word, behindUnit.glue === "")
      : null;
    if (measured === null || atom.value > PACK_MAX) return at;
    if (measured.dimension === "length") {
      add(reading, measured.dimension, atom.value * measured.size, atom.text, vocabulary);
    } else if (PACKED.has(measured.dimension)) {
      reading.pack ??= { meaning: atom.value, text: `${atom.text}x` };
    }
    return at + 2;
  }
  const isPack = PACK_WORDS.has(unit.word) && (unit.glue !== " " || !SET_WORDS.has(unit.word));
  if (isPack && atom.glue === " " && atom.value <= PACK_MAX) {
    reading.pack ??= { meaning: atom.value, text };
    return at + 2;
  }
  if (behind?.glue === "" && !behind.isWord) return at;
  if (unit.word === "x" && isGlued && at === 0 && atom.value <= PACK_MAX) {
    reading.pack ??= { meaning: atom.value, text };
    return at + 2;
  }
  const measured = unitOf(unit.word, isGlued);
  if (measured === null || (measured.dimension === "pieces" && unit.glue === "-")) return at;
  add(reading, measured.dimension, measuredValue(atom, measured.size), text, vocabulary);
  return at + 2;
}

/** `2.500 ml` are thousands, `2.500 l` are not: nobody measures small units to three places. */
function measuredValue({ text, value }: Atom, size: number): number {
  const isThousands = size <= 1 && /^\d{1,3}[.,]\d{3}$/.test(text);
  return size * (isThousands ? Number(text.replace(/[.,]/, "")) : value);
}

function add(
  reading: Reading,
  dimension: Dimension,
  value: number,
  text: string,
  vocabulary: Vocabulary,
): void {
  const isKnown = reading.quantities.some((one) =>
    one.dimension === dimension && one.value === value
  );
  if (!isKnown) reading.quantities.push({ dimension, value, text });
  reading.words.add(vocabulary.numberOf(`${Math.round(value * 1_000) / 1_000} ${dimension}`));
}

/** A word and what it means; the place behind what is no longer needed for a code. */
function readWord(
  atoms: readonly Atom[],
  at: number,
  reading: Reading,
  vocabulary: Vocabulary,
): number {
  const atom = atoms[at];
  if (!atom) return at;
  const { word, text } = atom;
  const colour = COLOURS.get(word);
  if (colour !== undefined) reading.colours.push({ meaning: colour, text });
  const gender = GENDERS.get(word) ??
    (word.length > 6
      ? GENDER_PREFIXES.find(([prefix]) => word.startsWith(prefix))?.[1]
      : undefined);
  if (gender !== undefined) reading.genders = joinedBits(reading.genders, gender, text);
  const edition = EDITIONS.get(word);
  if (edition !== undefined) reading.editions = joinedBits(reading.editions, edition, text);
  const tier = TIERS.get(word);
  if (tier !== undefined) reading.tiers = joinedBits(reading.tiers, 1 << tier, text);
  const count = PACK_COUNTS.get(word);
  if (count !== undefined) reading.pack ??= { meaning: count, text };
  const of = atoms[at + 1];
  const many = atoms[at + 2];
  if (PACK_WORDS.has(word) && of?.word === "of" && many && !many.isWord && many.value <= PACK_MAX) {
    reading.pack ??= { meaning: many.value, text: `${text} of ${many.text}` };
  }
  readSize(atoms, at, reading);
  if (reading.accessory?.meaning !== "for" && isAccessoryWord(word)) {
    const ahead = atoms.slice(at + 1, at + 1 + FOR_WITHIN);
    const isFor = ahead.some((leading) => FOR_WORDS.has(leading.word));
    reading.accessory = { meaning: isFor ? "for" : "named", text };
  }
  if (FITTING_WORDS.has(word) && of && (FOR_WORDS.has(of.word) || WITH_WORDS.has(of.word))) {
    reading.accessory = { meaning: "for", text: `${text} ${of.text}` };
  }
  if (reading.usedWord === null) {
    const compound = of?.glue === "-" ? `${word}${of.word}` : word;
    if (USED_WORDS.has(compound)) reading.usedWord = text;
  }
  const isPart = atom.glue === "" || atoms[at + 1]?.glue === "";
  if (!isPart) reading.words.add(vocabulary.numberOf(meant(word, colour, gender)));
  const roman = ROMAN.get(word);
  if (roman !== undefined) reading.numbers.push(roman);
  return at;
}

/** Words of several languages that mean the same are one. */
function meant(word: string, colour: number | undefined, gender: number | undefined): string {
  if (colour !== undefined) return `${colour} colour`;
  return gender === undefined ? word : `${gender} gender`;
}

function joinedBits(known: Said<number> | null, bits: number, text: string): Said<number> {
  return known === null ? { meaning: bits, text } : {
    meaning: known.meaning | bits,
    text: known.meaning & bits ? known.text : `${known.text} ${text}`,
  };
}

function readSize(atoms: readonly Atom[], at: number, reading: Reading): void {
  const atom = atoms[at];
  if (!atom) return;
  const { word, text } = atom;
  const next = atoms[at + 1];
  if (SIZE_WORDS.has(word) && next && next.glue !== "-") {
    if (!next.isWord) reading.sizes.push(String(next.value));
    else if (SIZES.has(next.word) || SHORT_SIZES.has(next.word)) reading.sizes.push(next.text);
  } else if (SIZES.has(word)) reading.sizes.push(text);
}

/** Reads codes, words with digits, and numbers. */
function readRest(
  rest: readonly Atom[],
  before: Atom | undefined,
  isWhole: boolean,
  reading: Reading,
  vocabulary: Vocabulary,
): void {
  const pieces = piecesOf(rest);
  const hasWord = pieces.some(({ letters, digits }) => digits === 0 && letters > CODE_LETTERS_MAX);
  const whole = isWhole && !hasWord && pieces.length > 1 ? merged(pieces) : null;
  const named = whole === null ? [] : namedApart(pieces);
  const parts = whole !== null && isCode(whole) ? (named.every(isCode) ? named : [whole]) : pieces;
  for (const piece of parts) {
    if (isCode(piece)) {
      const code = vocabulary.numberOf(piece.text);
      reading.codes.add(code);
      reading.words.add(code);
    }
  }
  for (const [at, piece] of pieces.entries()) {
    if (piece.digits === 0) continue;
    const ahead = pieces[at - 1];
    const word = ahead ? (ahead.digits === 0 ? ahead : null) : before?.isWord ? before : null;
    if (piece.letters === 0) readNumber(piece, word, parts !== pieces, reading, vocabulary);
    else {
      reading.words.add(vocabulary.numberOf(piece.text));
      readMixed(piece, reading, vocabulary);
    }
  }
  const [first] = pieces;
  if (first && first.digits > 0 && before?.isWord && before.word.length <= CODE_LETTERS_MAX) {
    const joined = `${before.word}${(whole ?? first).text}`;
    if (first.digits >= CODE_DIGITS_BESIDE_LETTERS_MIN) {
      reading.joins.add(vocabulary.numberOf(joined));
    }
  }
}

/** Letters and digits that touch each other. */
interface Piece {
  readonly glue: string;
  readonly text: string;
  readonly word: string;
  readonly letters: number;
  readonly digits: number;
  readonly atoms: readonly Atom[];
}

function piecesOf(atoms: readonly Atom[]): Piece[] {
  const groups: Atom[][] = [];
  for (const atom of atoms) {
    const last = groups.at(-1);
    if (last && atom.glue === "") last.push(atom);
    else groups.push([atom]);
  }
  return groups.map(pieceOf);
}

function pieceOf(atoms: readonly Atom[]): Piece {
  const text = joinedOf(atoms);
  let letters = 0;
  for (const { isWord, word } of atoms) if (isWord) letters += word.length;
  return {
    glue: atoms[0]?.glue ?? " ",
    text,
    word: text,
    letters,
    digits: text.length - letters,
    atoms,
  };
}

/** The parts between strokes: `EG-1234/EG-1235`. */
function namedApart(pieces: readonly Piece[]): Piece[] {
  const groups: Piece[][] = [];
  for (const piece of pieces) {
    const last = groups.at(-1);
    if (last && piece.glue !== "/") last.push(piece);
    else groups.push([piece]);
  }
  return groups.map(merged);
}

function merged(pieces: readonly Piece[]): Piece {
  return pieceOf(pieces.flatMap(({ atoms }) => atoms));
}

function isCode({ letters, digits, atoms }: Piece): boolean {
  // `1920x1080`
  if (letters === 1 && atoms[1]?.word === "x") return false;
  if (letters > 0) return digits >= CODE_DIGITS_BESIDE_LETTERS_MIN;
  const separators = atoms.reduce(
    (sum, { text, digits: own }) => sum + text.length - (own?.length ?? 0),
    0,
  );
  return digits >= CODE_DIGITS_MIN && (atoms.length > 1 || separators !== 1);
}

function readNumber(
  { atoms }: Piece,
  word: { readonly word: string; readonly text: string } | null,
  isInCode: boolean,
  reading: Reading,
  vocabulary: Vocabulary,
): void {
  const [atom] = atoms;
  if (!atom) return;
  const { value, text, digits } = atom;
  reading.words.add(
    vocabulary.numberOf(digits === text ? digits.replace(/^0+(?=\d)/, "") : String(value)),
  );
  if (isInCode || value >= 10_000) return;
  reading.numbers.push(value);
  if (word === null || value > SERIES_NUMBER_MAX || LITTLE_WORDS.has(word.word)) return;
  reading.series.push({
    meaning: { word: vocabulary.numberOf(word.word), number: value },
    text: `${word.text} ${text}`,
  });
}

/** `S24`: letters before a short number. */
function readMixed({ atoms, text }: Piece, reading: Reading, vocabulary: Vocabulary): void {
  const [letters, number, more] = atoms;
  if (!letters?.isWord || !number || number.isWord || more) return;
  if (letters.word === "v" || letters.word === "r") reading.numbers.push(number.value);
  if (letters.word.length > SERIES_LETTERS_MAX || number.value >= 100) return;
  reading.series.push({
    meaning: { word: vocabulary.numberOf(letters.word), number: number.value },
    text,
  });
}
