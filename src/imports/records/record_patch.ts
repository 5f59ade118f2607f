/**
 * A patch contains what a record changes in its product. A refused record is also written as XML in
 * Kurant's own format (`erp-default`), so that users can correct and resend it.
 */
import { fromKeys } from "../../base/collections.ts";
import type { Product, TierPrice } from "../../catalogue/products/product.ts";
import { exponentOf, formatDecimalComma, formatMajor } from "../../base/money.ts";
import {
  IMPORTED_NAMES,
  majorName,
  NUMBER_NAMES,
  PRODUCT_FIELDS,
  RECORD_AMOUNT_NAMES,
  RECORD_NAMES,
  type RecordAmountName,
  type RecordName,
} from "../../catalogue/products/product_field_table.ts";
import type { FileLink } from "../../shops/matches/link_plan.ts";
import { type Finding, shortened } from "../files/source_file.ts";
import { amountForOne, type DatedSetting, type FieldValues, type FileDay } from "./field_values.ts";
import type { RawRecord, RowName, Values } from "./raw_record.ts";
import { escapeXml } from "../../base/text.ts";

/** If neither `isNamed` nor the patch's `currency` is set, the product's currency applies. */
export interface PatchRow extends TierPrice {
  /** True if the row names its currency, and another row names a different one or none. */
  readonly isNamed?: true;
}

const FED = ["ourPriceCents", "costPriceCents", "targetPriceCents"] as const;
export type FedField = (typeof FED)[number];
type FedRows = Readonly<Partial<Record<FedField, Values<RowName>>>>;

export type RecordFields = { -readonly [Name in RecordName]?: Product[Name] };

type RecordAmounts = { -readonly [Name in RecordAmountName]?: number | null };

/** An absent field stays; null clears a field. Equal patches must have equal JSON hashes. */
export interface RecordPatch extends RecordFields, RecordAmounts {
  sku: string;
  /** True if the product was found by its EAN. If it was deleted meanwhile, the import skips it. */
  isFound?: true;
  isDeleted?: true;
  /**
   * If `currency` is absent, a stored product keeps its currency, and a new product gets the
   * workspace's currency.
   */
  currency?: string;
  tier?: string | null;
  ourPriceCents?: number;
  prices?: {
    /** The tiers whose stored prices `rows` replaces; a tier without rows loses its prices. */
    readonly tiers: readonly (string | null)[];
    readonly rows: readonly PatchRow[];
    readonly feeds?: Readonly<Partial<Record<FedField, string | null>>>;
  };
  /** Currency of the patch's amounts, except those in `prices`. */
  amountsIn?: string;
  /** An attribute with an empty text is removed; attributes that the patch does not name stay. */
  attributes?: Readonly<Record<string, string>>;
  links?: readonly FileLink[];
}

export type WrittenValues = Readonly<Record<string, string>>;

export interface EvaluatedRecord {
  readonly index: number;
  readonly line: number;
  readonly sku: string | null;
  readonly patch: RecordPatch | null;
  readonly findings: readonly Finding[];
  readonly written?: WrittenValues;
  readonly sold?: readonly FileDay[];
  /** The next day on which a price of the record begins or ceases to be valid. */
  readonly turnsOn?: string;
  /**
   * The first price of a record whose prices may all be in cents, such as `1999`. Null if one of
   * them cannot be in cents: it is not a whole number, or is a price below `100`. Prices of 0 are
   * ignored. Absent if there is no price, for XML files, and for amounts in minor units.
   */
  readonly wholePrice?: string | null;
  readonly refusedXml: string | null;
  readonly rows?: readonly (readonly (string | null)[])[];
  /** True if the record is skipped, because its product is not for sale or its EAN is unknown. */
  readonly isPassedOver?: true;
  /** The EAN by which the product is found, for a record without a SKU. */
  readonly byEan?: string;
  /**
   * For a refused or skipped record: SKUs of products that an import in the mode `replace` must not
   * delete; by default the record's `sku`.
   */
  readonly spared?: readonly string[];
}

export function writtenBeside(raw: RawRecord, patch: RecordPatch, fed: FedRows): WrittenValues {
  const found: Record<string, string> = {};
  for (const name of RECORD_NAMES) {
    const text = raw.item.text(name);
    const value = patch[name];
    if (text !== null && value !== undefined && !readsAs(text, value)) {
      found[name] = shortened(text);
    }
  }
  const exponent = exponentOf(patch.amountsIn ?? "");
  const putWritten = (field: string, text: string | null, cents: number | null | undefined) => {
    if (text !== null && typeof cents === "number" && !isAmount(text, cents, exponent)) {
      found[field] = shortened(text);
    }
  };
  for (const name of RECORD_AMOUNT_NAMES) {
    const field = majorName(name);
    putWritten(field, raw.item.text(field), patch[name]);
  }
  for (const name of FED) {
    const row = fed[name];
    if (row) putWritten(majorName(name), row.text("amount"), patch[name]);
  }
  return found;
}

function readsAs(text: string, value: string | number | null): boolean {
  return typeof value === "number"
    ? text === String(value) || text === String(value).replace(".", ",")
    : text === (value ?? "");
}

function isAmount(written: string, cents: number, exponent: number): boolean {
  const text = written.replace(/^\D+|\D+$/g, "");
  const whole = cents / 10 ** exponent;
  return text === formatMajor(cents, exponent) || text === formatDecimalComma(cents, exponent) ||
    (Number.isInteger(whole) && text === String(whole));
}

/** The XML of a refused record must fit into a value of the store (64 KiB). */
const CHARS_MAX = 20_000;

const ITEM_NAMES = IMPORTED_NAMES.flatMap((field) => {
  const [written]: readonly string[] = PRODUCT_FIELDS[field].import.house;
  return written === undefined ? [] : [{ field, written }];
});

const LINK_NAMES = ["name", "domain", "url", "enabled"] as const;

type Elements = readonly (readonly [name: string, text: string | null])[];

/** Maps field names to the texts of XML elements, for a price, a link or a day of sales. */
type Part = Readonly<Record<string, string | null>>;

export function rawXml(
  raw: RawRecord,
  fields: FieldValues,
  setting: DatedSetting,
): string | null {
  if (raw.item.text("mode")?.toLowerCase() === "delete") return null;
  const ofFile = raw.item.text("fileCurrency");
  const named = fields.written("currency");
  const item = ITEM_NAMES.map(({ field, written: name }) => {
    const written = fields.written(majorName(field));
    if (written === undefined) return [name, field === "currency" ? ofFile : null] as const;
    const text = written ?? "";
    if (PRODUCT_FIELDS[field].written === "amount") {
      return [name, amountOf(text, named, setting)] as const;
    }
    return [name, NUMBER_NAMES.includes(field) ? numberOf(text, setting) : text] as const;
  });
  const currency = named || ofFile || setting.workspaceCurrency;
  const rows = raw.rows.map((row) => rowOf(row, currency, setting));
  const links = raw.links.map((link) => fromKeys(LINK_NAMES, (name) => link.text(name)));
  const sold = raw.sold.map((day) => {
    const units = day.text("units");
    const written = units ? numberOf(units, setting) : null;
    return { units: written, unitsDate: day.text("unitsDate") };
  });
  return itemOf(item, rows, links, sold);
}

function rowOf(row: Values<RowName>, otherwise: string, setting: DatedSetting): Part {
  const currency = (row.text("currency") || otherwise).toUpperCase();
  const minQty = row.text("minQty");
  return {
    tier: row.text("tier"),
    price: priceOf(row.text("amount"), row.text("quantity"), currency, setting),
    currency: row.text("currency"),
    minQty: minQty === null ? null : numberOf(minQty, setting),
    ...datesOf(row.text("validFrom"), row.text("validUntil"), setting),
  };
}

/** Returns the price for one piece, because the XML format has no element for a quantity. */
function priceOf(
  amount: string | null,
  quantity: string | null,
  currency: string,
  setting: DatedSetting,
): string | null {
  if (amount === null || !quantity || quantity === "1") {
    return amount === null ? null : amountOf(amount, currency, setting);
  }
  const exponent = exponentOf(currency);
  const read = amountForOne(amount, quantity, {
    format: setting.profile.numberFormat,
    exponent,
    currency,
  });
  return "reason" in read ? `${amount} / ${quantity}` : formatDecimalComma(read.value, exponent);
}

function datesOf(
  validFrom: string | null,
  validUntil: string | null,
  { profile, dates, today }: DatedSetting,
): Part {
  const end = dates(validUntil);
  const until = end.kind === "none" && validUntil !== null ? "" : validUntil;
  if (profile.prices?.current !== "today" || end.kind === "invalid") {
    return { validFrom, validUntil: until };
  }
  const start = dates(validFrom);
  const isOver = end.kind === "day" && end.day < today;
  const isToCome = start.kind === "day" && start.day > today;
  return { validFrom, validUntil: isToCome ? until || validFrom : isOver ? until : "" };
}

/** Converts cents to major units, because the XML format has no amounts in cents. */
function amountOf(
  text: string,
  currency: string | null | undefined,
  setting: DatedSetting,
): string {
  if (!setting.profile.isMinor || !/^\d{1,15}$/.test(text)) return numberOf(text, setting);
  const code = (currency || setting.workspaceCurrency).toUpperCase();
  return formatDecimalComma(Number(text), exponentOf(code));
}

function numberOf(text: string, { profile }: DatedSetting): string {
  const hasDecimalDot = profile.numberFormat === "en" && /^\s*\d+\.\d+\s*$/.test(text);
  return hasDecimalDot ? text.replace(".", ",") : text;
}

export function patchXml(patch: RecordPatch, days: readonly FileDay[]): string | null {
  const currency = patch.amountsIn ?? patch.currency ?? "EUR";
  const money = (cents: number, unit: string) => formatDecimalComma(cents, exponentOf(unit));
  const decimal = (value: number) => String(value).replace(".", ",");
  const item = ITEM_NAMES.map(({ field, written }) => {
    const value = patch[field];
    if (value === undefined) return [written, null] as const;
    if (typeof value !== "number") return [written, value ?? ""] as const;
    const isAmount = PRODUCT_FIELDS[field].written === "amount";
    return [written, isAmount ? money(value, currency) : decimal(value)] as const;
  });
  const rows = (patch.prices?.rows ?? []).map((row) => ({
    tier: row.tier,
    price: money(row.amountCents, row.currency),
    currency: patch.currency !== undefined || row.isNamed ? row.currency : null,
    minQty: row.minQty === null ? null : decimal(row.minQty),
    validUntil: "",
  }));
  const links = (patch.links ?? []).map(({ name, domain, url, enabled }) => {
    return { name, domain, url, enabled: enabled ? "J" : "N" };
  });
  const sold = days.map(([date, units]) => ({ units: decimal(units), unitsDate: date }));
  return itemOf(item, rows, links, sold);
}

function itemOf(
  item: Elements,
  rows: readonly Part[],
  links: readonly Part[],
  sold: readonly Part[],
): string | null {
  const sku = xmlOf(item.filter(([name]) => name === "SKU"));
  const before = sold.slice(0, -1).map((day) => wrap("ITEM", sku + partXml(day)));
  const own = xmlOf(item) + partXml(sold.at(-1) ?? {});
  const prices = rows.map((row) => wrap("SALESPRICE", partXml(row))).join("");
  const shops = links.map((link) => wrap("COMPETITOR", partXml(link))).join("");
  const competitors = shops === "" ? "" : wrap("COMPETITORS", shops);
  const whole = before.join("") + wrap("ITEM", own + prices + competitors);
  // If the XML is still too long, long texts are left out; only URLs may be so long.
  const short = item.filter(([, text]) => text === null || text.length <= 500);
  return [whole, wrap("ITEM", own), wrap("ITEM", xmlOf(short))]
    .find(({ length }) => length <= CHARS_MAX) ?? null;
}

function partXml(part: Part): string {
  return xmlOf(Object.entries(part).map(([name, text]) => [name.toUpperCase(), text]));
}

function xmlOf(elements: Elements): string {
  return elements.map(([name, text]) => text === null ? "" : wrap(name, escapeXml(text))).join("");
}

function wrap(name: string, content: string): string {
  return content === "" ? `<${name}/>` : `<${name}>${content}</${name}>`;
}
