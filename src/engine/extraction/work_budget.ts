import { TooComplex } from "../../base/too_complex.ts";

/** For every page, however short. */
const UNITS_MIN = 5_000_000;
const UNITS_PER_CHARACTER = 8;

/**
 * The work that one page may cost, all extractors, selectors and paths together: it is owned by the
 * page, and whoever looks at a part of the page takes from it before he looks. One unit is one look
 * at a node, a value or a few characters, about 20 ns; what takes longer takes as many units. Honest
 * pages take less than a tenth of theirs.
 */
export class WorkBudget {
  #left: number;

  /** For a page of so many characters. */
  constructor(characters: number) {
    this.#left = UNITS_MIN + UNITS_PER_CHARACTER * characters;
  }

  /** Units that nobody has taken yet. */
  get left(): number {
    return this.#left;
  }

  /** Takes units; throws `TooComplex` where none are left. */
  take(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw new TooComplex("The page takes more work than any honest one");
  }

  /** Takes one unit, and one for every 16 characters that are to be looked through. */
  takeText(length: number): void {
    this.take(1 + (length >> 4));
  }
}
