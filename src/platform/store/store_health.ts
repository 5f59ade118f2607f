/** Checks whether the store works, for `/readyz` (docs/operations.md). */
import { Failure } from "../../base/failure.ts";
import { withTimeout } from "../event_loop.ts";
import { type Store, transact } from "./kv.ts";
import { DAMAGED } from "./store_trouble.ts";

const ANSWER_MS_MAX = 2_000;
const PROBE_EVERY_MS = 5_000;
const PROBE_KEY = ["probe"];
/** If the disk has no room for this test value, the store is reported as unavailable. */
const PROBE = new Uint8Array(60_000);

export class StoreHealth {
  readonly #store: Store;
  #probedAtMs = -Infinity;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Throws `unavailable` if the store does not answer, refuses a write, or has a damaged file. */
  async requireAnswer(): Promise<void> {
    const store = this.#store;
    if (store.isDamaged?.()) throw new Failure("unavailable", DAMAGED);
    const isDue = performance.now() - this.#probedAtMs >= PROBE_EVERY_MS;
    await inTime(isDue ? writeProbe(store) : store.kv.get(PROBE_KEY));
    // After a failed write, the next check writes again, because a full disk may have space soon.
    if (isDue) this.#probedAtMs = performance.now();
  }
}

async function writeProbe(store: Store): Promise<void> {
  await transact({ store }, (write) => Promise.resolve(write.set(PROBE_KEY, PROBE)));
}

async function inTime(answer: Promise<unknown>): Promise<void> {
  try {
    if (await withTimeout(ANSWER_MS_MAX, answer)) return;
    throw new Error(`no answer in ${ANSWER_MS_MAX} ms`);
  } catch (cause) {
    throw new Failure("unavailable", "The store does not answer", undefined, { cause });
  }
}
