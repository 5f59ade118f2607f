/** Changes that a commit's products share: number, version counters, search versions, fields. */
import { memoize } from "../../base/collections.ts";
import { fold } from "../../base/text.ts";
import { type Product, shard } from "./product.ts";
import {
  type Dimension,
  type FieldFilter,
  type FilteredName,
  INDEXED_NAMES,
  PRODUCT_FIELDS,
} from "./product_field_table.ts";

/** New row of a product in field blocks; null if the product was deleted. */
export type FieldChange = { readonly updatedAtMs: number; readonly fields: FilterFields } | null;

export interface Counters {
  products: number;
  readonly shards: Set<number>;
  readonly searched: Set<number>;
  readonly fields: Map<number, Map<string, FieldChange>>;
}

export function createCounters(): Counters {
  return { products: 0, shards: new Set(), searched: new Set(), fields: new Map() };
}

export function touchShard(counters: Counters, sku: string): void {
  counters.shards.add(shard(sku));
}

/** Call it if the search text is added, changed or removed. */
export function touchSearch(counters: Counters, sku: string): void {
  counters.searched.add(shard(sku));
}

/** Collects changes of filterable fields, and of the number of active products. */
export function countProduct(counters: Counters, before: Product | null, after: Product): void {
  const was = before !== null && before.deletedAt === null ? before : null;
  const is = after.deletedAt === null ? after : null;
  counters.products += (is ? 1 : 0) - (was ? 1 : 0);
  if (was && (!is || shard(was.sku) !== shard(is.sku))) noteFields(counters, was, null);
  if (is && !(was && hasSameFields(was, is))) noteFields(counters, is, changeOf(is));
}

export function countFields(counters: Counters, product: Product): void {
  noteFields(counters, product, changeOf(product));
}

function changeOf(product: Product): FieldChange {
  return { updatedAtMs: Date.parse(product.updatedAt), fields: filterFieldsOf(product) };
}

function hasSameFields(was: Product, is: Product): boolean {
  if (was.updatedAt !== is.updatedAt || shard(was.sku) !== shard(is.sku)) return false;
  const fields = filterFieldsOf(is);
  return filterFieldsOf(was).every((value, position) => value === fields[position]);
}

function noteFields(counters: Counters, { id, sku }: Product, change: FieldChange): void {
  const number = shard(sku);
  counters.shards.add(number);
  const changes = counters.fields.get(number);
  if (changes) changes.set(id, change);
  else counters.fields.set(number, new Map([[id, change]]));
}

type Match = FieldFilter["match"];

export function matchOf(name: FilteredName): Match {
  return PRODUCT_FIELDS[name].filter.match;
}

/** In the order of the columns of field blocks. */
const INDEXED = INDEXED_NAMES.map((name) => ({ name, match: matchOf(name) }));

/** Brands and categories repeat, so their folded texts are cached. */
const foldName = memoize(fold, 64);

/** The form that filters compare; null without a value. */
export function comparedValue(value: string | number | null, match: Match): string | null {
  if (match === "positive") return typeof value === "number" && value > 0 ? "true" : "false";
  if (value === null) return null;
  return match === "equals" ? String(value) : foldName(String(value));
}

/** Letters of the columns in field blocks, in order. */
export const DIMENSIONS: readonly Dimension[] = INDEXED_NAMES.map((name) =>
  PRODUCT_FIELDS[name].filter.index
);

/** The indexed fields of a product. They are folded if their filter matches a part of the text. */
export type FilterFields = readonly (string | null)[];

export function filterFieldsOf(product: Product): FilterFields {
  const fields: (string | null)[] = [];
  for (const { name, match } of INDEXED) fields.push(comparedValue(product[name], match));
  return fields;
}
