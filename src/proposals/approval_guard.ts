/** Whether a price may still be applied that a rule asked for a while ago (decisions §8, Proposals). */
import { percent } from "../base/fraction.ts";
import { showMoney } from "../base/money.ts";
import type { Product } from "../catalogue/product.ts";
import type { Offer } from "../competitors/offers/offer.ts";
import type { WorkspaceStore } from "../platform/context.ts";
import { compareMargin, missingForMargin } from "../pricing/margin.ts";
import { readMarket } from "../pricing/market.ts";
import { NO_HISTORY, type PricingSettings } from "../pricing/situation.ts";
import type { Trace } from "../pricing/trace.ts";
import { pricedProductOf } from "./priced_product.ts";
import type { StoredProposal } from "./proposal.ts";

/** What of the rule behind a proposal still counts when it is approved. */
export interface RuleLimits {
  readonly floorPct: number | null;
  /** Of references; null: the default of live evaluation. */
  readonly maxAgeHours: number | null;
}

/** Answered by whoever keeps the rules; null for a deleted one. */
export type RuleLimitsOf = (
  workspace: WorkspaceStore,
  ruleId: string,
) => Promise<RuleLimits | null>;

/** Why a price must not be applied; `guard` is a code for programs. */
export interface Objection {
  readonly guard: string;
  readonly message: string;
}

export interface Approval {
  readonly proposal: StoredProposal;
  readonly trace: Trace | null;
  readonly product: Product;
  /** Those of enabled matches of enabled competitors. */
  readonly offers: readonly Offer[];
  readonly limits: RuleLimits | null;
  readonly settings: PricingSettings;
  readonly now: Date;
}

const HOUR_MS = 3_600_000;
const MAX_AGE_HOURS = 48;

/** The first thing that speaks against it; null when nothing does. */
export function objectionTo(approval: Approval): Objection | null {
  return priceObjection(approval) ?? floorObjection(approval) ?? ageObjection(approval);
}

function priceObjection({ proposal, product, limits }: Approval): Objection | null {
  if (limits === null) return { guard: "rule_deleted", message: "Its rule is deleted" };
  const { ourPriceCents, currency, priceLocked } = product;
  if (ourPriceCents !== proposal.currentCents || currency !== proposal.currency) {
    const is = ourPriceCents === null ? "none" : showMoney(ourPriceCents, currency);
    const was = showMoney(proposal.currentCents, proposal.currency);
    return { guard: "price_changed", message: `It was made from ${was}, the price is ${is} now` };
  }
  return priceLocked ? { guard: "price_locked", message: "The price is locked" } : null;
}

function floorObjection(
  { proposal, product, limits, settings, now }: Approval,
): Objection | null {
  const floorPct = limits?.floorPct ?? null;
  if (floorPct === null) return null;
  const market = readMarket({
    product: pricedProductOf(product),
    offers: [],
    history: NO_HISTORY,
    settings,
    nowMs: now.getTime(),
    mode: "live",
  });
  const missing = missingForMargin(market);
  if (missing !== null) {
    return { guard: missing, message: "The margin of the price cannot be computed" };
  }
  if (compareMargin(market, proposal.proposedCents, percent(floorPct)) >= 0) return null;
  return {
    guard: "margin_floor",
    message: `Its margin would be below the floor of ${floorPct} %`,
  };
}

/** What is known of the matches now counts: a price that was seen again is fresh again. */
function ageObjection({ trace, offers, limits, now }: Approval): Objection | null {
  const used = trace?.references.filter(({ isUsed }) => isUsed) ?? [];
  const hours = limits?.maxAgeHours ?? MAX_AGE_HOURS;
  const oldestMs = now.getTime() - hours * HOUR_MS;
  for (const { matchId, competitor } of used) {
    const offer = offers.find((one) => one.matchId === matchId);
    if (offer && (offer.observedAtMs ?? 0) >= oldestMs) continue;
    return {
      guard: "stale_reference",
      message: `The price of ${competitor} was not seen within the last ${hours} hours`,
    };
  }
  return null;
}
