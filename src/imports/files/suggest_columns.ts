/**
 * Suggests a field for each column of a table by the column's name and values
 * (docs/decisions/imports.md, "Tables").
 */
import { foldedName, isGtin, readCondition } from "../../base/codes.ts";
import { fromKeys } from "../../base/collections.ts";
import {
  type ColumnField,
  type ColumnName,
  fieldsShortenedTo,
  NAME_WEIGHTS,
  readColumnName,
  UNKNOWN_COLUMN,
} from "./field_words.ts";
import type { TableRow } from "./json_table.ts";

export interface SuggestedColumn extends Omit<ColumnName, "weight"> {
  readonly name: string;
  readonly at: number;
  readonly confidence: number;
  readonly samples: readonly string[];
}

const NUMBER = /\d/;
const ADDRESS = /^https?:\/\//i;
const PRICE = /^[^\d]{0,6}\d[\d.,'’\s\u00a0\u202f]*(?:[.,]?[-–—]{1,2})?\s*\D{0,12}$/u;
const PRICE_FIELDS = [
  "price",
  "costPrice",
  "targetPrice",
  "sale",
  "minPrice",
  "maxPrice",
  "shippingPrice",
] as const;
const FITS: Readonly<Partial<Record<ColumnField, (text: string) => boolean>>> = {
  ...fromKeys(PRICE_FIELDS, () => (text: string) => PRICE.test(text)),
  ean: (text) => /^[\d.,]{5,14}(?:[eE]\+?\d{1,2})?$/.test(text),
  vatRatePct: (text) => /^\d{1,2}(?:[.,]\d+)?\s*%?$/.test(text),
  condition: (text) => readCondition(text) !== null,
  units: (text) => NUMBER.test(text),
  unitsDate: (text) => NUMBER.test(text),
  stock: (text) => /^-?\d/.test(text),
  minQty: (text) => NUMBER.test(text),
  url: (text) => ADDRESS.test(text),
  competitorUrl: (text) => ADDRESS.test(text),
  title: (text) => /\p{L}/u.test(text),
};

export function namesPrice(name: string): boolean {
  const { field } = readColumnName(name);
  return PRICE_FIELDS.some((price) => price === field);
}

export function suggestColumns(
  header: TableRow,
  rows: readonly TableRow[],
  side: "net" | "gross",
): SuggestedColumn[] {
  const columns = header.cells.map((cell, at) => suggestionOf(cell?.trim() ?? "", at, rows));
  const byWorth = columns.filter(({ field }) => field !== null).sort((one, other) =>
    worth(other, side) - worth(one, side) || one.at - other.at
  );
  const taken = new Set<string>();
  for (const column of byWorth) {
    const key = placeOf(column);
    if (taken.has(key)) columns[column.at] = { ...column, field: null, confidence: 0 };
    taken.add(key);
  }
  return columns;
}

function placeOf({ field, tier, minQty, at }: SuggestedColumn): string {
  if (field === "competitorUrl") return `${field} ${at}`;
  return field === "price" ? `${field} ${tier} ${minQty}` : String(field);
}

function worth({ confidence, side }: SuggestedColumn, wanted: "net" | "gross"): number {
  return confidence + (side === wanted ? 0.05 : side === null ? 0.04 : 0);
}

function suggestionOf(name: string, at: number, rows: readonly TableRow[]): SuggestedColumn {
  const samples = rows.flatMap(({ cells }) => {
    const text = cells[at]?.trim() ?? "";
    return text === "" ? [] : [text];
  });
  const read = readColumnName(name);
  const confidence = confidenceOf(read, samples);
  const { weight: _, ...meaning } = confidence > 0 ? read : UNKNOWN_COLUMN;
  return { name, at, ...meaning, confidence, samples };
}

function confidenceOf({ field, weight }: ColumnName, samples: readonly string[]): number {
  if (field === null) return 0;
  if (FITS[field] === undefined || samples.length === 0) return weight;
  const share = shareThatFits(field, samples);
  return weight === NAME_WEIGHTS.vague && share < 0.2 ? 0 : weight * Math.max(share, 0.5);
}

function shareThatFits(field: ColumnField, samples: readonly string[]): number {
  const fits = FITS[field];
  return fits === undefined ? 1 : samples.filter(fits).length / samples.length;
}

interface RoleGuess extends Role, Pick<ColumnName, "side" | "currency"> {}

interface Role {
  readonly field: ColumnField;
  readonly confidence: number;
}

const SHARE_MIN = 0.9;
const VALUE_CHARS_MAX = 40;
const SIGNED = /[€£$]|\b(?:eur|euro|chf|usd|gbp|pln|czk|dkk|sek)\b/i;
const AMOUNT = /^\d{1,3}(?:[.,'’ ]?\d{3})*[.,]\d{2}$/;
const TITLE_CHARS = { min: 12, max: 250 } as const;

export function guessRoles(
  columns: readonly Pick<SuggestedColumn, "at" | "name" | "samples">[],
  read: ReadonlySet<string | null>,
): Map<number, RoleGuess> {
  const guesses = columns.flatMap(({ at, name, samples }) =>
    samples.length === 0 ? [] : rolesOf(name, samples).map((role) => ({ at, name, role }))
  ).sort((one, other) => other.role.confidence - one.role.confidence || one.at - other.at);
  const found = new Map<number, RoleGuess>();
  const taken = new Set(read);
  for (const { at, name, role } of guesses) {
    if (found.has(at) || taken.has(role.field)) continue;
    const { side, currency } = readColumnName(name);
    found.set(at, { ...role, side, currency });
    taken.add(role.field);
  }
  return found;
}

function rolesOf(name: string, samples: readonly string[]): Role[] {
  const short = fieldsShortenedTo(name).filter((field) =>
    shareThatFits(field, samples) >= SHARE_MIN
  );
  const [field] = short;
  const byName = field !== undefined && short.length === 1 ? [{ field, confidence: 0.5 }] : [];
  return [...byName, ...rolesByValue(samples)];
}

function rolesByValue(samples: readonly string[]): Role[] {
  const are = (fits: (text: string) => boolean) => areMostly(samples, fits);
  if (are(isGtin)) return [{ field: "ean", confidence: 0.6 }];
  if (are((text) => /^\d{13}$/.test(text))) return [{ field: "ean", confidence: 0.4 }];
  if (are(isMoney)) return [{ field: "price", confidence: 0.5 }];
  if (are(isAmount)) return [{ field: "price", confidence: 0.3 }];
  const isLong = new Set(samples).size >= SHARE_MIN * samples.length && are(isSentence);
  return isLong ? [{ field: "title", confidence: 0.4 }] : [];
}

export function looksLikePrice(name: string, samples: readonly string[]): boolean {
  if (areMostly(samples, isMoney)) return true;
  if (namesPrice(name)) return shareThatFits("price", samples) >= SHARE_MIN;
  return /preis|price/.test(foldedName(name)) && areMostly(samples, isAmount);
}

function areMostly(samples: readonly string[], fits: (text: string) => boolean): boolean {
  return samples.filter(fits).length >= SHARE_MIN * samples.length;
}

function isAmount(text: string): boolean {
  return text.length <= VALUE_CHARS_MAX && AMOUNT.test(text);
}

function isMoney(text: string): boolean {
  return text.length <= VALUE_CHARS_MAX && SIGNED.test(text) && shareThatFits("price", [text]) > 0;
}

function isSentence(text: string): boolean {
  const { min, max } = TITLE_CHARS;
  return text.length >= min && text.length <= max && /\p{L}{3}/u.test(text) && /\s/.test(text);
}
