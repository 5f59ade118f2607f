import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { ArchiveError, type ArchiveLimits, type UnpackedBytes } from "./archive.ts";
import type { FileBytes } from "./byte_source.ts";

/** Below this a high ratio is no bomb: a table of blanks may be so. */
const RATIO_FROM_BYTES = 1_048_576;

/**
 * The file within a gzip, inflated again each time it is read; several members are one file (RFC 1952
 * §2.2). Refuses what grows beyond the bounds.
 */
export function gunzipped(
  file: FileBytes,
  packedBytes: number,
  { ratioMax }: Pick<ArchiveLimits, "ratioMax">,
  unpacked: UnpackedBytes,
): FileBytes {
  const name = file.name.replace(/\.gz(?:ip)?$/i, "");
  const bytesMax = Math.max(RATIO_FROM_BYTES, packedBytes * ratioMax);
  const count = unpacked.counterOf({ name, bytesMax, ratioMax });
  async function* chunks(): AsyncGenerator<Uint8Array> {
    // An error of either end comes out of reading.
    const inflated = pipeline(Readable.from(file.chunks()), createGunzip(), () => {});
    try {
      yield* count(inflated);
    } catch (cause) {
      if (!isBroken(cause)) throw cause;
      throw new ArchiveError("bad_gzip", `"${name}" is no whole gzip file`, { cause });
    }
  }
  return { name, charset: file.charset, chunks };
}

function isBroken(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^Z_/.test(String(error.code));
}
