import { currencyWithin } from "../../base/currency_text.ts";
import { type FindingCode, shortened } from "../files/finding.ts";
import type { NumberFormat } from "../profiles/profile_choices.ts";

/** Groups of three behind one sign: thousands to one reader, decimals to the other. */
const UNCLEAR = /^\D{0,6}\d{1,3}(?:\.\d{3}|,\d{3})\D{0,6}$/;

/** Why an amount cannot be used, and what helps where the file leaves its meaning open. */
export function priceMisfit(
  text: string,
  { format, currency, reason }: {
    readonly format: NumberFormat;
    /** The one that the amount must be in. */
    readonly currency: string;
    /** What reading it as a number said. */
    readonly reason: FindingCode;
  },
): { readonly code: FindingCode; readonly message: string } {
  const written = currencyWithin(text);
  if (written && !written.codes.includes(currency)) {
    const message = `"${shortened(text)}" is in another currency than ${currency} and is not used`;
    return { code: "invalid_currency", message };
  }
  const message = format === "auto" && UNCLEAR.test(text)
    ? `"${shortened(text)}" could be thousands or decimals: say in the import profile whether ` +
      "numbers are German or English, or export the column with two decimals"
    : `"${shortened(text)}" is not a price that can be used`;
  return { code: reason, message };
}
