/** The types of a rule's actions. Stored rules use these types, so never remove a type. */

import { SEVERITIES } from "../../base/codes.ts";
import { currencyExponent } from "../../base/money.ts";
import { floorOf, multiply, percent } from "../../base/fraction.ts";
import { orDefault, orNull, percentField } from "./field.ts";
import { type PricedOffer, priceForMargin } from "./situation.ts";
import { PriceAim } from "./price_aim.ts";
import { cheapestOffers, cheapestPrice } from "./reference.ts";
import type { View } from "./trigger.ts";
import { z } from "zod";

const ROUNDINGS = ["none", "x.99", "x.95", "10ct"] as const;
export type Rounding = (typeof ROUNDINGS)[number];

const RoundingField = z.enum(ROUNDINGS);

const ENDINGS = {
  "x.99": { every: 100, ending: 99 },
  "x.95": { every: 100, ending: 95 },
  "10ct": { every: 10, ending: 0 },
} as const;

export function hasTwoDecimals(currency: string): boolean {
  return currencyExponent(currency) === 2;
}

/** Rounds a price down to an allowed ending, or up if the lower price is below `floorCents`. */
export function roundPrice(
  cents: number,
  rounding: Exclude<Rounding, "none">,
  floorCents: number | null,
): number {
  const { every, ending } = ENDINGS[rounding];
  const lower = Math.floor((cents - ending) / every) * every + ending;
  return floorCents !== null && lower < floorCents ? lower + every : lower;
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

interface ActionType {
  readonly value: string;
  readonly label: string;
  readonly description: string;
  readonly fields: z.ZodObject;
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
  rounding: orDefault(RoundingField, "none").meta({
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
] as const satisfies readonly ActionType[];

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
