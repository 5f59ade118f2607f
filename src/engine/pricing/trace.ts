/**
 * A decision explained: plain JSON, stored with what the decision caused (docs/decisions/rules.md).
 */

import { floorOf, type Fraction, isWhole } from "../../base/fraction.ts";
import { iso, isoOrNull } from "../../base/time.ts";
import type { CompiledRule, CompiledTrigger } from "./compile_rule.ts";
import { type FoundPrice, isLifted } from "./find_price.ts";
import type { PricedDraft } from "./guard.ts";
import { AIM_KINDS } from "./price_aim.ts";
import { comparesDelivered, leftOut, referenceOffers, selectReferences } from "./reference.ts";
import { MODES, type Offer, ownShippingOf, vatRateOf } from "./situation.ts";
import type { Saying } from "./statement.ts";
import type { View } from "./trigger.ts";
import { z } from "zod";

const cents = z.int().nullable();
const facts = z.record(z.string(), z.unknown());
const OLD = "Absent in an old one";

const TraceOffer = z.object({
  matchId: z.string().meta({ description: "The link of the offer" }),
  competitorId: z.string(),
  competitor: z.string(),
  priceCents: cents.meta({ description: "As it was seen, for `packFactor` pieces" }),
  currency: z.string().nullable(),
  packFactor: z.number(),
  inStock: z.boolean().nullable(),
  confidence: z.number().nullable(),
  observedAt: z.string().nullable(),
  pricesIncludeVat: z.boolean(),
  shippingCents: cents.optional().meta({
    description: "What the shop adds for a parcel; null: not known. Absent in an old one",
  }),
  seller: z.string().nullable().optional().meta({
    description: "Who sells it, where the page says so. Absent in an old one",
  }),
});

const TraceReference = TraceOffer.extend({
  unitCents: z.int().meta({
    description: "Per piece and on our side of VAT, rounded down; `exact` says the quotient. " +
      "With its shipping and less ours, where the rule says so",
  }),
  exact: z.string().meta({ description: "The price per piece as a quotient" }),
  isUsed: z.boolean().meta({ description: "True for those that the price was computed from" }),
  lacksShipping: z.boolean().optional().meta({
    description: "True where the rule compares with shipping, and that of the offer is unknown: " +
      "it counts without. Absent in an old one",
  }),
  // Null also without comparable offers, or if the trace did not compute it.
  previousPriceCents: cents.optional().meta({
    description: "What it showed before, in the same currency; absent in an old one",
  }),
});

export type TraceReference = z.infer<typeof TraceReference>;

const TraceAmount = z.object({
  cents: z.int().meta({ description: "Rounded down" }),
  exact: z.string().meta({ description: "The amount as a quotient" }),
});

const TraceBound = z.object({
  cents: z.int().meta({ description: "The bound itself is allowed" }),
  by: z.string().meta({ description: "Which bound it is, as a code" }),
});

const TraceStanding = z.object({
  owner: z.object({
    ruleId: z.string(),
    name: z.string(),
    why: z.enum(["fired", "held_up"]).meta({
      description: "`held_up`: it waits, and no rule behind it goes around what it waits for",
    }),
    hold: z.string().nullable().meta({ description: "What holds it up, as a code" }),
  }).nullable(),
  behind: z.array(z.object({
    ruleId: z.string(),
    name: z.string(),
    wouldBeCents: z.int().meta({ description: "The price that it would set" }),
    why: z.enum(["outranked", "not_stable"]).meta({
      description: "`not_stable`: a rule in front would take its price back",
    }),
    by: z.object({
      ruleId: z.string(),
      name: z.string(),
      wouldBeCents: z.int().meta({ description: "The price that this rule would set" }),
    }).meta({ description: "The rule that goes first, or would take the price back" }),
  })),
});

/** The rule that owns the price of the product, and the later rules. */
export type TraceStanding = z.infer<typeof TraceStanding>;

/** The stored form of a decision; interfaces add its sentences. */
export const Trace = z.object({
  at: z.string(),
  mode: z.enum(MODES),
  ruleId: z.string(),
  inputs: z.object({
    currency: z.string(),
    ourPriceCents: cents,
    costPriceCents: cents.meta({ description: "What the product costs us, without VAT" }),
    pricesIncludeVat: z.boolean(),
    vatRatePct: z.number().nullable(),
    priceLocked: z.boolean(),
    ownShippingCents: cents.optional().meta({
      description: "What we add for a parcel; null: nobody says so. Absent in an old one",
    }),
    heldUntil: z.string().nullable().optional().meta({ description: OLD }),
    dayAgoCents: cents.meta({ description: "Our price 24 hours before" }),
    setByPersonAt: z.string().nullable().meta({
      description: "When a person last set our price; null: nobody did, or it is too long ago",
    }),
    lastFiredAt: z.string().nullable(),
    lastRank: z.int().nullable().meta({ description: "Our rank when the rule was last asked" }),
  }).meta({ description: "What was known of the product and of what the rule did before" }),
  trigger: z.object({
    value: z.string(),
    reference: z.string().meta({ description: "What it is compared with, as text" }),
    comparedWith: z.array(z.string()).meta({ description: "By their `matchId`" }),
    fires: z.boolean().meta({ description: "True when the trigger holds" }),
    said: z.object({ code: z.string(), facts }).meta({ description: "Why, for programs" }),
  }),
  references: z.array(TraceReference).meta({ description: "The offers that count" }),
  leftOut: z.array(
    TraceOffer.extend({ why: z.string().meta({ description: "Why it does not, as a code" }) }),
  ).meta({ description: "The offers that do not count" }),
  price: z.object({
    formula: z.string().nullable().meta({
      description: "The formula of the action; null for a price that is aimed at",
    }),
    reference: TraceAmount.extend({
      kind: z.enum(AIM_KINDS).meta({ description: "Which reference of `actions[].price`" }),
      isFallback: z.boolean().meta({
        description: "True where it stands in for a reference that there is not",
      }),
    }).nullable().optional().meta({
      description: `What the price was reckoned from; null for a price of a formula. ${OLD}`,
    }),
    wish: TraceAmount.nullable().optional().meta({
      description: `The adjusted reference, before bounds and rounding; null as above. ${OLD}`,
    }),
    low: TraceBound.nullable().optional().meta({
      description: `The highest of the lower bounds; null: none. ${OLD}`,
    }),
    high: TraceBound.nullable().optional().meta({
      description: `The lowest of the upper bounds; null: none. ${OLD}`,
    }),
    goalCents: cents.optional().meta({
      description: `Where the moves go; null for a price of a formula. ${OLD}`,
    }),
    limit: z.object({
      lowCents: z.int().meta({ description: "The lowest price that it reaches" }),
      highCents: z.int().meta({ description: "The highest price that it reaches" }),
    }).nullable().optional().meta({
      description: `How far one move may go; null: as far as it likes. ${OLD}`,
    }),
    notes: z.array(
      z.object({ code: z.string(), facts }).meta({ description: "For programs" }),
    ).optional().meta({
      description: `What has changed the price on its way: bounds, endings, fallback. ${OLD}`,
    }),
    targetMarginPct: z.number().nullable().meta({
      description: "The margin that the formula aims at; null for other formulas",
    }),
    wishedCents: z.int().meta({ description: "What the formula asks for" }),
    floor: z.object({
      pct: z.number(),
      cents: z.int().meta({ description: "The lowest price that keeps the margin" }),
      lifts: z.boolean().meta({ description: "True when the price was raised to it" }),
    }).nullable().meta({ description: "The least margin; null without one" }),
    rounding: z.object({
      ending: z.string().meta({ description: "The last digits that were asked for" }),
      fromCents: z.int().meta({ description: "The price before it was rounded" }),
    }).nullable().meta({ description: "What rounding did; null when it did nothing" }),
    proposedCents: z.int(),
  }).nullable().meta({
    description: "Null when the rule makes no price, or none could be computed",
  }),
  guards: z.array(z.object({
    guard: z.string().meta({ description: "Which one was asked" }),
    forbids: z.enum(["price", "apply"]).meta({
      description: "What its objection forbids: any price, or to apply it without a person",
    }),
    facts: facts.nullable().meta({ description: "What its objection is made of; null: none" }),
  })),
  bindingGuard: z.string().nullable(),
  owner: TraceStanding.shape.owner.optional().meta({
    description: `The rule that the price of the product belongs to; null: none. ${OLD}`,
  }),
  behind: TraceStanding.shape.behind.optional().meta({
    description: `Other rules that would set a price, in their order. ${OLD}`,
  }),
});

export type Trace = z.infer<typeof Trace>;

type TracePrice = NonNullable<Trace["price"]>;

/** True if a trace from a workspace file can be shown. */
export function isTrace(value: unknown): value is Trace {
  return Trace.safeParse(value).success;
}

/** The inputs of a trace, which is computed on demand. */
export interface TraceSource {
  readonly rule: CompiledRule;
  readonly by: CompiledTrigger;
  readonly view: View;
  readonly fires: boolean;
  readonly said: Saying;
  readonly found: FoundPrice | null;
  readonly bindingGuard: string | null;
  readonly standing: TraceStanding;
}

export function traceOf(source: TraceSource): Trace {
  const { rule, by, view, found } = source;
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
      fires: source.fires,
      said: source.said,
    },
    references: referencesOf(view, found),
    leftOut: leftOut(view.options, view.market).map(({ offer, why }) => ({
      ...offerText(offer, situation.settings.pricesIncludeVat),
      why,
    })),
    price: priceOf(rule, found),
    guards: [...found?.asked ?? []],
    bindingGuard: source.bindingGuard,
    ...source.standing,
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
    heldUntil: isoOrNull(product.heldUntilMs),
    dayAgoCents: history.price?.dayAgoCents ?? null,
    setByPersonAt: isoOrNull(history.price?.setByPersonAtMs ?? null),
    lastFiredAt: isoOrNull(memory?.lastFiredAtMs ?? null),
    lastRank: memory?.rank ?? null,
  };
}

function referencesOf(view: View, found: FoundPrice | null): TraceReference[] {
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
  const { low, high } = priced.tight;
  return {
    formula: terms?.formula.value ?? null,
    ...aimOf(priced),
    low: low && { cents: low.cents, by: low.said.code },
    high: high && { cents: high.cents, by: high.said.code },
    notes: [...priced.notes],
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

function amountText(amount: Fraction): z.infer<typeof TraceAmount> {
  return { cents: floorOf(amount), exact: exactText(amount) };
}

function offerText(offer: Offer, workspaceIncludesVat: boolean): z.infer<typeof TraceOffer> {
  return {
    matchId: offer.matchId,
    competitorId: offer.competitorId,
    competitor: offer.competitor,
    priceCents: offer.priceCents,
    currency: offer.currency,
    packFactor: offer.packFactor,
    inStock: offer.inStock,
    confidence: offer.confidence,
    observedAt: isoOrNull(offer.observedAtMs),
    pricesIncludeVat: offer.pricesIncludeVat ?? workspaceIncludesVat,
    shippingCents: offer.shippingCents ?? null,
    seller: offer.seller ?? null,
  };
}

/** The minor units of `price` and, when they are not all, the exact quotient. */
function exactText(price: Fraction): string {
  return isWhole(price) ? String(floorOf(price)) : `${price.num}/${price.den}`;
}
