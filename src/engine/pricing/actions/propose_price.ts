import { z } from "zod";
import { type ActionType, formulaField, priceFields } from "../action.ts";

const fields = z.strictObject({
  type: z.literal("propose_price"),
  formula: formulaField("Instead of a price; one of the two is needed"),
  ...priceFields,
}).meta({ id: "ProposePrice" });

export const proposePrice = {
  value: "propose_price",
  label: "Propose a price",
  description: "Makes a proposal that a person approves or rejects",
  fields,
} as const satisfies ActionType;
