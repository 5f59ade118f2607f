import { fold } from "../base/text.ts";
import { type Product, shard } from "./product.ts";

/** The three fields whose values stand in the dictionary, by the letter that keys use. */
export const DIMENSIONS = ["b", "c", "t"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** What index rows carry: folded brand, folded category, and the tier as it is. */
export type FilterFields = readonly [
  brand: string | null,
  category: string | null,
  tier: string | null,
];

/** Tiers are matched exactly, so they are not folded. */
export function filterFieldsOf({ brand, category, tier }: Product): FilterFields {
  return [brand === null ? null : fold(brand), category === null ? null : fold(category), tier];
}

/** What the products of one commit share: counts that move and shards whose generation moves. */
export interface Tally {
  /** Active products more or fewer. */
  products: number;
  /** Products more or fewer per folded value. */
  readonly values: Readonly<Record<Dimension, Map<string, number>>>;
  readonly shards: Set<number>;
}

export function createTally(): Tally {
  return {
    products: 0,
    values: { b: new Map(), c: new Map(), t: new Map() },
    shards: new Set(),
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
