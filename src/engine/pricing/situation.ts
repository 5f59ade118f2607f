/**
 * The inputs of a decision: plain data about the product, the competitors' offers and their shops,
 * the history and the settings (docs/decisions/rules.md).
 */

import { fold } from "../../base/text.ts";
import type { BrakeState, Spent } from "./brake.ts";
import type { ScopeField } from "./codes.ts";

/** A shop as rules sort it; names folded, so that they compare whatever their case. */
export interface ShopTerms {
  readonly groups: ReadonlySet<string>;
  readonly isMarketplace: boolean;
  /** Under which names a marketplace sells there itself; empty: it sells nothing itself. */
  readonly sellerNames: ReadonlySet<string>;
}

/** Folded once per shop, for all of its offers. */
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
 * True when a seller of a marketplace makes the offer, false for the shop itself; null when
 * unknown: the marketplace sells itself, too, and the page names no seller.
 */
export function isBySeller(
  { shop, seller }: { readonly shop?: ShopTerms; readonly seller?: string | null },
): boolean | null {
  if (!shop?.isMarketplace) return false;
  if (shop.sellerNames.size === 0) return true;
  return seller === null || seller === undefined ? null : !shop.sellerNames.has(fold(seller));
}

/** The newest that is known of one enabled match. */
export interface Offer {
  readonly matchId: string;
  readonly competitorId: string;
  readonly competitor: string;
  /** As seen, in minor units of `currency`, for `packFactor` pieces; null when never observed. */
  readonly priceCents: number | null;
  readonly currency: string | null;
  /** Null when the shop does not say: counts as in stock. */
  readonly inStock: boolean | null;
  readonly packFactor: number;
  readonly confidence: number | null;
  readonly observedAtMs: number | null;
  /** The price of the observation before this one, in the same currency; null when there is none. */
  readonly previousPriceCents: number | null;
  /** True for a price that a person has checked and released; absent if it does not matter. */
  readonly isReleased?: boolean;
  /** True when the match was changed after that: the two may be prices of different pages or packs. */
  readonly isChangedSince?: boolean;
  /** Since when the price is what it is, seen without a break; null when never observed. */
  readonly priceSinceMs: number | null;
  /** Null: as the workspace. */
  readonly pricesIncludeVat: boolean | null;
  readonly matchCreatedAtMs: number;
  /** Whether the page shows exactly our article; absent if that does not matter. */
  readonly matchType?: "exact" | "equivalent";
  /** True if the page shows another product now; its earlier prices are then of unknown products. */
  readonly isOtherProduct?: boolean;
  /** True if a visit found our product on the page, or a person said so. */
  readonly isConfirmed?: boolean;
  /** The condition of the article by the page; null or absent if it says nothing. */
  readonly condition?: string | null;
  /** The seller by the page; null or absent if it says nothing. */
  readonly seller?: string | null;
  /**
   * The shop's charge for one parcel, in minor units of `currency` and on its side of VAT; null or
   * absent when unknown.
   */
  readonly shippingCents?: number | null;
  /** The settings of the shop in the workspace; absent: none. */
  readonly shop?: ShopTerms;
  /** `ok` or the code of what the last fetch failed with; null before the first, absent in the past. */
  readonly status?: string | null;
}

/**
 * Why a decision is made. `live` acts; `explain` answers as live would, for people; `simulate` looks
 * back 30 days and ignores cooldowns; `backtest` decides about the past as live did.
 */
export const MODES = ["live", "simulate", "backtest", "explain"] as const;
export type Mode = (typeof MODES)[number];

/** Texts of a product in the form in which scopes compare them. */
export type FoldedTexts = Pick<PricedProduct, ScopeField>;

/** A product as rules see it. Prices in minor units of `currency`. */
export interface PricedProduct {
  readonly id: string;
  readonly sku: string;
  readonly brand: string | null;
  readonly category: string | null;
  readonly tier: string | null;
  readonly currency: string;
  /** See `foldTexts`. */
  readonly folded: FoldedTexts;
  readonly ourPriceCents: number | null;
  /** Net, whatever `ourPriceCents` includes. */
  readonly costPriceCents: number | null;
  /** The recommended price (RRP), on the side of `ourPriceCents`, as are the two below. */
  readonly targetPriceCents: number | null;
  /** No rule goes below it; null: none. */
  readonly minPriceCents: number | null;
  /** No rule goes above it; null: none. */
  readonly maxPriceCents: number | null;
  /** Our shipping for one parcel, on the side of `ourPriceCents`; null: that of the workspace. */
  readonly shippingCents: number | null;
  /** The condition of the article; null: unknown. */
  readonly condition: string | null;
  /** Null: the rate of the workspace. */
  readonly vatRatePct: number | null;
  readonly priceLocked: boolean;
  /** Null: the price is not held. */
  readonly heldUntilMs: number | null;
  readonly scrapeIntervalHours: number;
}

/** The texts that scopes compare, folded once per product; `folded` as `fold`, which may remember. */
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
  /** Our rank at the previous evaluation; null before the first. */
  readonly rank: number | null;
  /** Absent before the first cut that the rule has made by itself. */
  readonly brake?: BrakeState;
}

/** How the own price came to be what it is: what `auto_apply_if_safe` must know. */
export interface PriceFacts {
  /**
   * The price in force 24 hours ago; for a history that is younger, or is so in the currency of
   * today, its first price; null without any.
   */
  readonly dayAgoCents: number | null;
  /** How often rules and approved proposals have changed it within 24 hours. */
  readonly movesOfDay: number;
  /** When these were, newest first; absent if the past is only supposed. */
  readonly moveTimesMs?: readonly number[];
  /** When a person set the price of today (API, approval, rollback); null when no person did. */
  readonly setByPersonAtMs: number | null;
}

export interface History {
  /** By rule id; a rule without an entry was never evaluated here. */
  readonly rules: Readonly<Record<string, RulePast>>;
  /** Null when it was not read: nothing is applied then (`history_unread`). */
  readonly price: PriceFacts | null;
  readonly openProposal: { readonly ruleId: string; readonly proposedCents: number } | null;
}

export interface PricingSettings {
  /** Currency of the amounts of rules that name none. */
  readonly currency: string;
  readonly pricesIncludeVat: boolean;
  readonly vatRatePct: number | null;
  /** Our shipping for one parcel of products without their own, in `currency`; null: none. */
  readonly ownShippingCents: number | null;
  readonly autoApply: boolean;
  /** Since when and why a person has stopped that; null when it is not stopped. */
  readonly stop: { readonly at: string; readonly reason: string } | null;
  /** Maximum number of automatic prices per day; absent or null means no limit. */
  readonly budgetPerDay?: number | null;
  /** Changes by more than so many percent wait for so many people; absent or null: none do. */
  readonly approval?: ApprovalBound | null;
  /** Whether the market, and rules that do not say, compare prices with shipping; absent: they do not. */
  readonly compareDelivered?: boolean;
}

/** Which change one person alone does not let through. */
export interface ApprovalBound {
  /** With at most 4 decimals. */
  readonly beyondPct: number;
  readonly people: number;
}

export interface Situation {
  readonly product: PricedProduct;
  /** Of matches that are enabled, as are their competitors. */
  readonly offers: readonly Offer[];
  /** Offers that are ours: they are shown, and nothing is reckoned from them; absent: none. */
  readonly ownOffers?: readonly Offer[];
  readonly history: History;
  readonly settings: PricingSettings;
  /** Automatic prices of today; absent if they are not counted, and then no budget applies. */
  readonly spent?: Spent;
  readonly nowMs: number;
  readonly mode: Mode;
}

export const NO_HISTORY: History = { rules: {}, price: null, openProposal: null };

/**
 * Our charge for one parcel of the product, in its currency and on the side of its price; null when
 * none is set.
 */
export function ownShippingOf({ product, settings }: Situation): number | null {
  if (product.shippingCents !== null) return product.shippingCents;
  return product.currency === settings.currency ? settings.ownShippingCents : null;
}

/** The VAT rate that holds for the product, in percent; null when unknown. */
export function vatRateOf({ product, settings }: Situation): number | null {
  return product.vatRatePct ?? settings.vatRatePct;
}
