/** Bytes of stored values: their best size, compression (Zstandard) and encryption (AES-GCM). */
import { joinedBytes } from "../../base/bytes.ts";
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** Values above about a quarter of an SQLite page slow down the search for a key. */
export const PAGE_VALUE_BYTES = 4_000;

export type PackedBytes = Uint8Array | { readonly zstd: Uint8Array };

const { ZSTD_c_compressionLevel, ZSTD_c_windowLog } = constants;
const PARAMS = { [ZSTD_c_compressionLevel]: 1, [ZSTD_c_windowLog]: 16 };

/** `bytes` has at most 64 KiB. */
export function packBytes(bytes: Uint8Array): PackedBytes {
  const zstd = zstdCompressSync(bytes, { params: PARAMS });
  // Copy the result, because the result refers to a larger buffer that the store would keep.
  return zstd.length > bytes.length * 0.8 ? bytes : { zstd: new Uint8Array(zstd) };
}

/** Throws if decompressed bytes would exceed `bytesMax`. */
export function unpackBytes(packed: PackedBytes, bytesMax: number): Uint8Array {
  if (packed instanceof Uint8Array) return packed;
  const options = { maxOutputLength: bytesMax, chunkSize: Math.min(bytesMax, 65_536) };
  const bytes = zstdDecompressSync(packed.zstd, options);
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts with a `secret` of 32 bytes; the result is nonce, tag and ciphertext. */
export function sealBytes(secret: Uint8Array, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, secret, nonce);
  const text = [cipher.update(bytes), cipher.final()];
  return joinedBytes([nonce, cipher.getAuthTag(), ...text]);
}

/** Throws for a wrong secret or changed bytes. */
export function openBytes(secret: Uint8Array, sealed: Uint8Array): Uint8Array<ArrayBuffer> {
  const decipher = createDecipheriv(ALGORITHM, secret, sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = sealed.subarray(NONCE_BYTES + TAG_BYTES);
  return joinedBytes([decipher.update(text), decipher.final()]);
}
