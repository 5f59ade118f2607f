/** Stored bytes: their size per row, compression with Zstandard, encryption with AES-GCM. */
import { joinedBytes } from "../../base/bytes.ts";
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

/**
 * The maximum bytes of a value in numerous rows, so that a row stays on one page of a store's file
 * (4,086 of 16,384 bytes with its key). A larger one has pages of its own, half empty, and every
 * search that passes it reads it as a whole, also for rows of other tables next to it: the market
 * of a million products in values of 60,000 bytes made a product take 15 µs instead of 3, and a
 * missing one 42 instead of 1.
 */
export const PAGE_VALUE_BYTES = 4_000;

/** Zstandard (RFC 8878); plain where compression gains little, and in older rows. */
export type PackedBytes = Uint8Array | { readonly zstd: Uint8Array };

const { ZSTD_c_compressionLevel, ZSTD_c_windowLog } = constants;
/** A match lies at most 2^16 bytes back: rows have no more, and a larger window takes longer to clear. */
const PARAMS = { [ZSTD_c_compressionLevel]: 1, [ZSTD_c_windowLog]: 16 };
/** The maximum remaining share: with less gain, decompression would not pay. */
const SHARE_MAX = 0.8;

/** Of at most 64 KiB, which takes some 0.15 ms of the thread. */
export function packBytes(bytes: Uint8Array): PackedBytes {
  const zstd = zstdCompressSync(bytes, { params: PARAMS });
  // A copy: within an object the store keeps all of the memory that bytes are a part of.
  return zstd.length > bytes.length * SHARE_MAX ? bytes : { zstd: new Uint8Array(zstd) };
}

/** The inverse of `packBytes`. Throws on what would become more than `bytesMax`. */
export function unpackBytes(packed: PackedBytes, bytesMax: number): Uint8Array {
  if (packed instanceof Uint8Array) return packed;
  const bytes = zstdDecompressSync(packed.zstd, { maxOutputLength: bytesMax });
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Nonce, tag and ciphertext in one; `secret` has 32 bytes. */
export function sealBytes(secret: Uint8Array, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, secret, nonce);
  const text = [cipher.update(bytes), cipher.final()];
  return joinedBytes([nonce, cipher.getAuthTag(), ...text]);
}

/** The inverse of `sealBytes`. Throws when the secret is another one or a byte was changed. */
export function openBytes(secret: Uint8Array, sealed: Uint8Array): Uint8Array<ArrayBuffer> {
  const decipher = createDecipheriv(ALGORITHM, secret, sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = sealed.subarray(NONCE_BYTES + TAG_BYTES);
  return joinedBytes([decipher.update(text), decipher.final()]);
}
