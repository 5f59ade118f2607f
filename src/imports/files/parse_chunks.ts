import { ChunkDecoder, type Encoding } from "../../engine/xml/encoding.ts";
import type { XmlFault, XmlReader } from "../../engine/xml/reader.ts";
import type { FileBytes } from "./byte_source.ts";

/** A chunk that was read, or why the file is refused, which is then the last step. */
export type ParseStep = { readonly chunk: Uint8Array } | { readonly fault: XmlFault };

/** Parsing so much takes half a millisecond, and judging its records two: requests are answered between. */
const STEP_BYTES = 16_384;

/** The text of a file, chunk by chunk; null stands for what is left at the end. */
export async function* textSteps(
  file: FileBytes,
  encoding: Encoding,
): AsyncGenerator<{ readonly text: string; readonly chunk: Uint8Array | null }> {
  const decoder = new ChunkDecoder(encoding);
  for await (const whole of file.chunks()) {
    for (let at = 0; at < whole.length; at += STEP_BYTES) {
      const chunk = whole.subarray(at, at + STEP_BYTES);
      yield { text: decoder.text(chunk), chunk };
    }
  }
  yield { text: decoder.text(null), chunk: null };
}

/** Feeds a whole file to a reader, chunk by chunk. */
export async function* parseChunks(
  file: FileBytes,
  encoding: Encoding,
  reader: XmlReader,
): AsyncGenerator<ParseStep> {
  for await (const { text, chunk } of textSteps(file, encoding)) {
    const fault = reader.write(text) ?? (chunk === null ? reader.end() : null);
    if (fault) return yield { fault };
    if (chunk !== null) yield { chunk };
  }
}
