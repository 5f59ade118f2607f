import { z } from "zod";
import { type ActionType, formulaField, priceFields } from "../action.ts";
import { orDefault, percentField } from "../field.ts";

const MAX_CHANGE_PCT_DEFAULT = 10;

const fields = z.strictObject({
  type: z.literal("auto_apply_if_safe"),
  formula: formulaField("Instead of a price; neither: the price of the propose_price action"),
  ...priceFields,
  maxChangePct: orDefault(percentField(0, 100), MAX_CHANGE_PCT_DEFAULT).meta({
    title: "Largest change in percent",
    description: "Against the price of today and the one in force 24 hours ago",
  }),
}).meta({ id: "AutoApplyIfSafe" });

export const autoApplyIfSafe = {
  value: "auto_apply_if_safe",
  label: "Apply when it is safe",
  description: "Changes the price by itself when the margin floor is set and met and every other " +
    "safety condition holds; else makes a proposal that says why",
  fields,
} as const satisfies ActionType;
