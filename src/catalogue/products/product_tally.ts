import { type FilterFields, filterFieldsOf } from "./filter_fields.ts";
import { type Product, shard } from "./product.ts";

/** What the blocks of fields are to say of a product from now on; null when it is gone. */
export type FieldChange = { readonly updatedAtMs: number; readonly fields: FilterFields } | null;

/** What the products of one commit share. */
export interface Tally {
  /** Active products more or fewer. */
  products: number;
  /** Shards whose generation moves. */
  readonly shards: Set<number>;
  /** Shards in which a search finds something else, among `shards`. */
  readonly searched: Set<number>;
  /** Changes of filterable fields by shard and id; their shards are among `shards`. */
  readonly fields: Map<number, Map<string, FieldChange>>;
}

export function createTally(): Tally {
  return { products: 0, shards: new Set(), searched: new Set(), fields: new Map() };
}

export function touchShard(tally: Tally, sku: string): void {
  tally.shards.add(shard(sku));
}

/** The product of that SKU is found by other words, anew or no more. */
export function touchSearch(tally: Tally, sku: string): void {
  tally.searched.add(shard(sku));
}

/** Notes what changes of a product that lists are filtered by, and whether it is counted. */
export function tallyProduct(tally: Tally, before: Product | null, after: Product): void {
  const was = before !== null && before.deletedAt === null ? before : null;
  const is = after.deletedAt === null ? after : null;
  tally.products += (is ? 1 : 0) - (was ? 1 : 0);
  if (was && (!is || shard(was.sku) !== shard(is.sku))) noteFields(tally, was, null);
  if (is && !(was && hasSameFields(was, is))) noteFields(tally, is, changeOf(is));
}

/** Notes the fields of a product that stays, as a migration does. */
export function tallyFields(tally: Tally, product: Product): void {
  noteFields(tally, product, changeOf(product));
}

function changeOf(product: Product): FieldChange {
  return { updatedAtMs: Date.parse(product.updatedAt), fields: filterFieldsOf(product) };
}

function hasSameFields(was: Product, is: Product): boolean {
  if (was.updatedAt !== is.updatedAt || shard(was.sku) !== shard(is.sku)) return false;
  const fields = filterFieldsOf(is);
  return filterFieldsOf(was).every((value, position) => value === fields[position]);
}

function noteFields(tally: Tally, { id, sku }: Product, change: FieldChange): void {
  const number = shard(sku);
  tally.shards.add(number);
  const changes = tally.fields.get(number);
  if (changes) changes.set(id, change);
  else tally.fields.set(number, new Map([[id, change]]));
}
