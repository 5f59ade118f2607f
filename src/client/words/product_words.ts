import { fromKeys } from "../../base/collections.ts";
import {
  AMOUNT_NAMES,
  type AmountName,
  FIELD_NAMES,
  type FieldName,
  type MajorName,
  majorName,
  PRODUCT_FIELDS,
} from "../../catalogue/products/product_field_table.ts";
import type { Language } from "../../engine/wording/show.ts";

/**
 * Names of a product's fields in one language; an amount has the same name in major and minor
 * units.
 */
export function productWords(
  language: Language,
): Readonly<Record<FieldName | MajorName<AmountName>, string>> {
  const words = fromKeys(FIELD_NAMES, (name) => PRODUCT_FIELDS[name].label[language]);
  const amounts = AMOUNT_NAMES.map(majorName);
  return { ...words, ...fromKeys(amounts, (name) => words[`${name}Cents` as const]) };
}
