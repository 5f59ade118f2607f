/**
 * Products that contain all that a filter leaves: what `q` finds, what its fields match, or what both
 * do.
 */
export interface Candidates {
  /** How many there are, roughly. */
  readonly count: number;
  /** Their ids after `after`, ascending, looked for only as far as they are taken. */
  idsAfter(after: string | null): Iterable<string>;
}
