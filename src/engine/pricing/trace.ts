/** The stored explanation of a decision, as plain JSON (docs/decisions/rules.md). */

import { floorOf, type Fraction, isWhole } from "../../base/fraction.ts";
import { iso, isoOrNull } from "../../base/time.ts";
import type { CompiledRule, Judgement } from "./compile_rule.ts";
import type { FoundPrice } from "./find_price.ts";
import { AIM_KINDS } from "./actions.ts";
import { comparesDelivered, leftOut, referenceOffers, selectReferences } from "./reference.ts";
import { MODES, type Offer, ownShippingOf, vatRateOf } from "./situation.ts";
import type { View } from "./trigger.ts";
import { z } from "zod";

const cents = z.int().nullable();
const facts = z.record(z.string(), z.unknown());
const OLD = "Absent in older traces";

const TraceOffer = z.object({
  matchId: z.string().describe("The link of the offer"),
  competitorId: z.string(),
  competitor: z.string(),
  priceCents: cents.describe("As observed, for `packFactor` pieces"),
  currency: z.string().nullable(),
  packFactor: z.number(),
  inStock: z.boolean().nullable(),
  confidence: z.number().nullable(),
  observedAt: z.string().nullable(),
  pricesIncludeVat: z.boolean(),
  shippingCents: cents.optional()
    .describe("The shop's charge for one parcel; null: unknown. Absent in older traces"),
  seller: z.string().nullable().optional()
    .describe("The seller, if the page shows it. Absent in older traces"),
});

const TraceReference = TraceOffer.extend({
  unitCents: z.int().describe(
    "Per piece, with or without VAT like our price, rounded down; `exact` is the quotient. " +
      "Plus its shipping minus ours if the rule compares with shipping",
  ),
  exact: z.string().describe("The price per piece as a quotient"),
  isUsed: z.boolean().describe("True if the price was calculated from it"),
  lacksShipping: z.boolean().optional().describe(
    "True if the rule compares with shipping and that of the offer is unknown, so that " +
      "it counts without. Absent in older traces",
  ),
  previousPriceCents: cents.optional()
    .describe("The price that it showed before, in the same currency; absent in older traces"),
});

const TraceAmount = z.object({
  cents: z.int().describe("Rounded down"),
  exact: z.string().describe("The amount as a quotient"),
});

const TraceBound = z.object({
  cents: z.int().describe("The bound, inclusive"),
  by: z.string().describe("Code of the bound"),
});

const TraceStanding = z.object({
  owner: z.object({
    ruleId: z.string(),
    name: z.string(),
    why: z.enum(["fired", "held_up"]).describe(
      "`fired`: the rule sets the price; `held_up`: a guard delays the rule, and no later rule " +
        "bypasses this guard",
    ),
    hold: z.string().nullable().describe("Code of the guard that delays it"),
  }).nullable(),
  behind: z.array(z.object({
    ruleId: z.string(),
    name: z.string(),
    wouldBeCents: z.int().describe("The price that it would set"),
    why: z.enum(["outranked", "not_stable"])
      .describe("`not_stable`: an earlier rule would change its price back"),
    by: z.object({
      ruleId: z.string(),
      name: z.string(),
      wouldBeCents: z.int().describe("The price that this rule would set"),
    }).describe("The earlier rule that takes precedence or would change the price back"),
  })),
});

export type TraceStanding = z.infer<typeof TraceStanding>;

export const Trace = z.object({
  at: z.string(),
  mode: z.enum(MODES),
  ruleId: z.string(),
  inputs: z.object({
    currency: z.string(),
    ourPriceCents: cents,
    costPriceCents: cents.describe("Our cost of the product, without VAT"),
    pricesIncludeVat: z.boolean(),
    vatRatePct: z.number().nullable(),
    priceLocked: z.boolean(),
    ownShippingCents: cents.optional()
      .describe("Our charge for one parcel; null: not set. Absent in older traces"),
    heldUntil: z.string().nullable().optional().describe(OLD),
    dayAgoCents: cents.describe("Our price 24 hours earlier"),
    setByPersonAt: z.string().nullable()
      .describe("When a person last set our price; null: never, or too long ago"),
    lastFiredAt: z.string().nullable(),
    lastRank: z.int().nullable().describe("Our rank at the previous evaluation of the rule"),
  }).describe("The facts about the product, and earlier results of the rule"),
  trigger: z.object({
    value: z.string(),
    reference: z.string().describe("The price that it is compared with, as text"),
    comparedWith: z.array(z.string()).describe("The `matchId` of each offer compared with"),
    fires: z.boolean().describe("True if the trigger fires"),
    said: z.object({ code: z.string(), facts }).describe("Why, for programs"),
  }),
  references: z.array(TraceReference).describe("The offers that count"),
  leftOut: z.array(
    TraceOffer.extend({ why: z.string().describe("Why it does not count, as a code") }),
  ).describe("The offers that do not count"),
  price: z.object({
    formula: z.string().nullable()
      .describe("The formula of the action; null for an action with `price`"),
    reference: TraceAmount.extend({
      kind: z.enum(AIM_KINDS).describe("Which reference of `actions[].price`"),
      isFallback: z.boolean().describe("True if it replaces a missing reference"),
    }).nullable().optional()
      .describe(`What the price was calculated from; null for a formula. ${OLD}`),
    wish: TraceAmount.nullable().optional()
      .describe(`The adjusted reference, before bounds and rounding; null for a formula. ${OLD}`),
    low: TraceBound.nullable().optional()
      .describe(`The highest of the lower bounds; null: none. ${OLD}`),
    high: TraceBound.nullable().optional()
      .describe(`The lowest of the upper bounds; null: none. ${OLD}`),
    goalCents: cents.optional()
      .describe(`The final price that the moves approach; null for a formula. ${OLD}`),
    limit: z.object({
      lowCents: z.int().describe("The lowest price that one move can reach"),
      highCents: z.int().describe("The highest price that one move can reach"),
    }).nullable().optional().describe(`The limit of one move; null: none. ${OLD}`),
    notes: z.array(
      z.object({ code: z.string(), facts }).describe("For programs"),
    ).optional().describe(
      `What changed the price while it was computed: bounds, endings, fallback. ${OLD}`,
    ),
    targetMarginPct: z.number().nullable()
      .describe("The margin that the formula aims at; null for other formulas"),
    wishedCents: z.int().describe("The price of the formula, before bounds and rounding"),
    floor: z.object({
      pct: z.number(),
      cents: z.int().describe("The lowest price that keeps the margin"),
      lifts: z.boolean().describe("True if the price was raised to it"),
    }).nullable().describe("The least margin; null without one"),
    rounding: z.object({
      ending: z.string().describe("The ending that the rule requires"),
      fromCents: z.int().describe("The price before it was rounded"),
    }).nullable().describe("The rounding; null if it changed nothing"),
    proposedCents: z.int(),
  }).nullable().describe("Null if the rule sets no price, or none could be computed"),
  guards: z.array(z.object({
    guard: z.string().describe("Code of the guard"),
    forbids: z.enum(["price", "apply"])
      .describe("What its objection forbids: the price, or applying it automatically"),
    facts: facts.nullable().describe("The facts of its objection; null if it does not object"),
  })),
  bindingGuard: z.string().nullable(),
  owner: TraceStanding.shape.owner.optional()
    .describe(`The rule that owns the product's price; null: none. ${OLD}`),
  behind: TraceStanding.shape.behind.optional()
    .describe(`Other rules that would set a price, in order. ${OLD}`),
});

export type Trace = z.infer<typeof Trace>;

type TracePrice = NonNullable<Trace["price"]>;

export function isTrace(value: unknown): value is Trace {
  return Trace.safeParse(value).success;
}

interface TraceSource {
  readonly rule: CompiledRule;
  readonly judgement: Judgement;
  readonly found: FoundPrice | null;
  readonly bindingGuard: string | null;
  readonly standing: TraceStanding;
}

export function traceOf(source: TraceSource): Trace {
  const { rule, judgement: { by, view, verdict }, found, bindingGuard, standing } = source;
  const { situation } = view.market;
  return {
    at: iso(situation.nowMs),
    mode: situation.mode,
    ruleId: rule.id,
    inputs: inputsOf(view),
    trigger: {
      value: by.value,
      reference: view.options.kind,
      comparedWith: by.needs.references
        ? referenceOffers(view.options.kind, view.references).map(({ offer }) => offer.matchId)
        : [],
      fires: verdict.fires,
      said: verdict.said(),
    },
    references: referencesOf(view, found),
    leftOut: leftOut(view.options, view.market).map(({ offer, why }) => ({
      ...offerText(offer, situation.settings.pricesIncludeVat),
      why,
    })),
    price: priceOf(rule, found),
    guards: [...found?.checks ?? []],
    bindingGuard,
    ...standing,
  };
}

function inputsOf({ market, past }: View): Trace["inputs"] {
  const { product, settings, history } = market.situation;
  return {
    currency: product.currency,
    ourPriceCents: product.ourPriceCents,
    costPriceCents: product.costPriceCents,
    pricesIncludeVat: settings.pricesIncludeVat,
    vatRatePct: vatRateOf(market.situation),
    priceLocked: product.priceLocked,
    ownShippingCents: ownShippingOf(market.situation),
    heldUntil: isoOrNull(product.heldUntilMs),
    dayAgoCents: history.price?.dayAgoCents ?? null,
    setByPersonAt: isoOrNull(history.price?.setByPersonAtMs ?? null),
    lastFiredAt: isoOrNull(past?.lastFiredAtMs ?? null),
    lastRank: past?.rank ?? null,
  };
}

function referencesOf(view: View, found: FoundPrice | null) {
  const used = new Set(found?.priced?.wish.used.map(({ offer }) => offer.matchId));
  const { settings } = view.market.situation;
  const isDelivered = comparesDelivered(view.options, view.market);
  return selectReferences(view.options, view.market).offers.map(({ offer, unit }) => ({
    ...offerText(offer, settings.pricesIncludeVat),
    unitCents: floorOf(unit),
    exact: exactText(unit),
    isUsed: used.has(offer.matchId),
    lacksShipping: isDelivered && (offer.shippingCents ?? null) === null,
    previousPriceCents: offer.previousPriceCents,
  }));
}

function priceOf(rule: CompiledRule, found: FoundPrice | null): TracePrice | null {
  if (!found?.priced || !rule.price) return null;
  const { priced } = found;
  const { price, limits: { floorPct } } = rule;
  const terms = price.kind === "formula" ? price : null;
  const { bounds, tight: { low, high }, aimed } = priced;
  const base = aimed && aimed.base;
  const floor = bounds.find(({ said }) => said.code === "margin_floor");
  const lifts = priced.notes.some(({ code }) => code === "margin_floor");
  return {
    formula: terms?.formula.value ?? null,
    reference: base && { kind: base.kind, isFallback: base.isFallback, ...amountText(base.price) },
    wish: base && amountText(base.wish),
    goalCents: aimed && aimed.goal.goalCents,
    limit: aimed && aimed.goal.limit,
    low: low && { cents: low.cents, by: low.said.code },
    high: high && { cents: high.cents, by: high.said.code },
    notes: [...priced.notes],
    targetMarginPct: terms?.formula.needs.targetMargin ? terms.targetMarginPct : null,
    wishedCents: priced.wish.cents,
    floor: floorPct === null || !floor ? null : { pct: floorPct, cents: floor.cents, lifts },
    rounding: terms === null || terms.rounding === "none"
      ? null
      : { ending: terms.rounding, fromCents: priced.liftedCents },
    proposedCents: priced.proposedCents,
  };
}

function amountText(amount: Fraction): z.infer<typeof TraceAmount> {
  return { cents: floorOf(amount), exact: exactText(amount) };
}

function offerText(offer: Offer, workspaceIncludesVat: boolean): z.infer<typeof TraceOffer> {
  const { matchId, competitorId, competitor, priceCents, currency } = offer;
  const { packFactor, inStock, confidence } = offer;
  return {
    matchId,
    competitorId,
    competitor,
    priceCents,
    currency,
    packFactor,
    inStock,
    confidence,
    observedAt: isoOrNull(offer.observedAtMs),
    pricesIncludeVat: offer.pricesIncludeVat ?? workspaceIncludesVat,
    shippingCents: offer.shippingCents ?? null,
    seller: offer.seller ?? null,
  };
}

/** Returns minor units, or a quotient such as `1999/3` if the amount is not whole. */
function exactText(price: Fraction): string {
  return isWhole(price) ? String(floorOf(price)) : `${price.num}/${price.den}`;
}
