import { recordOf } from "../../base/record_of.ts";
import { fold } from "../../base/text.ts";
import { type Product, shard } from "./product.ts";
import { type Dimension, INDEXED_NAMES, PRODUCT_FIELDS } from "./product_field_table.ts";

/** The fields that index rows carry and the dictionary counts, in the order of the rows. */
const INDEXED = INDEXED_NAMES.map((name) => ({
  name,
  isFolded: PRODUCT_FIELDS[name].filter.match === "contains",
}));

/** Their letters in keys, in the same order. */
export const DIMENSIONS: readonly Dimension[] = INDEXED_NAMES.map((name) =>
  PRODUCT_FIELDS[name].filter.index
);

/** What index rows carry: the indexed fields, folded where a filter may ask for a part of them. */
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

/** What the products of one commit share: counts that move and shards whose generation moves. */
export interface Tally {
  /** Active products more or fewer. */
  products: number;
  /** Products more or fewer per folded value. */
  readonly values: Readonly<Record<Dimension, Map<string, number>>>;
  readonly shards: Set<number>;
  /** Shards in which a search finds something else, among `shards`. */
  readonly searched: Set<number>;
}

export function createTally(): Tally {
  return {
    products: 0,
    values: recordOf(DIMENSIONS, () => new Map<string, number>()),
    shards: new Set(),
    searched: new Set(),
  };
}

/** Counts a product's appearance (1) or disappearance (-1) among the active ones. */
export function countProduct(tally: Tally, fields: FilterFields, amount: 1 | -1): void {
  tally.products += amount;
  countFields(tally, fields, amount);
}

/** Counts only the values: for a product that stays and changes some. */
export function countFields(tally: Tally, fields: FilterFields, amount: 1 | -1): void {
  for (const [position, dimension] of DIMENSIONS.entries()) {
    const value = fields[position] ?? null;
    if (value === null) continue;
    const counts = tally.values[dimension];
    counts.set(value, (counts.get(value) ?? 0) + amount);
  }
}

export function touchShard(tally: Tally, sku: string): void {
  tally.shards.add(shard(sku));
}

/** The product of that SKU is found by other words, anew or no more. */
export function touchSearch(tally: Tally, sku: string): void {
  tally.searched.add(shard(sku));
}
