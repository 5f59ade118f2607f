/**
 * The inputs of a decision: plain data about the product, the competitors' offers and their shops,
 * the history and the settings (docs/decisions/rules.md).
 */

import { fold } from "../../base/text.ts";
import type { BrakeState, Spent } from "./brake.ts";
import type { ScopeField } from "./codes.ts";

/** The properties of a shop that rules use. Names are folded, for comparison without case. */
export interface ShopTerms {
  readonly groups: ReadonlySet<string>;
  readonly isMarketplace: boolean;
  /** Names that the marketplace itself uses as a seller; empty if it does not sell. */
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

/** Null if unknown: the marketplace also sells, and the page shows no seller. */
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
  /** As seen, in minor units of `currency`, for `packFactor` pieces; null if never observed. */
  readonly priceCents: number | null;
  readonly currency: string | null;
  /** Null if the shop does not say, which counts as in stock. */
  readonly inStock: boolean | null;
  readonly packFactor: number;
  readonly confidence: number | null;
  readonly observedAtMs: number | null;
  /** The price of the previous observation in the same currency; null if there is none. */
  readonly previousPriceCents: number | null;
  /** True if a person has checked and released the price; absent if it does not matter. */
  readonly isReleased?: boolean;
  /** True if the match was changed since, so that both prices may be of different pages. */
  readonly isChangedSince?: boolean;
  /** Time since which every observation has shown this price; null if never observed. */
  readonly priceSinceMs: number | null;
  readonly pricesIncludeVat: boolean | null;
  readonly matchCreatedAtMs: number;
  /** Whether the page shows exactly our article; absent if it does not matter. */
  readonly matchType?: "exact" | "equivalent";
  /** True if the page now shows another product; its earlier prices may be of others, too. */
  readonly isOtherProduct?: boolean;
  /** True if a visit found our product on the page, or a person confirmed it. */
  readonly isConfirmed?: boolean;
  readonly condition?: string | null;
  readonly seller?: string | null;
  /** For one parcel, in `currency` and with VAT like the price; null or absent if unknown. */
  readonly shippingCents?: number | null;
  readonly shop?: ShopTerms;
  /** `ok` or the error code of the last fetch; null before the first one, absent in back-tests. */
  readonly status?: string | null;
}

/**
 * The purpose of a decision. `live` acts. `explain` decides like `live`, to show people the
 * decision. `simulate` covers 30 days and ignores cooldowns. `backtest` decides like `live`, at
 * times in the past.
 */
export const MODES = ["live", "simulate", "backtest", "explain"] as const;
export type Mode = (typeof MODES)[number];

export type FoldedTexts = Pick<PricedProduct, ScopeField>;

/** A product in the form that rules use. Prices are in minor units of `currency`. */
export interface PricedProduct {
  readonly id: string;
  readonly sku: string;
  readonly brand: string | null;
  readonly category: string | null;
  readonly tier: string | null;
  readonly currency: string;
  readonly folded: FoldedTexts;
  readonly ourPriceCents: number | null;
  /** Without VAT, even if `ourPriceCents` includes it. */
  readonly costPriceCents: number | null;
  /** The recommended price. This and the next two include VAT if `ourPriceCents` does. */
  readonly targetPriceCents: number | null;
  readonly minPriceCents: number | null;
  readonly maxPriceCents: number | null;
  /** For one parcel, with VAT if `ourPriceCents` has it; null for that of the workspace. */
  readonly shippingCents: number | null;
  readonly condition: string | null;
  readonly vatRatePct: number | null;
  readonly priceLocked: boolean;
  readonly heldUntilMs: number | null;
  readonly scrapeIntervalHours: number;
}

/** Folds the texts that scopes compare, once per product. Callers may pass a caching `folded`. */
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
  /** Absent if the rule has never cut the price automatically. */
  readonly brake?: BrakeState;
}

export interface PriceFacts {
  /** 24 hours ago, or the first price of a younger history in the currency; null without one. */
  readonly dayAgoCents: number | null;
  readonly movesOfDay: number;
  /** Times of these changes, newest first; absent if the past is only assumed. */
  readonly moveTimesMs?: readonly number[];
  /** When a person set the current price (API, approval, rollback); null if no person did. */
  readonly setByPersonAtMs: number | null;
}

export interface History {
  /** By rule id. A rule without an entry was never evaluated for this product. */
  readonly rules: Readonly<Record<string, RulePast>>;
  /** Null if it was not read; then nothing is applied automatically (`history_unread`). */
  readonly price: PriceFacts | null;
  readonly openProposal: { readonly ruleId: string; readonly proposedCents: number } | null;
}

export interface PricingSettings {
  /** Currency of the amounts in rules without a currency of their own. */
  readonly currency: string;
  readonly pricesIncludeVat: boolean;
  readonly vatRatePct: number | null;
  /** For one parcel, in `currency`, for products without their own; null if there is none. */
  readonly ownShippingCents: number | null;
  readonly autoApply: boolean;
  /** When and why a person stopped automatic prices; null if they are not stopped. */
  readonly stop: { readonly at: string; readonly reason: string } | null;
  readonly budgetPerDay?: number | null;
  /** Changes above a percentage need several approvals; absent or null means no such limit. */
  readonly approval?: ApprovalBound | null;
  /** Whether market and rules compare prices with shipping by default; absent means no. */
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
  /** Our own offers. They are shown, but not used in calculations; absent if there are none. */
  readonly ownOffers?: readonly Offer[];
  readonly history: History;
  readonly settings: PricingSettings;
  /** Automatic prices of today; absent if they are not counted, and then there is no budget. */
  readonly spent?: Spent;
  readonly nowMs: number;
  readonly mode: Mode;
}

export const NO_HISTORY: History = { rules: {}, price: null, openProposal: null };

/** For one parcel, in the product's currency and with VAT like its price; null if not set. */
export function ownShippingOf({ product, settings }: Situation): number | null {
  if (product.shippingCents !== null) return product.shippingCents;
  return product.currency === settings.currency ? settings.ownShippingCents : null;
}

export function vatRateOf({ product, settings }: Situation): number | null {
  return product.vatRatePct ?? settings.vatRatePct;
}
