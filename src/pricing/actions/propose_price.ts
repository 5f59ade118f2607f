import { z } from "zod";
import { type ActionType, priceFields } from "../action.ts";
import { FormulaField } from "../formulas.ts";

const fields = z.strictObject({
  type: z.literal("propose_price"),
  formula: FormulaField,
  ...priceFields,
}).meta({ id: "ProposePrice" });

export const proposePrice = {
  value: "propose_price",
  label: "Propose a price",
  description: "Makes a proposal that a person approves or rejects",
  fields,
} as const satisfies ActionType;
