/**
 * An index of titles, either of a shop's pages or of our products. A search compares a title only
 * with the indexed titles that share one of its rare words.
 */

import { TopN } from "../../base/collections.ts";
import { type Side, sideOf, type SideText, titleScore } from "./title_features.ts";
import { Vocabulary } from "./word_lists.ts";

const FIRST_LENGTH = 1_024;

class GrowingNumbers {
  #numbers = new Uint32Array(FIRST_LENGTH);

  /** A later call of `set` may replace this array by a longer one. */
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
  /** For each word, the position of its first list item in `#links`; 0 if no title has the word. */
  readonly #last = new GrowingNumbers();
  readonly #lengths = new GrowingNumbers();
  /** Linked lists of titles: an item has a title's number and the next item's position. */
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
