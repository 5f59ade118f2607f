/** Columns of numbers side by side in one piece of bytes, as the machine has them (little-endian). */

type Numbers = Uint8Array | Uint32Array | Float64Array;

/** Puts columns one behind the other. */
export class ByteWriter {
  readonly bytes: Uint8Array<ArrayBuffer>;
  #at = 0;

  /** `size` is what all columns take together. */
  constructor(size: number) {
    this.bytes = new Uint8Array(size);
  }

  put(column: Numbers): void {
    this.bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), this.#at);
    this.#at += column.byteLength;
  }
}

/** Takes columns out in the order in which they were put. Throws when the bytes end before. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  bytes(count: number): Uint8Array<ArrayBuffer> {
    const end = this.#at + count;
    if (end > this.#bytes.length) throw new RangeError("The bytes end before their columns");
    // Copied, so that columns of wider numbers lie where they may.
    const taken = this.#bytes.slice(this.#at, end);
    this.#at = end;
    return taken;
  }

  words(count: number): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.bytes(count * Uint32Array.BYTES_PER_ELEMENT).buffer);
  }

  floats(count: number): Float64Array<ArrayBuffer> {
    return new Float64Array(this.bytes(count * Float64Array.BYTES_PER_ELEMENT).buffer);
  }
}
