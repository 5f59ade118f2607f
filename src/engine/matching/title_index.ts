/**
 * An index of the titles of a shop. It finds the titles that may be our product without comparing all of
 * them.
 */

import { titleScore } from "./title_score.ts";
import { type Side, sideOf, type SideText } from "./title_features.ts";
import { Vocabulary } from "./word_lists.ts";

const FIRST_LENGTH = 1_024;

/** Numbers from 0 to 2^32 - 1 by their place, four bytes each; what was never set is 0. */
export class GrowingNumbers {
  #numbers = new Uint32Array(FIRST_LENGTH);

  get bytes(): number {
    return this.#numbers.byteLength;
  }

  /** The numbers themselves, until one is set; zeros behind the last. */
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

/** Of a title that is looked for the rarest words lead to candidates. */
const LEADS_MAX = 10;
/** Words of more titles lead nowhere, but for the first leads. */
const TITLES_PER_LEAD_MAX = 2_000;
const LEADS_AT_ANY_LENGTH = 2;
/** Number of candidates that are compared word by word. */
const CANDIDATES_MAX = 20;

/** Suggestions start at this score; at most three are shown. */
export const SUGGESTED_SCORE = 0.15;
const SUGGESTED_MAX = 3;

/** A title of the index and how likely it names the article that was looked for. */
export interface Ranked {
  readonly entry: number;
  readonly score: number;
}

const NONE = 0;

/**
 * Titles by their words: for each word the chain of the entries that have it, newest first. An entry
 * is the place at which a title was added. Adding costs what the title is long, whatever is there.
 */
export class TitleIndex {
  readonly #vocabulary = new Vocabulary();
  readonly #sides: (Side | null)[] = [];
  /** By word: its last link, and how many there are. A link is never 0. */
  readonly #last = new GrowingNumbers();
  readonly #lengths = new GrowingNumbers();
  /** Two numbers for each link, side by side: its entry, and where the link before it is. */
  readonly #links = new GrowingNumbers();
  #free = 2;
  #sums = new Float32Array(0);

  /** Adds a title; its entry, which counts from 0. */
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

  /** Memory of the chains in bytes, without the titles. */
  get bytes(): number {
    return [this.#last, this.#lengths, this.#links]
      .reduce((sum, { bytes }) => sum + bytes, this.#sums.byteLength);
  }

  /** Takes a title out; its entry is not given again. */
  remove(entry: number): void {
    this.#sides[entry] = null;
  }

  /** Takes a title apart once, to be compared with the titles of this index. */
  read(text: SideText): Side {
    return sideOf(text, this.#vocabulary);
  }

  /** How likely an entry names the article; 0 for one that is gone. */
  scoreOf(ours: Side, entry: number): number {
    const side = this.#sides[entry];
    return side ? titleScore(ours, side, this.#vocabulary) : 0;
  }

  /** The titles that are likely enough to be shown to a person, the likeliest first. */
  suggest(ours: Side): Ranked[] {
    return this.rank(ours).filter(({ score }) => score >= SUGGESTED_SCORE).slice(0, SUGGESTED_MAX);
  }

  rank(ours: Side): Ranked[] {
    return this.candidates(ours).map((entry) => ({ entry, score: this.scoreOf(ours, entry) }))
      .sort((a, b) => b.score - a.score || a.entry - b.entry);
  }

  /** The entries that share most with a title by what their words say, in no order. */
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
    const best = mostOf(touched, sums);
    for (const entry of touched) sums[entry] = 0;
    return best;
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
    return rare.slice(0, LEADS_MAX).filter((word, at) =>
      at < LEADS_AT_ANY_LENGTH || this.#lengths.get(word) <= TITLES_PER_LEAD_MAX
    );
  }
}

/** The entries with the largest sums; of equal ones the older. */
function mostOf(entries: readonly number[], sums: Float32Array): number[] {
  const sumOf = (entry: number) => sums[entry] ?? 0;
  if (entries.length <= CANDIDATES_MAX) return [...entries];
  const best: number[] = [];
  const isBehind = (one: number, other: number) =>
    sumOf(one) < sumOf(other) || (sumOf(one) === sumOf(other) && one > other);
  for (const entry of entries) {
    const last = best[best.length - 1];
    if (best.length === CANDIDATES_MAX && last !== undefined && !isBehind(last, entry)) continue;
    let at = best.length;
    while (at > 0 && isBehind(best[at - 1] ?? 0, entry)) at -= 1;
    best.splice(at, 0, entry);
    if (best.length > CANDIDATES_MAX) best.pop();
  }
  return best;
}
