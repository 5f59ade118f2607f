import { isGtin } from "../../base/gtin.ts";
import { showMoney } from "../../base/money.ts";
import { type NumberFormat, readNumber } from "../../base/number_de.ts";
import { hasControlCharacters, isLongerThan, normaliseSku } from "../../base/text.ts";
import { misfitOfSku, oneLine, ShopUrl } from "../../catalogue/products/product_fields.ts";
import { shortened } from "../findings/finding.ts";
import type { FieldName, ImportProfile } from "../profiles/profile.ts";
import type { Transform } from "../profiles/profile_choices.ts";
import { FIELD_SLOTS } from "./compiled_profile.ts";
import type { Frame } from "./raw_record.ts";
import { type Place, placeOf, type RecordFindings } from "./record_findings.ts";
import { isEmptyZero } from "./zero_price.ts";

const PLAIN_SKU_CHARS_MAX = 128;
const VAT_DECIMALS = 4;
/** Printable ASCII, which is the same in every normal form. */
const PLAIN = /^[\x20-\x7e]*$/;

/** `undefined`: the record lacks the field, or its value cannot be used. `null`: empty, so cleared. */
export type FieldValue<T> = T | null | undefined;

/** Reads the single fields of one item; each finding is about the value alone. */
export class FieldValues {
  readonly #item: Frame;
  readonly #fields: ImportProfile["fields"];
  readonly #findings: RecordFindings;

  constructor(item: Frame, fields: ImportProfile["fields"], findings: RecordFindings) {
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

  /** The key of the record; null when it is refused for it. */
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
    const misfit = misfitOfSku(sku);
    if (misfit === null) return sku;
    const code = sku === "" || hasControlCharacters(sku) ? "missing_sku" : "too_long";
    this.#findings.refuse(code, `The SKU cannot be used: ${misfit}`, this.place("sku"));
    return null;
  }

  /** A text of one line. */
  text(name: FieldName, charsMax: number): FieldValue<string> {
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
    const text = written.endsWith("%") ? written.slice(0, -1).trimEnd() : written;
    const read = readNumber(text, { format, exponent: VAT_DECIMALS, currency: null, max });
    if ("value" in read) return read.value / 10 ** VAT_DECIMALS;
    const message = `"${shortened(written)}" is not a rate from 0 to 100`;
    this.#findings.warn("invalid_number", message, this.place("vatRatePct"));
    return undefined;
  }

  /** A price of the item in minor units. */
  price(
    name: "costPrice" | "targetPrice",
    profile: Pick<ImportProfile, "numberFormat" | "zeroIsEmpty">,
    unit: { currency: string; exponent: number },
  ): FieldValue<number> {
    const written = this.written(name);
    if (!written) return written === undefined ? undefined : null;
    const { currency, exponent } = unit;
    const read = readNumber(written, { format: profile.numberFormat, exponent, currency });
    if ("reason" in read) {
      const message = `"${shortened(written)}" is not a price that can be used`;
      this.#findings.warn(read.reason, message, this.place(name));
      return undefined;
    }
    if (read.warning) {
      const message = `"${shortened(written)}" is read as ${showMoney(read.value, currency)}`;
      this.#findings.warn(read.warning, message, this.place(name));
    }
    const isEmpty = read.value === 0 && isEmptyZero(profile, this.#findings, this.place(name));
    return isEmpty ? undefined : read.value;
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
