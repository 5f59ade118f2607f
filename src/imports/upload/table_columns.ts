/** Shows people how each column of a table is read before they import it. */
import { columnAt, foldedName } from "../../base/codes.ts";
import type { FileFault } from "../files/byte_source.ts";
import type { TableLayout } from "../files/open_table.ts";
import { guessRoles, suggestColumns } from "../files/suggest_columns.ts";
import { PRICE_SIDES } from "../profiles/profile_choices.ts";
import type { Column, PriceColumns, TableProfile } from "../profiles/table_profile.ts";
import type { FileSetting, KnownTable } from "./file_event.ts";
import { z } from "@hono/zod-openapi";

export const TableColumn = z.object({
  column: z.string(),
  samples: z.array(z.string()),
  /** A `ColumnField`, or a field name that only the profile uses. */
  field: z.string().nullable()
    .describe("The field as which it is read, or a guess (`isGuess`); null: neither"),
  side: z.enum(PRICE_SIDES).nullable(),
  currency: z.string().nullable(),
  confidence: z.number().describe("From 0 to 1; below 0.7 a person should check it"),
  isGuess: z.boolean().describe(
    "True if the field is a guess from values or an abbreviation. The column is not " +
      "read before a person confirms the guess",
  ),
}).meta({ id: "ImportTableColumn" });
export type TableColumn = Readonly<z.infer<typeof TableColumn>>;

const SHOWN_SAMPLES = 5;
const PRICE_FIELDS: Readonly<Record<PriceColumns["role"], string>> = {
  own: "price",
  tier: "price",
  cost: "costPrice",
  target: "targetPrice",
  sale: "sale",
};

export function columnsOf(
  { layout, profile, isSuggested }: KnownTable,
  side: "net" | "gross",
): TableColumn[] {
  const suggested = suggestColumns(layout.header, layout.rows, side);
  const read = readColumns(profile, suggested.map(({ name }) => name));
  const columns = suggested.map(({ name, at, samples, ...found }): TableColumn => {
    const shown = { column: name, samples: samples.slice(0, SHOWN_SAMPLES), isGuess: false };
    if (isSuggested) {
      const { field, side, currency, confidence } = found;
      return { ...shown, field, side, currency, confidence };
    }
    const one = read.get(at);
    return one
      ? { ...shown, ...one, confidence: 1 }
      : { ...shown, field: null, side: null, currency: null, confidence: 0 };
  });
  const unread = suggested.filter(({ at }) => columns[at]?.field === null && !read.has(at));
  const guesses = guessRoles(unread, new Set(columns.map(({ field }) => field)));
  return columns.map((column, at) => ({ ...column, ...guesses.get(at), isGuess: guesses.has(at) }));
}

/** Mean confidence of the columns that are read, rounded to two digits. */
export function confidenceOf(columns: readonly TableColumn[]): number {
  const read = columns.filter(({ field, isGuess }) => field !== null && !isGuess);
  const sum = read.reduce((sum, { confidence }) => sum + confidence, 0);
  return read.length === 0 ? 0 : Math.round(sum / read.length * 100) / 100;
}

type ReadColumn = Pick<TableColumn, "field" | "side" | "currency">;

function readColumns(
  profile: KnownTable["profile"],
  names: readonly string[],
): Map<number, ReadColumn> {
  const found = new Map<number, ReadColumn>();
  const placeOf = (column: Column | null) =>
    column?.columns.map((name) => columnAt(name, names)).find((found) => found >= 0);
  const say = (column: Column | null, field: string, more: Partial<ReadColumn> = {}) => {
    const at = placeOf(column);
    if (at !== undefined) found.set(at, { field, side: null, currency: null, ...more });
  };
  for (const price of profile.prices) {
    for (const [part, field] of PRICE_PARTS) {
      const column = price[part];
      if (typeof column === "object") say(column, field);
    }
  }
  say(profile.inherit?.by ?? null, "inherit");
  for (const [field, column] of Object.entries(profile.fields)) say(column, field);
  for (const { name, from } of profile.attributes) say(from, `attributes.${name}`);
  for (const { from, role, side, currency } of profile.prices) {
    const code = typeof currency === "string" ? currency : null;
    say(from, PRICE_FIELDS[role], { side, currency: code });
  }
  for (const { url, name } of profile.competitors) {
    if (typeof name === "object") say(name, "competitorName");
    say(url, "competitorUrl");
  }
  say(profile.active?.from ?? null, "active");
  return found;
}

const PRICE_PARTS = [
  ["tier", "tier"],
  ["currency", "currency"],
  ["minQty", "minQty"],
  ["validFrom", "validFrom"],
  ["validUntil", "validUntil"],
  ["range", "saleRange"],
  ["per", "per"],
] as const;

export function columnTroubles(
  layout: Pick<TableLayout, "header" | "headerRow" | "rows">,
  profile: TableProfile,
  { tier }: Pick<FileSetting, "tier">,
): FileFault[] {
  const names = layout.header.cells.map((cell) => cell?.trim() ?? "");
  const read = readColumns(profile, names);
  const place = { line: layout.headerRow };
  const compared = names.map((name) => foldedName(name) || name);
  const twice = names.filter((name, at) => {
    const key = compared[at] ?? "";
    return name !== "" && compared.indexOf(key) < at && compared.lastIndexOf(key) === at;
  });
  const troubles = twice.map((name): FileFault => ({
    ...place,
    code: "duplicate_header",
    field: name,
    message: `Several columns are called "${name}": by that name the first one is read`,
  }));
  if (!hasOwnPrice(profile, names, tier)) {
    const message = "The file has no column with our price, so our prices stay as they are";
    troubles.push({ ...place, code: "no_price_column", message });
  }
  const ignored = profile.keepsTiers ? [] : names.flatMap((name, at) => {
    const isEmpty = name === "" && layout.rows.every(({ cells }) => !cells[at]?.trim());
    return read.has(at) || isEmpty ? [] : [name || `#${at + 1}`];
  });
  if (ignored.length > 0) {
    const value = ignored.join(", ");
    const message = `${ignored.length} of ${names.length} columns are not read`;
    troubles.push({ ...place, code: "columns_ignored", message, value });
  }
  return troubles;
}

/** Prices of dealers and quantity prices never become our price automatically. */
function hasOwnPrice(
  { prices, fields }: TableProfile,
  names: readonly string[],
  tier: string | null,
): boolean {
  const isThere = (column: Column | null) =>
    column !== null &&
    (column.constant !== null || column.columns.some((name) => columnAt(name, names) >= 0));
  const isTierNamed = tier !== null || isThere(fields.tier);
  return prices.some(({ role, from, minQty }) =>
    isThere(from) && (minQty === 1 || typeof minQty === "object") &&
    (role === "own" || role === "sale" || role === "tier" && isTierNamed)
  );
}
