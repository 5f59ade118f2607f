/** Converts JSON elements to table rows. Nested keys become column names with dots. */
import type { FileFault } from "./byte_source.ts";

export interface TableRow {
  /** Line of the file or row of the sheet where the row begins, from 1. */
  readonly line: number;
  /** In the order of the columns. A missing cell is null, or absent at the end. */
  readonly cells: readonly (string | null)[];
}

export type TableStep =
  | { readonly rows: readonly TableRow[]; readonly bytes: number }
  | { readonly fault: FileFault };

export const TABLE_LIMITS = {
  columns: 1_000,
  cellChars: 65_536,
  rowChars: 4 * 1_048_576,
  sheetRows: 1_048_576,
  sharedTexts: 16_000_000,
  sharedTextBytes: 256 * 1_048_576,
  jsonDepth: 64,
} as const;

export function isBlankRow({ cells }: TableRow): boolean {
  return cells.every((cell) => cell === null || cell.trim() === "");
}

export type JsonCells = ReadonlyMap<string, string>;

export function parseElement(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null; // The caller reports all syntax errors in the same way.
  }
}

export const LIST_DEPTH_MAX = 3;

export function hasRecords(value: Record<string, unknown>, depth = 1): boolean {
  return Object.values(value).some((part) =>
    Array.isArray(part)
      ? part.some(isObject)
      : isObject(part) && depth < LIST_DEPTH_MAX && hasRecords(part, depth + 1)
  );
}

const VARIANTS = "variants";
const NO_VARIANT_TITLE = "Default Title";
const EDGE_KEYS = ["node", "cursor", "__typename"];
const SHOPIFY_VARIANT = /^gid:\/\/shopify\/ProductVariant\//;

/**
 * Each member of the list `each` becomes a row, which also has the values around the list. A
 * product with SKUs only in its variants becomes one row per variant.
 */
export function cellsOf(written: Record<string, unknown>, each: string | null): JsonCells[] {
  const element = withVariants(nodeOf(written));
  const variants = each === null ? variantsOf(element) : [];
  if (variants.length > 0) {
    const around = flattened(element, VARIANTS);
    return variants.map((variant) => {
      const { title } = variant;
      const titles = [around.get("title"), title === NO_VARIANT_TITLE ? "" : title].filter(Boolean);
      return new Map([
        ...around,
        ["title", titles.join(" ")],
        ...flattened({ [VARIANTS]: withAmounts(variant) }, null),
      ]);
    });
  }
  const inner = each === null ? null : membersOf(element, each);
  if (each === null || inner === null) return [flattened(element, null)];
  const around = flattened(element, each);
  return inner.map((member) => new Map([...around, ...flattened(member, null)]));
}

function variantsOf(element: Record<string, unknown>): Record<string, unknown>[] {
  if (own(element, "sku") !== undefined) return [];
  const variants = membersOf(element, VARIANTS) ?? [];
  return variants.some((variant) => own(variant, "sku") !== undefined) ? variants : [];
}

function membersOf(
  element: Record<string, unknown>,
  key: string,
): Record<string, unknown>[] | null {
  const value = own(element, key);
  const list = isObject(value) ? own(value, "edges") ?? own(value, "nodes") : value;
  return Array.isArray(list) ? list.filter(isObject).map(nodeOf) : null;
}

function nodeOf(element: Record<string, unknown>): Record<string, unknown> {
  const node = own(element, "node");
  if (!isObject(node)) return element;
  const isEdge = Object.keys(element).every((key) => EDGE_KEYS.includes(key));
  return isEdge ? node : element;
}

/** Turns a Shopify variant with its product inside into a product with one variant. */
function withVariants(element: Record<string, unknown>): Record<string, unknown> {
  const id = own(element, "id");
  if (typeof id !== "string" || !SHOPIFY_VARIANT.test(id)) return element;
  const { product, ...variant } = element;
  return isObject(product) ? { ...product, [VARIANTS]: [variant] } : element;
}

/** Converts `{amount, currencyCode}` to `19.99 EUR`, at any depth. */
function withAmounts(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      if (!isObject(part)) return [key, part];
      const { amount, currencyCode } = part;
      const isAmount = amount !== undefined && currencyCode !== undefined;
      return [key, isAmount ? `${amount} ${currencyCode}` : withAmounts(part)];
    }),
  );
}

function flattened(element: Record<string, unknown>, without: string | null): Map<string, string> {
  const cells = new Map<string, string>();
  const add = (prefix: string, value: Record<string, unknown>): void => {
    for (const [key, part] of Object.entries(value)) {
      if (prefix === "" && key === without) continue;
      // One excess column shows the caller that there are too many.
      if (cells.size > TABLE_LIMITS.columns) return;
      const name = prefix + key;
      if (isObject(part)) add(`${name}.`, part);
      else if (!Array.isArray(part)) cells.set(name, textOf(part));
      else if (!part.some((member) => isObject(member) || Array.isArray(member))) {
        cells.set(name, part.map(textOf).join(", "));
      }
    }
  };
  add("", element);
  return cells;
}

/** Three decimals get a fourth, so that the dot is not read as a thousands separator. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "number" ? numberText(String(value)) : String(value);
}

export function numberText(text: string): string {
  return /^-?\d{1,3}\.\d{3}$/.test(text) ? `${text}0` : text;
}

function own(element: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(element, key) ? element[key] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
