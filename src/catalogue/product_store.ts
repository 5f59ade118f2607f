/**
 * Keys: `p W id` → an active product's bytes; `px W id` → a soft-deleted one's;
 * `ps W shard sku` → card `[id, importHash, flags, text]`; `g W shard` → empty, its versionstamp is
 * the shard's generation. Every commit that touches a product sets the generation of its shard, blind.
 *
 * Who writes one product checks its document (`checkProduct`) or, for a new SKU, its card
 * (`checkSkuFree`); who writes many reads the generations first and checks those (`checkGeneration`).
 */
import { idBytes } from "../base/id.ts";
import type { WorkspaceStore } from "../platform/context.ts";
import type { Write } from "../platform/kv.ts";
import { justAfterId, lastIdOf } from "./id_key_store.ts";
import { setOfferGeneration } from "./offer_generation_store.ts";
import { type PriceCause, priceChangeOf } from "./price_history.ts";
import { addPriceChange } from "./price_history_store.ts";
import { differsForSchedule, type Product, searchText, shard } from "./product.ts";
import { addIndexRows, moveIndexRows, removeIndexRows } from "./product_index_store.ts";
import { countProduct, filterFieldsOf, type Tally, touchShard } from "./product_tally.ts";
import { parseProduct, toWire } from "./product_wire.ts";
import { markForSchedule } from "./schedule_mark_store.ts";

const GET_MANY_MAX = 10;
const FROM_IMPORT = 1;
const DELETED = 2;

type CardRow = [id: string, importHash: string | null, flags: number, text: string];

const activeKey = (workspaceId: string, id: string) => ["p", idBytes(workspaceId), idBytes(id)];
const deletedKey = (workspaceId: string, id: string) => ["px", idBytes(workspaceId), idBytes(id)];
const cardKey = (workspaceId: string, sku: string) => [
  "ps",
  idBytes(workspaceId),
  shard(sku),
  sku,
];
const generationKey = (workspaceId: string, shard: number) => ["g", idBytes(workspaceId), shard];

/** A product's bytes as every list answers them; `etag` is the version of the document. */
export interface StoredDocument {
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

export interface StoredProduct extends StoredDocument {
  readonly product: Product;
}

/** What is known of a SKU beside its document. */
export interface Card {
  readonly id: string;
  /** Hash of the record that an import left here; null when something else changed the product since. */
  readonly importHash: string | null;
  /** True when an import made the product: `replace` may delete it. */
  readonly isFromImport: boolean;
  readonly isDeleted: boolean;
  readonly text: string;
}

/** Null for an unknown id, a soft-deleted product and another workspace's alike. */
export async function findDocument(
  { store, workspaceId }: WorkspaceStore,
  id: string,
): Promise<StoredDocument | null> {
  const { value, versionstamp } = await store.kv.get<Uint8Array<ArrayBuffer>>(
    activeKey(workspaceId, id),
  );
  return value === null ? null : { id, bytes: value, etag: versionstamp };
}

/** As `findDocument`, for soft-deleted products only. */
export async function findDeletedDocument(
  { store, workspaceId }: WorkspaceStore,
  id: string,
): Promise<StoredDocument | null> {
  const { value, versionstamp } = await store.kv.get<Uint8Array<ArrayBuffer>>(
    deletedKey(workspaceId, id),
  );
  return value === null ? null : { id, bytes: value, etag: versionstamp };
}

/** As `findDocument`, parsed: for whoever decides something. */
export async function findProduct(workspace: WorkspaceStore, id: string) {
  return parsed(await findDocument(workspace, id));
}

/** As `findDeletedDocument`, parsed. */
export async function findDeletedProduct(workspace: WorkspaceStore, id: string) {
  return parsed(await findDeletedDocument(workspace, id));
}

function parsed(document: StoredDocument | null): StoredProduct | null {
  return document && { ...document, product: parseProduct(document.bytes) };
}

/** The active products among `ids`, in their order; the others are left out. */
export async function findDocuments(
  { store, workspaceId }: WorkspaceStore,
  ids: readonly string[],
): Promise<StoredDocument[]> {
  const slices: Promise<Deno.KvEntryMaybe<Uint8Array<ArrayBuffer>>[]>[] = [];
  for (let at = 0; at < ids.length; at += GET_MANY_MAX) {
    const keys = ids.slice(at, at + GET_MANY_MAX).map((id) => activeKey(workspaceId, id));
    slices.push(store.kv.getMany<Uint8Array<ArrayBuffer>[]>(keys));
  }
  const rows = (await Promise.all(slices)).flat();
  return rows.flatMap(({ value, versionstamp }, position) =>
    value === null ? [] : [{ id: ids[position] ?? "", bytes: value, etag: versionstamp }]
  );
}

/** Up to `limit` active products by id, after the id `after`. */
export function listDocuments(workspace: WorkspaceStore, after: string | null, limit: number) {
  return listTable(workspace, "p", after, limit);
}

/** Up to `limit` soft-deleted products by id, after the id `after`. */
export function listDeletedDocuments(
  workspace: WorkspaceStore,
  after: string | null,
  limit: number,
) {
  return listTable(workspace, "px", after, limit);
}

async function listTable(
  { store, workspaceId }: WorkspaceStore,
  table: "p" | "px",
  after: string | null,
  limit: number,
): Promise<StoredDocument[]> {
  const prefix = [table, idBytes(workspaceId)];
  const selector = after === null ? { prefix } : { prefix, start: [...prefix, justAfterId(after)] };
  const options = { limit, batchSize: Math.min(limit, 1_000) };
  // One seventh faster than a loop that awaits each row.
  const rows = await Array.fromAsync(store.kv.list<Uint8Array<ArrayBuffer>>(selector, options));
  return rows.map(({ key, value, versionstamp }) => ({
    id: lastIdOf(key),
    bytes: value,
    etag: versionstamp,
  }));
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
  const slices: Promise<Deno.KvEntryMaybe<CardRow>[]>[] = [];
  for (let at = 0; at < skus.length; at += GET_MANY_MAX) {
    const keys = skus.slice(at, at + GET_MANY_MAX).map((sku) => cardKey(workspaceId, sku));
    slices.push(store.kv.getMany<CardRow[]>(keys));
  }
  const cards = new Map<string, Card>();
  for (const [position, { value }] of (await Promise.all(slices)).flat().entries()) {
    const sku = skus[position];
    if (value !== null && sku !== undefined) cards.set(sku, readCard(value));
  }
  return cards;
}

/** The card of a SKU and the active product of an id, in one read. */
export async function findCardAndDocument(
  { store, workspaceId }: WorkspaceStore,
  sku: string,
  id: string,
): Promise<{ card: Card | null; document: StoredDocument | null }> {
  const [card, row] = await store.kv.getMany<[CardRow, Uint8Array<ArrayBuffer>]>([
    cardKey(workspaceId, sku),
    activeKey(workspaceId, id),
  ]);
  return {
    card: card.value && readCard(card.value),
    document: row.value && { id, bytes: row.value, etag: row.versionstamp },
  };
}

/** All cards of one shard in the order of their SKUs. */
export async function* listCards(
  { store, workspaceId }: WorkspaceStore,
  shardNumber: number,
): AsyncGenerator<{ sku: string; card: Card }> {
  const prefix = ["ps", idBytes(workspaceId), shardNumber];
  for await (const { key, value } of store.kv.list<CardRow>({ prefix }, { batchSize: 1_000 })) {
    yield { sku: String(key[3]), card: readCard(value) };
  }
}

function readCard([id, importHash, flags, text]: CardRow): Card {
  return {
    id,
    importHash,
    isFromImport: (flags & FROM_IMPORT) !== 0,
    isDeleted: (flags & DELETED) !== 0,
    text,
  };
}

/** The generation of every shard that has one; a batch reads them before all else. */
export async function listGenerations(
  { store, workspaceId }: WorkspaceStore,
): Promise<Map<number, string>> {
  const generations = new Map<number, string>();
  const rows = store.kv.list({ prefix: ["g", idBytes(workspaceId)] });
  for await (const { key, versionstamp } of rows) generations.set(Number(key[2]), versionstamp);
  return generations;
}

/** The generations of a few shards, null where nothing was ever written. */
export async function findGenerations(
  { store, workspaceId }: WorkspaceStore,
  shards: readonly number[],
): Promise<(readonly [shard: number, generation: string | null])[]> {
  const rows = await store.kv.getMany(shards.map((number) => generationKey(workspaceId, number)));
  return rows.map(({ versionstamp }, at) => [shards[at] ?? 0, versionstamp]);
}

/** The commit fails when the product is no longer the one of `etag`. */
export function checkProduct(write: Write, workspaceId: string, found: StoredProduct): void {
  const key = found.product.deletedAt === null ? activeKey : deletedKey;
  write.check(key(workspaceId, found.id), found.etag);
}

/** The commit fails when another product took the SKU after it was looked up. */
export function checkSkuFree(write: Write, workspaceId: string, sku: string): void {
  write.check(cardKey(workspaceId, sku), null);
}

/** The commit fails when anybody wrote to the shard since its generation was read (null: never). */
export function checkGeneration(
  write: Write,
  workspaceId: string,
  shardNumber: number,
  generation: string | null,
): void {
  write.check(generationKey(workspaceId, shardNumber), generation);
}

/** Sets the generation of one shard; for rows that hang on a product without being the product. */
export function setGeneration(write: Write, workspaceId: string, shardNumber: number): void {
  write.set(generationKey(workspaceId, shardNumber), EMPTY);
}

const EMPTY = new Uint8Array();

/**
 * Notes when an active product was last scraped: its version moves, but neither `updatedAt` nor an
 * index row nor the card (design §4). The commit fails when the product is no longer `found`.
 */
export function putLastScraped(
  write: Write,
  workspaceId: string,
  found: StoredProduct,
  lastScrapedAt: string,
): void {
  checkProduct(write, workspaceId, found);
  write.set(activeKey(workspaceId, found.id), toWire({ ...found.product, lastScrapedAt }));
  setGeneration(write, workspaceId, shard(found.product.sku));
}

/** What of a card does not follow from the product. */
export type CardMarks = Pick<Card, "importHash" | "isFromImport">;

export interface ProductChange {
  readonly before: { readonly product: Product; readonly marks: CardMarks } | null;
  readonly after: { readonly product: Product; readonly marks: CardMarks };
  readonly cause: PriceCause;
}

/**
 * Writes a product with every row that hangs on it: document, card, index rows, price history and
 * price export; what several products of a commit share goes into `tally`, which the caller saves
 * (`saveTally`). `deletedAt` says which side of the table the product belongs to. Checks nothing.
 */
export function putProduct(
  write: Write,
  workspaceId: string,
  { before, after, cause }: ProductChange,
  tally: Tally,
): Uint8Array<ArrayBuffer> {
  const bytes = putDocument(write, workspaceId, before?.product ?? null, after.product);
  putCard(write, workspaceId, before, after);
  putIndexRows(write, workspaceId, before?.product ?? null, after.product, tally);
  const change = priceChangeOf(before?.product ?? null, after.product, cause);
  if (change) addPriceChange(write, workspaceId, after.product.id, change);
  if (before) touchShard(tally, before.product.sku);
  touchShard(tally, after.product.sku);
  if (before && before.product.sku !== after.product.sku) {
    moveOffers(write, workspaceId, before.product.sku, after.product.sku);
  }
  // A new product has no match yet; what links it marks it.
  if (before && differsForSchedule(before.product, after.product)) {
    markForSchedule(write, workspaceId, after.product.id);
  }
  return bytes;
}

/** The offers of a renamed product belong to another shard from now on. */
function moveOffers(write: Write, workspaceId: string, ...skus: string[]): void {
  for (const sku of skus) setOfferGeneration(write, workspaceId, shard(sku));
}

function putDocument(write: Write, workspaceId: string, before: Product | null, after: Product) {
  const bytes = toWire(after);
  const key = after.deletedAt === null ? activeKey : deletedKey;
  write.set(key(workspaceId, after.id), bytes);
  const isMoved = before !== null && (before.deletedAt === null) !== (after.deletedAt === null);
  if (isMoved) {
    const old = before.deletedAt === null ? activeKey : deletedKey;
    write.delete(old(workspaceId, before.id));
  }
  return bytes;
}

function putCard(
  write: Write,
  workspaceId: string,
  before: ProductChange["before"],
  after: ProductChange["after"],
): void {
  const row = cardRow(after);
  const old = before && cardRow(before);
  const isRenamed = before !== null && before.product.sku !== after.product.sku;
  if (isRenamed) write.delete(cardKey(workspaceId, before.product.sku));
  if (old && !isRenamed && old.every((value, position) => value === row[position])) return;
  write.set(cardKey(workspaceId, after.product.sku), row);
}

function cardRow({ product, marks }: ProductChange["after"]): CardRow {
  const flags = (marks.isFromImport ? FROM_IMPORT : 0) | (product.deletedAt === null ? 0 : DELETED);
  return [product.id, marks.importHash, flags, searchText(product)];
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

function putIndexRows(
  write: Write,
  workspaceId: string,
  before: Product | null,
  after: Product,
  tally: Tally,
): void {
  const wasActive = before !== null && before.deletedAt === null;
  const isActive = after.deletedAt === null;
  if (wasActive && isActive) moveIndexRows(write, workspaceId, before, after, tally);
  else if (isActive) {
    addIndexRows(write, workspaceId, after);
    countProduct(tally, filterFieldsOf(after), 1);
  } else if (wasActive) {
    removeIndexRows(write, workspaceId, before);
    countProduct(tally, filterFieldsOf(before), -1);
  }
}
