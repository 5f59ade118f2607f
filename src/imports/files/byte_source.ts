/** Bytes that can be read again from any place: a spooled body. */
export interface ByteSource {
  readonly size: number;
  /** `length` bytes from `offset` on, fewer at the end. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** A file of an upload, read from its start as often as needed. */
export interface FileBytes {
  readonly name: string;
  /** The charset that its part of the request declares. */
  readonly charset: string | null;
  chunks(): AsyncIterable<Uint8Array>;
}

const CHUNK_BYTES = 262_144;

/** The whole source in order. */
export async function* chunksOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < source.size;) {
    const chunk = await source.read(offset, Math.min(CHUNK_BYTES, source.size - offset));
    if (chunk.length === 0) throw new Error(`The source ends at ${offset} of ${source.size} bytes`);
    offset += chunk.length;
    yield chunk;
  }
}

/** The first `length` bytes of a file, or all of it. */
export async function headOf(file: FileBytes, length: number): Promise<Uint8Array> {
  const head = new Uint8Array(length);
  let filled = 0;
  for await (const chunk of file.chunks()) {
    const part = chunk.subarray(0, length - filled);
    head.set(part, filled);
    filled += part.length;
    if (filled === length) break;
  }
  return head.subarray(0, filled);
}
