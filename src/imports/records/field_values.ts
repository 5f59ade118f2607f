/** Reads the single values and dates of a record. A value that cannot be read becomes a finding. */

import { memoize } from "../../base/collections.ts";
import { type Condition, readCondition } from "../../base/codes.ts";
import {
  instantOf,
  isOpenEnd,
  type NumberFormat,
  readDate,
  readNumber,
} from "../../base/german_values.ts";
import { isGtin } from "../../base/gtin.ts";
import { showMoney } from "../../base/money.ts";
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
import { UNITS_DECIMALS, UNITS_MAX } from "../../catalogue/sales/sale.ts";
import { refusalOfDate } from "../../catalogue/sales/sold_row.ts";
import { shortened } from "../files/finding.ts";
import type { FieldName, RecordTerms } from "../profiles/profile.ts";
import type { Transform } from "../profiles/profile_choices.ts";
import { FIELD_SLOTS } from "./compiled_profile.ts";
import {
  type Frame,
  type Place,
  placeOf,
  type RawRecord,
  type RecordFindings,
} from "./raw_record.ts";
import { isEmptyZero, priceError } from "./written_amount.ts";

const PLAIN_SKU_CHARS_MAX = 128;
const VAT_DECIMALS = 4;
/** Printable ASCII, which is the same in every normal form. */
const PLAIN = /^[\x20-\x7e]*$/;

/** `undefined`: the record lacks the field, or its value cannot be used. `null`: empty, so cleared. */
type FieldValue<T> = T | null | undefined;

export class FieldValues {
  readonly #item: Frame;
  readonly #fields: RecordTerms["fields"];
  readonly #findings: RecordFindings;

  constructor(item: Frame, fields: RecordTerms["fields"], findings: RecordFindings) {
    this.#item = item;
    this.#fields = fields;
    this.#findings = findings;
  }

  place(name: FieldName): Place {
    return placeOf(this.#item, FIELD_SLOTS[name]);
  }

  /** The value as written, blanks cut, transformed as the profile asks. */
  written(name: FieldName): FieldValue<string> {
    const value = this.#item.values[FIELD_SLOTS[name]] ?? null;
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
    if (written.length <= PLAIN_SKU_CHARS_MAX && PLAIN.test(written)) return written;
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
    const written = this.written("ean");
    if (!written || isGtin(written)) return written;
    const message = `"${shortened(written)}" is not an EAN: wrong length or check digit`;
    this.#findings.warn("invalid_ean", message, this.place("ean"));
    return undefined;
  }

  url(): FieldValue<string> {
    const written = this.written("url");
    if (!written || ShopUrl.safeParse(written).success) return written;
    const message = `"${shortened(written)}" is not a web address`;
    this.#findings.warn("invalid_url", message, this.place("url"));
    return undefined;
  }

  vatRatePct(format: NumberFormat): FieldValue<number> {
    const written = this.written("vatRatePct");
    if (!written) return written === undefined ? undefined : null;
    const max = 100 * 10 ** VAT_DECIMALS;
    const isPercent = written.endsWith("%");
    const text = isPercent ? written.slice(0, -1).trimEnd() : written;
    const read = readNumber(text, { format, exponent: VAT_DECIMALS, currency: null, max });
    if ("value" in read) {
      // `0,19` is a share of 1, as some programs write it; `0,19 %` is a mistake.
      const isShare = read.value > 0 && read.value < 10 ** VAT_DECIMALS;
      if (!isShare) return read.value / 10 ** VAT_DECIMALS;
      if (!isPercent) return read.value * 100 / 10 ** VAT_DECIMALS;
    }
    const message = `"${shortened(written)}" is not a rate from 0 to 100`;
    this.#findings.warn("invalid_number", message, this.place("vatRatePct"));
    return undefined;
  }

  price(
    name: MajorName<RecordAmountName>,
    profile: Pick<RecordTerms, "numberFormat" | "zeroIsEmpty">,
    unit: { currency: string; exponent: number },
  ): FieldValue<number> {
    const written = this.written(name);
    if (!written) return written === undefined ? undefined : null;
    const { currency, exponent } = unit;
    const read = readNumber(written, { format: profile.numberFormat, exponent, currency });
    if ("reason" in read) {
      const format = profile.numberFormat;
      const { code, message } = priceError(written, { format, currency, reason: read.reason });
      this.#findings.warn(code, message, this.place(name));
      return undefined;
    }
    if (read.warning) {
      const message = `"${shortened(written)}" is read as ${showMoney(read.value, currency)}`;
      this.#findings.warn(read.warning, message, this.place(name));
    }
    // Free shipping is a price like others.
    const isEmpty = read.value === 0 && name !== "shippingPrice" &&
      isEmptyZero(profile, this.#findings, this.place(name));
    return isEmpty ? undefined : read.value;
  }

  /** Pieces or other units; an ERP that has sold more than there is says so by a sign. */
  stock(format: NumberFormat): FieldValue<number> {
    return this.#quantity("stock", format, { max: STOCK_MAX, decimals: STOCK_DECIMALS });
  }

  /** Units sold; below 0 when more came back. */
  units(format: NumberFormat): FieldValue<number> {
    return this.#quantity("units", format, { max: UNITS_MAX, decimals: UNITS_DECIMALS });
  }

  #quantity(
    name: "stock" | "units",
    format: NumberFormat,
    { max, decimals }: { readonly max: number; readonly decimals: number },
  ): FieldValue<number> {
    const written = this.written(name);
    if (!written) return written === undefined ? undefined : null;
    const [, sign, digits = "", signBehind] = /^([-−]?)(.*?)(-?)$/.exec(written) ?? [];
    const scale = 10 ** decimals;
    const read = readNumber(digits, {
      format,
      exponent: decimals,
      currency: null,
      max: max * scale,
    });
    if ("value" in read) {
      const value = read.value / scale;
      return (sign || signBehind) && value !== 0 ? -value : value;
    }
    const message = `"${shortened(written)}" is not a ${
      name === "stock" ? name : "number of units"
    }`;
    this.#findings.warn("invalid_number", message, this.place(name));
    return undefined;
  }

  condition(): FieldValue<Condition> {
    const written = this.written("condition");
    if (!written) return written === undefined ? undefined : null;
    const condition = readCondition(written);
    if (condition !== null) return condition;
    const message = `"${shortened(written)}" is not a condition: new, refurbished, used, damaged`;
    this.#findings.warn("unknown_condition", message, this.place("condition"));
    return undefined;
  }
}

/** On one line. Controls that XML lets through come from letters in another encoding: they stand for nothing. */
export function withoutControls(text: string): string {
  if (PLAIN.test(text)) return text;
  return oneLine(hasControlCharacters(text) ? text.replace(/\p{Cc}+/gu, " ") : text);
}

/** The SKU that a product has which a file calls so. */
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

/**
 * `none`: no date, or one that stands for none. `day` is one of the calendar of the workspace;
 * `startsAt` is the instant that the file names, which is the start of the day unless it names more.
 */
type FileDate =
  | { readonly kind: "none"; readonly isSentinel: boolean }
  | { readonly kind: "day"; readonly day: string; readonly startsAt: string }
  | { readonly kind: "invalid" };

/** Dates repeat in a file, so that readings are kept; of longer texts none is. */
const DATE_CHARS_MAX = 100;

const EMPTY: FileDate = { kind: "none", isSentinel: false };
const SENTINEL: FileDate = { kind: "none", isSentinel: true };

export type FileDates = (text: string | null) => FileDate;

/** Reads the dates of one file as days in the zone of the workspace (docs/decisions/imports.md). */
export function createFileDates(
  { dateFormats, openEnd }: Pick<RecordTerms, "dateFormats" | "openEnd">,
  timeZone: string,
): FileDates {
  const formats: readonly string[] = dateFormats;
  const sentinels = new Set(openEnd.map((text) => dayOf(text) ?? text));
  const judge = (text: string): FileDate => {
    const written = readDate(text);
    const day = "date" in written ? written.date : null;
    if (isOpenEnd(text) || sentinels.has(day ?? text)) return SENTINEL;
    if ("reason" in written || !formats.includes(formatOf(text))) return { kind: "invalid" };
    const startsAt = instantOf(written, timeZone);
    if (written.offset === null) return { kind: "day", day: written.date, startsAt };
    return { kind: "day", day: dateIn(new Date(startsAt), timeZone), startsAt };
  };
  const read = memoize(judge, DATE_CHARS_MAX);
  return (text) => text === null || text === "" ? EMPTY : read(text);
}

function dayOf(text: string): string | null {
  const written = readDate(text);
  return "date" in written ? written.date : null;
}

function formatOf(text: string): "D.M.Y" | "Y-M-D" | "YMD" {
  if (text.charAt(4) === "-") return "Y-M-D";
  return /^\d{8}/.test(text) ? "YMD" : "D.M.Y";
}

/** Units of a day on the calendar of the workspace, `2026-11-20`. */
export type FileDay = readonly [date: string, units: number];

interface SoldSetting {
  readonly profile: Pick<RecordTerms, "fields" | "numberFormat">;
  readonly dates: FileDates;
  readonly today: string;
}

/** By date; of two items for one day the last counts. What cannot be used is a warning. */
export function readSoldDays(
  raw: RawRecord,
  setting: SoldSetting,
  findings: RecordFindings,
): FileDay[] {
  raw.gatherSold();
  if (raw.sold.count === 0) return [];
  const days = new Map<string, number>();
  for (let index = 0; index < raw.sold.count; index++) {
    const day = readDay(raw.sold.at(index), setting, findings);
    if (day) days.set(...day);
  }
  return sortedDays(days);
}

/** The days of several records of one product, the later ones last. */
export function joinedDays(...records: readonly (readonly FileDay[])[]): FileDay[] {
  return sortedDays(new Map(records.flat()));
}

function sortedDays(days: ReadonlyMap<string, number>): FileDay[] {
  return [...days].sort(([one], [other]) => one < other ? -1 : 1);
}

/** Null without units: a date alone says nothing. Units without a date are never put on a guessed day. */
function readDay(
  frame: Frame,
  { profile, dates, today }: SoldSetting,
  findings: RecordFindings,
): FileDay | null {
  const fields = new FieldValues(frame, profile.fields, findings);
  const units = fields.units(profile.numberFormat);
  if (units === null || units === undefined) return null;
  const written = fields.written("unitsDate") ?? null;
  const date = dates(written);
  const place = fields.place(frame.values[FIELD_SLOTS.unitsDate] ? "unitsDate" : "units");
  if (date.kind === "invalid") {
    const message = `"${shortened(written ?? "")}" is not a date: the units are not used`;
    findings.warn("invalid_date", message, place);
    return null;
  }
  if (date.kind === "none") {
    findings.warn("missing_date", "Units without the day on which they were sold", place);
    return null;
  }
  const refusal = refusalOfDate(date.day, today);
  if (refusal === null) return [date.day, units];
  findings.warn(refusal.code, refusal.message, place);
  return null;
}
