/** Clocks differ: what is dated further ahead of ours, in milliseconds, is a mistake. */
export const AHEAD_MS_MAX = 5 * 60_000;
