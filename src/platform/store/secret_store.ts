/** Keys: `secret` → 32 random bytes that all processes share, for example to sign cursors. */
import { decoder, encoder, joinedBytes, sha256, sha256Hex } from "../../base/bytes.ts";
import { Failure } from "../../base/failure.ts";
import { type SecretKey, type Store, transact } from "./kv.ts";
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const SECRET_KEY = ["secret"];

export async function requireStoreSecret(store: Store): Promise<Uint8Array> {
  return await transact({ store }, async (write) => {
    const found = await store.kv.get<Uint8Array>(SECRET_KEY);
    if (found.value !== null) return found.value;
    const secret = new Uint8Array(randomBytes(32));
    write.check(SECRET_KEY, null);
    write.set(SECRET_KEY, secret);
    return secret;
  });
}

/** The base64 form of 32 bytes, whose last character encodes only four bits. */
const BASE64_KEY = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

export function newSecretKey(): string {
  return randomBytes(32).toString("base64");
}

/** Keys are separated by commas or blanks; returns null unless each key is 32 bytes in base64. */
export function parseSecretKeys(text: string): readonly SecretKey[] | null {
  const parts = text.split(/[\s,]+/).filter(Boolean);
  if (parts.length === 0 || parts.some((part) => !BASE64_KEY.test(part))) return null;
  return parts.map((part) => {
    const bytes = Uint8Array.fromBase64(part);
    return { id: sha256Hex(bytes).slice(0, 8), bytes };
  });
}

/** If there is no key, creates a key file that only the current system user can read. */
export async function keysOfFolder(
  dataDir: string,
  configured: readonly SecretKey[],
): Promise<readonly SecretKey[]> {
  const path = `${dataDir}/kurant.key`;
  const found = await readKeys(path);
  if (found !== null) return [...configured, ...found];
  if (configured.length > 0) return configured;
  await makeKey(path);
  return await readKeys(path) ?? [];
}

async function readKeys(path: string): Promise<readonly SecretKey[] | null> {
  const text = await Deno.readTextFile(path).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  });
  if (text === null) return null;
  const keys = parseSecretKeys(text);
  if (keys) return keys;
  throw new Failure("unavailable", `"${path}" holds no key: put the right one back`);
}

/** If two processes create the key file at the same time, the first file stays. */
async function makeKey(path: string): Promise<void> {
  const part = `${path}.${Deno.pid}.part`;
  await Deno.writeTextFile(part, `${newSecretKey()}\n`, { mode: 0o600 });
  try {
    await Deno.link(part, path);
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  } finally {
    await Deno.remove(part);
  }
}

/**
 * Credentials in rows are sealed, which means encrypted. The first configured key, which is outside
 * the store, seals new texts. Configured keys after the first only decrypt texts that were sealed
 * with them earlier. A sealed text can be decrypted only for its own row and field (`place`).
 * Without a configured key, texts are sealed with a secret that the store itself contains.
 */
export interface SealedText {
  readonly key: string;
  readonly sealed: Uint8Array<ArrayBuffer>;
}

/** Older rows may contain the plain text, or bytes sealed with the store's own secret. */
export type StoredSecret = string | SealedText | Pick<SealedText, "sealed">;

const OWN_KEY = "store";

/** Returns the id of the key that seals new texts; null if the store's own secret seals them. */
export function sealingKey({ secretKeys = [] }: Store): string | null {
  return secretKeys[0]?.id ?? null;
}

export function isSealedNow(store: Store, value: StoredSecret): boolean {
  return typeof value === "object" && "key" in value &&
    value.key === (sealingKey(store) ?? OWN_KEY);
}

export async function sealText(store: Store, place: string, text: string): Promise<SealedText> {
  const { id, bytes } = store.secretKeys?.[0] ?? await ownKey(store);
  const { nonce, parts, tag } = encrypt(bytes, encoder.encode(text), place);
  return { key: id, sealed: joinedBytes([nonce, ...parts, tag]) };
}

/** Throws `conflict` if the text cannot be decrypted. */
export async function openText(store: Store, place: string, value: StoredSecret): Promise<string> {
  if (typeof value === "string") return value;
  const { sealed } = value;
  const secret = "key" in value
    ? await keyNamed(store, value.key)
    : await requireStoreSecret(store);
  try {
    if (!("key" in value)) return decoder.decode(openBytes(secret, sealed));
    const [nonce, text, tag] = cutAt(sealed, NONCE_BYTES, sealed.length - TAG_BYTES);
    return decoder.decode(decrypt(secret, { nonce, parts: [text], tag }, place));
  } catch (cause) {
    const message = "The credentials were changed, or sealed by another store: enter them again";
    throw new Failure("conflict", message, undefined, { cause });
  }
}

async function keyNamed(store: Store, id: string): Promise<Uint8Array> {
  const found = id === OWN_KEY
    ? await ownKey(store)
    : store.secretKeys?.find((one) => one.id === id);
  if (found) return found.bytes;
  throw new Failure(
    "conflict",
    `The credentials were sealed with the key ${id}, which is missing: add it to SECRET_KEY, or ` +
      "enter them again",
  );
}

async function ownKey(store: Store): Promise<SecretKey> {
  const secret = await requireStoreSecret(store);
  const bytes = joinedBytes([encoder.encode("sealed texts\n"), secret]);
  return { id: OWN_KEY, bytes: new Uint8Array(sha256(bytes)) };
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface Encrypted {
  readonly nonce: Uint8Array;
  readonly parts: readonly Uint8Array[];
  readonly tag: Uint8Array;
}

/** AES-256-GCM; the same `place` is needed to decrypt. */
function encrypt(secret: Uint8Array, bytes: Uint8Array, place = ""): Encrypted {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", secret, nonce).setAAD(encoder.encode(place));
  const parts = [cipher.update(bytes), cipher.final()];
  return { nonce, parts, tag: cipher.getAuthTag() };
}

function decrypt(secret: Uint8Array, { nonce, parts, tag }: Encrypted, place = "") {
  const decipher = createDecipheriv("aes-256-gcm", secret, nonce).setAAD(encoder.encode(place));
  decipher.setAuthTag(tag);
  return joinedBytes([...parts.map((part) => decipher.update(part)), decipher.final()]);
}

function cutAt(bytes: Uint8Array, first: number, second: number) {
  return [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)] as const;
}

/** Encrypts with a `secret` of 32 bytes; the result is nonce, tag and ciphertext. */
export function sealBytes(secret: Uint8Array, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { nonce, parts, tag } = encrypt(secret, bytes);
  return joinedBytes([nonce, tag, ...parts]);
}

/** Throws if the secret is wrong, or if the encrypted bytes were changed. */
export function openBytes(secret: Uint8Array, sealed: Uint8Array): Uint8Array<ArrayBuffer> {
  const [nonce, tag, text] = cutAt(sealed, NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  return decrypt(secret, { nonce, parts: [text], tag });
}
