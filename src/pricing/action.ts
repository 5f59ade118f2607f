import { z } from "zod";
import { SEVERITIES } from "../base/severity.ts";
import { orDefault, orNull, percentField } from "./field.ts";
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

/** Of the actions that make a price, beside the formula. */
export const priceFields = {
  targetMarginPct: orNull(percentField(0, 100)).meta({
    title: "Target margin in percent",
    description: "For target_margin_pct; null: of the trigger, else of the margin floor",
  }),
  rounding: orDefault(RoundingField, "none").meta({
    title: "Rounding",
    description: "Ending of the price; only for currencies with two decimals",
  }),
};
