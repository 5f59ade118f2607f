/** Traces as the interfaces show them: facts, and beside them the English sentences of these. */
import { z } from "@hono/zod-openapi";
import { AIM_KINDS } from "../pricing/price_aim.ts";
import { isFormer, readTrace, type StoredTrace } from "../pricing/former_trace.ts";
import type { TracePrice } from "../pricing/trace.ts";
import { wireObjection, wireSaid } from "../wording/reason_text.ts";

const cents = z.int().nullable();
const facts = z.record(z.string(), z.unknown());

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

const TraceAmount = z.object({
  cents: z.int().meta({ description: "Rounded down" }),
  exact: z.string().meta({ description: "The amount as a quotient" }),
});

const TraceBound = z.object({
  cents: z.int().meta({ description: "The bound itself is allowed" }),
  by: z.string().meta({ description: "Which bound it is, as a code" }),
});

const OLD = "Absent in an old one";

/** Why a rule says what it says: inputs, references, formula and guards. */
export const TraceDocument = z.object({
  at: z.string(),
  mode: z.enum(["live", "simulate", "backtest", "explain"]),
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
    reason: z.string().meta({ description: "`said` in a sentence" }),
  }).meta({ description: "What the trigger looked at, and what it said" }),
  references: z.array(TraceOffer.extend({
    unitCents: z.int().meta({
      description: "Per piece and on our side of VAT, rounded down; `exact` says the quotient. " +
        "With its shipping and less ours, where the rule says so",
    }),
    exact: z.string().meta({ description: "The price per piece as a quotient" }),
    isUsed: z.boolean().meta({ description: "True for those that the price was computed from" }),
    previousPriceCents: cents.optional().meta({
      description: "What it showed before, in the same currency; absent in an old one",
    }),
  })).meta({ description: "The offers that count" }),
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
    why: z.string().nullable().meta({ description: "Its objection in a sentence" }),
  })).meta({ description: "In the order in which they were asked" }),
  bindingGuard: z.string().nullable(),
}).meta({ id: "Trace", description: "Inputs, references, formula and guards of the decision" });

/** A trace with its sentences; one of an earlier version keeps those that it was stored with. */
export type TraceDocument = z.infer<typeof TraceDocument>;

export function toTraceDocument(stored: StoredTrace): TraceDocument {
  const trace = readTrace(stored);
  const { trigger, guards } = trace;
  const told = isFormer(stored) ? stored : null;
  return {
    ...trace,
    trigger: {
      ...trigger,
      comparedWith: [...trigger.comparedWith],
      reason: told?.trigger.reason ?? wireSaid(trigger.said),
    },
    references: [...trace.references],
    leftOut: [...trace.leftOut],
    price: trace.price && toPrice(trace.price),
    guards: guards.map((asked, at) => ({
      ...asked,
      why: told?.guards[at]?.why ??
        (asked.facts && wireObjection({ code: asked.guard, facts: asked.facts })),
    })),
  };
}

/** Lists of documents are their own. */
function toPrice({ notes, ...price }: TracePrice): NonNullable<TraceDocument["price"]> {
  return { ...price, ...(notes && { notes: [...notes] }) };
}
