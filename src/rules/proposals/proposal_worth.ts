/**
 * The value of a proposal in money, computed from its inputs (docs/decisions/rules.md, Proposals).
 */

import { add, divide, multiply, percent, roundOf, subtract, whole } from "../../base/fraction.ts";
import { marginPct, type MarginTerms } from "../../base/percent.ts";
import { thousandths } from "../../catalogue/sales/sale.ts";
import type { Trace } from "../../engine/pricing/trace.ts";
import { z } from "zod";

/** `units30d` is absent in what was stored before anybody asked for it. */
interface SoldStep extends PriceStep {
  readonly units30d?: number | null;
}

interface PriceStep {
  readonly currentCents: number;
  readonly proposedCents: number;
}

export interface ProposalWorth {
  /** Minor units per piece; null while the VAT rate is missing. */
  readonly effectCents: number | null;
  /** The effect for the units sold in 30 days; `null` when unknown. */
  readonly effect30dCents: number | null;
  /** In percent, rounded down to 2 decimals, of the price of today and the proposed one. */
  readonly marginPct: number | null;
  readonly marginAfterPct: number | null;
}

const UNKNOWN: ProposalWorth = {
  effectCents: null,
  effect30dCents: null,
  marginPct: null,
  marginAfterPct: null,
};

/** As far as the figures of a trace count here; one that came by a file may hold anything. */
const Inputs = z.object({
  costPriceCents: z.int().nullable(),
  pricesIncludeVat: z.boolean(),
  vatRatePct: z.number().min(0).max(100).nullable(),
});

/** By which the decision was made; null where the trace is not kept any more. */
export function marginTermsOf(trace: Trace | null): MarginTerms | null {
  return Inputs.safeParse(trace?.inputs).data ?? null;
}

/** All null where the trace is not kept any more. */
export function worthOf(step: SoldStep, trace: Trace | null): ProposalWorth {
  const inputs = marginTermsOf(trace);
  if (inputs === null) return UNKNOWN;
  const { units30d = null } = step;
  return {
    effectCents: effectCents(step, inputs),
    effect30dCents: units30d === null ? null : effectCents(step, inputs, units30d),
    marginPct: marginPct(step.currentCents, inputs),
    marginAfterPct: marginPct(step.proposedCents, inputs),
  };
}

/**
 * The additional net margin of the units, in minor units, rounded half up once. The cost is the
 * same before and after, so it need not be known. `null` where prices include VAT of an unknown
 * rate.
 */
export function effectCents(
  { currentCents, proposedCents }: PriceStep,
  { pricesIncludeVat, vatRatePct }: Pick<MarginTerms, "pricesIncludeVat" | "vatRatePct">,
  units = 1,
): number | null {
  const pieces = divide(whole(thousandths(units)), whole(1_000));
  const gross = multiply(subtract(whole(proposedCents), whole(currentCents)), pieces);
  if (!pricesIncludeVat) return roundOf(gross);
  if (vatRatePct === null) return null;
  return roundOf(divide(gross, add(whole(1), percent(vatRatePct))));
}
