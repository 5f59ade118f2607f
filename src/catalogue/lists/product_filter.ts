/** Filters of product lists. A product must match all filters (docs/decisions/catalogue.md). */
import { fromKeys } from "../../base/collections.ts";
import { searchQuery } from "../../base/search_words.ts";
import { fold, normaliseSku } from "../../base/text.ts";
import { parseBound } from "../../base/time.ts";
import { BOUND_FORMS, BoundText } from "../../platform/http/http.ts";
import { comparedValue, matchOf } from "../products/field_block.ts";
import { holdEndMs, type Product } from "../products/product.ts";
import {
  type FieldFilter,
  FILTERED_NAMES,
  type FilteredName,
  INDEXED_NAMES,
  PRODUCT_FIELDS,
} from "../products/product_field_table.ts";
import { oneLine } from "../products/product_fields.ts";
import { isFound, productSearchOf } from "./search_text.ts";
import { z } from "@hono/zod-openapi";

/** A filter that is not set is null. */
export interface ProductFilter extends Readonly<Record<FilteredName, string | null>> {
  readonly sku: string | null;
  /** Parsed by `searchQuery`. All words must occur in SKU, EAN, MPN or title. */
  readonly q: string | null;
  readonly updatedSinceMs: number | null;
  readonly isHeld: boolean | null;
}

const filterText = z.string().max(1_000).optional();

/** An empty text means no filter (docs/decisions/http.md). */
export const FILTER_SHAPE = {
  ...fromKeys(FILTERED_NAMES, fieldFilterText),
  sku: filterText.describe("The exact SKU"),
  q: filterText.describe("All its words are in SKU, EAN, MPN or title, in any order and spelling"),
  updatedSince: BoundText.meta({
    anyOf: [...BOUND_FORMS],
    description: "Changed at this time or later",
  }),
  isHeld: z.enum(["true", "false"]).transform((text) => text === "true").optional()
    .meta({ type: "boolean", description: "`heldUntil` is in the future" }),
};

function fieldFilterText(name: FilteredName) {
  const { match, example }: FieldFilter = PRODUCT_FIELDS[name].filter;
  if (match === "positive") {
    return z.enum(["true", "false"]).optional()
      .meta({ type: "boolean", description: "True: known and above 0; false: unknown or 0" });
  }
  const description = match === "contains" ? "Contains, in any case" : "Exactly";
  return filterText.meta({ description, ...(example !== undefined && { example }) });
}

export type FilterTexts = z.infer<z.ZodObject<typeof FILTER_SHAPE>>;

export function filterOf(texts: FilterTexts): ProductFilter {
  return {
    ...fromKeys(FILTERED_NAMES, (name) => comparedOrNull(name, texts[name])),
    sku: normaliseSku(texts.sku ?? "") || null,
    q: searchQuery(texts.q ?? ""),
    updatedSinceMs: texts.updatedSince ? parseBound(texts.updatedSince, "start") : null,
    isHeld: texts.isHeld ?? null,
  };
}

/** Null if the text is empty. */
function comparedOrNull(name: FilteredName, text: string | undefined): string | null {
  const given = oneLine(text ?? "");
  return (isContained(name) ? fold(given) : given) || null;
}

function isContained(name: FilteredName): boolean {
  return matchOf(name) === "contains";
}

export function isNoFilter(filter: ProductFilter): boolean {
  return Object.values(filter).every((part) => part === null);
}

const FIELD_FILTERS = FILTERED_NAMES.map((name) => ({ name, match: matchOf(name) }));

/** In the order of the columns of a field block. */
const INDEX_FILTERS = INDEXED_NAMES.map((name, position) => ({
  name,
  position,
  isContained: isContained(name),
}));

const UNINDEXED = FILTERED_NAMES.filter((name) => PRODUCT_FIELDS[name].filter.index === null);

export interface FieldTest {
  readonly position: number;
  fits(value: string): boolean;
}

export function fieldTests(filter: ProductFilter): FieldTest[] {
  return INDEX_FILTERS.flatMap(({ name, position, isContained }) => {
    const wanted = filter[name];
    if (wanted === null) return [];
    const fits = isContained
      ? (value: string) => value.includes(wanted)
      : (value: string) => value === wanted;
    return [{ position, fits }];
  });
}

export function asksFields(filter: ProductFilter): boolean {
  return filter.updatedSinceMs !== null || INDEX_FILTERS.some(({ name }) => filter[name] !== null);
}

/** True if the filter needs a field that is not in field blocks. */
export function needsDocument(filter: ProductFilter): boolean {
  return filter.sku !== null || filter.q !== null || filter.isHeld !== null ||
    UNINDEXED.some((name) => filter[name] !== null);
}

export function productTest(filter: ProductFilter, nowMs: number): (product: Product) => boolean {
  const { sku, updatedSinceMs, q, isHeld } = filter;
  const search = q === null ? null : productSearchOf(q);
  return (product) =>
    (sku === null || sku === product.sku) &&
    (updatedSinceMs === null || Date.parse(product.updatedAt) >= updatedSinceMs) &&
    fitsEachField(filter, product) &&
    (isHeld === null || isHeld === (holdEndMs(product) ?? 0) > nowMs) &&
    (search === null || isFound(search, product));
}

function fitsEachField(filter: ProductFilter, product: Product): boolean {
  for (const { name, match } of FIELD_FILTERS) {
    const wanted = filter[name];
    if (wanted === null) continue;
    const value = comparedValue(product[name], match);
    if (match === "contains" ? !value?.includes(wanted) : value !== wanted) return false;
  }
  return true;
}
