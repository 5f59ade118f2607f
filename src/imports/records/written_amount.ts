/** Parses amounts (for several pieces, net or gross, with a currency) and date ranges. */
import { currencyCodes, currencyWithin } from "../../base/currency_text.ts";
import { type NumberSetting, type ReadNumber, readNumber } from "../../base/german_values.ts";
import { MINOR_UNITS_MAX, showMoney } from "../../base/money.ts";
import { majorName, RECORD_AMOUNT_NAMES } from "../../catalogue/products/product_field_table.ts";
import { type FindingCode, shortened } from "../files/finding.ts";
import type { NumberFormat, PriceSide } from "../profiles/profile_choices.ts";
import { FIELD_SLOTS, ROW_SLOTS } from "./compiled_profile.ts";
import type { Place, RawRecord, RecordFindings } from "./raw_record.ts";

export const QUANTITY_DECIMALS = 3;

/** Extra digits for computing, so that a division loses no written digit. */
const MORE_DECIMALS = 4;

const RATE_DECIMALS = 4;

/** Amount for one piece, converted to net or gross if `to` is given. Rounds half up, once. */
export function amountForOne(
  text: string,
  quantity: string,
  setting: NumberSetting,
  to: { readonly side: PriceSide; readonly ratePct: number } | null = null,
): ReadNumber {
  if (quantity === "1" && to === null) return readNumber(text, setting);
  const whole = 100n * 10n ** BigInt(RATE_DECIMALS);
  const withVat = whole + BigInt(Math.round((to?.ratePct ?? 0) * 10 ** RATE_DECIMALS));
  const [times, over] = to?.side === "gross" ? [withVat, whole] : [whole, withVat];
  const pieces = readNumber(quantity, { ...setting, exponent: QUANTITY_DECIMALS, currency: null });
  if ("reason" in pieces || pieces.value === 0) return { reason: "invalid_number" };
  const exponent = setting.exponent + MORE_DECIMALS;
  const amount = readNumber(text, { ...setting, exponent, max: Number.MAX_SAFE_INTEGER });
  if ("reason" in amount) return amount;
  const divisor = BigInt(pieces.value) * 10n ** BigInt(MORE_DECIMALS) * over;
  const doubled = 2n * BigInt(amount.value) * 10n ** BigInt(QUANTITY_DECIMALS) * times;
  const value = Number((doubled + divisor) / (2n * divisor));
  return value > MINOR_UNITS_MAX
    ? { reason: "price_out_of_range" }
    : { value, warning: amount.warning };
}

/** A dot or comma before three digits may separate thousands or decimals. */
const UNCLEAR = /^\D{0,6}\d{1,3}(?:\.\d{3}|,\d{3})\D{0,6}$/;

function priceError(
  text: string,
  { format, currency, reason }: {
    readonly format: NumberFormat;
    readonly currency: string;
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

/** The tier of temporary prices. */
export const SALE_TIER = "SALE";

const CURRENCY_CODE = /^[A-Z]{3}$/;

/** Any three capital letters count as a code. A sign such as `$` stays in the amount. */
export function amountAndCurrency(text: string): { amount: string; currency: string | null } {
  const [, codeBefore, behind] = /^([A-Z]{3})\s*(\d.*)$/.exec(text) ?? [];
  if (codeBefore && behind) return { amount: behind, currency: codeBefore };
  const [, before, codeBehind] = /^(.*\d)\s*([A-Z]{3})$/.exec(text) ?? [];
  return before && codeBehind
    ? { amount: before, currency: codeBehind }
    : { amount: text, currency: null };
}

/** Converts `€` and `chf` to ISO 4217 codes. Unknown texts become upper case. */
export function codeOf(text: string): string {
  if (CURRENCY_CODE.test(text)) return text;
  const codes = currencyCodes(text.trim());
  return codes?.length === 1 ? codes[0] ?? text : text.trim().toUpperCase();
}

/** Parses `2026-11-01/2026-11-30`; null if invalid. */
export function datesOfRange(
  text: string,
): { readonly from: string; readonly until: string } | null {
  const [from, until, more] = text.split("/");
  return from && until && more === undefined ? { from: from.trim(), until: until.trim() } : null;
}

const AMOUNT_SLOTS = RECORD_AMOUNT_NAMES.map((name) => FIELD_SLOTS[majorName(name)]);
const DIGITS = /^\d+$/;
const ZERO = /^0+$/;

/** See `EvaluatedRecord.wholePrice`. A price of 0 counts as none. */
export function wholePriceOf({ item, rows }: RawRecord): string | null | undefined {
  const prices: string[] = [];
  for (const { values } of rows.taken) {
    const amount = values[ROW_SLOTS.amount];
    if (amount && !ZERO.test(amount)) prices.push(amount);
  }
  const others = AMOUNT_SLOTS.map((slot) => item.values[slot] ?? "").filter((text) => text !== "");
  const isSigned = others.some((text) => !DIGITS.test(text)) ||
    prices.some((text) => !DIGITS.test(text) || text.length < 3);
  return isSigned ? null : prices[0];
}

/**
 * Returns null and adds a finding if the amount is invalid. `zeroIsEmpty`: true treats 0 as absent,
 * and false stores 0; both add a warning. Null accepts 0 without a warning.
 */
export function usableAmount(
  read: ReadNumber,
  text: string,
  { format, currency, place, zeroIsEmpty }: {
    readonly format: NumberFormat;
    readonly currency: string;
    readonly place: Place;
    readonly zeroIsEmpty: boolean | null;
  },
  findings: RecordFindings,
): number | null {
  if ("reason" in read) {
    const { code, message } = priceError(text, { format, currency, reason: read.reason });
    findings.warn(code, message, place);
    return null;
  }
  if (read.warning) {
    const message = `"${shortened(text)}" is read as ${showMoney(read.value, currency)}`;
    findings.warn(read.warning, message, place);
  }
  if (read.value !== 0 || zeroIsEmpty === null) return read.value;
  const value = shortened(place.value ?? "");
  if (zeroIsEmpty) {
    const message = `"${value}" is read as no price: the stored one stays`;
    findings.warnOnce("zero_as_empty", message, place);
    return null;
  }
  const message = `"${value}" is stored as 0, which rules take for an unknown price or cost`;
  findings.warnOnce("zero_price", message, place);
  return 0;
}
