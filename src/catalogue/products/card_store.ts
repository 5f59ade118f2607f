/**
 * Keys: `ps W shard sku` → card as packed bytes (`card.ts`): what is known of a SKU without its
 * document, with the import that gave the first price, as long as the price has no row
 * (`price_history_store.ts`). Who writes a new SKU checks that it is free (`checkSkuFree`).
 */
import { keptIdBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { getBytesAt, listTextRows } from "../../platform/store/rows.ts";
import {
  type Card,
  type CardMarks,
  type CardState,
  decodeCard,
  encodeCard,
  hasSamePrices,
} from "./card.ts";
import { differsForSearch, type Product, searchText, shard } from "./product.ts";

const CARDS_PER_READ = 1_000;

const cardKey = (workspaceId: string, sku: string) => [
  "ps",
  keptIdBytes(workspaceId),
  shard(sku),
  sku,
];

/** The card of a SKU, also of a soft-deleted product. */
export async function findCard(
  { store, workspaceId }: WorkspaceStore,
  sku: string,
): Promise<Card | null> {
  const [row] = await getBytesAt(store, [cardKey(workspaceId, sku)]);
  return row ? decodeCard(row.value) : null;
}

/** The cards of many SKUs, by SKU; those that there are not are left out. */
export async function findCards(
  { store, workspaceId }: WorkspaceStore,
  skus: readonly string[],
): Promise<Map<string, Card>> {
  const rows = await getBytesAt(store, skus.map((sku) => cardKey(workspaceId, sku)));
  const cards = new Map<string, Card>();
  for (const [position, row] of rows.entries()) {
    const sku = skus[position];
    if (row && sku !== undefined) cards.set(sku, decodeCard(row.value));
  }
  return cards;
}

/** All cards of one shard in the order of their SKUs. */
export async function* listCards(
  { store, workspaceId }: WorkspaceStore,
  shardNumber: number,
): AsyncGenerator<{ sku: string; card: Card }> {
  const prefix = ["ps", keptIdBytes(workspaceId), shardNumber];
  for (let after: string | null = null;;) {
    const rows = await listTextRows(store, prefix, after, CARDS_PER_READ);
    for (const { part, value } of rows) yield { sku: part, card: decodeCard(value) };
    after = rows.at(-1)?.part ?? null;
    if (rows.length < CARDS_PER_READ) return;
  }
}

/** The commit fails when another product took the SKU after it was looked up. */
export function checkSkuFree(write: Write, workspaceId: string, sku: string): void {
  write.check(cardKey(workspaceId, sku), null);
}

/**
 * Writes the card where it changes, under another SKU too. Checks nothing. `textBefore` is the text of the
 * card as it is, where that is known.
 */
export function putCard(
  write: Write,
  workspaceId: string,
  before: CardState | null,
  after: CardState,
  textBefore?: string,
): void {
  const { sku } = after.product;
  const isRenamed = before !== null && before.product.sku !== sku;
  if (isRenamed) write.delete(cardKey(workspaceId, before.product.sku));
  const isSameText = before !== null && !differsForSearch(before.product, after.product);
  if (before && isSameText && isSameCard(before, after)) return;
  const text = isSameText && textBefore !== undefined ? textBefore : searchText(after.product);
  write.set(cardKey(workspaceId, sku), encodeCard(after, text));
}

/** Only the card of a product that an import found unchanged: the next one then skips it unread. */
export function putCardMarks(
  write: Write,
  workspaceId: string,
  product: Product,
  marks: CardMarks,
): void {
  write.set(
    cardKey(workspaceId, product.sku),
    encodeCard({ product, marks }, searchText(product)),
  );
}

/** But for the text of the search. */
function isSameCard(one: CardState, other: CardState): boolean {
  return one.marks.importHash === other.marks.importHash &&
    one.marks.isFromImport === other.marks.isFromImport &&
    one.marks.firstPriceJob === other.marks.firstPriceJob &&
    one.marks.importSource === other.marks.importSource &&
    (one.product.deletedAt === null) === (other.product.deletedAt === null) &&
    hasSamePrices(one.product, other.product);
}
