import { crc32, deflateRawSync } from "node:zlib";

const encoder = new TextEncoder();

export function zipSync(
  files: readonly (readonly [name: string, content: string | Uint8Array])[],
  method: "stored" | "deflated" = "stored",
) {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, content] of files) {
    const nameBytes = encoder.encode(name);
    const whole = typeof content === "string" ? encoder.encode(content) : content;
    const bytes = method === "stored" ? whole : deflateRawSync(whole, { level: 9 });
    const head = headOf(whole, bytes.length, method === "stored" ? 0 : 8);
    parts.push(record(0x04034b50, [...head, nameBytes.length, 0], nameBytes), bytes);
    const tail = [nameBytes.length, 0, 0, 0, 0, 0, 0, offset & 0xffff, offset >>> 16];
    directory.push(record(0x02014b50, [20, ...head, ...tail], nameBytes));
    offset += 30 + nameBytes.length + bytes.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const count = files.length;
  const end = record(
    0x06054b50,
    [0, 0, count, count, size & 0xffff, size >>> 16, offset & 0xffff, offset >>> 16, 0],
    new Uint8Array(),
  );
  return join([...parts, ...directory, end]);
}

/** ZIP header in 16-bit words: version, flags, method, time, date, checksum, sizes. */
function headOf(whole: Uint8Array, packed: number, method: number): number[] {
  const sum = crc32(whole);
  const sizes = [packed & 0xffff, packed >>> 16, whole.length & 0xffff, whole.length >>> 16];
  return [20, 0x800, method, 0, 0x21, sum & 0xffff, sum >>> 16, ...sizes];
}

function record(signature: number, words: readonly number[], name: Uint8Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 + words.length * 2));
  view.setUint32(0, signature, true);
  words.forEach((word, at) => view.setUint16(4 + at * 2, word, true));
  return join([new Uint8Array(view.buffer), name]);
}

export function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
