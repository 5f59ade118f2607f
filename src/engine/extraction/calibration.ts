/**
 * What each band of confidence was worth so far: how many prices of the pages in the tests were right.
 * `tests/engine/extraction/calibration_test.ts` counts them again, and writes the table.
 */

export interface ConfidenceBand {
  /** The lowest confidence of the band; the band above it begins where this one ends. */
  readonly from: number;
  readonly right: number;
  readonly of: number;
}

/** The surest first. */
export const CALIBRATION: readonly ConfidenceBand[] = [
  { from: 1, right: 127, of: 127 },
  { from: 0.9, right: 57, of: 57 },
  { from: 0.8, right: 104, of: 104 },
  { from: 0.7, right: 26, of: 26 },
  { from: 0, right: 10, of: 22 },
];

/** Null for a band of which no page is known. */
export function bandOf(confidence: number): ConfidenceBand | null {
  const band = CALIBRATION.find(({ from }) => confidence >= from);
  return band && band.of > 0 ? band : null;
}
