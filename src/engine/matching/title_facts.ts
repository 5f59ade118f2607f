/** Finds the facts of a title, such as codes, measures and colours. */
import {
  type Atom,
  atomsOf,
  COLOURS,
  type Dimension,
  joinedOf,
  measuredValue,
  PACK_COUNTS,
  PACK_WORDS,
  SET_WORDS,
  SHORT_SIZES,
  SIZE_WORDS,
  SIZES,
  unitOf,
} from "../../base/title_atoms.ts";
import {
  EDITIONS,
  FITTING_WORDS,
  FOR_WORDS,
  GENDER_PREFIXES,
  GENDERS,
  isAccessoryWord,
  LITTLE_WORDS,
  ROMAN,
  TIERS,
  USED_WORDS,
  type Vocabulary,
  WITH_WORDS,
} from "./word_lists.ts";

interface Mention<Meaning> {
  readonly meaning: Meaning;
  readonly text: string;
}

/** Facts of a title. Each word is stored as its number in the `Vocabulary`. */
class Reading {
  readonly words = new Set<number>();
  /** Model and part numbers without separators, in the order of the title. */
  readonly codes = new Set<number>();
  /** Letters joined with the number that follows: `ecam22110` for `ECAM 22.110`. */
  readonly joins = new Set<number>();
  readonly quantities: { dimension: Dimension; value: number; text: string }[] = [];
  readonly numbers: number[] = [];
  readonly series: Mention<{ readonly word: number; readonly number: number }>[] = [];
  readonly colours: Mention<number>[] = [];
  genders: Mention<number> | null = null;
  editions: Mention<number> | null = null;
  /** The tiers of a product line that the title names, such as `Pro` and `Mini`, as bits. */
  tiers: Mention<number> | null = null;
  pack: Mention<number> | null = null;
  readonly sizes: string[] = [];
  /** `named`: the title has an accessory word. `for`: it has a phrase such as `Hülle für`. */
  accessory: Mention<"named" | "for"> | null = null;
  usedWord: string | null = null;
}

const CODE_DIGITS_MIN = 5;
const CODE_DIGITS_BESIDE_LETTERS_MIN = 2;
const CODE_LETTERS_MAX = 5;

interface TitleDraft {
  readonly atoms: readonly Atom[];
  readonly reading: Reading;
  readonly vocabulary: Vocabulary;
}

/**
 * Reads the codes and numbers of a chunk, which is a part of the title between two blanks. `from`
 * is the index of the chunk's first atom (word or number) in `draft.atoms`. `rest` contains the
 * atoms that do not belong to a measure. `isWhole` is true for a chunk without measures.
 */
function readRest(draft: TitleDraft, from: number, rest: readonly Atom[], isWhole: boolean) {
  const { reading, vocabulary } = draft;
  const before = draft.atoms[from - 1];
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
    if (piece.letters === 0) readNumber(draft, piece, word, parts !== pieces);
    else {
      reading.words.add(vocabulary.numberOf(piece.text));
      readMixed(draft, piece);
    }
  }
  const [first] = pieces;
  const isJoined = first && first.digits >= CODE_DIGITS_BESIDE_LETTERS_MIN;
  if (isJoined && before?.isWord && before.word.length <= CODE_LETTERS_MAX) {
    reading.joins.add(vocabulary.numberOf(`${before.word}${(whole ?? first).text}`));
  }
}

type Piece = ReturnType<typeof pieceOf>;

function piecesOf(atoms: readonly Atom[]): Piece[] {
  const groups: Atom[][] = [];
  for (const atom of atoms) {
    const last = groups.at(-1);
    if (last && atom.glue === "") last.push(atom);
    else groups.push([atom]);
  }
  return groups.map(pieceOf);
}

function pieceOf(atoms: readonly Atom[]) {
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
  // A resolution such as `1920x1080` is not a product code.
  if (letters === 1 && atoms[1]?.word === "x") return false;
  if (letters > 0) return digits >= CODE_DIGITS_BESIDE_LETTERS_MIN;
  const separators = atoms.reduce(
    (sum, { text, digits: own }) => sum + text.length - (own?.length ?? 0),
    0,
  );
  return digits >= CODE_DIGITS_MIN && (atoms.length > 1 || separators !== 1);
}

function readNumber(
  { reading, vocabulary }: TitleDraft,
  { atoms: [atom] }: Piece,
  word: { readonly word: string; readonly text: string } | null,
  isInCode: boolean,
): void {
  if (!atom) return;
  const { value, text, digits } = atom;
  reading.words.add(
    vocabulary.numberOf(digits === text ? digits.replace(/^0+(?=\d)/, "") : String(value)),
  );
  if (isInCode || value >= 10_000) return;
  reading.numbers.push(value);
  if (word === null || value > 999 || LITTLE_WORDS.has(word.word)) return;
  reading.series.push({
    meaning: { word: vocabulary.numberOf(word.word), number: value },
    text: `${word.text} ${text}`,
  });
}

function readMixed({ reading, vocabulary }: TitleDraft, { atoms, text }: Piece): void {
  const [letters, number, more] = atoms;
  if (!letters?.isWord || !number || number.isWord || more) return;
  if (letters.word === "v" || letters.word === "r") reading.numbers.push(number.value);
  if (letters.word.length > 4 || number.value >= 100) return;
  reading.series.push({
    meaning: { word: vocabulary.numberOf(letters.word), number: number.value },
    text,
  });
}

const FACTS_PER_KIND_MAX = 40;
const PACK_MAX = 200;
const PACKED_DIMENSIONS: ReadonlySet<Dimension> = new Set<Dimension>([
  "volume",
  "mass",
  "pieces",
  "sheets",
]);
const WORDS_BEFORE_FOR_MAX = 5;

const NOTHING: readonly never[] = [];

export type TitleFacts = Readonly<ReturnType<typeof titleFacts>>;

export function titleFacts(
  { title, brand }: { readonly title: string; readonly brand?: string | null },
  vocabulary: Vocabulary,
) {
  const atoms = atomsOf(title);
  const brandAtoms = brand ? atomsOf(brand) : NOTHING;
  const reading = new Reading();
  readAtoms({ atoms, reading, vocabulary });
  for (const { word, isWord } of brandAtoms) {
    if (isWord) reading.words.add(vocabulary.numberOf(word));
  }
  return {
    ...reading,
    joined: joinedOf(atoms),
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

function ascending(numbers: ReadonlySet<number>): readonly number[] {
  return numbers.size === 0 ? NOTHING : [...numbers].sort((a, b) => a - b);
}

function kept<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? NOTHING : list.slice(0, FACTS_PER_KIND_MAX);
}

function readAtoms(draft: TitleDraft): void {
  const { atoms } = draft;
  for (let from = 0; from < atoms.length;) {
    let to = from + 1;
    while (to < atoms.length && atoms[to]?.glue !== " ") to += 1;
    from = Math.max(to, readChunk(draft, from, to));
  }
}

function readChunk(draft: TitleDraft, from: number, to: number): number {
  const { atoms } = draft;
  const spent = new Set<number>();
  let next = to;
  for (let at = from; at < to; at += 1) {
    if (spent.has(at)) continue;
    if (atoms[at]?.isWord) {
      readWord(draft, at);
      continue;
    }
    const end = readMeasure(draft, at);
    for (let used = at; used < end; used += 1) spent.add(used);
    next = Math.max(next, end);
  }
  const rest = atoms.slice(from, to).filter((_, n) => !spent.has(from + n));
  if (rest.length > 0) readRest(draft, from, rest, spent.size === 0);
  return next;
}

/** Returns the index after the measure that begins at `at`; `at` itself if none begins there. */
function readMeasure(draft: TitleDraft, at: number): number {
  const { atoms, reading } = draft;
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
      add(draft, measured.dimension, atom.value * measured.size, atom.text);
    } else if (PACKED_DIMENSIONS.has(measured.dimension)) {
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
  add(draft, measured.dimension, measuredValue(atom, measured.size), text);
  return at + 2;
}

function add(
  { reading, vocabulary }: TitleDraft,
  dimension: Dimension,
  value: number,
  text: string,
): void {
  const isKnown = reading.quantities.some((one) =>
    one.dimension === dimension && one.value === value
  );
  if (!isKnown) reading.quantities.push({ dimension, value, text });
  reading.words.add(vocabulary.numberOf(`${Math.round(value * 1_000) / 1_000} ${dimension}`));
}

function readWord(draft: TitleDraft, at: number): void {
  const { atoms, reading, vocabulary } = draft;
  const atom = atoms[at];
  if (!atom) return;
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
  readSize(draft, at);
  if (reading.accessory?.meaning !== "for" && isAccessoryWord(word)) {
    const ahead = atoms.slice(at + 1, at + 1 + WORDS_BEFORE_FOR_MAX);
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
}

function meant(word: string, colour: number | undefined, gender: number | undefined): string {
  if (colour !== undefined) return `${colour} colour`;
  return gender === undefined ? word : `${gender} gender`;
}

function joinedBits(known: Mention<number> | null, bits: number, text: string): Mention<number> {
  return known === null ? { meaning: bits, text } : {
    meaning: known.meaning | bits,
    text: known.meaning & bits ? known.text : `${known.text} ${text}`,
  };
}

function readSize({ atoms, reading }: TitleDraft, at: number): void {
  const atom = atoms[at];
  if (!atom) return;
  const { word, text } = atom;
  const next = atoms[at + 1];
  if (SIZE_WORDS.has(word) && next && next.glue !== "-") {
    if (!next.isWord) reading.sizes.push(String(next.value));
    else if (SIZES.has(next.word) || SHORT_SIZES.has(next.word)) reading.sizes.push(next.text);
  } else if (SIZES.has(word)) reading.sizes.push(text);
}
