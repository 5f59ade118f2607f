/**
 * The inputs of a decision as plain data (docs/decisions/rules.md), and the market: the
 * competitors' prices, made comparable with ours (docs/decisions/competitors.md).
 */
import {
  add,
  ceilOf,
  compareFractions,
  decimal,
  divide,
  type Fraction,
  knownCost,
  marginPctOf,
  multiply,
  percent,
  subtract,
  whole,
} from "../../base/fraction.ts";
import { fold } from "../../base/text.ts";
import type { ScopeField } from "./codes.ts";

export type ShopTerms = Readonly<ReturnType<typeof shopTermsOf>>;

export function shopTermsOf(
  { groups, isMarketplace, sellerNames }: {
    readonly groups: readonly string[];
    readonly isMarketplace: boolean;
    readonly sellerNames: readonly string[];
  },
) {
  return {
    groups: foldAll(groups),
    isMarketplace,
    /** Names under which a marketplace itself sells; empty if it sells nothing itself. */
    sellerNames: foldAll(sellerNames),
  };
}

export function foldAll(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map(fold));
}

/** True for a marketplace seller, false for the shop itself, null if the seller is unclear. */
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
  /**
   * The price in minor units of `currency`, for `packFactor` pieces; null if no price was observed.
   */
  readonly priceCents: number | null;
  readonly currency: string | null;
  /** Null if the shop does not state the stock; rules then assume that the article is in stock. */
  readonly inStock: boolean | null;
  readonly packFactor: number;
  readonly confidence: number | null;
  readonly observedAtMs: number | null;
  /** Price of the previous accepted observation; null if unknown or in another currency. */
  readonly previousPriceCents: number | null;
  readonly isReleased?: boolean;
  /**
   * True if the link was changed after the previous price was read, so that the previous price may
   * belong to another page.
   */
  readonly isChangedSince?: boolean;
  /** Time since which the price is unchanged. */
  readonly priceSinceMs: number | null;
  readonly pricesIncludeVat: boolean | null;
  readonly matchCreatedAtMs: number;
  readonly matchType?: "exact" | "equivalent";
  readonly isOtherProduct?: boolean;
  /** True if our product was found on the page, or if a person confirmed the link. */
  readonly isConfirmed?: boolean;
  readonly condition?: string | null;
  readonly seller?: string | null;
  /** Shipping per parcel in `currency`, with VAT if the price includes VAT; null if unknown. */
  readonly shippingCents?: number | null;
  readonly shop?: ShopTerms;
  /** `ok`, or the error code of the last fetch. */
  readonly status?: string | null;
}

/**
 * Decisions have effects only in the mode `live`. `preview` and `simulate` ignore cooldowns. In
 * `simulate`, a rule without a price aim, or a rule that needs competitors and has no fallback,
 * fires only if an offer was observed in the last 30 days.
 */
export const MODES = ["live", "simulate", "backtest", "explain", "preview"] as const;
export type Mode = (typeof MODES)[number];

type FoldedTexts = Pick<PricedProduct, ScopeField>;

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
  /** Target, minimum and maximum price include VAT if `ourPriceCents` includes VAT. */
  readonly targetPriceCents: number | null;
  readonly minPriceCents: number | null;
  readonly maxPriceCents: number | null;
  /** Per parcel, with VAT if `ourPriceCents` includes VAT; if null, `ownShippingOf` decides. */
  readonly shippingCents: number | null;
  readonly condition: string | null;
  readonly vatRatePct: number | null;
  readonly priceLocked: boolean;
  readonly heldUntilMs: number | null;
  readonly scrapeIntervalHours: number;
}

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
  /** Rank of our price among the offers when the rule last compared ranks; null if never. */
  readonly rank: number | null;
  /** Absent if the brake has never counted a cut of this product's price. */
  readonly brake?: BrakeState;
}

export interface PriceFacts {
  /**
   * Our price 24 hours ago in the product's currency, or else our first known price after that
   * time; null if neither is known.
   */
  readonly dayAgoCents: number | null;
  readonly movesOfDay: number;
  /** Times at which rules and proposals changed our price in the last 24 hours, newest first. */
  readonly moveTimesMs?: readonly number[];
  /** Time at which a person or the API set our current price; null if an import or a rule did. */
  readonly setByPersonAtMs: number | null;
}

export interface History {
  /** Has no entry for a rule that has never fired for this product and has no stored rank. */
  readonly rules: Readonly<Record<string, RulePast>>;
  /** Null if our price history was not read; no price is then applied automatically. */
  readonly price: PriceFacts | null;
  readonly openProposal: { readonly ruleId: string; readonly proposedCents: number } | null;
}

export interface PricingSettings {
  /** The workspace's currency; it also applies to amounts in rules that name no currency. */
  readonly currency: string;
  readonly pricesIncludeVat: boolean;
  readonly vatRatePct: number | null;
  /** Our shipping per parcel, in `currency`, for products that have no shipping of their own. */
  readonly ownShippingCents: number | null;
  readonly autoApply: boolean;
  readonly stop: { readonly at: string; readonly reason: string } | null;
  readonly budgetPerDay: number | null;
  /** Price changes of more than `beyondPct` percent must be approved by `people` people. */
  readonly approval: { readonly beyondPct: number; readonly people: number } | null;
  /** True if compared prices include shipping, unless a rule says otherwise. */
  readonly compareDelivered: boolean;
}

export interface Situation {
  readonly product: PricedProduct;
  /** Offers of enabled links to pages of enabled competitors. */
  readonly offers: readonly Offer[];
  /** Offers that we ourselves make at watched shops; they are displayed, but never compared. */
  readonly ownOffers?: readonly Offer[];
  readonly history: History;
  readonly settings: PricingSettings;
  readonly spent?: Spent;
  readonly nowMs: number;
  readonly mode: Mode;
}

export const NO_HISTORY: History = { rules: {}, price: null, openProposal: null };

/** Shipping is per parcel, with VAT if the product's price includes VAT. */
export function ownShippingOf({ product, settings }: Situation): number | null {
  if (product.shippingCents !== null) return product.shippingCents;
  return product.currency === settings.currency ? settings.ownShippingCents : null;
}

export function vatRateOf({ product, settings }: Situation): number | null {
  return product.vatRatePct ?? settings.vatRatePct;
}

/** `unit` is the exact price per piece, with VAT if our price includes VAT. */
export interface PricedOffer {
  readonly offer: Offer;
  readonly observedAtMs: number;
  readonly unit: Fraction;
}

type Unpriced = Extract<
  LeftOut,
  "own_offer" | "other_product" | "never_observed" | "other_currency" | "vat_unknown"
>;

export type Market = Readonly<ReturnType<typeof readMarket>>;

const ONE = whole(1);
const NOTHING = whole(0);

/** In `priced`, the cheapest offer comes first, and offers with equal prices keep their order. */
export function readMarket(situation: Situation) {
  const { product, offers, ownOffers = [], settings } = situation;
  /** Gross price ÷ net price; null if the VAT rate is unknown. */
  const vatFactor = vatFactorOf(vatRateOf(situation));
  const priced: PricedOffer[] = [];
  const unpriced: { offer: Offer; why: Unpriced }[] = ownOffers.map((offer) => ({
    offer,
    why: "own_offer",
  }));
  for (const offer of offers) {
    const { priceCents, observedAtMs } = offer;
    if (offer.isOtherProduct) {
      unpriced.push({ offer, why: "other_product" });
    } else if (priceCents === null || observedAtMs === null) {
      unpriced.push({ offer, why: "never_observed" });
    } else if (offer.currency !== product.currency) {
      unpriced.push({ offer, why: "other_currency" });
    } else {
      const unit = unitPriceOf(priceCents, offer, settings.pricesIncludeVat, vatFactor);
      if (unit === null) unpriced.push({ offer, why: "vat_unknown" });
      else priced.push({ offer, observedAtMs, unit });
    }
  }
  priced.sort((a, b) => compareFractions(a.unit, b.unit));
  return { situation, priced, unpriced, vatFactor };
}

/** Sets the price of each offer to (price + known shipping) ÷ pieces, and sorts by price. */
export function delivered(offers: readonly PricedOffer[], { situation, vatFactor }: Market) {
  const wantsGross = situation.settings.pricesIncludeVat;
  return offers.flatMap((priced): PricedOffer[] => {
    const { offer } = priced;
    const cents = (offer.priceCents ?? 0) + (offer.shippingCents ?? 0);
    const unit = unitPriceOf(cents, offer, wantsGross, vatFactor);
    return unit === null ? [] : [{ ...priced, unit }];
  }).sort((a, b) => compareFractions(a.unit, b.unit));
}

export function withShipping(offers: readonly PricedOffer[], market: Market): PricedOffer[] {
  const own = whole(ownShippingOf(market.situation) ?? 0);
  return delivered(offers, market).map((priced) => {
    const unit = subtract(priced.unit, own);
    return { ...priced, unit: compareFractions(unit, NOTHING) < 0 ? NOTHING : unit };
  });
}

export function vatFactorOf(ratePct: number | null): Fraction | null {
  return ratePct === null ? null : add(ONE, percent(ratePct));
}

/** Returns null if the conversion needs an unknown VAT rate. */
export function unitPriceOf(
  priceCents: number,
  { packFactor, pricesIncludeVat }: Pick<Offer, "packFactor" | "pricesIncludeVat">,
  wantsGross: boolean,
  vatFactor: Fraction | null,
): Fraction | null {
  const piece = packFactor === 1
    ? whole(priceCents)
    : divide(whole(priceCents), decimal(packFactor));
  if ((pricesIncludeVat ?? wantsGross) === wantsGross) return piece;
  if (vatFactor === null) return null;
  return wantsGross ? multiply(piece, vatFactor) : divide(piece, vatFactor);
}

export function missingForMargin(market: Market): "cost_unknown" | "vat_unknown" | null {
  const { product, settings } = market.situation;
  if (knownCost(product) === null) return "cost_unknown";
  return settings.pricesIncludeVat && market.vatFactor === null ? "vat_unknown" : null;
}

/** Returns a number below, equal to or above 0 if the margin is below, at or above `pct`. */
export function compareMargin(market: Market, priceCents: number, pct: Fraction): number {
  const kept = multiply(netOf(market, priceCents), subtract(ONE, pct));
  return compareFractions(kept, costOf(market));
}

/** `pct` must be below 100. Cost and VAT rate must be known: check with `missingForMargin`. */
export function priceForMargin(market: Market, pct: number): number {
  return ceilOf(divide(priceAtCost(market), subtract(ONE, percent(pct))));
}

/** Cost and VAT rate must be known: check with `missingForMargin`. */
export function priceAtCost(market: Market): Fraction {
  const cost = costOf(market);
  const isGross = market.situation.settings.pricesIncludeVat;
  return isGross ? multiply(cost, market.vatFactor ?? ONE) : cost;
}

/** Returns the margin in percent with 2 decimals, rounded down. */
export function marginPct(market: Market, priceCents: number | null): number | null {
  if (priceCents === null || priceCents <= 0 || missingForMargin(market) !== null) return null;
  return marginPctOf(netOf(market, priceCents), knownCost(market.situation.product) ?? 0);
}

/** The cost must be known: check with `missingForMargin`. */
export function costOf({ situation }: Market): Fraction {
  return whole(knownCost(situation.product) ?? 0);
}

/** The VAT rate must be known: check with `missingForMargin`. */
export function netOf(market: Market, priceCents: number): Fraction {
  const price = whole(priceCents);
  const isGross = market.situation.settings.pricesIncludeVat;
  return isGross && market.vatFactor !== null ? divide(price, market.vatFactor) : price;
}

export interface Cut {
  readonly atMs: number;
  readonly fromCents: number;
  readonly toCents: number;
  /** The cheapest competitor when the rule cut the price; null if no offer could be compared. */
  readonly competitorId: string | null;
  /** The competitor's price per piece, with VAT if our price includes VAT. */
  readonly referenceCents: number | null;
}

export interface BrakeState {
  /** Price cuts by a rule, the oldest first. */
  readonly cuts: readonly Cut[];
  /** Time until which the brake forbids further price cuts; null if it forbids none. */
  readonly untilMs: number | null;
}

export interface Spent {
  readonly all: number;
  /** Today's number of automatic price changes by rule id, for rules with a daily limit. */
  readonly rules: Readonly<Record<string, number>>;
}

export type LeftOut =
  | "own_offer"
  | "other_product"
  | "never_observed"
  | "other_currency"
  | "vat_unknown"
  | "competitor_excluded"
  | "stale"
  | "out_of_stock"
  | "not_exact"
  | "other_condition"
  | "by_seller"
  | "no_seller";
