/** Amounts that are written with their currency, and times that are written as one text. */

import { currencyCodes, currencyWithin } from "../../base/currency_text.ts";
import { type NumberSetting, type ReadNumber, readNumber } from "../../base/german_values.ts";
import { MINOR_UNITS_MAX } from "../../base/money.ts";
import { majorName, RECORD_AMOUNT_NAMES } from "../../catalogue/products/product_field_table.ts";
import { type FindingCode, shortened } from "../files/finding.ts";
import type { RecordTerms } from "../profiles/profile.ts";
import type { NumberFormat, PriceSide } from "../profiles/profile_choices.ts";
import { FIELD_SLOTS, ROW_SLOTS } from "./compiled_profile.ts";
import type { Place, RawRecord, RecordFindings } from "./raw_record.ts";

/** Digits after the decimal sign that a quantity may have. */
export const QUANTITY_DECIMALS = 3;

/** More digits of the amount than it keeps, so that dividing loses nothing that is written. */
const MORE_DECIMALS = 4;

/** An amount that is for `quantity` pieces, for one piece; rounded half up, at the end alone. */
export function divided(text: string, quantity: string, setting: NumberSetting): ReadNumber {
  return scaled(text, quantity, { times: 1n, over: 1n }, setting);
}

const RATE_DECIMALS = 4;

/** As `divided`, brought to the other side of VAT: `side` is the one that is wanted. */
export function broughtToSide(
  text: string,
  quantity: string,
  { side, ratePct }: { readonly side: PriceSide; readonly ratePct: number },
  setting: NumberSetting,
): ReadNumber {
  const whole = 100n * 10n ** BigInt(RATE_DECIMALS);
  const withVat = whole + BigInt(Math.round(ratePct * 10 ** RATE_DECIMALS));
  const factor = side === "gross"
    ? { times: withVat, over: whole }
    : { times: whole, over: withVat };
  return scaled(text, quantity, factor, setting);
}

function scaled(
  text: string,
  quantity: string,
  { times, over }: { readonly times: bigint; readonly over: bigint },
  setting: NumberSetting,
): ReadNumber {
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

/** Groups of three behind one sign: thousands to one reader, decimals to the other. */
const UNCLEAR = /^\D{0,6}\d{1,3}(?:\.\d{3}|,\d{3})\D{0,6}$/;

/** Why an amount cannot be used, and what helps where the file leaves its meaning open. */
export function priceError(
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

/** The tier of a price that holds for a time, and goes before the usual one while it does. */
export const SALE_TIER = "SALE";

const CURRENCY_CODE = /^[A-Z]{3}$/;

/**
 * `12.50 EUR` is an amount and the currency that its record names; capitals that are none are told as one
 * that is not known. A sign, as `$`, stays at its amount, where it must be that of the record.
 */
export function amountAndCurrency(text: string): { amount: string; currency: string | null } {
  const [, codeBefore, behind] = /^([A-Z]{3})\s*(\d.*)$/.exec(text) ?? [];
  if (codeBefore && behind) return { amount: behind, currency: codeBefore };
  const [, before, codeBehind] = /^(.*\d)\s*([A-Z]{3})$/.exec(text) ?? [];
  return before && codeBehind
    ? { amount: before, currency: codeBehind }
    : { amount: text, currency: null };
}

/** `€` and `chf` as ISO 4217 writes them; what is no currency as it stands. */
export function codeOf(text: string): string {
  if (CURRENCY_CODE.test(text)) return text;
  const codes = currencyCodes(text.trim());
  return codes?.length === 1 ? codes[0] ?? text : text.trim().toUpperCase();
}

/** `2026-11-01/2026-11-30`; null for what is no such time. */
export function datesOfRange(
  text: string,
): { readonly from: string; readonly until: string } | null {
  const [from, until, more] = text.split("/");
  return from && until && more === undefined ? { from: from.trim(), until: until.trim() } : null;
}

const AMOUNT_SLOTS = RECORD_AMOUNT_NAMES.map((name) => FIELD_SLOTS[majorName(name)]);
const DIGITS = /^\d+$/;
const ZERO = /^0+$/;
const WHOLE_DIGITS_MIN = 3;

/** As `EvaluatedRecord.wholePrice`; undefined without a price. A price of 0 is none. */
export function wholePriceOf({ item, rows }: RawRecord): string | null | undefined {
  const prices: string[] = [];
  for (let index = 0; index < rows.count; index++) {
    const amount = rows.at(index).values[ROW_SLOTS.amount];
    if (amount && !ZERO.test(amount)) prices.push(amount);
  }
  const others = AMOUNT_SLOTS.map((slot) => item.values[slot] ?? "").filter((text) => text !== "");
  const isSigned = others.some((text) => !DIGITS.test(text)) ||
    prices.some((text) => !DIGITS.test(text) || text.length < WHOLE_DIGITS_MIN);
  return isSigned ? null : prices[0];
}

/**
 * Asked of an amount of 0: true when it is to be read as none, so that the stored one stays. Each
 * record with such an amount is told of once: ERPs write 0 where they know no price.
 */
export function isEmptyZero(
  { zeroIsEmpty }: Pick<RecordTerms, "zeroIsEmpty">,
  findings: RecordFindings,
  place: Place,
): boolean {
  const value = shortened(place.value ?? "");
  if (zeroIsEmpty) {
    const message = `"${value}" is read as no price: the stored one stays`;
    findings.warnOnce("zero_as_empty", message, place);
  } else {
    const message = `"${value}" is stored as 0, which rules take for an unknown price or cost`;
    findings.warnOnce("zero_price", message, place);
  }
  return zeroIsEmpty;
}
