import { shortened } from "../findings/finding.ts";
import type { NumberFormat } from "../profiles/profile_choices.ts";

/** Groups of three behind one sign: thousands to one reader, decimals to the other. */
const UNCLEAR = /^\D{0,6}\d{1,3}(?:\.\d{3}|,\d{3})\D{0,6}$/;

/** Why an amount cannot be used, and what helps where the file leaves its meaning open. */
export function priceMisfit(text: string, format: NumberFormat): string {
  return format === "auto" && UNCLEAR.test(text)
    ? `"${shortened(text)}" could be thousands or decimals: say in the import profile whether ` +
      "numbers are German or English, or export the column with two decimals"
    : `"${shortened(text)}" is not a price that can be used`;
}
