/**
 * The options of a table, and functions that convert rows to keys and values, and encrypt fields.
 */
import { idBytes, idText } from "../../base/id.ts";
import { Failure } from "../../base/failure.ts";
import type { WorkspaceStore } from "./context.ts";
import type { Store, Write } from "./kv.ts";
import { isSealedNow, openText, sealText, type StoredSecret } from "./secret_store.ts";

const EMPTY = new Uint8Array();

/** `id` and `hex` are texts that are stored as bytes. */
type PartKind = "id" | "hex" | "text" | "number" | "bytes";
type KindOf<T> = T extends number ? "number" : T extends Uint8Array ? "bytes"
: "id" | "hex" | "text";
type KeyFields = Readonly<Record<string, PartKind>>;

interface IndexKeys {
  readonly prefix: string;
  readonly key: KeyFields;
  readonly unique?: boolean;
  /** Prefix of the u64 row that counts the index rows; absent if index rows are not counted. */
  readonly count?: string;
}

export interface TableIndex<Row> extends IndexKeys {
  /** Returns the fields of each index row, one object per index row. Default: the row itself. */
  readonly of?: (row: Row) => readonly object[];
  readonly value?: (row: Row) => unknown;
}

export interface KeepTerms {
  readonly what: string;
  readonly days: number;
}

interface Keep<Row> extends KeepTerms {
  isOld(row: Row, before: Date): boolean;
  /** True if keys sort by age, so that a deletion of old rows can stop at the first newer row. */
  readonly isInOrder?: boolean;
}

export interface TableKeys {
  readonly prefix: string;
  readonly about: string;
  readonly key: KeyFields;
  readonly indexes?: Readonly<Record<string, IndexKeys>>;
  /**
   * Fields with credentials, written with `seal` and read with `open`; `a.b` is field `b` in `a`.
   */
  readonly sealed?: readonly string[];
  /** Prefix of the key of the version row, which changes with every write to the table. */
  readonly version?: string;
}

export interface TableOptions<Row> extends TableKeys {
  /** True if the stored value also contains the fields of the key. */
  readonly valueHasKey?: boolean;
  /** Name of the only field outside the key; the stored value is then the value of this field. */
  readonly value?: string;
  /** `decode` may omit the fields of the key, and must accept values of earlier versions. */
  readonly codec?: { encode?(row: Row): unknown; decode?(value: unknown, key: Row): Partial<Row> };
  readonly indexes?: Readonly<Record<string, TableIndex<Row>>>;
  readonly batchSize?: number;
  readonly most?: number;
  check?(row: Row, place: WorkspaceStore): string | null | Promise<string | null>;
  readonly keep?: Keep<Row>;
  /** The store may keep rows longer than `expireInMs`, so readers must check the time. */
  readonly expireInMs?: number;
}

export interface Declaration<Row, Names extends keyof Row, Indexes extends string>
  extends TableOptions<Row> {
  readonly key: { readonly [Name in Names]: KindOf<Row[Name]> };
  readonly value?: Exclude<keyof Row, Names> & string;
  readonly indexes?: Readonly<Record<Indexes, TableIndex<Row>>>;
}

export function partsOf(fields: KeyFields, values: object): (string | number | Uint8Array)[] {
  const parts: (string | number | Uint8Array)[] = [];
  for (const [name, kind] of Object.entries(fields)) {
    const value: unknown = Reflect.get(values, name);
    if (value === null || value === undefined) break;
    if (kind === "id") parts.push(idBytes(String(value)));
    else if (kind === "hex") parts.push(Uint8Array.fromHex(String(value)));
    else if (typeof value === "string" || typeof value === "number") parts.push(value);
    else if (value instanceof Uint8Array) parts.push(value);
    else throw new Error(`The field "${name}" cannot be part of a key`);
  }
  return parts;
}

export function keyFieldsIn(fields: KeyFields, parts: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  let at = parts.length - Object.keys(fields).length;
  for (const name in fields) row[name] = partIn(fields[name], parts[at++]);
  return row;
}

function partIn(kind: PartKind | undefined, part: unknown): unknown {
  if (!(part instanceof Uint8Array) || kind === "bytes") return part;
  return kind === "id" ? idText(part) : part.toHex();
}

type StoredForm<Row> = Pick<TableOptions<Row>, "key" | "valueHasKey" | "value" | "codec">;

export function storedOf<Row extends object>(
  { key, valueHasKey, value, codec }: StoredForm<Row>,
  row: Row,
): unknown {
  if (value !== undefined) return Reflect.get(row, value);
  if (codec?.encode) return codec.encode(row);
  if (valueHasKey) return row;
  return Object.fromEntries(Object.entries(row).filter(([name]) => !(name in key)));
}

/** `stored` may be null if all fields of the row are in the key. */
export function rowOf<Row extends object>(
  { key: fields, valueHasKey, value, codec }: StoredForm<Row>,
  key: Deno.KvKey,
  stored: unknown,
): Row {
  if (value !== undefined) {
    const read = stored instanceof Deno.KvU64 ? Number(stored.value) : stored;
    return Object({ ...keyFieldsIn(fields, key), [value]: read });
  }
  const own = valueHasKey ? {} : keyFieldsIn(fields, key);
  const decoded = codec?.decode ? codec.decode(stored, Object(own)) : stored;
  return Object(valueHasKey ? decoded : { ...Object(decoded), ...own });
}

export interface IndexRow {
  readonly table: string;
  readonly key: Deno.KvKey;
  readonly value: unknown;
  readonly isUnique: boolean;
  /** True if the value depends only on the row's key and thus never changes. */
  readonly isFixed: boolean;
}

export function indexRowsOf<Row extends object>(
  { key: keyFields, indexes = {} }: TableOptions<Row>,
  ownerKey: Deno.KvKey,
  row: Row,
): IndexRow[] {
  const own = partsOf(keyFields, row);
  const [name = ""] = Object.keys(keyFields);
  return Object.values(indexes).flatMap((
    { prefix: table, key: fields, of, unique, value: valueOf },
  ) =>
    (of?.(row) ?? [row]).flatMap((values): IndexRow[] => {
      const parts = partsOf(fields, values);
      if (parts.length < Object.keys(fields).length) return [];
      const start = [table, ...ownerKey, ...parts];
      if (unique) {
        const value = Reflect.get(row, name);
        return [{ table, key: start, value, isUnique: true, isFixed: true }];
      }
      const value = valueOf ? valueOf(row) : EMPTY;
      return [{ table, key: [...start, ...own], value, isUnique: false, isFixed: !valueOf }];
    })
  );
}

export function serialiseKey(key: Deno.KvKey): string {
  return key.map((part) => part instanceof Uint8Array ? part.toHex() : String(part)).join(" ");
}

export type SealedTable = Pick<
  TableOptions<object>,
  "prefix" | "key" | "valueHasKey" | "value" | "codec" | "sealed" | "version"
>;

/** Each row needs one of a commit's 10 version checks, and the caller may need others. */
const SEALED_PER_COMMIT = 6;

export function placeOf(
  { prefix, sealed = [] }: Pick<SealedTable, "prefix" | "sealed">,
  key: Deno.KvKey,
  field: string,
): string {
  if (!sealed.includes(field)) throw new Error(`"${prefix}" seals no field "${field}"`);
  return `${serialiseKey(key)} ${field}`;
}

export function secretIn(row: object, field: string): StoredSecret | null {
  let value: unknown = row;
  for (const name of field.split(".")) {
    value = typeof value === "object" && value !== null ? Reflect.get(value, name) : null;
  }
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null && "sealed" in value ? Object(value) : null;
}

function withSecret(row: object, field: string, secret: object): object {
  const [name = "", ...rest] = field.split(".");
  const value: unknown = Reflect.get(row, name);
  const inner = typeof value === "object" && value !== null ? value : {};
  const changed = rest.length > 0
    ? withSecret(inner, rest.join("."), secret)
    : { ...inner, ...secret };
  return { ...row, [name]: changed };
}

async function* rowsWithSecrets(options: SealedTable, store: Store, after: RowPlace) {
  const prefix = [options.prefix];
  const selector = after === null ? { prefix } : { prefix, start: [...after, new Uint8Array()] };
  for await (const { key, value, versionstamp } of store.kv.list<object>(selector)) {
    const row: object = rowOf(options, key, value);
    const secrets = (options.sealed ?? []).flatMap((field) => {
      const secret = secretIn(row, field);
      return secret === null ? [] : [{ field, secret, place: placeOf(options, key, field) }];
    });
    if (secrets.length > 0) yield { key, row, versionstamp, secrets };
  }
}

/** Key after which a walk through a table continues; null at the start and the end. */
export type RowPlace = Deno.KvKey | null;

/** Encrypts credentials with the current key; skips texts that cannot be decrypted. */
export async function resealRows(
  { options, isOfStore }: { readonly options: SealedTable; readonly isOfStore: boolean },
  store: Store,
  write: Write,
  after: RowPlace,
): Promise<{ readonly after: RowPlace; readonly count: number }> {
  let count = 0;
  let rows = 0;
  for await (const found of rowsWithSecrets(options, store, after)) {
    let { row } = found;
    for (const { field, secret, place } of found.secrets) {
      if (isSealedNow(store, secret)) continue;
      const text = await openText(store, place, secret).catch(refusedAsNull);
      if (text === null) continue;
      row = withSecret(row, field, await sealText(store, place, text));
      count++;
    }
    if (row === found.row) continue;
    write.check(found.key, found.versionstamp);
    write.set(found.key, storedOf(options, row));
    if (options.version !== undefined) {
      const owner = isOfStore ? [] : found.key.slice(1, 2);
      write.set([options.version, ...owner], new Uint8Array());
    }
    if (++rows === SEALED_PER_COMMIT) return { after: found.key, count };
  }
  return { after: null, count };
}

export async function* secretTroubles(options: SealedTable, store: Store): AsyncGenerator<string> {
  for await (const { secrets } of rowsWithSecrets(options, store, null)) {
    for (const { secret, place } of secrets) {
      if (typeof secret === "string") yield `"${place}" is not sealed: kurant secret rotate`;
      const text = await openText(store, place, secret).catch(refusedAsNull);
      if (text === null) yield `"${place}" does not open: its key is missing, or it was changed`;
    }
  }
}

function refusedAsNull(error: unknown): null {
  if (error instanceof Failure && error.code === "conflict") return null;
  throw error;
}
