import { z } from "zod";
import { SEVERITIES } from "../../base/severity.ts";
import { orDefault, orNull, percentField } from "./field.ts";
import { FormulaField } from "./formulas.ts";
import { PriceAim } from "./price_aim.ts";
import { RoundingField } from "./rounding.ts";

/** One value of `actions[].type`: its words and its fields. */
export interface ActionType<Fields extends z.ZodObject = z.ZodObject> {
  readonly value: string;
  readonly label: string;
  readonly description: string;
  readonly fields: Fields;
}

/** Of the actions that tell people. */
export const severityField = orDefault(z.enum(SEVERITIES), "medium").meta({
  title: "Severity",
  description: "How urgent the alert is",
});

/** Of the actions that make a price; null stands for what `description` says. */
export function formulaField(description: string) {
  return orNull(FormulaField).meta({ title: "Formula", description });
}

/** Of the actions that make a price, beside the formula. */
export const priceFields = {
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
