/**
 * Reads a workspace's settings and competitors, and converts settings, products and offers to the
 * inputs of rules. Also compares our price with the market.
 */
import { readWorkspace, type Workspace } from "../../accounts/workspace.ts";
import { isInStock } from "../../base/codes.ts";
import { msOrNull } from "../../base/time.ts";
import type { Product } from "../../catalogue/products/product.ts";
import {
  foldTexts,
  type History,
  type Mode,
  NO_HISTORY,
  type Offer,
  type PricedProduct,
  type PricingSettings,
  type ShopTerms,
  shopTermsOf,
  type Situation,
} from "../../engine/pricing/situation.ts";
import { type Competitor, readCompetitorSet } from "../../shops/competitor_store.ts";
import {
  type Offer as StoredOffer,
  type OwnSellers,
  ownSellersOf,
  showsOtherProduct,
} from "../../shops/offers/offer.ts";
import type { MarketFacts } from "../../engine/pricing/market_facts.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { findOffersOf } from "../../shops/offers/offer_store.ts";
import { z } from "@hono/zod-openapi";

export function pricedProductOf(
  product: Product,
  folded: PricedProduct["folded"] = foldTexts(product),
): PricedProduct {
  return {
    id: product.id,
    sku: product.sku,
    brand: product.brand,
    category: product.category,
    tier: product.tier,
    currency: product.currency,
    folded,
    ourPriceCents: product.ourPriceCents,
    costPriceCents: product.costPriceCents,
    targetPriceCents: product.targetPriceCents,
    minPriceCents: product.minPriceCents,
    maxPriceCents: product.maxPriceCents,
    shippingCents: product.shippingPriceCents,
    condition: product.condition,
    vatRatePct: product.vatRatePct,
    priceLocked: product.priceLocked,
    heldUntilMs: msOrNull(product.heldUntil),
    scrapeIntervalHours: product.scrapeIntervalHours,
  };
}

export function pricingSettingsOf(workspace: Workspace): PricingSettings {
  const { currency, pricesIncludeVat, vatRatePct, ownShippingCents, autoApply } = workspace;
  const { automationStop: stop, budgetPerDay, approval, compareDelivered } = workspace;
  return {
    currency,
    pricesIncludeVat,
    vatRatePct,
    ownShippingCents,
    autoApply,
    stop,
    budgetPerDay,
    approval,
    compareDelivered,
  };
}

interface Shops {
  readonly competitors: ReadonlyMap<string, Competitor>;
  readonly isOurs: OwnSellers;
}

export function shopsOf(
  { ownSellerNames }: Workspace,
  competitors: ReadonlyMap<string, Competitor>,
): Shops {
  return { competitors, isOurs: ownSellersOf(ownSellerNames, competitors) };
}

const NO_OFFERS: readonly Offer[] = [];

export function pricingOffersOf(
  offers: readonly StoredOffer[],
  { competitors, isOurs }: Shops,
): Required<Pick<Situation, "offers" | "ownOffers">> {
  const live: Offer[] = [];
  const own: Offer[] = [];
  for (const offer of offers) {
    const competitor = competitors.get(offer.competitorId);
    if (!offer.enabled || !competitor?.enabled) continue;
    (isOurs(offer) ? own : live).push(pricingOffer(offer, competitor));
  }
  return { offers: live, ownOffers: own.length === 0 ? NO_OFFERS : own };
}

function pricingOffer(offer: StoredOffer, competitor: Competitor): Offer {
  return {
    matchId: offer.matchId,
    competitorId: offer.competitorId,
    competitor: competitor.displayName,
    priceCents: offer.priceCents,
    currency: offer.currency,
    inStock: isInStock(offer.availability),
    packFactor: offer.packFactor,
    confidence: offer.confidence,
    observedAtMs: offer.observedAtMs,
    previousPriceCents: null,
    priceSinceMs: null,
    pricesIncludeVat: competitor.pricesIncludeVat,
    matchCreatedAtMs: Number.parseInt(offer.matchId.slice(0, 8), 16) * 1_000,
    matchType: offer.matchType,
    isOtherProduct: showsOtherProduct(offer),
    isConfirmed: offer.verdict === "same",
    condition: offer.condition,
    seller: offer.seller,
    shippingCents: offer.shippingCents,
    shop: folded.getOrInsertComputed(competitor, shopTermsOf),
    status: offer.status,
  };
}

const folded = new WeakMap<Competitor, ShopTerms>();

export interface Surroundings extends Shops {
  readonly settings: PricingSettings;
}

export type LiveSurroundings = Awaited<ReturnType<typeof readSurroundings>>;

export async function readSurroundings(workspace: WorkspaceStore) {
  const [{ workspace: settings, versionstamp }, competitors] = await Promise.all([
    readWorkspace(workspace),
    readCompetitorSet(workspace),
  ]);
  return {
    settings: pricingSettingsOf(settings),
    timeZone: settings.timeZone,
    settingsVersion: versionstamp,
    ...shopsOf(settings, competitors.byId),
    competitorsVersion: competitors.version,
  };
}

/** Inputs of rules that are the same for all products. */
export interface Scene {
  readonly surroundings: Surroundings;
  readonly nowMs: number;
  readonly mode?: Mode;
}

export function situationIn(
  { surroundings, nowMs, mode = "live" }: Scene,
  product: PricedProduct,
  offers: readonly StoredOffer[],
  history: History,
): Situation {
  const { settings } = surroundings;
  return { product, ...pricingOffersOf(offers, surroundings), history, settings, nowMs, mode };
}

/** Reads the inputs of rules for the products, without rule states and price history. */
export async function readSituations(ctx: Context, products: readonly Product[]) {
  const [rows, surroundings] = await Promise.all([
    findOffersOf(ctx, products.map(({ id }) => id)),
    readSurroundings(ctx),
  ]);
  const scene = { surroundings, nowMs: ctx.now().getTime() };
  return new Map(products.map((product, at) => {
    const offers = rows[at]?.offers ?? [];
    return [product.id, situationIn(scene, pricedProductOf(product), offers, NO_HISTORY)] as const;
  }));
}

const cents = z.int().nullable();

export const MarketStand = z.object({
  offers: z.int().describe("Number of offers whose price counts"),
  cheapestCents: cents
    .describe("Per piece, with or without VAT like our price, in minor units of `currency`"),
  cheapestCompetitorId: z.string().nullable(),
  cheapestCompetitor: z.string().nullable().describe("Display name"),
  averageCents: cents,
  gapCents: cents.describe("Our price minus the cheapest one"),
  gapPct: z.number().nullable().describe("`gapCents` in percent of the cheapest price"),
  rank: z.int().nullable().describe("1 is the cheapest; equal prices share a rank"),
  of: z.int().describe("Number of offers, plus one for ours"),
}).meta({ id: "MarketStand" });

export type MarketStand = Readonly<z.infer<typeof MarketStand>>;

export function marketPositionOf(
  { offers, cheapest, averageCents, own }: MarketFacts,
): MarketStand {
  return {
    offers: offers.length,
    cheapestCents: cheapest?.cents ?? null,
    cheapestCompetitorId: cheapest?.competitorId ?? null,
    cheapestCompetitor: cheapest?.competitor ?? null,
    averageCents,
    gapCents: own?.gapCents ?? null,
    gapPct: own?.gapPct?.pct ?? null,
    rank: own?.rank ?? null,
    of: offers.length + 1,
  };
}

/** Fields of `MarketStand` that do not depend on our own price. */
export const RIVALS = ["offers", "cheapestCents", "cheapestCompetitorId", "averageCents"] as const;
export type Rivals = Pick<MarketStand, typeof RIVALS[number]>;

export function hasMoved(then: Rivals, now: Rivals): boolean {
  return RIVALS.some((name) => then[name] !== now[name]);
}
