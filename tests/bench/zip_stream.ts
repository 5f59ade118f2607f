/** Writes a ZIP archive as a stream. Sizes and checksums follow the data. */
import { crc32 } from "node:zlib";
import { join } from "../zip.ts";

const encoder = new TextEncoder();
/** Flags of a ZIP entry: sizes are in a data descriptor, and names are in UTF-8. */
const FLAGS = 0x0808;
const DEFLATED = 8;

export type StreamedFile = readonly [name: string, content: AsyncIterable<Uint8Array>];

export async function* zipStream(...files: readonly StreamedFile[]): AsyncGenerator<Uint8Array> {
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, content] of files) {
    const nameBytes = encoder.encode(name);
    const head = join([words(0x04034b50, [20, FLAGS, DEFLATED, 0, 0x21]), longs(0, 0, 0)]);
    const local = join([head, words(null, [nameBytes.length, 0]), nameBytes]);
    yield local;

    let sum = 0;
    let bytes = 0;
    let packed = 0;
    const deflate = new CompressionStream("deflate-raw");
    for await (
      const chunk of ReadableStream.from(told(content, (chunk) => {
        sum = crc32(chunk, sum);
        bytes += chunk.length;
      })).pipeThrough(deflate)
    ) {
      packed += chunk.length;
      yield chunk;
    }
    yield join([words(0x08074b50, []), longs(sum, packed, bytes)]);
    directory.push(join([
      words(0x02014b50, [20, 20, FLAGS, DEFLATED, 0, 0x21]),
      longs(sum, packed, bytes),
      words(null, [nameBytes.length, 0, 0, 0, 0]),
      longs(0, offset),
      nameBytes,
    ]));
    offset += local.length + packed + 16;
  }
  const entries = join(directory);
  yield entries;
  yield join([
    words(0x06054b50, [0, 0, files.length, files.length]),
    longs(entries.length, offset),
    words(null, [0]),
  ]);
}

async function* told(
  content: AsyncIterable<Uint8Array>,
  tell: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const chunk of content) {
    tell(chunk);
    yield new Uint8Array(chunk);
  }
}

function words(signature: number | null, values: readonly number[]): Uint8Array {
  const start = signature === null ? 0 : 4;
  const view = new DataView(new ArrayBuffer(start + values.length * 2));
  if (signature !== null) view.setUint32(0, signature, true);
  values.forEach((value, at) => view.setUint16(start + at * 2, value, true));
  return new Uint8Array(view.buffer);
}

function longs(...values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 4));
  values.forEach((value, at) => view.setUint32(at * 4, value, true));
  return new Uint8Array(view.buffer);
}
