const FIRST_LENGTH = 1_024;

/** Numbers from 0 to 2^32 - 1 by their place, four bytes each; what was never set is 0. */
export class GrowingNumbers {
  #numbers = new Uint32Array(FIRST_LENGTH);

  /** What they take in memory. */
  get bytes(): number {
    return this.#numbers.byteLength;
  }

  /** The numbers themselves, until one is set; zeros behind the last. */
  get all(): Uint32Array {
    return this.#numbers;
  }

  get(at: number): number {
    return this.#numbers[at] ?? 0;
  }

  set(at: number, value: number): void {
    if (at >= this.#numbers.length) {
      const grown = new Uint32Array(Math.max(at + 1, Math.ceil(this.#numbers.length * 1.5)));
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#numbers[at] = value;
  }
}
