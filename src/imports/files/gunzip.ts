import { PACKED_CHUNK_BYTES } from "../../platform/zip.ts";
import { ArchiveError, type ArchiveLimits, type UnpackedBytes } from "./archive.ts";
import type { FileBytes } from "./byte_source.ts";

/** Below this a high ratio is no bomb: a table of blanks may be so. */
const RATIO_FROM_BYTES = 1_048_576;

/** The file within a gzip, inflated again each time it is read. Refuses what grows beyond the bounds. */
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
    const packed = ReadableStream.from(inPieces(file.chunks()));
    try {
      yield* count(packed.pipeThrough(new DecompressionStream("gzip")));
    } catch (cause) {
      if (cause instanceof ArchiveError || !(cause instanceof TypeError)) throw cause;
      throw new ArchiveError("bad_gzip", `"${name}" is no whole gzip file`, { cause });
    }
  }
  return { name, charset: file.charset, chunks };
}

/** Small ones: what one of them inflates to is in memory as a whole, a thousandfold of a bomb. */
async function* inPieces(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PACKED_CHUNK_BYTES) {
      yield new Uint8Array(chunk.subarray(at, at + PACKED_CHUNK_BYTES));
    }
  }
}
