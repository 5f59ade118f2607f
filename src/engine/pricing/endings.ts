/** The amounts that a rule lets a price end in (docs/decisions/rules.md, The price). */

/** From `belowCents` of the range before it up to this one; both are minor units. */
export interface EndingRange {
  /** Excluded; null: no end. */
  readonly belowCents: number | null;
  /** Last digits of the minor units, any of them; none: every amount. */
  readonly endings: readonly string[];
}

/** Amounts from `lowCents` to `highCents`, both included; none when the first is the greater one. */
export interface Span {
  readonly lowCents: number;
  readonly highCents: number;
}

/** The allowed amounts; an amount is judged by the range that it lies in itself. */
export interface Endings {
  /** The greatest of the span; null when it has none. */
  greatest(span: Span): number | null;
  /** The least of the span; null when it has none. */
  least(span: Span): number | null;
}

interface Slice extends Span {
  readonly steps: readonly { readonly every: number; readonly ending: number }[];
}

const EVERY_AMOUNT = [{ every: 1, ending: 0 }];

/** `ranges` ascend, and the last one has no end; without any every amount is allowed. */
export function compileEndings(ranges: readonly EndingRange[]): Endings {
  const slices: Slice[] = ranges.map(({ belowCents, endings }, at) => ({
    lowCents: ranges[at - 1]?.belowCents ?? 0,
    highCents: belowCents === null ? Number.MAX_SAFE_INTEGER : belowCents - 1,
    steps: endings.length === 0
      ? EVERY_AMOUNT
      : endings.map((digits) => ({ every: 10 ** digits.length, ending: Number(digits) })),
  }));
  if (slices.length === 0) {
    slices.push({ lowCents: 0, highCents: Number.MAX_SAFE_INTEGER, steps: EVERY_AMOUNT });
  }
  return {
    greatest: (span) => best(slices, span, greatestOf, Math.max),
    least: (span) => best(slices, span, leastOf, Math.min),
  };
}

/** Both spans at once. */
export function overlap(a: Span, b: Span): Span {
  return {
    lowCents: Math.max(a.lowCents, b.lowCents),
    highCents: Math.min(a.highCents, b.highCents),
  };
}

function best(
  slices: readonly Slice[],
  span: Span,
  inSpan: (span: Span, every: number, ending: number) => number,
  pick: (...amounts: number[]) => number,
): number | null {
  let found: number | null = null;
  for (const slice of slices) {
    const part = overlap(slice, span);
    for (const { every, ending } of slice.steps) {
      const cents = inSpan(part, every, ending);
      if (cents < part.lowCents || cents > part.highCents) continue;
      found = found === null ? cents : pick(found, cents);
    }
  }
  return found;
}

function greatestOf({ highCents }: Span, every: number, ending: number): number {
  return highCents - remainder(highCents - ending, every);
}

function leastOf({ lowCents }: Span, every: number, ending: number): number {
  return lowCents + remainder(ending - lowCents, every);
}

function remainder(value: number, every: number): number {
  return ((value % every) + every) % every;
}
