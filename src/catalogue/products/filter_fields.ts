/** What of a product lists are filtered by, in the form in which it is compared. */

import { remembered } from "../../base/collections.ts";
import { fold } from "../../base/text.ts";
import type { Product } from "./product.ts";
import {
  type Dimension,
  type FieldFilter,
  type FilteredName,
  INDEXED_NAMES,
  PRODUCT_FIELDS,
} from "./product_field_table.ts";

/** How a value is compared with a filter. */
type Match = FieldFilter["match"];

/** How a field is compared with its filter. */
export function matchOf(name: FilteredName): Match {
  return PRODUCT_FIELDS[name].filter.match;
}

/** The fields that blocks of fields hold, in the order of their columns. */
const INDEXED = INDEXED_NAMES.map((name) => ({ name, match: matchOf(name) }));

/** Of brands and categories, of which many products have the same. */
const foldName = remembered(fold, 64);

/** A field in the form in which filters compare it; null where a product has none. */
export function comparedValue(value: string | number | null, match: Match): string | null {
  if (match === "positive") return typeof value === "number" && value > 0 ? "true" : "false";
  if (value === null) return null;
  return match === "equals" ? String(value) : foldName(String(value));
}

/** Their letters in blocks, in the same order. */
export const DIMENSIONS: readonly Dimension[] = INDEXED_NAMES.map((name) =>
  PRODUCT_FIELDS[name].filter.index
);

/** The indexed fields of a product, folded where a filter may ask for a part of them. */
export type FilterFields = readonly (string | null)[];

/** What is matched exactly is not folded. */
export function filterFieldsOf(product: Product): FilterFields {
  const fields: (string | null)[] = [];
  for (const { name, match } of INDEXED) fields.push(comparedValue(product[name], match));
  return fields;
}
