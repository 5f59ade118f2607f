import { majorOf, parseMajor } from "../../../base/money.ts";
import { readDecimal } from "../../formats/decimal.ts";

/** As many decimals as a percentage may have; more could not be compared exactly. */
const PCT_DECIMALS = 4;

/** The percentage that a person has typed; null for what is none, or has more than four decimals. */
export function readPct(text: string, locale: string): number | null {
  const decimal = readDecimal(text, locale);
  const parsed = decimal === null ? null : parseMajor(decimal, PCT_DECIMALS);
  return parsed !== null && "minor" in parsed ? majorOf(parsed.minor, PCT_DECIMALS) : null;
}
