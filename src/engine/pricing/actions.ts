/**
 * The actions of a rule, and the price that an action aims at (docs/decisions/rules.md, Price
 * aims). Stored rules contain the types of actions, so never remove a type.
 */

import { SEVERITIES } from "../../base/codes.ts";
import { MINOR_UNITS_MAX } from "../../base/money.ts";
import {
  add,
  floorOf,
  type Fraction,
  knownCost,
  multiply,
  percent,
  whole,
} from "../../base/fraction.ts";
import { orDefault, orNull, percentField } from "./field.ts";
import { priceAtCost, type PricedOffer, priceForMargin } from "./situation.ts";
import {
  cheapestOffers,
  cheapestPrice,
  medianOf,
  referenceOffers,
  referencePrice,
} from "./reference.ts";
import type { View } from "./trigger.ts";
import { z } from "zod";
import { DIRECTIONS, ROUNDING_WAYS, ROUNDINGS } from "./price_goal.ts";

export const AIM_KINDS = [
  "cheapest",
  "nth",
  "highest",
  "average",
  "median",
  "competitor",
  "target",
  "cost",
] as const;
export type AimKind = (typeof AIM_KINDS)[number];

const FALLBACK_KINDS = ["cost", "target"] as const;

const PCT_MAX = 10_000;
const ENDING_DIGITS_MAX = 6;

const Reference = z.strictObject({
  kind: orDefault(z.enum(AIM_KINDS), "cheapest").meta({
    title: "Calculated from",
    description: "The price from which the rule's price is calculated",
  }),
  nth: orNull(z.int().min(1).max(200)).meta({
    title: "Place",
    description: "Required for nth, only allowed there: 2 is the second cheapest offer",
  }),
  competitorId: orNull(z.string().regex(/^[0-9a-f]{24}$/, "Must be an id")).meta({
    title: "Competitor",
    description: "Required for competitor, only allowed there; replaces the lists of the condition",
  }),
}).superRefine(({ kind, nth, competitorId }, check) => {
  const own = [["nth", nth, "nth"], ["competitorId", competitorId, "competitor"]] as const;
  for (const [field, value, of] of own) {
    if ((value !== null) === (kind === of)) continue;
    const message = kind === of
      ? `Is required for "${of}"`
      : `Must be null, because it belongs to "${of}" and not to "${kind}"`;
    check.addIssue({ code: "custom", path: [field], message });
  }
}).meta({ id: "PriceReference" });

const Adjust = z.strictObject({
  pct: orNull(percentField(-100, PCT_MAX)).meta({
    title: "Percent",
    description: "-1 is 1 % below the reference, 1 is 1 % above",
  }),
  cents: orNull(z.int().min(-MINOR_UNITS_MAX).max(MINOR_UNITS_MAX)).meta({
    title: "Amount",
    description: "In minor units of `currency`: -5 is 5 cents below the reference",
  }),
}).refine(({ pct, cents }) => pct === null || cents === null, {
  message: 'Must be null together with "pct"',
  path: ["cents"],
}).meta({ id: "PriceAdjustment" });

const EndingRange = z.strictObject({
  belowCents: orNull(z.int().min(1).max(MINOR_UNITS_MAX)).meta({
    title: "For prices below",
    description: "In minor units of `currency`; null: all prices above the previous range",
  }),
  endings: z.array(
    z.string().regex(
      new RegExp(`^[0-9]{1,${ENDING_DIGITS_MAX}}$`),
      `Must be 1 to ${ENDING_DIGITS_MAX} digits`,
    ),
  ).max(10).meta({
    title: "Endings",
    description: 'Last digits of the minor units: "99" is …,99 and "990" is …9,90; empty: all',
  }),
}).meta({ id: "EndingRange" });

const PriceRounding = z.strictObject({
  to: orDefault(z.enum(ROUNDING_WAYS), "down").meta({
    title: "Which way",
    description: "Down, up, or to the nearest allowed price; the lower one if two are equally near",
  }),
  ranges: orDefault(z.array(EndingRange).max(10), []).meta({
    title: "Allowed endings",
    description: "Ascending; the last range has no upper end. Empty: any price is allowed",
  }),
}).superRefine(({ ranges }, check) => {
  for (const [at, { belowCents }] of ranges.entries()) {
    const isLast = at === ranges.length - 1;
    const before = ranges[at - 1]?.belowCents ?? 0;
    const message = belowCents === null
      ? isLast ? null : "Only the last range may be without an end"
      : isLast
      ? "Must be null: the last range is for all prices above"
      : belowCents > before
      ? null
      : "Must be above the end of the previous range";
    if (message === null) continue;
    check.addIssue({ code: "custom", path: ["ranges", at, "belowCents"], message });
  }
}).meta({ id: "PriceRounding" });

const Fallback = z.strictObject({
  kind: z.enum(FALLBACK_KINDS).meta({
    title: "Calculated from",
    description: "The cost, or the target price",
  }),
  pct: orDefault(percentField(-100, PCT_MAX), 0).meta({
    title: "Percent",
    description: "35 is cost plus 35 %",
  }),
}).meta({ id: "PriceFallback" });

export const PriceAim = z.strictObject({
  reference: orDefault(Reference, Reference.parse({})).meta({
    title: "Reference",
    description: "What the price is calculated from; null: the cheapest competitor",
  }),
  adjust: orNull(Adjust).meta({
    title: "Adjustment",
    description: "A percentage or an amount; null: none",
  }),
  direction: orDefault(z.enum(DIRECTIONS), "both").meta({
    title: "Direction",
    description: "Whether the rule lowers prices, raises them, or both",
  }),
  rounding: orDefault(PriceRounding, PriceRounding.parse({})).meta({
    title: "Rounding",
    description: "Allowed endings of prices; null: any ending, fractions are rounded down",
  }),
  deadbandPct: orDefault(percentField(0, 100), 0).meta({
    title: "Smallest move in percent",
    description:
      "Relative to the current price; smaller moves are only made if the price is out of bounds",
  }),
  fallback: orNull(Fallback).meta({
    title: "Without a reference",
    description: "The price if there is no reference, without adjustment. Null: no price",
  }),
}).meta({ id: "PriceAim" });

export type PriceAim = Readonly<z.output<typeof PriceAim>>;

export function hasAmounts({ adjust, rounding }: PriceAim): boolean {
  return (adjust !== null && adjust.cents !== null && adjust.cents !== 0) ||
    rounding.ranges.some(({ belowCents }) => belowCents !== null);
}

export type AimBase = Readonly<ReturnType<typeof baseOf>>;

export function isOfMarket(kind: AimKind): boolean {
  return !FALLBACK_KINDS.some((own) => own === kind);
}

export function sourceOf({ reference, fallback }: PriceAim, view: View) {
  if (fallback === null || isThere(reference, view)) {
    return { kind: reference.kind, isFallback: false };
  }
  return { kind: fallback.kind, isFallback: true };
}

function isThere(reference: PriceAim["reference"], { market, references }: View): boolean {
  const { product } = market.situation;
  if (reference.kind === "target") return (product.targetPriceCents ?? 0) > 0;
  if (reference.kind === "cost") return knownCost(product) !== null;
  return references.areEnough && references.offers.length >= (reference.nth ?? 1);
}

export function baseOf(aim: PriceAim, source: ReturnType<typeof sourceOf>, view: View) {
  const priced = priceOf(aim, source.kind, view);
  const adjust = source.isFallback ? { pct: aim.fallback?.pct ?? 0, cents: null } : aim.adjust;
  return { ...source, ...priced, wish: adjusted(priced.price, adjust) };
}

function priceOf({ reference }: PriceAim, kind: AimKind, { market, references }: View) {
  const { offers } = references;
  switch (kind) {
    case "cost":
      return { price: priceAtCost(market), used: [] };
    case "target":
      return { price: whole(market.situation.product.targetPriceCents ?? 0), used: [] };
    case "cheapest":
    case "competitor":
      return { price: cheapestPrice(references), used: cheapestOffers(references) };
    case "nth": {
      const used = offers.slice((reference.nth ?? 1) - 1, reference.nth ?? 1);
      return { price: used[0]?.unit ?? whole(0), used };
    }
    case "median":
      return { price: medianOf(offers), used: offers };
    case "highest":
    case "average": {
      const used = referenceOffers(kind, references);
      return { price: referencePrice(kind, references) ?? whole(0), used };
    }
  }
}

function adjusted(price: Fraction, adjust: PriceAim["adjust"]): Fraction {
  if (adjust === null) return price;
  const { pct, cents } = adjust;
  if (pct !== null) return multiply(price, percent(100 + pct));
  return cents === null ? price : add(price, whole(cents));
}

export interface Wish {
  readonly cents: number;
  readonly used: readonly PricedOffer[];
}

interface Formula {
  readonly value: string;
  readonly label: string;
  readonly description: string;
  readonly needs: { readonly references: boolean; readonly targetMargin: boolean };
  /** `targetMarginPct` must be null or below 100. */
  wish(view: View, targetMarginPct: number | null): Wish;
}

const ALMOST = percent(99);

export const FORMULAS = [
  {
    value: "match_cheapest",
    label: "Match the cheapest",
    description:
      "The price of the cheapest reference, whatever the rule compares with; fractions are rounded down",
    needs: { references: true, targetMargin: false },
    wish: ({ references }) => ({
      cents: floorOf(cheapestPrice(references)),
      used: cheapestOffers(references),
    }),
  },
  {
    value: "min_competitor_minus_1pct",
    label: "1 % below the cheapest",
    description: "99 % of the price of the cheapest reference; fractions are rounded down",
    needs: { references: true, targetMargin: false },
    wish: ({ references }) => ({
      cents: floorOf(multiply(cheapestPrice(references), ALMOST)),
      used: cheapestOffers(references),
    }),
  },
  {
    value: "target_margin_pct",
    label: "Reach a margin",
    description:
      "The lowest price with the target margin. It is set in the action, else the trigger, else " +
      "the margin floor. Fractions are rounded up",
    needs: { references: false, targetMargin: true },
    wish: ({ market }, pct) => ({ cents: priceForMargin(market, pct ?? 0), used: [] }),
  },
] as const satisfies readonly Formula[];

export type FormulaName = (typeof FORMULAS)[number]["value"];

const FormulaField = z.enum(FORMULAS.map(({ value }) => value)).meta({
  title: "Formula",
  description: "How the price is computed",
  "x-words": FORMULAS.map(({ value, label, description }) => ({ value, label, description })),
});

export function formulaOf(name: FormulaName): Formula {
  return FORMULAS.find(({ value }) => value === name) ?? FORMULAS[0];
}

const MAX_CHANGE_PCT_DEFAULT = 10;

const severityField = orDefault(z.enum(SEVERITIES), "medium").meta({
  title: "Severity",
  description: "How urgent the alert is",
});

function formulaField(description: string) {
  return orNull(FormulaField).meta({ title: "Formula", description });
}

const priceFields = {
  targetMarginPct: orNull(percentField(0, 100)).meta({
    title: "Target margin in percent",
    description: "For target_margin_pct; null: that of the trigger, else the margin floor",
  }),
  rounding: orDefault(z.enum(ROUNDINGS), "none").meta({
    title: "Rounding",
    description: "Ending of a formula's price; only for currencies with two decimals",
  }),
  price: orNull(PriceAim).meta({
    title: "Price",
    description: "What the price is calculated from, and how; replaces the formula",
  }),
};

export const ACTION_TYPES = [
  {
    value: "alert_inapp",
    label: "Alert in the app",
    description: "Shows an alert in the app",
    fields: z.strictObject({ type: z.literal("alert_inapp"), severity: severityField })
      .meta({ id: "AlertInApp" }),
  },
  {
    value: "alert_email",
    label: "Alert by e-mail",
    description: "Sends an e-mail and shows the alert in the app",
    fields: z.strictObject({
      type: z.literal("alert_email"),
      severity: severityField,
      to: orDefault(z.array(z.email().max(254)).max(20), []).meta({
        title: "Recipients",
        description: "E-mail addresses; if empty, owners and managers",
      }),
    }).meta({ id: "AlertEmail" }),
  },
  {
    value: "propose_price",
    label: "Propose a price",
    description: "Makes a proposal that a person approves or rejects",
    fields: z.strictObject({
      type: z.literal("propose_price"),
      formula: formulaField("Instead of a price; one of the two is needed"),
      ...priceFields,
    }).meta({ id: "ProposePrice" }),
  },
  {
    value: "auto_apply_if_safe",
    label: "Apply when it is safe",
    description: "Changes the price automatically if the margin floor is set and met and every " +
      "other safety condition is met; otherwise makes a proposal that says why",
    fields: z.strictObject({
      type: z.literal("auto_apply_if_safe"),
      formula: formulaField("Instead of a price; neither: the price of the propose_price action"),
      ...priceFields,
      maxChangePct: orDefault(percentField(0, 100), MAX_CHANGE_PCT_DEFAULT).meta({
        title: "Largest change in percent",
        description: "Compared with the current price and with the price 24 hours ago",
      }),
    }).meta({ id: "AutoApplyIfSafe" }),
  },
] as const;

const [first, ...others] = ACTION_TYPES;

export const Action = z.discriminatedUnion("type", [
  first.fields,
  ...others.map(({ fields }) => fields),
], {
  error: ({ code }) =>
    code === "invalid_union"
      ? `Must be one of ${ACTION_TYPES.map(({ value }) => value).join(", ")}`
      : undefined,
}).meta({ id: "Action" });

export type Action = z.output<typeof Action>;
export type AlertAction = Extract<Action, { type: "alert_inapp" | "alert_email" }>;

export function priceSourceOf(actions: readonly Action[]) {
  return findAction(actions, "propose_price") ?? findAction(actions, "auto_apply_if_safe");
}

export function findAction<T extends Action["type"]>(actions: readonly Action[], type: T) {
  return actions.find((action): action is Extract<Action, { type: T }> => action.type === type);
}
