/** Bytes as the store keeps them where they come and go in mass: packed where that pays. */
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** Zstandard (RFC 8878); plain where packing gains little, and as rows of before have them. */
export type PackedBytes = Uint8Array | { readonly zstd: Uint8Array };

const { ZSTD_c_compressionLevel, ZSTD_c_windowLog } = constants;
/** A match lies at most 2^16 bytes back: rows have no more, and a larger window takes longer to clear. */
const PARAMS = { [ZSTD_c_compressionLevel]: 1, [ZSTD_c_windowLog]: 16 };
/** What is left of bytes that are worth packing: less would not pay for being unpacked. */
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
