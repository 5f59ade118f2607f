interface Costed {
  readonly costPriceCents: number | null;
}

/** The cost that a shown margin is computed from, as the service judges it: 0 is none. */
export function knownCost({ costPriceCents }: Costed): number | null {
  return costPriceCents !== null && costPriceCents > 0 ? costPriceCents : null;
}
