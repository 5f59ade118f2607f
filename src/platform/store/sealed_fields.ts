/** The places of sealed fields in rows, and resealing them. */
import { Failure } from "../../base/failure.ts";
import type { Store, Write } from "./kv.ts";
import { isSealedNow, openText, sealText, type StoredSecret } from "./sealed_text.ts";
import { rowOf, serialiseKey, storedOf, type TableOptions } from "./table_options.ts";

type SealedTable = Pick<
  TableOptions<object>,
  "prefix" | "key" | "valueHasKey" | "value" | "codec" | "sealed" | "version"
>;

/** Rows that one commit seals; each is checked. A migration adds two checks. */
const SEALED_PER_COMMIT = 6;

/** A sealed text opens only with the place for which it was sealed. */
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

/** The row with the parts of `secret` in the field; other parts of the field stay. */
function withSecret(row: object, field: string, secret: object): object {
  const [name = "", ...rest] = field.split(".");
  const value: unknown = Reflect.get(row, name);
  const inner = typeof value === "object" && value !== null ? value : {};
  const changed = rest.length > 0
    ? withSecret(inner, rest.join("."), secret)
    : { ...inner, ...secret };
  return { ...row, [name]: changed };
}

/** Yields the rows of all workspaces after the key `after`, with their sealed fields. */
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

/** The key of the last handled row; null after the last row of the table. */
export type RowPlace = Deno.KvKey | null;

export interface Resealed {
  readonly after: RowPlace;
  readonly count: number;
}

/** Seals rows that are not under the first key. Texts that do not open stay as they are. */
export async function resealRows(
  { options, isOfStore, store }: {
    readonly options: SealedTable;
    readonly isOfStore: boolean;
    readonly store: Store;
  },
  write: Write,
  after: RowPlace,
): Promise<Resealed> {
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
    const version = options.version === undefined ? [] : [options.version];
    if (version.length > 0) {
      write.set([...version, ...isOfStore ? [] : found.key.slice(1, 2)], new Uint8Array());
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
