/**
 * Keeps the filterable fields and the search texts of all active products in the memory of a
 * process. The first read of a workspace loads all its products. Later reads load the products that
 * the change log names, or all if the log is too long or incomplete. The cache is cut into parts. A
 * change replaces a part, so lists that are being read keep the old part.
 */
import { Failure } from "../../base/failure.ts";
import { wordSearchOf } from "../../base/text.ts";
import { msOrNull } from "../../base/time.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import { roomLog } from "../../platform/log.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { changesSince, countActiveProducts, findLogEnd } from "../products/change_log_store.ts";
import {
  NUMBER_MARK,
  parseProducts,
  type Product,
  searchPart,
  searchText,
} from "../products/product.ts";
import { FILTERED_NAMES } from "../products/product_field_table.ts";
import { comparedValue, matchOf } from "../products/product_fields.ts";
import {
  documentPages,
  findDocuments,
  listDocuments,
  type StoredDocument,
} from "../products/product_store.ts";

const PART_ROWS = 1_000;
/** Maximum number of changed ids in memory; after more changes, all products are read again. */
const CHANGES_MAX = 100_000;
const WARMED_PRODUCTS_MAX = 500_000;
/** Ends the search text of each product; search texts and queries do not contain this character. */
const SEPARATOR = "\u0000";

interface ProductRow {
  readonly id: string;
  readonly updatedAtMs: number;
  /** 0 if the product has no `heldUntil`. */
  readonly heldUntilMs: number;
  readonly values: readonly (string | null)[];
  readonly text: string;
}

/**
 * Gives each value of a field a number (its code), which never changes. All parts of a workspace's
 * cache share one `CodeBook` per field.
 */
class CodeBook {
  readonly values: (string | null)[] = [null];
  readonly #codes = new Map<string | null, number>([[null, 0]]);

  codeOf(value: string | null): number {
    return this.#codes.getOrInsertComputed(value, () => this.values.push(value) - 1);
  }
}

export const codeBooks = (): readonly CodeBook[] => FILTERED_NAMES.map(() => new CodeBook());

/** Consecutive products, sorted by id. A part is never changed: a new part replaces it. */
interface ProductPart {
  readonly ids: readonly string[];
  readonly updatedAtMs: Float64Array;
  readonly heldUntilMs: Float64Array;
  readonly books: readonly CodeBook[];
  /** An array per filterable field, with the code of each product's value. */
  readonly codes: readonly Uint32Array[];
  readonly text: string;
  readonly starts: Uint32Array;
}

interface LoadedWorkspace {
  position: string | null;
  parts: readonly ProductPart[];
  reading: Promise<unknown>;
}

const log = roomLog("catalogue");

export class CatalogueCache {
  readonly #workspaces = new Map<string, LoadedWorkspace>();
  readonly #bytesMax: number;
  #isClosed = false;

  /** `bytesMax` limits the memory of all workspaces together; a single workspace may exceed it. */
  constructor(bytesMax = 192 * 1_024 * 1_024) {
    this.#bytesMax = bytesMax;
  }

  /**
   * The result includes all changes that were committed before the call. After `close`, a call that
   * must read products throws `unavailable`, because a shutdown cannot wait for a long read.
   */
  async read(workspace: WorkspaceStore): Promise<readonly ProductPart[]> {
    const { workspaceId } = workspace;
    const loaded = this.#workspaces.get(workspaceId) ??
      { position: null, parts: [], reading: Promise.resolve() };
    this.#workspaces.delete(workspaceId);
    this.#workspaces.set(workspaceId, loaded);
    if (await findLogEnd(workspace) === loaded.position) return loaded.parts;
    const read = () => this.#refresh(workspace, loaded);
    // `read` also runs if an earlier read failed: only the caller of that read gets its error.
    loaded.reading = loaded.reading.then(read, read);
    await loaded.reading;
    this.#forgetOldest(workspaceId);
    return loaded.parts;
  }

  /** The promise never rejects: an error is only logged. */
  async warm({ store, workspaceId }: WorkspaceStore): Promise<void> {
    if (this.#isClosed || this.#workspaces.has(workspaceId)) return;
    const workspace = { store, workspaceId };
    try {
      if (await countActiveProducts(workspace) <= WARMED_PRODUCTS_MAX) await this.read(workspace);
    } catch (error) {
      if (!this.#isClosed) log.warning("products not loaded", { workspaceId, error });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#workspaces.values().map(({ reading }) => reading));
  }

  /** The end of the change log is read before the products, so that no later change is missed. */
  async #refresh(workspace: WorkspaceStore, loaded: LoadedWorkspace): Promise<void> {
    const end = await findLogEnd(workspace);
    const { position, parts } = loaded;
    if (end === position) return;
    const changes = position === null ? null : await changesSince(workspace, position, CHANGES_MAX);
    const areFew = changes !== null && changes.ids.size <= CHANGES_MAX;
    loaded.parts = areFew
      ? await this.#readAgain(workspace, parts, [...changes.ids].sort())
      : await this.#readAll(workspace);
    loaded.position = areFew ? changes.position : end;
  }

  async #readAll(workspace: WorkspaceStore): Promise<ProductPart[]> {
    const parts: ProductPart[] = [];
    const books = codeBooks();
    const slice = new TimeSlice();
    for await (const documents of documentPages(workspace, listDocuments, PART_ROWS)) {
      if (documents.length > 0) parts.push(partOf(rowsOf(documents), books));
      await this.#pause(slice);
    }
    return parts;
  }

  async #readAgain(
    workspace: WorkspaceStore,
    parts: readonly ProductPart[],
    ids: readonly string[],
  ): Promise<ProductPart[]> {
    const after: ProductPart[] = [];
    const slice = new TimeSlice();
    let from = 0;
    const all = parts.length > 0 ? parts : [partOf([], codeBooks())];
    const books = all[0]?.books ?? codeBooks();
    for (const [at, part] of all.entries()) {
      const before = parts[at + 1]?.ids[0];
      const to = before === undefined ? ids.length : lastIndex(ids, from, (id) => id < before) + 1;
      const changed = ids.slice(from, to);
      from = to;
      if (changed.length === 0) after.push(part);
      else {
        const rows = new Map(rowsIn(part).map((row) => [row.id, row]));
        for (const id of changed) rows.delete(id);
        for (let n = 0; n < changed.length; n += PART_ROWS) {
          const documents = await findDocuments(workspace, changed.slice(n, n + PART_ROWS));
          for (const row of rowsOf(documents)) rows.set(row.id, row);
          await this.#pause(slice);
        }
        const sorted = [...rows.values()].sort((one, other) => one.id < other.id ? -1 : 1);
        for (const made of cut(sorted, books)) {
          after.push(made);
          await this.#pause(slice);
        }
      }
    }
    return after;
  }

  async #pause(slice: TimeSlice): Promise<void> {
    if (this.#isClosed) {
      const message = "The server is shutting down, try again in a few seconds";
      throw new Failure("unavailable", message);
    }
    await slice.yield();
  }

  /** Drops the least recently read workspaces, except `keptId`, until the cache fits `bytesMax`. */
  #forgetOldest(keptId: string): void {
    let size = this.#workspaces.values().reduce((sum, { parts }) => sum + sizeOf(parts), 0);
    for (const [id, { parts }] of this.#workspaces) {
      if (size <= this.#bytesMax) return;
      if (id === keptId) continue;
      this.#workspaces.delete(id);
      size -= sizeOf(parts);
    }
  }
}

function sizeOf(parts: readonly ProductPart[]): number {
  const perProduct = 40 + 8 + 8 + 8 + 4 + 4 * FILTERED_NAMES.length;
  return parts.reduce((sum, { ids, text }) => sum + ids.length * perProduct + text.length, 0);
}

export function rowsOf(documents: readonly StoredDocument[]): ProductRow[] {
  const products: readonly Product[] = parseProducts(documents.map(({ bytes }) => bytes));
  return products.map((product) => ({
    id: product.id,
    updatedAtMs: Date.parse(product.updatedAt),
    heldUntilMs: msOrNull(product.heldUntil) ?? 0,
    values: FILTERED_NAMES.map((name) => comparedValue(product[name], matchOf(name))),
    text: searchPart(product.sku, searchText(product)),
  }));
}

function* cut(rows: readonly ProductRow[], books: readonly CodeBook[]): Generator<ProductPart> {
  const size = Math.ceil(rows.length / Math.ceil(rows.length / PART_ROWS));
  for (let from = 0; from < rows.length; from += size) {
    yield partOf(rows.slice(from, from + size), books);
  }
}

/** `rows` must be sorted by id. */
export function partOf(rows: readonly ProductRow[], books: readonly CodeBook[]): ProductPart {
  let length = 0;
  const starts = Uint32Array.from(rows, ({ text }) => {
    const start = length;
    length += text.length + SEPARATOR.length;
    return start;
  });
  return {
    ids: rows.map(({ id }) => id),
    updatedAtMs: Float64Array.from(rows, ({ updatedAtMs }) => updatedAtMs),
    heldUntilMs: Float64Array.from(rows, ({ heldUntilMs }) => heldUntilMs),
    books,
    codes: books.map((book, at) =>
      Uint32Array.from(rows, ({ values }) => book.codeOf(values[at] ?? null))
    ),
    text: rows.map(({ text }) => text + SEPARATOR).join(""),
    starts,
  };
}

function rowsIn({ ids, updatedAtMs, heldUntilMs, books, codes, text }: ProductPart): ProductRow[] {
  const texts = text.split(SEPARATOR);
  return ids.map((id, row) => ({
    id,
    updatedAtMs: updatedAtMs[row] ?? 0,
    heldUntilMs: heldUntilMs[row] ?? 0,
    values: books.map(({ values }, at) => values[codes[at]?.[row] ?? 0] ?? null),
    text: texts[row] ?? "",
  }));
}

/**
 * `numbered` selects products whose SKU, EAN or MPN begins with the query, `other` selects the
 * remaining matches.
 */
export type HitKind = "all" | "numbered" | "other";

interface ProductSearch {
  readonly words: readonly RegExp[];
  readonly number: RegExp;
}

export function productSearchOf(query: string): ProductSearch {
  const { words, number } = wordSearchOf(query);
  return {
    words: words.map(({ source }) => new RegExp(`(?:${source})`, "g")),
    number: new RegExp(`${NUMBER_MARK}${number}`, "g"),
  };
}

interface ProductQuery {
  readonly tests: readonly { readonly position: number; fits(value: string): boolean }[];
  readonly sinceMs: number;
  readonly search: ProductSearch | null;
  readonly kind: HitKind;
  readonly held: { readonly atMs: number; readonly isWanted: boolean } | null;
}

export function* matchingIds(
  parts: readonly ProductPart[],
  { tests, sinceMs, search, kind, held }: ProductQuery,
  after: string | null,
): Generator<string> {
  const filters = tests.map(({ position, fits }) => {
    const values = parts[0]?.books[position]?.values ?? [];
    return { position, accepted: values.map((value) => value !== null && fits(value)) };
  });
  if (filters.some(({ accepted }) => !accepted.includes(true))) return;
  for (const part of parts) {
    const { ids, updatedAtMs, heldUntilMs } = part;
    const from = after === null ? 0 : lastIndex(ids, 0, (id) => id <= after) + 1;
    if (from === ids.length) continue;
    const wanted = filters.map(({ position, accepted }) => ({
      accepted,
      codes: part.codes[position] ?? new Uint32Array(),
    }));
    for (const row of search ? hitsIn(part, search, kind, from) : rowsFrom(part, from)) {
      const isMatch = (updatedAtMs[row] ?? 0) >= sinceMs &&
        wanted.every(({ codes, accepted }) => accepted[codes[row] ?? 0]) &&
        (held === null || (heldUntilMs[row] ?? 0) > held.atMs === held.isWanted);
      if (isMatch) yield ids[row] ?? "";
    }
  }
}

function* rowsFrom({ ids }: ProductPart, from: number): Generator<number> {
  for (let row = from; row < ids.length; row++) yield row;
}

function* hitsIn(
  { text, starts, ids }: ProductPart,
  { words, number }: ProductSearch,
  kind: HitKind,
  from: number,
): Generator<number> {
  const [first, ...rest] = kind === "numbered" ? [number] : words;
  for (let next = from; first !== undefined && next < ids.length;) {
    const at = endOf(first, text, starts[next] ?? text.length);
    if (at === 0) return;
    const row = lastIndex(starts, next, (start) => start < at);
    next = row + 1;
    const isOne = rest.length === 0 && kind !== "other";
    const own = isOne ? "" : text.slice(starts[row], starts[next] ?? text.length);
    if (!rest.every((word) => endOf(word, own, 0) > 0)) continue;
    if (kind !== "other" || endOf(number, own, 0) === 0) yield row;
  }
}

function endOf(word: RegExp, text: string, from: number): number {
  word.lastIndex = from;
  return word.test(text) ? word.lastIndex : 0;
}

/**
 * Returns the index of the last item for which `holds` is true; `from` − 1 if there is none. From
 * index `from` on, the items for which `holds` is true must precede all others.
 */
function lastIndex<T>(list: ArrayLike<T>, from: number, holds: (item: T) => boolean): number {
  const isIn = (at: number) => {
    const item = list[at];
    return item !== undefined && holds(item);
  };
  let step = 1;
  while (isIn(from + step - 1)) step *= 2;
  let low = from + (step >> 1) - 1;
  let high = from + step - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (isIn(middle)) low = middle;
    else high = middle;
  }
  return low;
}
