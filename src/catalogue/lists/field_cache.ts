/**
 * Keeps the filterable fields of products as columns in memory. The first read of a workspace reads
 * all its products; later reads fetch only the products that the change log names.
 */
import { memoize } from "../../base/collections.ts";
import { idBytes, idText } from "../../base/id.ts";
import { fold } from "../../base/text.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { changesSince, findLogEnd } from "../products/change_log_store.ts";
import { parseProducts, type Product } from "../products/product.ts";
import {
  type FieldFilter,
  FILTERED_NAMES,
  type FilteredName,
  PRODUCT_FIELDS,
} from "../products/product_field_table.ts";
import {
  documentPages,
  findDocuments,
  listDocuments,
  type StoredDocument,
} from "../products/product_store.ts";

type Match = FieldFilter["match"];

export function matchOf(name: FilteredName): Match {
  return PRODUCT_FIELDS[name].filter.match;
}

const COLUMNS = FILTERED_NAMES.map((name) => ({ name, match: matchOf(name) }));

const foldName = memoize(fold, 64);

/** The form in which filters compare a value; null for no value. */
export function comparedValue(value: string | number | null, match: Match): string | null {
  if (match === "positive") return typeof value === "number" && value > 0 ? "true" : "false";
  if (value === null) return null;
  return match === "equals" ? String(value) : foldName(String(value));
}

/** If a column has more cached values than this per product, all products are read again. */
const VALUES_SHARE_MAX = 2;
const VALUES_SPARE = 1_000;
/** Maximum number of products in a part. A change of a product replaces its part. */
const PART_ROWS = 1_000;
/** If more products than this have changed, all products are read again, which needs less memory. */
const CHANGES_MAX = 100_000;
const ID_BYTES = 12;

interface LoadedWorkspace {
  /** Position in the change log. `fields` has all changes up to it; null before the first read. */
  position: string | null;
  fields: ProductFields;
  reading: Promise<unknown>;
}

// `bytesMax` is the limit for all workspaces together.
export function createFieldCache(bytesMax: number = 96 * 1_024 * 1_024) {
  const workspaces = new Map<string, LoadedWorkspace>();
  return {
    /** Includes all changes that were committed before the call. */
    async read(workspace: WorkspaceStore): Promise<ProductFields> {
      const { workspaceId } = workspace;
      const loaded = workspaces.get(workspaceId) ??
        { position: null, fields: { values: [], parts: [] }, reading: Promise.resolve() };
      workspaces.delete(workspaceId);
      workspaces.set(workspaceId, loaded);
      if (await findLogEnd(workspace) === loaded.position) return loaded.fields;
      const read = () => refresh(workspace, loaded);
      // Only the caller of the previous read gets its error.
      loaded.reading = loaded.reading.then(read, read);
      await loaded.reading;
      forgetOldest(workspaces, bytesMax, ({ fields }) => sizeOf(fields));
      return loaded.fields;
    },
  };
}

/** The log must be read before the products. */
async function refresh(workspace: WorkspaceStore, loaded: LoadedWorkspace): Promise<void> {
  const end = await findLogEnd(workspace);
  const { position, fields } = loaded;
  if (end === position) return;
  const isUnknown = position === null || hasOldValues(fields);
  const changes = isUnknown ? null : await changesSince(workspace, position);
  loaded.fields = changes === null || changes.ids.size > CHANGES_MAX
    ? await readAll(workspace)
    : await readAgain(workspace, fields, [...changes.ids].sort());
  loaded.position = changes?.position ?? end;
}

async function readAll(workspace: WorkspaceStore): Promise<ProductFields> {
  const values = COLUMNS.map(() => new FieldValues());
  const parts: FieldPart[] = [];
  const slice = new TimeSlice();
  for await (const documents of documentPages(workspace, listDocuments, PART_ROWS)) {
    if (documents.length > 0) parts.push(partOf(rowsOf(documents, values)));
    await slice.yield();
  }
  return { values, parts };
}

async function readAgain(
  workspace: WorkspaceStore,
  { values, parts }: ProductFields,
  ids: readonly string[],
): Promise<ProductFields> {
  const changed = new Map<string, FieldRow>();
  const slice = new TimeSlice();
  for (let at = 0; at < ids.length; at += PART_ROWS) {
    const documents = await findDocuments(workspace, ids.slice(at, at + PART_ROWS));
    for (const row of rowsOf(documents, values)) changed.set(row.id, row);
    await slice.yield();
  }
  return { values, parts: await withChanges(parts, ids, changed, slice) };
}

/** `ids` must be sorted. Products that `changed` lacks are removed. */
async function withChanges(
  parts: readonly FieldPart[],
  ids: readonly string[],
  changed: ReadonlyMap<string, FieldRow>,
  slice: TimeSlice,
): Promise<FieldPart[]> {
  const after: FieldPart[] = [];
  let from = 0;
  for (const [at, part] of (parts.length > 0 ? parts : [partOf([])]).entries()) {
    const next = parts[at + 1];
    const before = next && idAt(next, 0);
    let to = from;
    while (to < ids.length && (before === undefined || (ids[to] ?? "") < before)) to++;
    const own = ids.slice(from, to);
    from = to;
    if (own.length === 0) {
      after.push(part);
      continue;
    }
    const rows = new Map(rowsIn(part).map((row) => [row.id, row]));
    for (const id of own) {
      const row = changed.get(id);
      if (row) rows.set(id, row);
      else rows.delete(id);
    }
    after.push(...cut([...rows.values()].sort((one, other) => one.id < other.id ? -1 : 1)));
    await slice.yield();
  }
  return after;
}

function cut(rows: readonly FieldRow[]): FieldPart[] {
  const parts = Math.ceil(rows.length / PART_ROWS);
  const size = Math.ceil(rows.length / parts);
  return Array.from({ length: parts }, (_, n) => partOf(rows.slice(n * size, (n + 1) * size)));
}

function hasOldValues({ values, parts }: ProductFields): boolean {
  const products = parts.reduce((sum, { updatedAtMs }) => sum + updatedAtMs.length, 0);
  return values.some(({ texts }) => texts.length > VALUES_SHARE_MAX * products + VALUES_SPARE);
}

function sizeOf({ values, parts }: ProductFields): number {
  let bytes = values.reduce((sum, { size }) => sum + size, 0);
  for (const { ids, updatedAtMs, codes } of parts) {
    bytes += ids.byteLength + updatedAtMs.byteLength;
    for (const column of codes) bytes += column.byteLength;
  }
  return bytes;
}

/** Drops the least recently used entries until the rest fits in `sizeMax`, but keeps one entry. */
export function forgetOldest<Kept>(
  kept: Map<string, Kept>,
  sizeMax: number,
  sizeOf: (one: Kept) => number,
): void {
  let size = kept.values().reduce((sum, one) => sum + sizeOf(one), 0);
  for (const [key, one] of kept) {
    if (size <= sizeMax || kept.size === 1) return;
    kept.delete(key);
    size -= sizeOf(one);
  }
}

class FieldValues {
  readonly texts: string[] = [];
  readonly #codes = new Map<string, number>();
  #size = 0;

  codeOf(text: string): number {
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    const code = this.texts.push(text);
    this.#codes.set(text, code);
    this.#size += 2 * text.length + 80;
    return code;
  }

  get size(): number {
    return this.#size;
  }
}

interface FieldRow {
  readonly id: string;
  readonly updatedAtMs: number;
  /** One code per filterable field. Code 0 means no value. */
  readonly codes: readonly number[];
}

/** The rows of consecutive products, sorted by id. Never changes. */
interface FieldPart {
  /** 12 bytes each. */
  readonly ids: Uint8Array;
  readonly updatedAtMs: Float64Array;
  readonly codes: readonly Uint32Array[];
}

export interface ProductFields {
  readonly values: readonly FieldValues[];
  readonly parts: readonly FieldPart[];
}

function rowsOf(
  documents: readonly StoredDocument[],
  values: readonly FieldValues[],
): FieldRow[] {
  const products: readonly Product[] = parseProducts(documents.map(({ bytes }) => bytes));
  return products.map((product) => ({
    id: product.id,
    updatedAtMs: Date.parse(product.updatedAt),
    codes: COLUMNS.map(({ name, match }, position) => {
      const value = comparedValue(product[name], match);
      return value === null ? 0 : values[position]?.codeOf(value) ?? 0;
    }),
  }));
}

function partOf(rows: readonly FieldRow[]): FieldPart {
  const ids = new Uint8Array(rows.length * ID_BYTES);
  for (const [row, { id }] of rows.entries()) ids.set(idBytes(id), row * ID_BYTES);
  return {
    ids,
    updatedAtMs: Float64Array.from(rows, ({ updatedAtMs }) => updatedAtMs),
    codes: COLUMNS.map((_, position) =>
      Uint32Array.from(rows, ({ codes }) => codes[position] ?? 0)
    ),
  };
}

function rowsIn(part: FieldPart): FieldRow[] {
  return Array.from(part.updatedAtMs, (updatedAtMs, row) => ({
    id: idAt(part, row),
    updatedAtMs,
    codes: part.codes.map((column) => column[row] ?? 0),
  }));
}

function idAt({ ids }: FieldPart, row: number): string {
  return idText(ids.subarray(row * ID_BYTES, (row + 1) * ID_BYTES));
}

export interface FieldQuery {
  /** `position` is the place of the field in `FILTERED_NAMES`. */
  readonly tests: readonly { readonly position: number; fits(value: string): boolean }[];
  readonly sinceMs: number;
}

/** Sorted by id. `after` is exclusive. */
export function* matchingIds(
  { values, parts }: ProductFields,
  { tests, sinceMs }: FieldQuery,
  after: string | null,
): Generator<string> {
  const wanted = tests.map(({ position, fits }) => {
    const accepted = (values[position]?.texts ?? []).map((text) => fits(text));
    return { position, accepted: [false, ...accepted], only: onlyCode(accepted) };
  });
  let last = after;
  for (const part of parts) {
    const rows = part.updatedAtMs.length;
    if (last !== null && idAt(part, rows - 1) <= last) continue;
    const columns = wanted.map(({ position, ...test }) => ({
      column: part.codes[position] ?? new Uint32Array(),
      ...test,
    }));
    const [first, ...others] = columns;
    const next = (row: number) => first ? nextAccepted(first, row) : row;
    const start = last === null ? 0 : rowAfter(part, last);
    last = null;
    for (let row = next(start); row < rows; row = next(row + 1)) {
      const isWanted = (part.updatedAtMs[row] ?? 0) >= sinceMs &&
        others.every(({ column, accepted }) => accepted[column[row] ?? 0]);
      if (isWanted) yield idAt(part, row);
    }
  }
}

/** The code of the only accepted text; null if several are accepted, or none. */
function onlyCode(accepted: readonly boolean[]): number | null {
  const at = accepted.indexOf(true);
  return at < 0 || accepted.includes(true, at + 1) ? null : at + 1;
}

interface ColumnTest {
  readonly column: Uint32Array;
  readonly accepted: readonly boolean[];
  readonly only: number | null;
}

/** The first row from `from` with an accepted code. `indexOf` is many times as fast as the loop. */
function nextAccepted({ column, accepted, only }: ColumnTest, from: number): number {
  if (only !== null) {
    const row = column.indexOf(only, from);
    return row < 0 ? column.length : row;
  }
  let row = from;
  while (row < column.length && !accepted[column[row] ?? 0]) row++;
  return row;
}

/** The first row whose id is greater than `id`. */
function rowAfter(part: FieldPart, id: string): number {
  let low = 0;
  let high = part.updatedAtMs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (idAt(part, middle) <= id) low = middle + 1;
    else high = middle;
  }
  return low;
}
