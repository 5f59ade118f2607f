/**
 * Keys: `ps W shard sku` → card `[id, importHash, flags, text]`: what is known of a SKU without its
 * document; behind that stands the import that gave the first price, as long as the price has no row
 * (`price_history_store.ts`). Who writes a new SKU checks that it is free (`checkSkuFree`).
 */
import { keptIdBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { getRows } from "../../platform/store/rows.ts";
import { type Product, searchText, shard } from "./product.ts";

const FROM_IMPORT = 1;
const DELETED = 2;

/** The row of a card as it is stored. */
export type CardRow = [
  id: string,
  importHash: string | null,
  flags: number,
  text: string,
  firstPriceJob?: string,
];

/** For reads of a card together with rows of another table. */
export const cardKey = (workspaceId: string, sku: string) => [
  "ps",
  keptIdBytes(workspaceId),
  shard(sku),
  sku,
];

/** What is known of a SKU beside its document. */
export interface Card {
  readonly id: string;
  /** Hash of the record that an import left here; null when something else changed the product since. */
  readonly importHash: string | null;
  /** True when an import made the product: `replace` may delete it. */
  readonly isFromImport: boolean;
  readonly isDeleted: boolean;
  readonly text: string;
  /** The import that gave the product its price, the first one, which has no row in the history yet. */
  readonly firstPriceJob: string | null;
}

/** What of a card does not follow from the product. */
export type CardMarks = Pick<Card, "importHash" | "isFromImport" | "firstPriceJob">;

/** A product with what its card says beyond it. */
export interface CardState {
  readonly product: Product;
  readonly marks: CardMarks;
}

/** The card of a SKU, also of a soft-deleted product. */
export async function findCard(
  { store, workspaceId }: WorkspaceStore,
  sku: string,
): Promise<Card | null> {
  const { value } = await store.kv.get<CardRow>(cardKey(workspaceId, sku));
  return value === null ? null : readCard(value);
}

/** The cards of many SKUs, by SKU; those that there are not are left out. */
export async function findCards(
  { store, workspaceId }: WorkspaceStore,
  skus: readonly string[],
): Promise<Map<string, Card>> {
  const rows = await getRows<CardRow>(store, skus.map((sku) => cardKey(workspaceId, sku)));
  const cards = new Map<string, Card>();
  for (const [position, { value }] of rows.entries()) {
    const sku = skus[position];
    if (value !== null && sku !== undefined) cards.set(sku, readCard(value));
  }
  return cards;
}

/** All cards of one shard in the order of their SKUs. */
export async function* listCards(
  { store, workspaceId }: WorkspaceStore,
  shardNumber: number,
): AsyncGenerator<{ sku: string; card: Card }> {
  const prefix = ["ps", keptIdBytes(workspaceId), shardNumber];
  for await (const { key, value } of store.kv.list<CardRow>({ prefix }, { batchSize: 1_000 })) {
    yield { sku: String(key[3]), card: readCard(value) };
  }
}

/** The inverse of `cardRow`. */
export function readCard([id, importHash, flags, text, firstPriceJob]: CardRow): Card {
  return {
    id,
    importHash,
    isFromImport: (flags & FROM_IMPORT) !== 0,
    isDeleted: (flags & DELETED) !== 0,
    text,
    firstPriceJob: firstPriceJob ?? null,
  };
}

/** The commit fails when another product took the SKU after it was looked up. */
export function checkSkuFree(write: Write, workspaceId: string, sku: string): void {
  write.check(cardKey(workspaceId, sku), null);
}

/** Writes the card where it changes, under another SKU too. Checks nothing. */
export function putCard(
  write: Write,
  workspaceId: string,
  before: CardState | null,
  after: CardState,
): void {
  const row = cardRow(after);
  const old = before && cardRow(before);
  const isRenamed = before !== null && before.product.sku !== after.product.sku;
  if (isRenamed) write.delete(cardKey(workspaceId, before.product.sku));
  if (old && !isRenamed && isSameRow(old, row)) return;
  write.set(cardKey(workspaceId, after.product.sku), row);
}

/** Only the card of a product that an import found unchanged: the next one then skips it unread. */
export function putCardMarks(
  write: Write,
  workspaceId: string,
  product: Product,
  marks: CardMarks,
): void {
  write.set(cardKey(workspaceId, product.sku), cardRow({ product, marks }));
}

function isSameRow(one: CardRow, other: CardRow): boolean {
  return one.length === other.length && one.every((value, position) => value === other[position]);
}

function cardRow({ product, marks }: CardState): CardRow {
  const flags = (marks.isFromImport ? FROM_IMPORT : 0) | (product.deletedAt === null ? 0 : DELETED);
  const [text, job] = [searchText(product), marks.firstPriceJob];
  const row: CardRow = [product.id, marks.importHash, flags, text];
  return job === null ? row : [product.id, marks.importHash, flags, text, job];
}
