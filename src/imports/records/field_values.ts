/** Reads texts, numbers and dates of a record; an invalid value becomes a warning or an error. */
import { memoize } from "../../base/collections.ts";
import { type Condition, isGtin, readCondition } from "../../base/codes.ts";
import {
  currencyWithin,
  instantOf,
  isOpenEnd,
  type NumberSetting,
  readDate,
  type ReadNumber,
  readNumber,
} from "../../base/german_values.ts";
import { hasControlCharacters, isLongerThan, normaliseSku } from "../../base/text.ts";
import { dateIn } from "../../base/time.ts";
import {
  charsMaxOf,
  type MajorName,
  type RecordAmountName,
  type WrittenName,
} from "../../catalogue/products/product_field_table.ts";
import {
  oneLine,
  ShopUrl,
  skuError,
  STOCK_DECIMALS,
  STOCK_MAX,
} from "../../catalogue/products/product_fields.ts";
import { refusalOfDate, UNITS_DECIMALS, UNITS_MAX } from "../../catalogue/sales/sale.ts";
import { type FindingCode, shortened } from "../files/source_file.ts";
import type { FieldName, RecordTerms } from "../profiles/xml_profile.ts";
import type { NumberFormat, PriceSide, Transform } from "../choices.ts";
import type { ItemName, Place, RawRecord, RecordFindings, Values } from "./raw_record.ts";
import { MINOR_UNITS_MAX, showMoney } from "../../base/money.ts";

const VAT_DECIMALS = 4;
const PLAIN = /^[\x20-\x7e]*$/;

export interface RecordSetting {
  readonly profile: RecordTerms;
  readonly file: string;
  readonly tier: string | null;
  readonly workspaceCurrency: string;
  /** `ratePct` is the VAT rate of records that name no rate. */
  readonly vat: { readonly side: PriceSide; readonly ratePct: number | null };
  readonly timeZone: string;
  /** The current day in `timeZone`, such as `2026-11-20`. */
  readonly today: string;
  readonly acceptsAddress: (text: string) => boolean;
  readonly keepsWritten?: boolean;
  readonly categories: ReadonlyMap<string, string> | null;
}

export interface DatedSetting extends RecordSetting {
  readonly dates: FileDates;
}

/** An absent or invalid value is `undefined`; an empty value is null, which clears the field. */
type FieldValue<T> = T | null | undefined;

export class FieldValues {
  readonly #item: Values<ItemName>;
  readonly #fields: RecordTerms["fields"];
  readonly #findings: RecordFindings;

  constructor(
    item: Values<ItemName>,
    fields: RecordTerms["fields"],
    findings: RecordFindings,
  ) {
    this.#item = item;
    this.#fields = fields;
    this.#findings = findings;
  }

  place(name: FieldName): Partial<Place> {
    return this.#item.place(name);
  }

  written(name: FieldName): FieldValue<string> {
    const value = this.#item.text(name);
    if (value === null) return undefined;
    const transform = this.#fields[name]?.transform ?? null;
    return (transform === null ? value : transformed(value, transform)) || null;
  }

  sku(): string | null {
    const written = this.written("sku");
    if (!written) {
      const asked = this.#fields.sku.path.split("|")[0] ?? null;
      const place = written === undefined ? { field: asked } : this.place("sku");
      this.#findings.refuse("missing_sku", "The record has no SKU", place);
      return null;
    }
    if (written.length <= 128 && PLAIN.test(written)) return written;
    const sku = normaliseSku(written);
    const validationError = skuError(sku);
    if (validationError === null) return sku;
    const code = sku === "" || hasControlCharacters(sku) ? "missing_sku" : "too_long";
    this.#findings.refuse(code, `The SKU cannot be used: ${validationError}`, this.place("sku"));
    return null;
  }

  text(name: WrittenName & FieldName): FieldValue<string> {
    const charsMax = charsMaxOf(name);
    const written = this.written(name);
    if (!written) return written;
    const text = withoutControls(written);
    if (isLongerThan(text, charsMax)) {
      const message = `The value has more than ${charsMax} characters`;
      this.#findings.warn("too_long", message, this.place(name));
      return undefined;
    }
    return text || null;
  }

  ean(): FieldValue<string> {
    return this.#checked("ean", isGtin, "invalid_ean", "an EAN: wrong length or check digit");
  }

  url(): FieldValue<string> {
    const isUrl = (text: string) => ShopUrl.safeParse(text).success;
    return this.#checked("url", isUrl, "invalid_url", "a web address");
  }

  #checked(
    name: FieldName,
    isGood: (text: string) => boolean,
    code: FindingCode,
    what: string,
  ): FieldValue<string> {
    const written = this.written(name);
    return !written || isGood(written) ? written : this.#unlike(name, written, code, what);
  }

  #unlike(name: FieldName, written: string, code: FindingCode, what: string): undefined {
    this.#findings.warn(code, `"${shortened(written)}" is not ${what}`, this.place(name));
  }

  vatRatePct(format: NumberFormat): FieldValue<number> {
    const written = this.written("vatRatePct");
    if (!written) return written === undefined ? undefined : null;
    const max = 100 * 10 ** VAT_DECIMALS;
    const isPercent = written.endsWith("%");
    const text = isPercent ? written.slice(0, -1).trimEnd() : written;
    const read = readNumber(text, { format, exponent: VAT_DECIMALS, currency: null, max });
    if ("value" in read) {
      // Some programs write 19 % as the fraction `0,19`.
      const isShare = read.value > 0 && read.value < 10 ** VAT_DECIMALS;
      if (!isShare) return read.value / 10 ** VAT_DECIMALS;
      if (!isPercent) return read.value * 100 / 10 ** VAT_DECIMALS;
    }
    return this.#unlike("vatRatePct", written, "invalid_number", "a rate from 0 to 100");
  }

  price(
    name: MajorName<RecordAmountName>,
    { numberFormat: format, zeroIsEmpty }: Pick<RecordTerms, "numberFormat" | "zeroIsEmpty">,
    { currency, exponent }: { readonly currency: string; readonly exponent: number },
  ): FieldValue<number> {
    const written = this.written(name);
    if (!written) return written === undefined ? undefined : null;
    const read = readNumber(written, { format, exponent, currency });
    const place = this.place(name);
    const mayBeFree = name === "shippingPrice";
    const terms = { format, currency, place, zeroIsEmpty: mayBeFree ? null : zeroIsEmpty };
    return usableAmount(read, written, terms, this.#findings) ?? undefined;
  }

  /**
   * Negative quantities are valid: a stock can be oversold, and customers can return more than they
   * buy.
   */
  quantity(name: keyof typeof QUANTITIES, format: NumberFormat): FieldValue<number> {
    const written = this.written(name);
    if (!written) return written === undefined ? undefined : null;
    const { max, decimals: exponent, what } = QUANTITIES[name];
    const [, sign, digits = "", signBehind] = /^([-−]?)(.*?)(-?)$/.exec(written) ?? [];
    const scale = 10 ** exponent;
    const read = readNumber(digits, { format, exponent, currency: null, max: max * scale });
    if ("reason" in read) return this.#unlike(name, written, "invalid_number", what);
    const value = read.value / scale;
    return (sign || signBehind) && value !== 0 ? -value : value;
  }

  condition(): FieldValue<Condition> {
    const written = this.written("condition");
    if (!written) return written === undefined ? undefined : null;
    const what = "a condition: new, refurbished, used, damaged";
    return readCondition(written) ?? this.#unlike("condition", written, "unknown_condition", what);
  }
}

const QUANTITIES = {
  stock: { max: STOCK_MAX, decimals: STOCK_DECIMALS, what: "a stock" },
  units: { max: UNITS_MAX, decimals: UNITS_DECIMALS, what: "a number of units" },
} as const;

export function withoutControls(text: string): string {
  if (PLAIN.test(text)) return text;
  return oneLine(hasControlCharacters(text) ? text.replace(/\p{Cc}+/gu, " ") : text);
}

export function skuOf(written: string, transform: Transform | null): string {
  return normaliseSku(transform === null ? written : transformed(written, transform));
}

function transformed(value: string, transform: Transform): string {
  switch (transform) {
    case "upper":
      return value.toUpperCase();
    case "lower":
      return value.toLowerCase();
    case "digits":
      return value.replace(/\D/g, "");
    case "strip_leading_zeros":
      return value.replace(/^0+(?=.)/, "");
  }
}

/** `isSentinel` marks a date that means "no start" or "no end", such as 31.12.9999. */
type FileDate =
  | { readonly kind: "none"; readonly isSentinel: boolean }
  | { readonly kind: "day"; readonly day: string; readonly startsAt: string }
  | { readonly kind: "invalid" };

const EMPTY: FileDate = { kind: "none", isSentinel: false };
const SENTINEL: FileDate = { kind: "none", isSentinel: true };

type FileDates = (text: string | null) => FileDate;

/** Converts dates of a file to days in the workspace's time zone (docs/decisions/imports.md). */
export function createFileDates(
  { dateFormats, openEnd }: Pick<RecordTerms, "dateFormats" | "openEnd">,
  timeZone: string,
): FileDates {
  const formats: readonly string[] = dateFormats;
  const sentinels = new Set(openEnd.map(dayOrText));
  const judge = (text: string): FileDate => {
    if (isOpenEnd(text) || sentinels.has(dayOrText(text))) return SENTINEL;
    const written = readDate(text);
    if ("reason" in written || !formats.includes(formatOf(text))) return { kind: "invalid" };
    const startsAt = instantOf(written, timeZone);
    if (written.offset === null) return { kind: "day", day: written.date, startsAt };
    return { kind: "day", day: dateIn(new Date(startsAt), timeZone), startsAt };
  };
  const read = memoize(judge, 100);
  return (text) => text === null || text === "" ? EMPTY : read(text);
}

function dayOrText(text: string): string {
  const written = readDate(text);
  return "date" in written ? written.date : text;
}

function formatOf(text: string): "D.M.Y" | "Y-M-D" | "YMD" {
  if (text.charAt(4) === "-") return "Y-M-D";
  return /^\d{8}/.test(text) ? "YMD" : "D.M.Y";
}

/** The date is a day in the workspace's time zone, such as `2026-11-20`. */
export type FileDay = readonly [date: string, units: number];

/** If the record has several values for the same day, the last value is used. */
export function readSoldDays(
  raw: RawRecord,
  setting: DatedSetting,
  findings: RecordFindings,
): FileDay[] {
  const days = new Map<string, number>();
  for (const sold of raw.sold) {
    const day = readDay(sold, setting, findings);
    if (day) days.set(...day);
  }
  return sortedDays(days);
}

export function joinedDays(...records: readonly (readonly FileDay[])[]): FileDay[] {
  return sortedDays(new Map(records.flat()));
}

function sortedDays(days: ReadonlyMap<string, number>): FileDay[] {
  return [...days].sort(([one], [other]) => one < other ? -1 : 1);
}

function readDay(
  sold: Values<ItemName>,
  { profile, dates, today }: DatedSetting,
  findings: RecordFindings,
): FileDay | null {
  const fields = new FieldValues(sold, profile.fields, findings);
  const units = fields.quantity("units", profile.numberFormat);
  if (units === null || units === undefined) return null;
  const written = fields.written("unitsDate") ?? null;
  const date = dates(written);
  const place = fields.place(sold.text("unitsDate") ? "unitsDate" : "units");
  if (date.kind === "invalid") {
    const message = `"${shortened(written ?? "")}" is not a date: the units are not used`;
    findings.warn("invalid_date", message, place);
    return null;
  }
  if (date.kind === "none") {
    findings.warn("missing_date", "The units have no date: add the day of sale", place);
    return null;
  }
  const refusal = refusalOfDate(date.day, today);
  if (refusal === null) return [date.day, units];
  findings.warn(refusal.code, refusal.message, place);
  return null;
}

export const QUANTITY_DECIMALS = 3;

const EXTRA_DECIMALS_BEFORE_ROUNDING = 4;

const RATE_DECIMALS = 4;

/**
 * Returns the price per piece, with or without VAT as `to` says. The amount is read with four more
 * decimals than the result, which is rounded half up.
 */
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
  const exponent = setting.exponent + EXTRA_DECIMALS_BEFORE_ROUNDING;
  const amount = readNumber(text, { ...setting, exponent, max: Number.MAX_SAFE_INTEGER });
  if ("reason" in amount) return amount;
  const divisor = BigInt(pieces.value) * 10n ** BigInt(EXTRA_DECIMALS_BEFORE_ROUNDING) * over;
  const doubled = 2n * BigInt(amount.value) * 10n ** BigInt(QUANTITY_DECIMALS) * times;
  const value = Number((doubled + divisor) / (2n * divisor));
  return value > MINOR_UNITS_MAX
    ? { reason: "price_out_of_range" }
    : { value, warning: amount.warning };
}

const UNCLEAR = /^\D{0,6}\d{1,3}(?:\.\d{3}|,\d{3})\D{0,6}$/;

interface AmountTerms {
  readonly format: NumberFormat;
  readonly currency: string;
  readonly place: Partial<Place>;
  /** With a warning, true ignores 0 and false stores 0; null stores 0 without a warning. */
  readonly zeroIsEmpty: boolean | null;
}

function priceError(
  text: string,
  reason: FindingCode,
  { format, currency }: AmountTerms,
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

export function usableAmount(
  read: ReadNumber,
  text: string,
  terms: AmountTerms,
  findings: RecordFindings,
): number | null {
  const { place, zeroIsEmpty } = terms;
  if ("reason" in read) {
    const { code, message } = priceError(text, read.reason, terms);
    findings.warn(code, message, place);
    return null;
  }
  if (read.warning) {
    const message = `"${shortened(text)}" is read as ${showMoney(read.value, terms.currency)}`;
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
