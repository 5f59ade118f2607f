const PCT_SCALE = 10_000;

/** True when a price moves by more than the percent of the bound, up or down; exactly that much is not more. */
export function isLargeMove(
  { beyondPct }: { readonly beyondPct: number },
  fromCents: number,
  toCents: number,
): boolean {
  const moved = BigInt(Math.abs(toCents - fromCents)) * BigInt(100 * PCT_SCALE);
  return moved > BigInt(Math.round(beyondPct * PCT_SCALE)) * BigInt(fromCents);
}
