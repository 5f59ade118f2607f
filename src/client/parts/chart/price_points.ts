/** A price that holds until the next point; null is a time in which nothing is known. */
export interface PricePoint {
  readonly atMs: number;
  readonly cents: number | null;
}

/** One line of a chart of prices. */
export interface PriceSeries {
  readonly key: string;
  readonly label: string;
  /** Oldest first. */
  readonly points: readonly PricePoint[];
}
