/**
 * A decision explained: plain JSON, stored with what the decision caused (docs/decisions/rules.md).
 */
import type { Fraction } from "../base/fraction.ts";
import { floorOf, isWhole } from "../base/fraction.ts";
import type { CompiledRule, CompiledTrigger } from "./compile_rule.ts";
import type { PricedDraft } from "./draft.ts";
import { type Asked, type FoundPrice, isLifted } from "./find_price.ts";
import type { Offer } from "./offer.ts";
import type { AimKind } from "./price_aim.ts";
import { leftOut, referenceOffers, selectReferences } from "./reference.ts";
import type { Saying } from "./said.ts";
import { type Mode, ownShippingOf, vatRateOf } from "./situation.ts";
import type { View } from "./trigger.ts";

/** A competitor's price as seen, and why it took no part or as what it did. */
export interface TraceOffer {
  readonly matchId: string;
  readonly competitorId: string;
  readonly competitor: string;
  readonly priceCents: number | null;
  readonly currency: string | null;
  readonly packFactor: number;
  readonly inStock: boolean | null;
  readonly confidence: number | null;
  readonly observedAt: string | null;
  readonly pricesIncludeVat: boolean;
  /** What the shop adds for a parcel; null where nobody knows. Absent in traces stored earlier. */
  readonly shippingCents?: number | null;
  /** Who sells it, where the page says so. Absent in traces stored earlier. */
  readonly seller?: string | null;
}

export interface TraceReference extends TraceOffer {
  /**
   * Per piece and on our side of VAT, rounded down; `exact` says the quotient when it is none. With its
   * shipping and less ours, for a rule that says so.
   */
  readonly unitCents: number;
  readonly exact: string;
  /** True for those that the price was computed from. */
  readonly isUsed: boolean;
  /**
   * What the same match showed before, in the same currency; null when nothing compares, or nobody
   * looked. Traces that were stored earlier lack it.
   */
  readonly previousPriceCents?: number | null;
}

export interface TraceLeftOut extends TraceOffer {
  readonly why: string;
}

/** An amount to the cent, rounded down, and exactly. */
export interface TraceAmount {
  readonly cents: number;
  readonly exact: string;
}

/** What a price that is aimed at was reckoned from. */
export interface TraceBase extends TraceAmount {
  readonly kind: AimKind;
  /** True where it stands in for a reference that there is not. */
  readonly isFallback: boolean;
}

/** The tighter one of the bounds on one side. */
export interface TraceBound {
  readonly cents: number;
  readonly by: string;
}

export interface TracePrice {
  /** Null for a price that is aimed at. */
  readonly formula: string | null;
  /**
   * Null for a price of a formula, as the three behind it are. Traces that were stored earlier lack
   * them, and the bounds and notes.
   */
  readonly reference?: TraceBase | null;
  /** The adjusted reference, before bounds and rounding. */
  readonly wish?: TraceAmount | null;
  /** Where the moves go; null where bounds leave nothing, too. */
  readonly goalCents?: number | null;
  /** How far one move may go; null: as far as it likes. */
  readonly limit?: { readonly lowCents: number; readonly highCents: number } | null;
  readonly low?: TraceBound | null;
  readonly high?: TraceBound | null;
  /** What has changed the price on its way: bounds, endings that found no room, the fallback. */
  readonly notes?: readonly Saying[];
  readonly targetMarginPct: number | null;
  readonly wishedCents: number;
  readonly floor: { readonly pct: number; readonly cents: number; readonly lifts: boolean } | null;
  readonly rounding: { readonly ending: string; readonly fromCents: number } | null;
  readonly proposedCents: number;
}

export interface Trace {
  readonly at: string;
  readonly mode: Mode;
  readonly ruleId: string;
  readonly inputs: {
    readonly currency: string;
    readonly ourPriceCents: number | null;
    readonly costPriceCents: number | null;
    readonly pricesIncludeVat: boolean;
    readonly vatRatePct: number | null;
    readonly priceLocked: boolean;
    /** What we add for a parcel; null where nobody says so. Traces that were stored earlier lack it. */
    readonly ownShippingCents?: number | null;
    /** Traces that were stored earlier lack it. */
    readonly heldUntil?: string | null;
    readonly dayAgoCents: number | null;
    readonly setByPersonAt: string | null;
    readonly lastFiredAt: string | null;
    readonly lastRank: number | null;
  };
  readonly trigger: {
    readonly value: string;
    readonly reference: string;
    /** What the trigger compared with; null when it compares with none. */
    readonly comparedWith: readonly string[];
    readonly fires: boolean;
    readonly said: Saying;
  };
  readonly references: readonly TraceReference[];
  readonly leftOut: readonly TraceLeftOut[];
  /** Null when the rule makes no price, or none could be computed. */
  readonly price: TracePrice | null;
  /** In the order in which they were asked. */
  readonly guards: readonly Asked[];
  readonly bindingGuard: string | null;
}

/** What a trace is made from; nothing is kept but this until somebody asks. */
export interface TraceSource {
  readonly rule: CompiledRule;
  /** The trigger that answered. */
  readonly by: CompiledTrigger;
  readonly view: View;
  readonly fires: boolean;
  readonly said: Saying;
  readonly found: FoundPrice | null;
  readonly bindingGuard: string | null;
}

export function traceOf(source: TraceSource): Trace {
  const { rule, by, view, found } = source;
  const { situation } = view.market;
  return {
    at: timeText(situation.nowMs),
    mode: situation.mode,
    ruleId: rule.id,
    inputs: inputsOf(view),
    trigger: {
      value: by.value,
      reference: view.options.kind,
      comparedWith: by.needs.references
        ? referenceOffers(view.options.kind, view.references).map(({ offer }) => offer.matchId)
        : [],
      fires: source.fires,
      said: source.said,
    },
    references: referencesOf(view, found),
    leftOut: leftOut(view.options, view.market).map(({ offer, why }) => ({
      ...offerText(offer, situation.settings.pricesIncludeVat),
      why,
    })),
    price: priceOf(rule, found),
    guards: found?.asked ?? [],
    bindingGuard: source.bindingGuard,
  };
}

function inputsOf({ market, memory }: View): Trace["inputs"] {
  const { product, settings, history } = market.situation;
  return {
    currency: product.currency,
    ourPriceCents: product.ourPriceCents,
    costPriceCents: product.costPriceCents,
    pricesIncludeVat: settings.pricesIncludeVat,
    vatRatePct: vatRateOf(market.situation),
    priceLocked: product.priceLocked,
    ownShippingCents: ownShippingOf(market.situation),
    heldUntil: nullableTime(product.heldUntilMs),
    dayAgoCents: history.price?.dayAgoCents ?? null,
    setByPersonAt: nullableTime(history.price?.setByPersonAtMs ?? null),
    lastFiredAt: nullableTime(memory?.lastFiredAtMs ?? null),
    lastRank: memory?.rank ?? null,
  };
}

function referencesOf(view: View, found: FoundPrice | null): TraceReference[] {
  const used = new Set(found?.priced?.wish.used.map(({ offer }) => offer.matchId));
  const { settings } = view.market.situation;
  return selectReferences(view.options, view.market).offers.map(({ offer, unit }) => ({
    ...offerText(offer, settings.pricesIncludeVat),
    ...unitText(unit),
    isUsed: used.has(offer.matchId),
    previousPriceCents: offer.previousPriceCents,
  }));
}

function priceOf(rule: CompiledRule, found: FoundPrice | null): TracePrice | null {
  if (!found?.priced || !rule.price) return null;
  const { priced } = found;
  const { price, limits: { floorPct } } = rule;
  const terms = price.kind === "formula" ? price.terms : null;
  const { low, high } = priced.tight;
  return {
    formula: terms?.formula ?? null,
    ...aimOf(priced),
    low: low && { cents: low.cents, by: low.said.code },
    high: high && { cents: high.cents, by: high.said.code },
    notes: priced.notes,
    targetMarginPct: priced.needs.targetMargin ? priced.targetMarginPct : null,
    wishedCents: priced.wish.cents,
    floor: floorPct === null || priced.floorCents === null
      ? null
      : { pct: floorPct, cents: priced.floorCents, lifts: isLifted(priced) },
    rounding: terms === null || terms.rounding === "none"
      ? null
      : { ending: terms.rounding, fromCents: priced.liftedCents },
    proposedCents: priced.proposedCents,
  };
}

function aimOf(
  { aimed }: PricedDraft,
): Pick<TracePrice, "reference" | "wish" | "goalCents" | "limit"> {
  if (aimed === null) return { reference: null, wish: null, goalCents: null, limit: null };
  const { base: { kind, isFallback, price, wish }, goal } = aimed;
  return {
    reference: { kind, isFallback, ...amountText(price) },
    wish: amountText(wish),
    goalCents: goal.goalCents,
    limit: goal.limit,
  };
}

function amountText(amount: Fraction): TraceAmount {
  return { cents: floorOf(amount), exact: exactText(amount) };
}

function offerText(offer: Offer, workspaceIncludesVat: boolean): TraceOffer {
  return {
    matchId: offer.matchId,
    competitorId: offer.competitorId,
    competitor: offer.competitor,
    priceCents: offer.priceCents,
    currency: offer.currency,
    packFactor: offer.packFactor,
    inStock: offer.inStock,
    confidence: offer.confidence,
    observedAt: nullableTime(offer.observedAtMs),
    pricesIncludeVat: offer.pricesIncludeVat ?? workspaceIncludesVat,
    shippingCents: offer.shippingCents ?? null,
    seller: offer.seller ?? null,
  };
}

function unitText(unit: Fraction) {
  return { unitCents: floorOf(unit), exact: exactText(unit) };
}

/** The minor units of `price` and, when they are not all, the exact quotient. */
function exactText(price: Fraction): string {
  return isWhole(price) ? String(floorOf(price)) : `${price.num}/${price.den}`;
}

function nullableTime(atMs: number | null): string | null {
  return atMs === null ? null : timeText(atMs);
}

function timeText(atMs: number): string {
  return new Date(atMs).toISOString();
}
