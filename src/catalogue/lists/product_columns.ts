/** The filterable fields of all products of a workspace, column by column, and what is found in them. */

import { idBytes, idText } from "../../base/id.ts";
import { compareId, ID_BYTES, rowOf } from "../products/field_block.ts";
import { type FieldTest, fieldTests, type ProductFilter } from "./product_filter.ts";
import { type IdWalk, mergeIds } from "./search_text.ts";

/** The values of a dimension: a code for each that ever came, from 1 on. */
export class FieldValues {
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

/** The products of a shard, by id. Nothing in it changes once it is made. */
export interface ShardFields {
  /** 12 bytes each, ascending. */
  readonly ids: Uint8Array;
  readonly updatedAtMs: Float64Array;
  /** By dimension: for each product the code of its value, or 0. */
  readonly codes: readonly Uint32Array[];
}

export interface ProductFields {
  readonly values: readonly FieldValues[];
  readonly shards: readonly ShardFields[];
}

/** The ids after `after` of the products whose fields fit, ascending; looks only as far as they are taken. */
export function* matchingIds(
  { values, shards }: ProductFields,
  filter: ProductFilter,
  after: string | null,
): Generator<string> {
  const columns = fieldTests(filter).map((test) => acceptedCodes(values, test));
  const sinceMs = filter.updatedSinceMs ?? -Infinity;
  const from = after === null ? null : idBytes(after);
  const walks = shards.map((shard): Walk => {
    const tests = columns.flatMap(({ position, accepted }) => {
      const codes = shard.codes[position];
      return codes ? [{ codes, accepted }] : [];
    });
    const rows = fewestRows(shard, columns);
    return { shard, tests, sinceMs, rows, at: 0, row: 0, id: undefined };
  });
  for (const walk of walks) walkOn(walk, from === null ? 0 : rowAfter(walk.shard, from));
  yield* mergeIds(walks, (walk) => walkOn(walk, walk.row + 1));
}

function rowAfter({ ids }: ShardFields, id: Uint8Array): number {
  const row = rowOf(ids, id);
  return row * ID_BYTES < ids.length && compareId(ids, row, id) === 0 ? row + 1 : row;
}

interface Walk extends IdWalk {
  readonly shard: ShardFields;
  readonly tests: readonly { readonly codes: Uint32Array; readonly accepted: Uint8Array }[];
  readonly sinceMs: number;
  /** The only rows that can fit, ascending; null when all have to be looked at. */
  readonly rows: readonly number[] | null;
  at: number;
  row: number;
  id: string | undefined;
}

function walkOn(walk: Walk, from: number): void {
  const { shard: { ids, updatedAtMs }, tests, sinceMs, rows } = walk;
  const end = updatedAtMs.length;
  let row = from;
  if (rows === null) {
    while (row < end && !fitsAt(row)) row++;
  } else {
    const next = () => rows[walk.at] ?? end;
    while (next() < from || (next() < end && !fitsAt(next()))) walk.at++;
    row = next();
  }
  walk.row = row;
  walk.id = row < end ? idText(ids.subarray(row * ID_BYTES, (row + 1) * ID_BYTES)) : undefined;

  function fitsAt(at: number): boolean {
    for (const { codes, accepted } of tests) if (accepted[codes[at] ?? 0] !== 1) return false;
    return (updatedAtMs[at] ?? 0) >= sinceMs;
  }
}

/** For each code of a dimension 1 when its value fits; the codes of those, when they are few. */
function acceptedCodes(values: readonly FieldValues[], { position, fits }: FieldTest) {
  const texts = values[position]?.texts ?? [];
  const accepted = new Uint8Array(texts.length + 1);
  const codes: number[] = [];
  for (const [at, text] of texts.entries()) {
    if (!fits(text)) continue;
    accepted[at + 1] = 1;
    codes.push(at + 1);
  }
  return { position, accepted, few: codes.length <= FEW_VALUES ? codes : null };
}

/** Of so many values the rows are looked up, of more all rows are looked at. */
const FEW_VALUES = 8;

function fewestRows(
  { codes }: ShardFields,
  columns: readonly { readonly position: number; readonly few: readonly number[] | null }[],
): readonly number[] | null {
  let fewest: readonly number[] | null = null;
  for (const { position, few } of columns) {
    const column = codes[position];
    if (!column || few === null) continue;
    const places = placesOf(column);
    const rows = few.length === 1
      ? places.get(few[0] ?? 0) ?? []
      : few.flatMap((code) => places.get(code) ?? []).sort((one, other) => one - other);
    if (fewest === null || rows.length < fewest.length) fewest = rows;
  }
  return fewest;
}

/** The rows of each code of a column, ascending; computed on first use. */
const placesOfColumns = new WeakMap<Uint32Array, ReadonlyMap<number, readonly number[]>>();

function placesOf(column: Uint32Array): ReadonlyMap<number, readonly number[]> {
  const known = placesOfColumns.get(column);
  if (known) return known;
  const places = new Map<number, number[]>();
  for (const [row, code] of column.entries()) {
    const rows = places.get(code);
    if (rows) rows.push(row);
    else places.set(code, [row]);
  }
  placesOfColumns.set(column, places);
  return places;
}
