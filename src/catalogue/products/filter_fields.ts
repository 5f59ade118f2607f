/** What of a product lists are filtered by, in the form in which it is compared. */
import { fold } from "../../base/text.ts";
import type { Product } from "./product.ts";
import { type Dimension, INDEXED_NAMES, PRODUCT_FIELDS } from "./product_field_table.ts";

/** The fields that blocks of fields hold, in the order of their columns. */
const INDEXED = INDEXED_NAMES.map((name) => ({
  name,
  isFolded: PRODUCT_FIELDS[name].filter.match === "contains",
}));

/** Their letters in blocks, in the same order. */
export const DIMENSIONS: readonly Dimension[] = INDEXED_NAMES.map((name) =>
  PRODUCT_FIELDS[name].filter.index
);

/** The indexed fields of a product, folded where a filter may ask for a part of them. */
export type FilterFields = readonly (string | null)[];

/** What is matched exactly is not folded. */
export function filterFieldsOf(product: Product): FilterFields {
  const fields: (string | null)[] = [];
  for (const { name, isFolded } of INDEXED) {
    const value = product[name];
    fields.push(value === null || !isFolded ? value : fold(value));
  }
  return fields;
}
