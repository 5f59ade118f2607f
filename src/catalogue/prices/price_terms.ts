/**
 * What of a product says, beside its own price, what customers pay: its rate of VAT, and the prices of
 * tiers from one piece on.
 */

/** What of a product is looked at. */
export interface PricedTerms {
  readonly vatRatePct: number | null;
  readonly currency: string;
  readonly updatedAt: string;
  readonly prices: readonly {
    readonly tier: string | null;
    readonly amountCents: number;
    readonly currency: string;
    readonly minQty: number | null;
  }[];
}

/** A tier's price before and after; null is none. Both are of the same currency. */
export type TierStep = readonly [
  tier: string | null,
  currency: string,
  fromCents: number | null,
  toCents: number | null,
];

/** What changed at a time. */
export interface TermsStep {
  readonly atMs: number;
  /** The product's own rate in percent, null where it goes by the workspace's; null where it stayed. */
  readonly vat: readonly [fromPct: number | null, toPct: number | null] | null;
  readonly tiers: readonly TierStep[];
}

/** Null when all of it stayed. */
export function termsStepOf(before: PricedTerms, after: PricedTerms): TermsStep | null {
  const vat = before.vatRatePct === after.vatRatePct
    ? null
    : [before.vatRatePct, after.vatRatePct] as const;
  const tiers = tierSteps(before, after);
  if (vat === null && tiers.length === 0) return null;
  return { atMs: Date.parse(after.updatedAt), vat, tiers };
}

function tierSteps(before: PricedTerms, after: PricedTerms): TierStep[] {
  if (before.prices === after.prices) return [];
  const was = piecePrices(before);
  const is = piecePrices(after);
  const places = new Set([...was.keys(), ...is.keys()]);
  return [...places].flatMap((place): TierStep[] => {
    const [from, to] = [was.get(place), is.get(place)];
    const one = to ?? from;
    if (one === undefined || from?.amountCents === to?.amountCents) return [];
    return [[one.tier, one.currency, from?.amountCents ?? null, to?.amountCents ?? null]];
  });
}

/** Those that count from one piece on, by tier and currency. */
function piecePrices({ prices }: PricedTerms) {
  const pieces = prices.filter(({ minQty }) => minQty === null || minQty <= 1);
  return new Map(pieces.map((price) => [`${price.currency} ${price.tier ?? ""}`, price]));
}

/** What one piece costs in a tier now; null where the product has no such price. */
export function tierCents(product: PricedTerms, tier: string): number | null {
  return piecePrices(product).get(`${product.currency} ${tier}`)?.amountCents ?? null;
}
