import { ChunkDecoder, type Encoding } from "../../xml/encoding.ts";
import type { XmlFault, XmlReader } from "../../xml/reader.ts";
import type { FileBytes } from "./byte_source.ts";

/** Feeds a whole file to a reader; each chunk comes out once it is read. Returns the fault, if any. */
export async function* parseChunks(
  file: FileBytes,
  encoding: Encoding,
  reader: XmlReader,
): AsyncGenerator<Uint8Array, XmlFault | null> {
  const decoder = new ChunkDecoder(encoding);
  for await (const chunk of file.chunks()) {
    const fault = reader.write(decoder.text(chunk));
    if (fault) return fault;
    yield chunk;
  }
  return reader.write(decoder.text(null)) ?? reader.end();
}
