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

/**
 * Returns a check, which throws `unavailable` if the store does not answer, refuses a write, or has
 * a damaged file.
 */
export function createStoreCheck(store: Store): () => Promise<void> {
  let probedAtMs = -Infinity;
  return async () => {
    if (store.isDamaged?.()) throw new Failure("unavailable", DAMAGED);
    const isDue = performance.now() - probedAtMs >= PROBE_EVERY_MS;
    const writeProbe = () => transact({ store }, (write) => write.set(PROBE_KEY, PROBE));
    await inTime(isDue ? writeProbe() : store.kv.get(PROBE_KEY));
    // After a failed write, the next check writes again, because a full disk may have space soon.
    if (isDue) probedAtMs = performance.now();
  };
}

async function inTime(answer: Promise<unknown>): Promise<void> {
  try {
    if (await withTimeout(ANSWER_MS_MAX, answer)) return;
    throw new Error(`no answer in ${ANSWER_MS_MAX} ms`);
  } catch (cause) {
    throw new Failure("unavailable", "The store does not answer", undefined, { cause });
  }
}
