/** Amounts that are written with their currency, and times that are written as one text. */
import { currencyCodes } from "../../base/currency_text.ts";
import { majorName, RECORD_AMOUNT_NAMES } from "../../catalogue/products/product_field_table.ts";
import { FIELD_SLOTS, ROW_SLOTS } from "./compiled_profile.ts";
import type { RawRecord } from "./raw_record.ts";

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
