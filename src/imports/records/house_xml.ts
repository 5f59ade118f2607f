/**
 * Refused records in the house format, to be mended by hand and sent again
 * (docs/decisions/imports.md).
 */

import { exponentOf } from "../../base/currency.ts";
import { formatDecimalComma } from "../../base/money.ts";
import {
  IMPORTED_NAMES,
  majorName,
  PRODUCT_FIELDS,
} from "../../catalogue/products/product_field_table.ts";
import type { RecordTerms } from "../profiles/profile.ts";
import {
  FIELD_SLOTS,
  FILE_CURRENCY_SLOT,
  LINK_SLOTS,
  MODE_SLOT,
  ROW_SLOTS,
} from "./compiled_profile.ts";
import type { FieldValues, FileDates, FileDay } from "./field_values.ts";
import type { Frame, FramePool, RawRecord } from "./raw_record.ts";
import type { RecordPatch } from "./record_patch.ts";
import { divided } from "./written_amount.ts";

/**
 * A stored value holds 64 KiB; a longer record is told without its rows and links, or not at all.
 */
const CHARS_MAX = 20_000;

/** Fields of the house format, each with the name that it is written by. */
const ITEM_NAMES = IMPORTED_NAMES.flatMap((field) => {
  const [written]: readonly string[] = PRODUCT_FIELDS[field].import.house;
  return written === undefined ? [] : [{ field, written }];
});

const LINK_NAMES = [
  ["name", "NAME"],
  ["domain", "DOMAIN"],
  ["url", "URL"],
  ["enabled", "ENABLED"],
] as const;

interface RawSetting {
  readonly fields: FieldValues;
  readonly profile: RecordTerms;
  readonly dates: FileDates;
  readonly today: string;
  readonly workspaceCurrency: string;
}

/**
 * The values of a record as they stood in its file, but for what the house format says otherwise.
 */
export function rawXml(raw: RawRecord, setting: RawSetting): string | null {
  if (raw.item.values[MODE_SLOT]?.toLowerCase() === "delete") return null;
  const fields = ITEM_NAMES.map(({ field, written: name }) => {
    const isNumber = ["amount", "quantity"].includes(PRODUCT_FIELDS[field].written);
    const written = setting.fields.written(majorName(field));
    const ofFile = field === "currency" ? raw.item.values[FILE_CURRENCY_SLOT] ?? null : null;
    if (written === undefined) return element(name, ofFile);
    return element(
      name,
      isNumber
        ? amountOf(written ?? "", setting.fields.written("currency"), setting)
        : written ?? "",
    );
  });
  const rows = framesOf(raw.rows).map((frame) => rowXml(frame, raw, setting));
  const links = framesOf(raw.links).map((frame) =>
    wrap(
      "COMPETITOR",
      LINK_NAMES.map(([field, name]) => element(name, frame.values[LINK_SLOTS[field]] ?? null)),
    )
  );
  const sold = framesOf(raw.sold).map(({ values }) => {
    const units = values[FIELD_SLOTS.units];
    return [
      element("UNITS", units ? numberOf(units, setting) : null),
      element("UNITSDATE", values[FIELD_SLOTS.unitsDate] ?? null),
    ];
  });
  return itemOf(fields, rows, links, sold);
}

function rowXml({ values }: Frame, { item }: RawRecord, setting: RawSetting): string {
  const currency = values[ROW_SLOTS.currency] || setting.fields.written("currency") ||
    item.values[FILE_CURRENCY_SLOT] || setting.workspaceCurrency;
  const valueOf = (slot: keyof typeof ROW_SLOTS) => values[ROW_SLOTS[slot]] ?? null;
  const minQty = valueOf("minQty");
  const { from, until } = datesOf(valueOf("validFrom"), valueOf("validUntil"), setting);
  return wrap("SALESPRICE", [
    element("TIER", valueOf("tier")),
    element(
      "PRICE",
      priceOf(valueOf("amount"), valueOf("quantity"), currency.toUpperCase(), setting),
    ),
    element("CURRENCY", valueOf("currency")),
    element("MINQTY", minQty === null ? null : numberOf(minQty, setting)),
    element("VALIDFROM", from),
    element("VALIDUNTIL", until),
  ]);
}

/**
 * The house format knows no quantity: the price is for one piece, or cannot be read there either.
 */
function priceOf(
  amount: string | null,
  quantity: string | null,
  currency: string,
  setting: RawSetting,
): string | null {
  if (amount === null || !quantity || quantity === "1") {
    return amount === null ? null : amountOf(amount, currency, setting);
  }
  const exponent = exponentOf(currency);
  const read = divided(amount, quantity, {
    format: setting.profile.numberFormat,
    exponent,
    currency,
  });
  return "reason" in read ? `${amount} / ${quantity}` : formatDecimalComma(read.value, exponent);
}

/** In the house format a row is current that has no end; nothing else. */
function datesOf(
  from: string | null,
  until: string | null,
  { profile, dates, today }: RawSetting,
): { readonly from: string | null; readonly until: string | null } {
  const end = dates.read(until);
  if (end.kind === "none") until = until === null ? null : "";
  if (profile.prices?.current !== "today" || end.kind === "invalid") return { from, until };
  const start = dates.read(from);
  const isOver = end.kind === "day" && end.day < today;
  const isToCome = start.kind === "day" && start.day > today;
  if (isToCome) return { from, until: until || from };
  return { from, until: isOver ? until : "" };
}

/** The house format has amounts in major units. */
function amountOf(
  text: string,
  currency: string | null | undefined,
  setting: RawSetting,
): string {
  if (!setting.profile.isMinor || !/^\d{1,15}$/.test(text)) return numberOf(text, setting);
  const code = (currency || setting.workspaceCurrency).toUpperCase();
  return formatDecimalComma(Number(text), exponentOf(code));
}

function numberOf(text: string, { profile }: RawSetting): string {
  const hasDecimalDot = profile.numberFormat === "en" && /^\s*\d+\.\d+\s*$/.test(text);
  return hasDecimalDot ? text.replace(".", ",") : text;
}

export function patchXml(patch: RecordPatch, sold: readonly FileDay[]): string | null {
  const currency = patch.amountsIn ?? patch.currency ?? "EUR";
  const money = (cents: number, unit: string) => formatDecimalComma(cents, exponentOf(unit));
  const fields = ITEM_NAMES.map(({ field, written }) => {
    const value = patch[field];
    const text = typeof value !== "number"
      ? value
      : PRODUCT_FIELDS[field].written === "amount"
      ? money(value, currency)
      : String(value).replace(".", ",");
    // Null clears a field: an empty element says so.
    return text === undefined ? "" : element(written, text ?? "");
  });
  const rows = (patch.prices?.rows ?? []).map((row) =>
    wrap("SALESPRICE", [
      element("TIER", row.tier),
      element("PRICE", money(row.amountCents, row.currency)),
      element("CURRENCY", patch.currency !== undefined || row.isNamed ? row.currency : null),
      element("MINQTY", row.minQty === null ? null : String(row.minQty).replace(".", ",")),
      "<VALIDUNTIL/>",
    ])
  );
  const links = (patch.links ?? []).map(({ name, domain, url, enabled }) =>
    wrap("COMPETITOR", [
      element("NAME", name),
      element("DOMAIN", domain),
      element("URL", url),
      element("ENABLED", enabled ? "J" : "N"),
    ])
  );
  const days = sold.map(([date, units]) => [
    element("UNITS", String(units).replace(".", ",")),
    element("UNITSDATE", date),
  ]);
  return itemOf(fields, rows, links, days);
}

/** `sold` has the elements of each day. An item has one day: those before it are items of its SKU. */
function itemOf(
  fields: readonly string[],
  rows: readonly string[],
  links: readonly string[],
  sold: readonly (readonly string[])[],
): string | null {
  const competitors = links.length === 0 ? [] : [wrap("COMPETITORS", links)];
  const sku = fields.filter((field) => field.startsWith("<SKU>"));
  const before = sold.slice(0, -1).map((day) => wrap("ITEM", [...sku, ...day]));
  const own = [...fields, ...sold.at(-1) ?? []];
  const whole = [...before, wrap("ITEM", [...own, ...rows, ...competitors])].join("");
  if (whole.length <= CHARS_MAX) return whole;
  const short = wrap("ITEM", own);
  return short.length <= CHARS_MAX ? short : null;
}

function framesOf(pool: FramePool): Frame[] {
  return Array.from({ length: pool.count }, (_, index) => pool.at(index));
}

function wrap(name: string, parts: readonly string[]): string {
  return `<${name}>${parts.join("")}</${name}>`;
}

function element(name: string, text: string | null): string {
  return text === null ? "" : `<${name}>${escaped(text)}</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
