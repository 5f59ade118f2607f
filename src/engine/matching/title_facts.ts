/** Finds the facts of a title, such as codes, measures and colours. */

import { type Mention, type Reading, readRest, type TitleDraft } from "./title_codes.ts";
import {
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
  ROMAN,
  TIERS,
  USED_WORDS,
  type Vocabulary,
  WITH_WORDS,
} from "./word_lists.ts";

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
  const reading: Reading = {
    words: new Set(),
    joined: joinedOf(atoms),
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
  readAtoms({ atoms, reading, vocabulary });
  for (const { word, isWord } of brandAtoms) {
    if (isWord) reading.words.add(vocabulary.numberOf(word));
  }
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

/** Returns the position after the measure; `at` if no measure begins there. */
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
