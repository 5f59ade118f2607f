/** Collects the counters and versions that all changed products of a commit share. */
import { type FieldChange, filterFieldsOf } from "./field_block.ts";
import { type Product, shard } from "./product.ts";

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

export function touchSearch(counters: Counters, sku: string): void {
  counters.searched.add(shard(sku));
}

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
