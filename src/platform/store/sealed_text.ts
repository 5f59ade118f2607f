/**
 * Credentials in rows are sealed with AES-256-GCM under a key outside the store. The first
 * configured key seals, the others only open. A sealed text names its key, and opens only in its
 * field of its row. The store's own secret is the last key: it seals only if no key is configured,
 * and opens texts of earlier versions. Plain texts of earlier versions are read as they are.
 */
import { joinedBytes } from "../../base/bytes.ts";
import { Failure } from "../../base/failure.ts";
import type { Store } from "./kv.ts";
import type { SecretKey } from "./secret_key.ts";
import { requireStoreSecret } from "./store_secret_store.ts";
import { openBytes } from "./value_bytes.ts";
import { randomBytes } from "node:crypto";

export interface SealedText {
  readonly key: string;
  /** The nonce, followed by the ciphertext and its tag. */
  readonly sealed: Uint8Array<ArrayBuffer>;
}

/** A sealed text, or one of an earlier version: plain, or bytes under the store's own secret. */
export type StoredSecret = string | SealedText | Pick<SealedText, "sealed">;

const ALGORITHM = "AES-GCM";
const NONCE_BYTES = 12;
const OWN_KEY = "store";

/** The id of the key that seals in this process; null for the store's own. */
export function sealingKey({ secretKeys = [] }: Store): string | null {
  return secretKeys[0]?.id ?? null;
}

export function isSealedNow(store: Store, value: StoredSecret): boolean {
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

/** The inverse of `sealText`. Throws `conflict`, with the reason, for a text that does not open. */
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

/** The store's own key protects little, because it is in the same store. */
async function ownKey(store: Store): Promise<SecretKey> {
  const secret = await requireStoreSecret(store);
  const bytes = joinedBytes([bytesOf("sealed texts\n"), secret]);
  return { id: OWN_KEY, bytes: new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)) };
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
