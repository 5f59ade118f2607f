/** What a list of products is narrowed to: every filter must hold (decisions §3). */
import { z } from "@hono/zod-openapi";
import { parseBound } from "../base/instant_range.ts";
import { fold, normaliseSku } from "../base/text.ts";
import { BOUND_FORMS, BoundText } from "../platform/bound_text.ts";
import type { Product } from "./product.ts";
import { oneLine } from "./product_fields.ts";
import { type FilterFields, filterFieldsOf } from "./product_tally.ts";

/** Each part is ready to compare; null is no filter. */
export interface ProductFilter {
  /** Folded: the folded brand must contain it. */
  readonly brand: string | null;
  /** Folded: the folded category must contain it. */
  readonly category: string | null;
  readonly tier: string | null;
  readonly sku: string | null;
  /** Folded: SKU, title or EAN must contain it. */
  readonly q: string | null;
  readonly updatedSinceMs: number | null;
}

const FILTER_CHARACTERS_MAX = 1_000;

const filterText = z.string().max(FILTER_CHARACTERS_MAX).optional();

/** Filters as a query or a body names them; an empty one is none (decisions §1). */
export const FILTER_SHAPE = {
  brand: filterText.meta({ description: "Contains, in any case", example: "bosch" }),
  category: filterText.meta({ description: "Contains, in any case" }),
  tier: filterText.meta({ description: "Exactly" }),
  sku: filterText.meta({ description: "Exactly" }),
  q: filterText.meta({ description: "SKU, title or EAN contains it, in any case" }),
  updatedSince: BoundText.meta({
    anyOf: [...BOUND_FORMS],
    description: "Changed at this time or later",
  }),
};

/** The same as an object of a body. */
export const FilterTexts = z.strictObject(FILTER_SHAPE);
export type FilterTexts = z.infer<typeof FilterTexts>;

/** Reads filters once, so that judging a product compares only. */
export function filterOf(texts: FilterTexts): ProductFilter {
  return {
    brand: foldedOrNull(texts.brand),
    category: foldedOrNull(texts.category),
    tier: oneLine(texts.tier ?? "") || null,
    sku: normaliseSku(texts.sku ?? "") || null,
    q: foldedOrNull(texts.q),
    updatedSinceMs: texts.updatedSince ? parseBound(texts.updatedSince, "start") : null,
  };
}

function foldedOrNull(text: string | undefined): string | null {
  return fold(oneLine(text ?? "")) || null;
}

/** True when the filter holds for every product. */
export function isNoFilter(filter: ProductFilter): boolean {
  return Object.values(filter).every((part) => part === null);
}

/** True when brand, category and tier fit: what an index row can tell. */
export function fitsFields(filter: ProductFilter, [brand, category, tier]: FilterFields): boolean {
  return (filter.brand === null || (brand !== null && brand.includes(filter.brand))) &&
    (filter.category === null || (category !== null && category.includes(filter.category))) &&
    (filter.tier === null || filter.tier === tier);
}

/** True when an index row cannot tell whether a product fits. */
export function needsDocument(filter: ProductFilter): boolean {
  return filter.sku !== null || filter.q !== null || filter.updatedSinceMs !== null;
}

/** True when every filter holds for the product. */
export function fits(filter: ProductFilter, product: Product): boolean {
  return (filter.sku === null || filter.sku === product.sku) &&
    (filter.updatedSinceMs === null || Date.parse(product.updatedAt) >= filter.updatedSinceMs) &&
    fitsFields(filter, filterFieldsOf(product)) &&
    (filter.q === null || contains(product, filter.q));
}

function contains({ sku, title, ean }: Product, needle: string): boolean {
  return fold(sku).includes(needle) || fold(title).includes(needle) ||
    (ean !== null && ean.includes(needle));
}
