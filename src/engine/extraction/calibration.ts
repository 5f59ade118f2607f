/**
 * The confidence bands, with the number of prices that were right on the test pages.
 * `tests/engine/extraction/saved_pages_test.ts` computes this table.
 */

export interface ConfidenceBand {
  readonly from: number;
  readonly right: number;
  readonly of: number;
}

/** Highest confidence first. */
export const CALIBRATION: readonly ConfidenceBand[] = [
  { from: 1, right: 124, of: 124 },
  { from: 0.9, right: 52, of: 52 },
  { from: 0.8, right: 114, of: 114 },
  { from: 0.7, right: 26, of: 26 },
  { from: 0, right: 10, of: 22 },
];

/** Null if no price on the test pages has a confidence in the band. */
export function bandOf(confidence: number): ConfidenceBand | null {
  const band = CALIBRATION.find(({ from }) => confidence >= from);
  return band && band.of > 0 ? band : null;
}
