/** A product, offers and rules with default values, so that a test states only what it needs. */
import { type CompiledRule, compileRule } from "../../../src/engine/pricing/compile_rule.ts";
import {
  foldTexts,
  NO_HISTORY,
  type Offer,
  type PricedProduct,
  type PricingSettings,
  readMarket,
  type Situation,
} from "../../../src/engine/pricing/situation.ts";
import { decideIn, type Decision } from "../../../src/engine/pricing/decide.ts";
import { NewRule } from "../../../src/engine/pricing/rule.ts";

export const HOUR_MS = 3_600_000;
export const NOW_MS = Date.parse("2026-08-01T09:00:00Z");

export const SETTINGS: PricingSettings = {
  currency: "EUR",
  pricesIncludeVat: false,
  vatRatePct: null,
  ownShippingCents: null,
  autoApply: true,
  stop: null,
  budgetPerDay: null,
  approval: null,
  compareDelivered: false,
};

export function aProduct(given: Partial<PricedProduct> = {}): PricedProduct {
  const product = {
    id: "0".repeat(24),
    sku: "SKU-1",
    brand: "Sony",
    category: "Audio",
    tier: null,
    currency: "EUR",
    ourPriceCents: 29_900,
    costPriceCents: 20_000,
    targetPriceCents: null,
    minPriceCents: null,
    maxPriceCents: null,
    shippingCents: null,
    condition: null,
    vatRatePct: null,
    priceLocked: false,
    heldUntilMs: null,
    scrapeIntervalHours: 24,
    ...given,
  };
  return { folded: foldTexts(product), ...product };
}

let offersMade = 0;

/** An offer in stock of a new competitor, read an hour ago after 1,000 hours at the same price. */
export function anOffer(priceCents: number | null, given: Partial<Offer> = {}): Offer {
  const number = (offersMade += 1).toString(16).padStart(24, "0");
  const atMs = priceCents === null ? null : NOW_MS - HOUR_MS;
  return {
    matchId: number,
    competitorId: number,
    competitor: "Acme",
    priceCents,
    currency: priceCents === null ? null : "EUR",
    inStock: true,
    packFactor: 1,
    confidence: priceCents === null ? null : 1,
    observedAtMs: atMs,
    previousPriceCents: priceCents,
    priceSinceMs: atMs === null ? null : atMs - 1_000 * HOUR_MS,
    pricesIncludeVat: null,
    matchCreatedAtMs: NOW_MS - 2_000 * HOUR_MS,
    ...given,
  };
}

export function aSituation(
  offers: readonly (Offer | number)[],
  given: Partial<Omit<Situation, "product" | "settings">> & {
    readonly product?: Partial<PricedProduct>;
    readonly settings?: Partial<PricingSettings>;
  } = {},
): Situation {
  return {
    history: { ...NO_HISTORY, price: { dayAgoCents: null, movesOfDay: 0, setByPersonAtMs: null } },
    nowMs: NOW_MS,
    mode: "live",
    ...given,
    product: aProduct(given.product),
    offers: offers.map((offer) => typeof offer === "number" ? anOffer(offer) : offer),
    settings: { ...SETTINGS, ...given.settings },
  };
}

export const RULE_ID = "a".repeat(24);

/** A rule for all products: at any undercut it proposes `match_cheapest`, without a floor. */
export function theTerms(given: Record<string, unknown> = {}) {
  const terms = NewRule.parse({
    name: "A rule",
    enabled: true,
    when: { trigger: "competitor_undercut" },
    scope: { mode: "all" },
    actions: [{ type: "propose_price", formula: "match_cheapest" }],
    ...given,
  });
  return { ...terms, id: RULE_ID, createdAt: "2026-01-01T00:00:00.000Z" };
}

export function aRule(given: Record<string, unknown> = {}): CompiledRule {
  return compileRule(theTerms(given));
}

export function decide(rule: CompiledRule, situation: Situation): Decision {
  return decideIn(rule, readMarket(situation));
}

export function aTrigger(when: Record<string, unknown>): CompiledRule {
  return aRule({ when, actions: [{ type: "alert_inapp" }] });
}
