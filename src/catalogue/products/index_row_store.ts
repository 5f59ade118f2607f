/**
 * Keys (`W`: id of the workspace): `ps W shard sku` → index row. An index row contains packed facts
 * about a product, which can be read without the product's document. A shard is one of 64 parts of
 * the catalogue.
 */
import { decoder, encoder } from "../../base/bytes.ts";
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { getBytesAt, listTextRows } from "../../platform/store/rows.ts";
import { differsForSearch, type Product, searchText, shard } from "./product.ts";

const ROWS_PER_READ = 1_000;

export const indexRowKey = (workspaceId: string, sku: string) => [
  "ps",
  idBytes(workspaceId),
  shard(sku),
  sku,
];

export async function findIndexRow(workspace: WorkspaceStore, sku: string) {
  return (await findIndexRows(workspace, [sku])).get(sku) ?? null;
}

export async function findIndexRows(
  { store, workspaceId }: WorkspaceStore,
  skus: readonly string[],
): Promise<Map<string, IndexRow>> {
  const rows = await getBytesAt(store, skus.map((sku) => indexRowKey(workspaceId, sku)));
  const indexRows = new Map<string, IndexRow>();
  for (const [position, row] of rows.entries()) {
    const sku = skus[position];
    if (row && sku !== undefined) indexRows.set(sku, new IndexRow(row.value));
  }
  return indexRows;
}

export async function* listIndexRows(
  { store, workspaceId }: WorkspaceStore,
  shardNumber: number,
): AsyncGenerator<{ sku: string; indexRow: IndexRow }> {
  const prefix = ["ps", idBytes(workspaceId), shardNumber];
  for (let after: string | null = null;;) {
    const rows = await listTextRows(store, prefix, after, ROWS_PER_READ);
    for (const { part, value } of rows) yield { sku: part, indexRow: new IndexRow(value) };
    after = rows.at(-1)?.part ?? null;
    if (rows.length < ROWS_PER_READ) return;
  }
}

export function checkSkuFree(write: Write, workspaceId: string, sku: string): void {
  write.check(indexRowKey(workspaceId, sku), null);
}

/**
 * Writes nothing if the index row does not change. The caller's commit must check the version of
 * the product. `textBefore` saves computing an unchanged search text again.
 */
export function putIndexRow(
  write: Write,
  workspaceId: string,
  before: IndexRowState | null,
  after: IndexRowState,
  textBefore?: string,
): void {
  const { sku } = after.product;
  const isRenamed = before !== null && before.product.sku !== sku;
  if (isRenamed) write.delete(indexRowKey(workspaceId, before.product.sku));
  const isSameText = before !== null && !differsForSearch(before.product, after.product);
  if (before && isSameText && isSameIndexRow(before, after)) return;
  const text = isSameText && textBefore !== undefined ? textBefore : searchText(after.product);
  write.set(indexRowKey(workspaceId, sku), encodeIndexRow(after, text));
}

export function putIndexRowMarks(
  write: Write,
  workspaceId: string,
  product: Product,
  marks: IndexRowMarks,
): void {
  putIndexRow(write, workspaceId, null, { product, marks });
}

function isSameIndexRow(one: IndexRowState, other: IndexRowState): boolean {
  return one.marks.importHash === other.marks.importHash &&
    one.marks.isFromImport === other.marks.isFromImport &&
    one.marks.firstPriceJob === other.marks.firstPriceJob &&
    one.marks.importSource === other.marks.importSource &&
    (one.product.deletedAt === null) === (other.product.deletedAt === null);
}

export interface IndexRowMarks {
  /** Hash of the product's last imported record. An import skips a record with the same hash. */
  readonly importHash: string | null;
  readonly isFromImport: boolean;
  /** Id of the import that set the first price; null after a price change or without an import. */
  readonly firstPriceJob: string | null;
  /** Source of the import, or null; a `replace` import deletes only products of its own source. */
  readonly importSource: string | null;
}

export const NO_MARKS: IndexRowMarks = {
  importHash: null,
  isFromImport: false,
  firstPriceJob: null,
  importSource: null,
};

export interface IndexRowState {
  readonly product: Product;
  readonly marks: IndexRowMarks;
}

const FROM_IMPORT = 1;
const DELETED = 2;
const FIRST_PRICE_JOB = 4;
const IMPORT_SOURCE = 8;
const SOURCE_END = "\n";
const [PRICES_AT, ID_AT, HASH_LENGTH_AT, HASH_AT] = [1, 2, 17, 18];
const ID_BYTES = 12;
const PRICE_BYTES = 8;

export function marksOf(
  { importHash, isFromImport, firstPriceJob, importSource }: IndexRowMarks,
): IndexRowMarks {
  return { importHash, isFromImport, firstPriceJob, importSource };
}

export function agreesWith(indexRow: IndexRow, product: Product): boolean {
  return indexRow.id === product.id && indexRow.isDeleted === (product.deletedAt !== null) &&
    indexRow.text === searchText(product);
}

export function encodeIndexRow(
  { product, marks }: IndexRowState,
  text: string,
): Uint8Array<ArrayBuffer> {
  const hash = marks.importHash ?? "";
  const source = marks.importSource === null ? "" : marks.importSource + SOURCE_END;
  const bytes = new Uint8Array(
    HASH_AT + 3 * (hash.length + source.length + text.length) + ID_BYTES,
  );
  bytes.set(idBytes(product.id), ID_AT);
  const { written } = encoder.encodeInto(hash, bytes.subarray(HASH_AT));
  const hashBytes = written > 255 ? 0 : written;
  bytes[HASH_LENGTH_AT] = hashBytes;
  let flags = (marks.isFromImport ? FROM_IMPORT : 0) | (product.deletedAt === null ? 0 : DELETED);
  let at = HASH_AT + hashBytes;
  if (marks.firstPriceJob !== null) {
    flags |= FIRST_PRICE_JOB;
    bytes.set(idBytes(marks.firstPriceJob), at);
    at += ID_BYTES;
  }
  if (source !== "") flags |= IMPORT_SOURCE;
  bytes[0] = flags;
  at += encoder.encodeInto(source + text, bytes.subarray(at)).written;
  return bytes.slice(0, at);
}

/** Each getter decodes its value from the bytes, so that unused values are not decoded. */
export class IndexRow implements IndexRowMarks {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get id(): string {
    return this.#bytes.subarray(ID_AT, ID_AT + ID_BYTES).toHex();
  }

  get isFromImport(): boolean {
    return (this.#flags & FROM_IMPORT) !== 0;
  }

  get isDeleted(): boolean {
    return (this.#flags & DELETED) !== 0;
  }

  get importHash(): string | null {
    const end = this.#pricesAt;
    return end === HASH_AT ? null : decoder.decode(this.#bytes.subarray(HASH_AT, end));
  }

  get firstPriceJob(): string | null {
    const at = this.#jobAt;
    if ((this.#flags & FIRST_PRICE_JOB) === 0) return null;
    return this.#bytes.subarray(at, at + ID_BYTES).toHex();
  }

  get importSource(): string | null {
    return this.#hasSource ? this.#ending.slice(0, this.#ending.indexOf(SOURCE_END)) : null;
  }

  get text(): string {
    const ending = this.#ending;
    return this.#hasSource ? ending.slice(ending.indexOf(SOURCE_END) + 1) : ending;
  }

  get #hasSource(): boolean {
    return (this.#flags & IMPORT_SOURCE) !== 0;
  }

  get #ending(): string {
    const jobBytes = (this.#flags & FIRST_PRICE_JOB) === 0 ? 0 : ID_BYTES;
    return decoder.decode(this.#bytes.subarray(this.#jobAt + jobBytes));
  }

  get #flags(): number {
    return this.#bytes[0] ?? 0;
  }

  get #pricesAt(): number {
    return HASH_AT + (this.#bytes[HASH_LENGTH_AT] ?? 0);
  }

  get #jobAt(): number {
    let at = this.#pricesAt;
    const prices = this.#bytes[PRICES_AT] ?? 0;
    for (let flags = prices; flags !== 0; flags &= flags - 1) at += PRICE_BYTES;
    return at;
  }
}
