/**
 * Takes away what was asked for longest ago, which stands first, until the rest is no larger than
 * `sizeMax`. What was asked for last stays, whatever its size.
 */
export function forgetOldest<Kept>(
  kept: Map<string, Kept>,
  sizeMax: number,
  sizeOf: (one: Kept) => number,
): void {
  let size = kept.values().reduce((sum, one) => sum + sizeOf(one), 0);
  for (const [key, one] of kept) {
    if (size <= sizeMax || kept.size === 1) return;
    kept.delete(key);
    size -= sizeOf(one);
  }
}
