/** Packs columns of numbers into one byte array (little-endian). */

type Numbers = Uint8Array | Uint32Array | Float64Array;

export class ByteWriter {
  readonly bytes: Uint8Array<ArrayBuffer>;
  #at = 0;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
  }

  put(column: Numbers): void {
    this.bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), this.#at);
    this.#at += column.byteLength;
  }
}

/** Read columns in the order of writing. Throws if the bytes end too early. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  fill(column: Numbers): void {
    const { buffer, byteOffset, byteLength } = column;
    new Uint8Array(buffer, byteOffset, byteLength).set(this.#take(byteLength));
  }

  bytes(count: number): Uint8Array<ArrayBuffer> {
    return this.#take(count).slice();
  }

  words(count: number): Uint32Array<ArrayBuffer> {
    const column = new Uint32Array(count);
    this.fill(column);
    return column;
  }

  floats(count: number): Float64Array<ArrayBuffer> {
    const column = new Float64Array(count);
    this.fill(column);
    return column;
  }

  #take(count: number): Uint8Array {
    const end = this.#at + count;
    if (end > this.#bytes.length) throw new RangeError("The bytes end before their columns");
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

export function longer<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}
