/** A ZIP archive of one file, deflated as it is made; sizes and checksum follow the data. */
import { crc32 } from "node:zlib";
import { join } from "../zip.ts";

const encoder = new TextEncoder();
/** Sizes in a data descriptor, name in UTF-8. */
const FLAGS = 0x0808;
const DEFLATED = 8;

export async function* zipStream(
  name: string,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const nameBytes = encoder.encode(name);
  const head = join([words(0x04034b50, [20, FLAGS, DEFLATED, 0, 0x21]), longs(0, 0, 0)]);
  const local = join([head, words(null, [nameBytes.length, 0]), nameBytes]);
  yield local;

  let sum = 0;
  let bytes = 0;
  async function* counted(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for await (const chunk of content) {
      sum = crc32(chunk, sum);
      bytes += chunk.length;
      yield new Uint8Array(chunk);
    }
  }
  let packed = 0;
  const deflate = new CompressionStream("deflate-raw");
  for await (const chunk of ReadableStream.from(counted()).pipeThrough(deflate)) {
    packed += chunk.length;
    yield chunk;
  }
  yield join([words(0x08074b50, []), longs(sum, packed, bytes)]);

  const entry = join([
    words(0x02014b50, [20, 20, FLAGS, DEFLATED, 0, 0x21]),
    longs(sum, packed, bytes),
    words(null, [nameBytes.length, 0, 0, 0, 0]),
    longs(0, 0),
    nameBytes,
  ]);
  yield entry;
  const offset = local.length + packed + 16;
  yield join([
    words(0x06054b50, [0, 0, 1, 1]),
    longs(entry.length, offset),
    words(null, [0]),
  ]);
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
