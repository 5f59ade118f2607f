/** The inputs of a decision as plain data (docs/decisions/rules.md). */

import { fold } from "../../base/text.ts";
import type { BrakeState, Spent } from "./brake.ts";
import type { ScopeField } from "./codes.ts";

/** Names are folded. */
export interface ShopTerms {
  readonly groups: ReadonlySet<string>;
  readonly isMarketplace: boolean;
  /** Seller names of the marketplace itself. Empty if the marketplace does not sell. */
  readonly sellerNames: ReadonlySet<string>;
}

export function shopTermsOf(
  { groups, isMarketplace, sellerNames }: {
    readonly groups: readonly string[];
    readonly isMarketplace: boolean;
    readonly sellerNames: readonly string[];
  },
): ShopTerms {
  return { groups: foldAll(groups), isMarketplace, sellerNames: foldAll(sellerNames) };
}

export function foldAll(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map(fold));
}

/** Null if the marketplace also sells and the page does not name the seller. */
export function isBySeller(
  { shop, seller }: { readonly shop?: ShopTerms; readonly seller?: string | null },
): boolean | null {
  if (!shop?.isMarketplace) return false;
  if (shop.sellerNames.size === 0) return true;
  return seller === null || seller === undefined ? null : !shop.sellerNames.has(fold(seller));
}

export interface Offer {
  readonly matchId: string;
  readonly competitorId: string;
  readonly competitor: string;
  /** In minor units of `currency`, for `packFactor` pieces. Null if never observed. */
  readonly priceCents: number | null;
  readonly currency: string | null;
  /** Null if the shop does not state the stock, which rules treat as in stock. */
  readonly inStock: boolean | null;
  readonly packFactor: number;
  readonly confidence: number | null;
  readonly observedAtMs: number | null;
  /** In the same currency. */
  readonly previousPriceCents: number | null;
  readonly isReleased?: boolean;
  /** True if the match was changed after the previous price, which may be from another page. */
  readonly isChangedSince?: boolean;
  /** The time since which every observation has shown this price. Null if never observed. */
  readonly priceSinceMs: number | null;
  readonly pricesIncludeVat: boolean | null;
  readonly matchCreatedAtMs: number;
  readonly matchType?: "exact" | "equivalent";
  /** True if the page now shows another product. Earlier prices may also be of other products. */
  readonly isOtherProduct?: boolean;
  /** True if a visit found our product on the page, or a person confirmed the link. */
  readonly isConfirmed?: boolean;
  readonly condition?: string | null;
  readonly seller?: string | null;
  /** Per parcel, in `currency`, with VAT like the price. Null or absent if unknown. */
  readonly shippingCents?: number | null;
  readonly shop?: ShopTerms;
  /**
   * `ok`, or the error code of the last fetch. Null before the first fetch, absent in back-tests.
   */
  readonly status?: string | null;
}

/**
 * `live` acts. `explain` decides like `live`. `preview` decides like `live` without cooldowns. In
 * `simulate`, cooldowns are ignored, and a rule that needs competitors' prices rests if none is
 * from the last 30 days. `backtest` decides like `live` in the past.
 */
export const MODES = ["live", "simulate", "backtest", "explain", "preview"] as const;
export type Mode = (typeof MODES)[number];

export type FoldedTexts = Pick<PricedProduct, ScopeField>;

/** Prices are in minor units of `currency`. */
export interface PricedProduct {
  readonly id: string;
  readonly sku: string;
  readonly brand: string | null;
  readonly category: string | null;
  readonly tier: string | null;
  readonly currency: string;
  readonly folded: FoldedTexts;
  readonly ourPriceCents: number | null;
  /** Without VAT, even if `ourPriceCents` includes VAT. */
  readonly costPriceCents: number | null;
  /** With VAT if `ourPriceCents` includes VAT, like `minPriceCents` and `maxPriceCents`. */
  readonly targetPriceCents: number | null;
  readonly minPriceCents: number | null;
  readonly maxPriceCents: number | null;
  /** Per parcel, with VAT like `ourPriceCents`. Null means the workspace's shipping. */
  readonly shippingCents: number | null;
  readonly condition: string | null;
  readonly vatRatePct: number | null;
  readonly priceLocked: boolean;
  readonly heldUntilMs: number | null;
  readonly scrapeIntervalHours: number;
}

/** Folds the texts that scopes compare. `folded` may cache. */
export function foldTexts(
  { brand, category, tier, currency }: FoldedTexts,
  folded: (text: string) => string = fold,
): FoldedTexts {
  return {
    brand: brand === null ? null : folded(brand),
    category: category === null ? null : folded(category),
    tier: tier === null ? null : folded(tier),
    currency: folded(currency),
  };
}

export interface RulePast {
  readonly lastFiredAtMs: number | null;
  /** Null before the first evaluation. */
  readonly rank: number | null;
  /** Absent if the rule has never cut the price automatically. */
  readonly brake?: BrakeState;
}

export interface PriceFacts {
  /**
   * Our price 24 hours ago, or else the first known price. Null if none is known in the product's
   * currency.
   */
  readonly dayAgoCents: number | null;
  readonly movesOfDay: number;
  /** Newest first, only of the last day. Absent if the changes of the day were not read. */
  readonly moveTimesMs?: readonly number[];
  /** When a person set the current price. Null if the price was not set by a person. */
  readonly setByPersonAtMs: number | null;
}

export interface History {
  /** States by rule id. A rule without an entry was never evaluated for this product. */
  readonly rules: Readonly<Record<string, RulePast>>;
  /**
   * Null if our price history was not read. Without the history, no price is applied automatically.
   */
  readonly price: PriceFacts | null;
  readonly openProposal: { readonly ruleId: string; readonly proposedCents: number } | null;
}

export interface PricingSettings {
  /** Currency of the amounts in rules that have no currency of their own. */
  readonly currency: string;
  readonly pricesIncludeVat: boolean;
  readonly vatRatePct: number | null;
  /** Per parcel, in `currency`, for products without their own shipping. */
  readonly ownShippingCents: number | null;
  readonly autoApply: boolean;
  readonly stop: { readonly at: string; readonly reason: string } | null;
  readonly budgetPerDay?: number | null;
  /** Changes above a percentage need several approvals. Absent or null for no such limit. */
  readonly approval?: ApprovalBound | null;
  /** True if market and rules compare prices with shipping by default. */
  readonly compareDelivered?: boolean;
}

interface ApprovalBound {
  readonly beyondPct: number;
  readonly people: number;
}

export interface Situation {
  readonly product: PricedProduct;
  /** Offers of enabled matches at enabled competitors. */
  readonly offers: readonly Offer[];
  /** For display only. Absent if we have no offers. */
  readonly ownOffers?: readonly Offer[];
  readonly history: History;
  readonly settings: PricingSettings;
  /** Absent if automatic prices are not counted. Without counts, no budget applies. */
  readonly spent?: Spent;
  readonly nowMs: number;
  readonly mode: Mode;
}

export const NO_HISTORY: History = { rules: {}, price: null, openProposal: null };

/**
 * Per parcel, in the product's currency, with VAT like the product's price. Null if no shipping is
 * set in that currency.
 */
export function ownShippingOf({ product, settings }: Situation): number | null {
  if (product.shippingCents !== null) return product.shippingCents;
  return product.currency === settings.currency ? settings.ownShippingCents : null;
}

export function vatRateOf({ product, settings }: Situation): number | null {
  return product.vatRatePct ?? settings.vatRatePct;
}
