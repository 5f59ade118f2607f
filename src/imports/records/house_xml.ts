/** Refused records in the house format, to be mended by hand and sent again (decisions §7). */
import { currencyExponent } from "../../base/currency.ts";
import { formatDecimalComma } from "../../base/money.ts";
import type { ProductPatch } from "../product_patch.ts";
import { FIELD_SLOTS, LINK_SLOTS, MODE_SLOT, ROW_SLOTS } from "./compiled_profile.ts";
import type { Frame, FramePool, RawRecord } from "./raw_record.ts";

/** A stored value holds 64 KiB; a longer record is told without its rows and links, or not at all. */
const CHARS_MAX = 20_000;

const ITEM_NAMES = [
  ["sku", "SKU"],
  ["title", "TITLE"],
  ["brand", "BRAND"],
  ["category", "CATEGORY"],
  ["ean", "EAN"],
  ["mpn", "MPN"],
  ["currency", "CURRENCY"],
  ["costPrice", "COSTPRICE"],
  ["targetPrice", "TARGETPRICE"],
  ["tier", "TIER"],
] as const;

const ROW_NAMES = [
  ["tier", "TIER"],
  ["amount", "PRICE"],
  ["currency", "CURRENCY"],
  ["minQty", "MINQTY"],
  ["validFrom", "VALIDFROM"],
  ["validUntil", "VALIDUNTIL"],
] as const;

const LINK_NAMES = [
  ["name", "NAME"],
  ["domain", "DOMAIN"],
  ["url", "URL"],
  ["enabled", "ENABLED"],
] as const;

/** The values of a record as they stood in its file. `hasDecimalDots`: its numbers are not German. */
export function rawXml(raw: RawRecord, hasDecimalDots: boolean): string | null {
  if (raw.item.values[MODE_SLOT]?.toLowerCase() === "delete") return null;
  const number = (text: string) =>
    hasDecimalDots && /^\s*\d+\.\d+\s*$/.test(text) ? text.replace(".", ",") : text;
  const fields = ITEM_NAMES.map(([field, name]) => {
    const isNumber = field === "costPrice" || field === "targetPrice";
    const text = raw.item.values[FIELD_SLOTS[field]] ?? null;
    return element(name, isNumber && text !== null ? number(text) : text);
  });
  const rows = framesOf(raw.rows).map((frame) =>
    wrap(
      "SALESPRICE",
      ROW_NAMES.map(([field, name]) => {
        const text = frame.values[ROW_SLOTS[field]] ?? null;
        return element(name, field === "amount" && text !== null ? number(text) : text);
      }),
    )
  );
  const links = framesOf(raw.links).map((frame) =>
    wrap(
      "COMPETITOR",
      LINK_NAMES.map(([field, name]) => element(name, frame.values[LINK_SLOTS[field]] ?? null)),
    )
  );
  return itemOf(fields, rows, links);
}

/** What is left of a record that was refused when it met its product. */
export function patchXml(patch: ProductPatch): string | null {
  const currency = patch.amountsIn ?? patch.currency ?? "EUR";
  const money = (cents: number | null | undefined, unit = currency) =>
    cents === undefined || cents === null
      ? cents
      : formatDecimalComma(cents, currencyExponent(unit) ?? 2);
  const fields = [
    ["SKU", patch.sku],
    ["TITLE", patch.title],
    ["BRAND", patch.brand],
    ["CATEGORY", patch.category],
    ["EAN", patch.ean],
    ["MPN", patch.mpn],
    ["CURRENCY", patch.currency],
    ["COSTPRICE", money(patch.costPriceCents)],
    ["TARGETPRICE", money(patch.targetPriceCents)],
    ["TIER", patch.tier],
  ] as const;
  const rows = (patch.prices?.rows ?? []).map((row) =>
    wrap("SALESPRICE", [
      element("TIER", row.tier),
      element("PRICE", money(row.amountCents, row.currency) ?? null),
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
  // Null clears a field: an empty element says so.
  return itemOf(
    fields.map(([name, text]) => text === undefined ? "" : element(name, text ?? "")),
    rows,
    links,
  );
}

function itemOf(
  fields: readonly string[],
  rows: readonly string[],
  links: readonly string[],
): string | null {
  const competitors = links.length === 0 ? [] : [wrap("COMPETITORS", links)];
  const whole = wrap("ITEM", [...fields, ...rows, ...competitors]);
  if (whole.length <= CHARS_MAX) return whole;
  const short = wrap("ITEM", fields);
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
