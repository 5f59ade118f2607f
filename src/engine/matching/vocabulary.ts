import { COMMON_WORDS } from "./word_lists.ts";

/** Where no titles are counted: of so many, so many would have a common word, and others. */
const ASSUMED_TITLES = 10_000;
const ASSUMED_COMMON = 1_000;
const ASSUMED_OTHERS = 20;

const WEIGHTS_KEPT = 4_096;

/** The words of titles as small numbers, and in how many of the titles at hand each one is. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  readonly #words: string[] = [];
  readonly #counts: number[] = [];
  #titles = 0;
  /** Weights by how many titles have a word, while there are so many titles. */
  readonly #weights = new Float64Array(WEIGHTS_KEPT);
  #weighedTitles = -1;
  /** Words that many titles are assumed to have, beside those that are common everywhere. */
  readonly #assumed: ReadonlySet<string>;

  constructor(assumed: readonly string[] = []) {
    this.#assumed = new Set(assumed);
  }

  /** The number of a word; a new one gets the next. */
  numberOf(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const number = this.#words.push(word) - 1;
    this.#numbers.set(word, number);
    this.#counts.push(0);
    return number;
  }

  wordOf(number: number): string {
    return this.#words[number] ?? "";
  }

  /** A title at hand, by the numbers of its words, each once. */
  count(numbers: readonly number[]): void {
    this.#titles += 1;
    for (const number of numbers) this.#counts[number] = (this.#counts[number] ?? 0) + 1;
  }

  /** How much a word says, from 0 on: the rarer the more. */
  weightOf(number: number): number {
    const count = this.#titles === 0 ? this.#assumedCount(number) : this.#counts[number] ?? 0;
    if (this.#weighedTitles !== this.#titles) {
      this.#weighedTitles = this.#titles;
      this.#weights.fill(0);
    }
    const known = this.#weights[count];
    if (known) return known;
    const weight = Math.log(1 + (this.#titles || ASSUMED_TITLES) / (1 + count));
    if (count < this.#weights.length) this.#weights[count] = weight;
    return weight;
  }

  #assumedCount(number: number): number {
    const word = this.wordOf(number);
    return COMMON_WORDS.has(word) || this.#assumed.has(word) ? ASSUMED_COMMON : ASSUMED_OTHERS;
  }

  /** What a word says that no title at hand has. */
  get weightMax(): number {
    return Math.log(1 + (this.#titles || ASSUMED_TITLES));
  }
}
