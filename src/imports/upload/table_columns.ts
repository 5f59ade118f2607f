/** What each column of a table is taken for, for people who look at it before they import it. */
import type { Column, PriceColumns } from "../profiles/table_profile.ts";
import { columnAt } from "../../base/column_name.ts";
import { suggestColumns } from "../sources/suggest_columns.ts";
import type { KnownTable } from "./file_event.ts";

/** A column as the header writes it, and what the profile makes of it. */
export interface TableColumn {
  readonly column: string;
  readonly samples: string[];
  /** A `ColumnField`, or a name that the profile alone knows; null for what is not read. */
  readonly field: string | null;
  readonly side: "net" | "gross" | null;
  readonly currency: string | null;
  /** From 0 to 1; 1 for what a profile says. */
  readonly confidence: number;
}

const SHOWN_SAMPLES = 5;
const PRICE_FIELDS: Readonly<Record<PriceColumns["role"], string>> = {
  own: "price",
  tier: "price",
  cost: "costPrice",
  target: "targetPrice",
  sale: "sale",
};

/** In the order of the file. `side` is that of the workspace. */
export function columnsOf(
  { look, profile, isSuggested }: KnownTable,
  side: "net" | "gross",
): TableColumn[] {
  const suggested = suggestColumns(look.header, look.rows, side);
  const said = isSuggested ? null : saidOf(profile, suggested.map(({ name }) => name));
  return suggested.map(({ name, at, samples, ...guess }) => {
    const shown = { column: name, samples: samples.slice(0, SHOWN_SAMPLES) };
    if (said === null) {
      const { field, side, currency, confidence } = guess;
      return { ...shown, field, side, currency, confidence };
    }
    const one = said.get(at);
    return one
      ? { ...shown, ...one, confidence: 1 }
      : { ...shown, field: null, side: null, currency: null, confidence: 0 };
  });
}

/** How surely the columns that are read are what they are taken for: their mean, two digits. */
export function confidenceOf(columns: readonly TableColumn[]): number {
  const read = columns.filter(({ field }) => field !== null);
  const sum = read.reduce((sum, { confidence }) => sum + confidence, 0);
  return read.length === 0 ? 0 : Math.round(sum / read.length * 100) / 100;
}

type Said = Pick<TableColumn, "field" | "side" | "currency">;

function saidOf(profile: KnownTable["profile"], names: readonly string[]): Map<number, Said> {
  const said = new Map<number, Said>();
  const say = (column: Column | null, field: string, more: Partial<Said> = {}) => {
    const at = column?.columns.map((name) => columnAt(name, names)).find((found) => found >= 0);
    if (at !== undefined) said.set(at, { field, side: null, currency: null, ...more });
  };
  for (const [field, column] of Object.entries(profile.fields)) say(column, field);
  for (const { name, from } of profile.attributes) say(from, `attributes.${name}`);
  for (const { from, role, side, currency } of profile.prices) {
    const code = typeof currency === "string" ? currency : null;
    say(from, PRICE_FIELDS[role], { side, currency: code });
  }
  for (const { url } of profile.competitors) say(url, "competitorUrl");
  say(profile.active?.from ?? null, "active");
  return said;
}
