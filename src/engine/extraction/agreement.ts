import { compareDecimals } from "./amount.ts";
import type { Reading } from "./reading.ts";

/** How sure the first reading is, beside the others. */
export interface Agreement {
  /** 0 to 1 (docs/decisions/rules.md). */
  readonly confidence: number;
  readonly why: string;
}

/**
 * Two methods that agree: 1. One method alone: 0.9. Any that disagrees: 0.7 when another one supports
 * the first, else 0.6, and 0.5 when the others agree against it. A doubt about the choice within the
 * method, or about the page as a whole, leaves 0.7 at most.
 */
export function agreementOf(
  first: Reading,
  others: readonly Reading[],
  doubts: readonly string[],
): Agreement {
  const supports = others.filter((other) => agree(first, other));
  const against = others.filter((other) => !agree(first, other));
  const own = (first.isSure && !first.isUndecided) || supports.length > 0
    ? []
    : ["the choice within the method is not sure"];
  const reasons = [
    ...supports.map(({ method }) => `${method} agrees`),
    ...against.map(({ method }) => `${method} disagrees`),
    ...own,
    ...doubts,
  ];
  const doubtful = own.length + doubts.length > 0 ? 0.7 : 1;
  return {
    confidence: Math.min(confidenceOf(supports, against), doubtful),
    why: reasons.join(", ") || "the only method",
  };
}

/** The same amount; a method that names no currency does not contradict one. */
export function agree(one: Reading, other: Reading): boolean {
  const isOneCurrency = one.currency === null || other.currency === null ||
    one.currency === other.currency;
  return isOneCurrency && compareDecimals(one.decimal, other.decimal) === 0;
}

function confidenceOf(supports: readonly Reading[], against: readonly Reading[]): number {
  const [rival] = against;
  if (rival === undefined) return supports.length > 0 ? 1 : 0.9;
  if (supports.length > 0) return 0.7;
  return against.length > 1 && against.every((other) => agree(rival, other)) ? 0.5 : 0.6;
}
