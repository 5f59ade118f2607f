/**
 * All action types. A new one is a declaration in `ACTION_TYPES` and a row of `ACTIONS` in
 * `wording/rule_sentence.ts`. The values are public and only grow (docs/decisions/http.md).
 */
import { z } from "zod";
import { SEVERITIES } from "../../base/severity.ts";
import { orDefault, orNull, percentField } from "./field.ts";
import { FormulaField, RoundingField } from "./formulas.ts";
import { PriceAim } from "./price_aim.ts";

interface ActionType {
  readonly value: string;
  readonly label: string;
  readonly description: string;
  readonly fields: z.ZodObject;
}

const RECIPIENTS_MAX = 20;
const MAX_CHANGE_PCT_DEFAULT = 10;

const severityField = orDefault(z.enum(SEVERITIES), "medium").meta({
  title: "Severity",
  description: "How urgent the alert is",
});

/** `null` stands for what `description` says. */
function formulaField(description: string) {
  return orNull(FormulaField).meta({ title: "Formula", description });
}

/** Of the actions that make a price, beside the formula. */
const priceFields = {
  targetMarginPct: orNull(percentField(0, 100)).meta({
    title: "Target margin in percent",
    description: "For target_margin_pct; null: of the trigger, else of the margin floor",
  }),
  rounding: orDefault(RoundingField, "none").meta({
    title: "Rounding",
    description: "Ending of the price of a formula; only for currencies with two decimals",
  }),
  price: orNull(PriceAim).meta({
    title: "Price",
    description: "What the price is reckoned from, and how; instead of a formula",
  }),
};

export const ACTION_TYPES = [
  {
    value: "alert_inapp",
    label: "Alert in the app",
    description: "Shows an alert in the app",
    fields: z.strictObject({
      type: z.literal("alert_inapp"),
      severity: severityField,
    }).meta({ id: "AlertInApp" }),
  },
  {
    value: "alert_email",
    label: "Alert by e-mail",
    description: "Sends an e-mail and shows the alert in the app",
    fields: z.strictObject({
      type: z.literal("alert_email"),
      severity: severityField,
      to: orDefault(z.array(z.email().max(254)).max(RECIPIENTS_MAX), []).meta({
        title: "Recipients",
        description: "E-mail addresses; empty: owners and managers",
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
    description: "Changes the price by itself when the margin floor is set and met and every " +
      "other safety condition holds; else makes a proposal that says why",
    fields: z.strictObject({
      type: z.literal("auto_apply_if_safe"),
      formula: formulaField("Instead of a price; neither: the price of the propose_price action"),
      ...priceFields,
      maxChangePct: orDefault(percentField(0, 100), MAX_CHANGE_PCT_DEFAULT).meta({
        title: "Largest change in percent",
        description: "Against the price of today and the one in force 24 hours ago",
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

/** The action that says how the price is made: that of `propose_price` where both do. */
export function priceSourceOf(actions: readonly Action[]) {
  return findAction(actions, "propose_price") ?? findAction(actions, "auto_apply_if_safe");
}

export function findAction<T extends Action["type"]>(actions: readonly Action[], type: T) {
  return actions.find((action): action is Extract<Action, { type: T }> => action.type === type);
}
