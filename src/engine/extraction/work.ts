/**
 * The work that reading one page may cost, all extractors, selectors and paths together. The door that
 * a page comes in by opens a budget with `withinWork`, in a Worker or not; whatever looks at a part of
 * the page spends units of it before it looks. Reading is synchronous, so there is one budget at a
 * time. One unit is one look at a node, a value or a few characters, about 20 ns; what takes longer
 * spends as many units. Honest pages spend less than a tenth of theirs.
 */

import { TooComplex } from "../../base/failure.ts";

const UNITS_MIN = 5_000_000;
const UNITS_PER_CHARACTER = 8;

/** Units that are not spent yet; none outside `withinWork`. */
let left = 0;

/** Reads a page of so many characters; throws `TooComplex` when its budget is spent. */
export function withinWork<T>(characters: number, read: () => T): T {
  const outer = left;
  left = UNITS_MIN + UNITS_PER_CHARACTER * characters;
  try {
    return read();
  } finally {
    left = outer;
  }
}

export function workLeft(): number {
  return left;
}

export function spend(units: number): void {
  left -= units;
  if (left < 0) throw new TooComplex("The page takes more work than any honest one");
}

/** Spends one unit, and one for every 16 characters that are to be looked through. */
export function spendOnText(length: number): void {
  spend(1 + (length >> 4));
}
