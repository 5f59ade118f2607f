/** Computes new prices of many products, and finds reasons to doubt each new price. */
import { fromKeys, pick } from "../../../base/collections.ts";
import { add, changePct, multiply, percent, roundOf, whole } from "../../../base/fraction.ts";
import { MINOR_UNITS_MAX } from "../../../base/money.ts";
import { type PriceDoubt, priceDoubts } from "../../../base/price_doubts.ts";
import type { Workspace } from "../../../accounts/workspace.ts";
import { parcelCents } from "../../parts/price_figures.tsx";
import { heldUntilOf, limitsOf, marginTermsOf, type MarketProduct } from "./one_product.tsx";

export type PriceWish =
  | { readonly kind: "amount"; readonly cents: number; readonly currency: string }
  | { readonly kind: "percent"; readonly pct: number }
  | { readonly kind: "cheapestPct"; readonly pct: number }
  | { readonly kind: "cheapestCents"; readonly cents: number; readonly currency: string };

export const LEFT_OUT = [
  "same",
  "locked",
  "held",
  "noPrice",
  "noMarket",
  "currency",
  "notPositive",
] as const;
type LeftOut = (typeof LEFT_OUT)[number];

export const DOUBT_CODES = [
  "factor",
  "below_cost",
  "below_floor",
  "below_min",
  "above_max",
  "far_off",
] as const satisfies readonly PriceDoubt["code"][];
export type DoubtCode = (typeof DOUBT_CODES)[number];

const KEPT = [
  "id",
  "sku",
  "currency",
  "ourPriceCents",
  "costPriceCents",
  "vatRatePct",
  "minPriceCents",
  "maxPriceCents",
  "priceLocked",
  "heldUntil",
] as const;

export type PricedProduct = ReturnType<typeof pricedOf>;

export function pricedOf(product: MarketProduct, workspace: Workspace | null) {
  const { cheapestCents = null, rule = null } = product.market ?? {};
  return {
    ...pick(product, KEPT),
    cheapestCents: cheapestCents === null ? null : cheapestCents - parcelCents(product, workspace),
    ruleId: rule?.id ?? null,
  };
}

export interface PlannedPrice {
  readonly id: string;
  readonly sku: string;
  readonly currency: string;
  readonly fromCents: number | null;
  readonly toCents: number;
  readonly doubts: readonly PriceDoubt[];
}

interface PricePlan {
  readonly prices: readonly PlannedPrice[];
  readonly leftOut: Readonly<Record<LeftOut, number>>;
}

interface PlanTerms {
  readonly workspace: Workspace | null;
  readonly floors: ReadonlyMap<string, number | null>;
  readonly nowMs: number;
}

export function planPrices(
  products: readonly PricedProduct[],
  wish: PriceWish,
  terms: PlanTerms,
): PricePlan {
  const leftOut = fromKeys(LEFT_OUT, () => 0);
  const prices: PlannedPrice[] = [];
  for (const product of products) {
    const planned = planOne(product, wish, terms);
    if (typeof planned === "string") leftOut[planned]++;
    else prices.push(planned);
  }
  return { prices, leftOut };
}

function planOne(
  product: PricedProduct,
  wish: PriceWish,
  { workspace, floors, nowMs }: PlanTerms,
): PlannedPrice | LeftOut {
  const { id, sku, currency, ourPriceCents: fromCents, cheapestCents, ruleId } = product;
  if (product.priceLocked) return "locked";
  if (heldUntilOf(product, nowMs) !== null) return "held";
  const toCents = priceOf(product, wish);
  if (typeof toCents === "string") return toCents;
  if (toCents <= 0 || toCents > MINOR_UNITS_MAX) return "notPositive";
  if (toCents === fromCents) return "same";
  const doubts = priceDoubts({
    cents: toCents,
    oldCents: fromCents,
    marketCents: cheapestCents,
    floorPct: ruleId === null ? null : floors.get(ruleId) ?? null,
    terms: marginTermsOf(product, workspace),
    limits: limitsOf(product, nowMs),
  });
  return { id, sku, currency, fromCents, toCents, doubts };
}

function priceOf(
  { currency, ourPriceCents, cheapestCents }: PricedProduct,
  wish: PriceWish,
): number | LeftOut {
  if ("currency" in wish && wish.currency !== currency) return "currency";
  if (wish.kind === "amount") return wish.cents;
  const base = wish.kind === "percent" ? ourPriceCents : cheapestCents;
  if (base === null) return wish.kind === "percent" ? "noPrice" : "noMarket";
  if (wish.kind === "cheapestCents") return base + wish.cents;
  return roundOf(multiply(whole(base), add(whole(1), percent(wish.pct))));
}

export function acceptedOf(
  { prices }: PricePlan,
  accepted: ReadonlySet<DoubtCode>,
): readonly PlannedPrice[] {
  return prices.filter(({ doubts }) =>
    doubts.every(({ code }) => isAsked(code) && accepted.has(code))
  );
}

function isAsked(code: PriceDoubt["code"]): code is DoubtCode {
  return code !== "locked" && code !== "held";
}

export function largestOf(prices: readonly PlannedPrice[], count: number): readonly PlannedPrice[] {
  const distance = ({ fromCents, toCents }: PlannedPrice) =>
    fromCents ? Math.abs(changePct(fromCents, toCents)) : Infinity;
  return prices.toSorted((a, b) => distance(b) - distance(a) || (a.sku < b.sku ? -1 : 1))
    .slice(0, count);
}
