/**
 * Credentials in rows are sealed, which means encrypted with AES-256-GCM. The first configured key,
 * which is outside the store, seals new texts. The other configured keys only decrypt texts that
 * they sealed earlier. A sealed text can be decrypted only for its own row and field. Without a
 * configured key, texts are sealed with a secret that the store itself contains.
 */
import { Failure } from "../../base/failure.ts";
import type { Store, Write } from "./kv.ts";
import { rowOf, serialiseKey, storedOf, type TableOptions } from "./table_options.ts";
import { joinedBytes } from "../../base/bytes.ts";
import type { SecretKey } from "./secret_key.ts";
import { requireStoreSecret } from "./store_secret_store.ts";
import { openBytes } from "./value_bytes.ts";
import { randomBytes } from "node:crypto";

export interface SealedText {
  readonly key: string;
  readonly sealed: Uint8Array<ArrayBuffer>;
}

/** Older rows may contain the plain text, or bytes sealed with the store's own secret. */
export type StoredSecret = string | SealedText | Pick<SealedText, "sealed">;

const ALGORITHM = "AES-GCM";
const NONCE_BYTES = 12;
const OWN_KEY = "store";

/** Returns the id of the key that seals new texts; null if the store's own secret seals them. */
export function sealingKey({ secretKeys = [] }: Store): string | null {
  return secretKeys[0]?.id ?? null;
}

function isSealedNow(store: Store, value: StoredSecret): boolean {
  return typeof value === "object" && "key" in value &&
    value.key === (sealingKey(store) ?? OWN_KEY);
}

export async function sealText(store: Store, place: string, text: string): Promise<SealedText> {
  const { id, bytes } = store.secretKeys?.[0] ?? await ownKey(store);
  const iv = new Uint8Array(randomBytes(NONCE_BYTES));
  const key = await crypto.subtle.importKey("raw", bytes, ALGORITHM, false, ["encrypt"]);
  const terms = { name: ALGORITHM, iv, additionalData: bytesOf(place) };
  const sealed = await crypto.subtle.encrypt(terms, key, bytesOf(text));
  return { key: id, sealed: joinedBytes([iv, new Uint8Array(sealed)]) };
}

/** Throws `conflict` if the text cannot be decrypted. */
export async function openText(store: Store, place: string, value: StoredSecret): Promise<string> {
  if (typeof value === "string") return value;
  if (!("key" in value)) return await openEarlier(store, value.sealed);
  const { key: id, sealed } = value;
  const found = id === OWN_KEY
    ? await ownKey(store)
    : store.secretKeys?.find((one) => one.id === id);
  if (!found) {
    throw new Failure(
      "conflict",
      `The credentials were sealed with the key ${id}, which is missing: add it to SECRET_KEY, or ` +
        "enter them again",
    );
  }
  try {
    const key = await crypto.subtle.importKey("raw", found.bytes, ALGORITHM, false, ["decrypt"]);
    const iv = sealed.slice(0, NONCE_BYTES);
    const terms = { name: ALGORITHM, iv, additionalData: bytesOf(place) };
    const text = await crypto.subtle.decrypt(terms, key, sealed.slice(NONCE_BYTES));
    return new TextDecoder().decode(text);
  } catch (cause) {
    throw unopened(cause);
  }
}

async function openEarlier(store: Store, sealed: Uint8Array): Promise<string> {
  try {
    return new TextDecoder().decode(openBytes(await requireStoreSecret(store), sealed));
  } catch (cause) {
    throw unopened(cause);
  }
}

function unopened(cause: unknown): Failure {
  const message = "The credentials were changed, or sealed by another store: enter them again";
  return new Failure("conflict", message, undefined, { cause });
}

async function ownKey(store: Store): Promise<SecretKey> {
  const secret = await requireStoreSecret(store);
  const bytes = joinedBytes([bytesOf("sealed texts\n"), secret]);
  return { id: OWN_KEY, bytes: new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)) };
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

export type SealedTable = Pick<
  TableOptions<object>,
  "prefix" | "key" | "valueHasKey" | "value" | "codec" | "sealed" | "version"
>;

/** Each row needs a version check, and a commit has at most 10 checks. */
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

/** The key of the last handled row; null before the first row and after the last row. */
export type RowPlace = Deno.KvKey | null;

/** Texts that cannot be decrypted stay unchanged. */
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
