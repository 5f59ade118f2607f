/**
 * Rests after a failed try to reach somebody outside: 8 tries over 24 h
 * (docs/decisions/identity.md, Webhooks).
 */
const RESTS_MS = [5_000, 60_000, 600_000, 3_600_000, 10_800_000, 28_140_000, 43_200_000];
const JITTER = 0.2;

/** How many failed tries are followed by another one. */
export const RETRIES_MAX = RESTS_MS.length;

/**
 * How long to wait after the `failures`-th failed try, 20 % more or less so that many do not come back
 * at once; null when there is to be no other. The first rest is at most 6 s.
 */
export function restAfterMs(failures: number, random: () => number): number | null {
  const restMs = RESTS_MS[failures - 1];
  return restMs === undefined ? null : Math.round(restMs * (1 + JITTER * (2 * random() - 1)));
}

/**
 * No rest after the `failures`-th failed try is longer; 0 when there was none, or it was the last.
 */
export function longestRestMs(failures: number): number {
  return restAfterMs(failures, () => 1) ?? 0;
}
