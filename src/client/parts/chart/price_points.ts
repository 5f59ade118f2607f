/** A price that holds until the next point; null is a time in which nothing is known. */
export interface PricePoint {
  readonly atMs: number;
  readonly cents: number | null;
}

/** One line of a chart of prices. */
export interface PriceSeries {
  readonly key: string;
  readonly label: string;
  /** Two letters, or what we are called. */
  readonly badge: string;
  /** 0 is ours; shops count from 1, and keep their number in the whole workspace. */
  readonly colour: number;
  /** Oldest first. */
  readonly points: readonly PricePoint[];
}

/** Causes of our price changes: an import, a rule, a proposal or a person. */
export type MarkerKind = "import" | "rule" | "proposal" | "person";

export interface Marker {
  readonly atMs: number;
  readonly kind: MarkerKind;
}

/** The price in force at a time; null before the first one, and where nothing is known. */
export function centsAt(points: readonly PricePoint[], atMs: number): number | null {
  return points.findLast((point) => point.atMs <= atMs)?.cents ?? null;
}
