/**
 * The inputs of a decision as plain data: the product, the competitors' offers and shops, the history
 * and the settings (docs/decisions/rules.md).
 */

import { fold } from "../../base/text.ts";
import type { BrakeState, Spent } from "./brake.ts";
import type { ScopeField } from "./codes.ts";

/** The properties of a shop that rules use. Names are folded. */
export interface ShopTerms {
  readonly groups: ReadonlySet<string>;
  readonly isMarketplace: boolean;
  /** Names that the marketplace itself uses as a seller. Empty if the marketplace does not sell. */
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

/**
 * True if the offer is from a seller on a marketplace. Null if the marketplace also sells and the
 * page does not name the seller.
 */
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
  /** As observed, in minor units of `currency`, for `packFactor` pieces. Null if never observed. */
  readonly priceCents: number | null;
  readonly currency: string | null;
  /** Null if the shop does not state the stock. Rules then treat the offer as in stock. */
  readonly inStock: boolean | null;
  readonly packFactor: number;
  readonly confidence: number | null;
  readonly observedAtMs: number | null;
  /**
   * The price of the previous observation in the same currency. Null if there is no previous
   * observation in that currency.
   */
  readonly previousPriceCents: number | null;
  /** True if a person has checked and released the price. Absent if no caller needs the field. */
  readonly isReleased?: boolean;
  /** True if the match was changed since the previous price, which may be from another page. */
  readonly isChangedSince?: boolean;
  /** The time since which every observation has shown this price. Null if never observed. */
  readonly priceSinceMs: number | null;
  readonly pricesIncludeVat: boolean | null;
  readonly matchCreatedAtMs: number;
  /** Whether the page shows exactly our article. Absent if the caller does not need this field. */
  readonly matchType?: "exact" | "equivalent";
  /** True if the page now shows another product. Earlier prices may be of other products, too. */
  readonly isOtherProduct?: boolean;
  /** True if a visit found our product on the page, or a person confirmed the link. */
  readonly isConfirmed?: boolean;
  readonly condition?: string | null;
  readonly seller?: string | null;
  /** Shipping of a parcel, in `currency` and with VAT like the price. Null or absent if unknown. */
  readonly shippingCents?: number | null;
  readonly shop?: ShopTerms;
  /** `ok`, or the error code of the last fetch. Null before the first fetch, absent in back-tests. */
  readonly status?: string | null;
}

/**
 * The purpose of a decision. `live` acts. `explain` decides like `live`, to show the decision to
 * people. `preview` decides like `live` without cooldowns, while a rule is written. `simulate` covers
 * 30 days and ignores cooldowns. `backtest` decides like `live`, at times in the past.
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
  /** The cost without VAT, even if `ourPriceCents` includes VAT. */
  readonly costPriceCents: number | null;
  /**
   * The recommended price, with VAT if `ourPriceCents` includes VAT. The same applies to
   * `minPriceCents` and `maxPriceCents`.
   */
  readonly targetPriceCents: number | null;
  readonly minPriceCents: number | null;
  readonly maxPriceCents: number | null;
  /**
   * Our shipping of a parcel, with VAT like `ourPriceCents`. Null means the workspace's shipping.
   */
  readonly shippingCents: number | null;
  readonly condition: string | null;
  readonly vatRatePct: number | null;
  readonly priceLocked: boolean;
  readonly heldUntilMs: number | null;
  readonly scrapeIntervalHours: number;
}

/** Folds the texts that scopes compare, once per product. `folded` may cache. */
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
  /** Our rank at the previous evaluation. Null before the first evaluation. */
  readonly rank: number | null;
  /** Absent if the rule has never cut the price automatically. */
  readonly brake?: BrakeState;
}

export interface PriceFacts {
  /** Our price 24 hours ago, or else the first known one. Null without a price in the currency. */
  readonly dayAgoCents: number | null;
  readonly movesOfDay: number;
  /** The times of the day's moves, newest first. Absent if the history is only assumed. */
  readonly moveTimesMs?: readonly number[];
  /** When a person set the current price (API, approval, rollback). Null for any other price. */
  readonly setByPersonAtMs: number | null;
}

export interface History {
  /** States by rule id. A rule without an entry was never evaluated for this product. */
  readonly rules: Readonly<Record<string, RulePast>>;
  /**
   * Null if our price history was not read. Without the history, no price is applied automatically
   * (`history_unread`).
   */
  readonly price: PriceFacts | null;
  readonly openProposal: { readonly ruleId: string; readonly proposedCents: number } | null;
}

export interface PricingSettings {
  /** Currency of the amounts in rules that have no currency of their own. */
  readonly currency: string;
  readonly pricesIncludeVat: boolean;
  readonly vatRatePct: number | null;
  /** Our shipping of a parcel, in `currency`, for products without their own. Null if not set. */
  readonly ownShippingCents: number | null;
  readonly autoApply: boolean;
  /** When and why a person stopped automatic prices. Null if automatic prices are not stopped. */
  readonly stop: { readonly at: string; readonly reason: string } | null;
  readonly budgetPerDay?: number | null;
  /** Changes above a percentage need several approvals. Absent or null for no such limit. */
  readonly approval?: ApprovalBound | null;
  /** True if market and rules compare prices with shipping by default. Absent means false. */
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
  /** Our own offers, for display only. Absent if we have no offers. */
  readonly ownOffers?: readonly Offer[];
  readonly history: History;
  readonly settings: PricingSettings;
  /**
   * Today's automatic prices. Absent if automatic prices are not counted, and then no budget
   * applies.
   */
  readonly spent?: Spent;
  readonly nowMs: number;
  readonly mode: Mode;
}

export const NO_HISTORY: History = { rules: {}, price: null, openProposal: null };

/**
 * Our shipping of a parcel, in the product's currency, with VAT like the product's price. Null if
 * no shipping is set in that currency.
 */
export function ownShippingOf({ product, settings }: Situation): number | null {
  if (product.shippingCents !== null) return product.shippingCents;
  return product.currency === settings.currency ? settings.ownShippingCents : null;
}

export function vatRateOf({ product, settings }: Situation): number | null {
  return product.vatRatePct ?? settings.vatRatePct;
}
