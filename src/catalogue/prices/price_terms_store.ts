/** Stores the history of each product's VAT rate and tier prices; no entry is ever deleted. */
import { decoder, encoder } from "../../base/bytes.ts";
import { netOf, roundOf } from "../../base/fraction.ts";
import type { VatStep, VatTerms } from "../../accounts/workspace.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { defineTable } from "../../platform/store/table.ts";

export const termsSteps = defineTable<
  TermsStep & { readonly productId: string },
  "productId" | "atMs"
>({
  prefix: "ptm",
  about: "the changes of a product's VAT rate and tier prices at that time, as JSON bytes",
  key: { productId: "id", atMs: "number" },
  codec: {
    encode: ({ vat, tiers }) => encoder.encode(JSON.stringify([vat, tiers])),
    decode(value) {
      if (!(value instanceof Uint8Array)) throw new Error("A row of price terms has no bytes");
      const [vat, tiers] = JSON.parse(decoder.decode(value));
      return { vat, tiers };
    },
  },
});

export const termsBegins = defineTable<{ readonly beganMs: number }>({
  prefix: "ptb",
  about: "the time since which changes of VAT rates and tier prices are kept",
  key: {},
  value: "beganMs",
});

export async function listTermsSteps(
  workspace: WorkspaceStore,
  productId: string,
): Promise<TermsStep[]> {
  return (await termsSteps.list(workspace, { within: { productId } })).map(({ row }) => row);
}

interface PricedTerms {
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

type TierStep = readonly [
  tier: string | null,
  currency: string,
  fromCents: number | null,
  toCents: number | null,
];

interface TermsStep {
  readonly atMs: number;
  /**
   * VAT rates in percent before and after the change; null if the rate is unchanged. A null in the
   * pair means that the product had the workspace's rate.
   */
  readonly vat: readonly [fromPct: number | null, toPct: number | null] | null;
  readonly tiers: readonly TierStep[];
}

export function termsStepOf(before: PricedTerms, after: PricedTerms): TermsStep | null {
  const vat = before.vatRatePct === after.vatRatePct
    ? null
    : [before.vatRatePct, after.vatRatePct] as const;
  const tiers = tierSteps(before, after);
  if (vat === null && tiers.length === 0) return null;
  return { atMs: Date.parse(after.updatedAt), vat, tiers };
}

function tierSteps(before: PricedTerms, after: PricedTerms): TierStep[] {
  const steps: TierStep[] = [];
  if (before.prices === after.prices) return steps;
  for (const one of [...before.prices, ...after.prices]) {
    const from = piecePrice(before, one.currency, one.tier);
    const to = piecePrice(after, one.currency, one.tier);
    if (one !== (from ?? to) || from?.amountCents === to?.amountCents) continue;
    const { tier, currency } = to ?? one;
    steps.push([tier, currency, from?.amountCents ?? null, to?.amountCents ?? null]);
  }
  return steps;
}

function piecePrice({ prices }: PricedTerms, currency: string, tier: string | null) {
  return prices.findLast((price) =>
    (price.minQty === null || price.minQty <= 1) && price.currency === currency &&
    (price.tier ?? "") === (tier ?? "")
  );
}

export function tierCents(product: PricedTerms, tier: string): number | null {
  return piecePrice(product, product.currency, tier)?.amountCents ?? null;
}

interface VatPast {
  readonly ownPct: number | null;
  readonly ownSteps: readonly TermsStep[];
  readonly terms: VatTerms;
  readonly termsSteps: readonly VatStep[];
}

interface Step<T> {
  readonly atMs: number;
  readonly from: T;
  readonly to: T;
}

function valueAt<T>(steps: readonly Step<T>[], now: T, atMs: number): T {
  const last = steps.findLast((step) => step.atMs <= atMs);
  if (last) return last.to;
  const [first] = steps;
  return first ? first.from : now;
}

export class VatTimeline {
  readonly #past: VatPast;
  readonly #own: readonly Step<number | null>[];

  constructor(past: VatPast) {
    this.#past = past;
    this.#own = past.ownSteps.flatMap(({ atMs, vat }) =>
      vat ? [{ atMs, from: vat[0], to: vat[1] }] : []
    );
  }

  at(atMs: number): VatTerms {
    const { ownPct, terms, termsSteps } = this.#past;
    const { pricesIncludeVat, vatRatePct } = valueAt(termsSteps, terms, atMs);
    return { pricesIncludeVat, vatRatePct: valueAt(this.#own, ownPct, atMs) ?? vatRatePct };
  }

  grossAt(cents: number, atMs: number): number | null {
    const { pricesIncludeVat, vatRatePct } = this.at(atMs);
    if (pricesIncludeVat) return cents;
    return vatRatePct === null ? null : grossCents(cents, vatRatePct);
  }

  netAt(cents: number, atMs: number): number | null {
    const net = netOf(cents, this.at(atMs));
    return net && roundOf(net);
  }

  momentsIn(fromMs: number, beforeMs: number): number[] {
    const all = [...this.#own, ...this.#past.termsSteps].map(({ atMs }) => atMs);
    return all.filter((atMs) => atMs > fromMs && atMs < beforeMs).sort((a, b) => a - b);
  }
}

/** Rounds half up. `ratePct` may have at most 4 decimals. */
export function grossCents(netCents: number, ratePct: number): number {
  const scale = 1_000_000n;
  const factor = scale + BigInt(Math.round(ratePct * 10_000));
  return Number((BigInt(netCents) * factor + scale / 2n) / scale);
}
