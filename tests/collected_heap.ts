/** What is really kept: the heap behind a full collection, which no garbage and no busy machine changes. */
import { memoryUsage } from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Store } from "../src/platform/store/kv.ts";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Bytes of this process's objects, and of what they hold outside of the heap. */
export function heapBytes(): number {
  collect();
  const { heapUsed, external } = memoryUsage();
  return heapUsed + external;
}

/** Looks at the heap while a walk goes on; what grows with the walk is seen to four fifths at least. */
export class HeapWatch {
  /** A walk is looked at when it has gone this many times as far as at the last look. */
  readonly #stride: number;
  readonly #before = heapBytes();
  #most = 0;
  #steps = 0;
  #nextLook: number;

  /** With a wider stride a smaller part is seen: of 2 the half. What grows is largest at the end. */
  constructor({ stride = 1.25, firstLook = 1 } = {}) {
    this.#stride = stride;
    this.#nextLook = firstLook;
  }

  /** One step of the walk. A full collection costs some hundred milliseconds, so few steps see one. */
  step(): void {
    if (++this.#steps < this.#nextLook) return;
    this.#nextLook = Math.ceil(this.#steps * this.#stride);
    this.#most = Math.max(this.#most, heapBytes() - this.#before);
  }

  /** The most that was kept so far, above what was when the watch began. */
  get mostBytes(): number {
    return this.#most;
  }
}

/** The same store, for which each list of rows is a step. */
export function watchLists(store: Store, watch: HeapWatch): Store {
  const kv = new Proxy(store.kv, {
    get(target, name) {
      if (name === "list") watch.step();
      const member = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  return { ...store, kv };
}
