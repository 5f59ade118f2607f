/** The measured cost of hostile input, as the measuring process reports it. */

/** So much any input may cost, however short; and so much more for each MiB. */
export const ALLOWED_MS = 500;

/** The cost of one page. */
export interface Measured {
  readonly length: number;
  /** Of the processor, all threads together. */
  readonly ms: number;
  /** `price`, the code of a failure, `too_complex`, or an exception that there should not be. */
  readonly outcome: string;
}

/** A page and a quarter of it, with the selector or the path that `name` is. */
export interface MeasuredPair {
  readonly name: string;
  /** Null where the large one is so cheap that no growth could be too much. */
  readonly small: Measured | null;
  readonly large: Measured;
}
