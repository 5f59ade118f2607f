/** Measures retained memory: the heap after a full collection, so garbage and load do not matter. */
import { memoryUsage } from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Bytes of the heap and of external memory after a full collection. */
export function heapBytes(): number {
  collect();
  const { heapUsed, external } = memoryUsage();
  return heapUsed + external;
}

/** Samples the heap during a walk; sees at least four fifths of memory that grows with the walk. */
export class HeapWatch {
  /** The factor between the steps of two samples. */
  readonly #stride: number;
  readonly #before = heapBytes();
  #most = 0;
  #steps = 0;
  #nextLook: number;

  /** A wider stride sees less: a stride of 2 at least half, since growing memory is largest at the end. */
  constructor({ stride = 1.25, firstLook = 1 } = {}) {
    this.#stride = stride;
    this.#nextLook = firstLook;
  }

  /** One step of the walk. Only few steps are sampled, since a full collection takes some 100 ms. */
  step(): void {
    if (++this.#steps < this.#nextLook) return;
    this.#nextLook = Math.ceil(this.#steps * this.#stride);
    this.#most = Math.max(this.#most, heapBytes() - this.#before);
  }

  /** The maximum of all samples, above the heap at construction. */
  get mostBytes(): number {
    return this.#most;
  }
}
