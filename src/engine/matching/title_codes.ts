/** Reads codes, numbers and series from the parts of a title that are not measures. */
import { type Atom, type Dimension, joinedOf } from "../../base/title_atoms.ts";
import { LITTLE_WORDS, type Vocabulary } from "./word_lists.ts";

interface Quantity {
  readonly dimension: Dimension;
  readonly value: number;
  readonly text: string;
}

export interface Mention<Meaning> {
  readonly meaning: Meaning;
  readonly text: string;
}

/** Words are stored as their numbers in `Vocabulary`. */
export interface Reading {
  readonly words: Set<number>;
  readonly joined: string;
  /** Model and part numbers without separators, in the order of the title. */
  readonly codes: Set<number>;
  /** Words of letters joined with a following number: `ecam22110` for `ECAM 22.110`. */
  readonly joins: Set<number>;
  readonly quantities: Quantity[];
  readonly numbers: number[];
  readonly series: Mention<{ readonly word: number; readonly number: number }>[];
  readonly colours: Mention<number>[];
  genders: Mention<number> | null;
  editions: Mention<number> | null;
  /** The tiers of a product line, such as `Pro` and `Mini`, are stored as bits. */
  tiers: Mention<number> | null;
  pack: Mention<number> | null;
  readonly sizes: string[];
  /** `for` means that the accessory is made for another article. */
  accessory: Mention<"named" | "for"> | null;
  usedWord: string | null;
}

const CODE_DIGITS_MIN = 5;
const CODE_DIGITS_BESIDE_LETTERS_MIN = 2;
const CODE_LETTERS_MAX = 5;

/** A title whose facts are being read. */
export interface TitleDraft {
  readonly atoms: readonly Atom[];
  readonly reading: Reading;
  readonly vocabulary: Vocabulary;
}

/**
 * Reads the codes and numbers of a chunk, which is a part of the title between two blanks. The
 * chunk begins at index `from`. `rest` contains its atoms that are not measures, and `isWhole` is
 * true if the chunk contains no measures.
 */
export function readRest(
  draft: TitleDraft,
  from: number,
  rest: readonly Atom[],
  isWhole: boolean,
): void {
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
  if (first && first.digits > 0 && before?.isWord && before.word.length <= CODE_LETTERS_MAX) {
    const joined = `${before.word}${(whole ?? first).text}`;
    if (first.digits >= CODE_DIGITS_BESIDE_LETTERS_MIN) {
      reading.joins.add(vocabulary.numberOf(joined));
    }
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
  // A resolution such as `1920x1080` is not a code.
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
