/** Stores that delay commits of background work until the test releases them. */
import type { Store } from "../src/platform/store/kv.ts";
import { startTestApp, type TestAppOptions } from "./harness.ts";
import { openMemoryStore } from "./memory_store.ts";
import { type Change, watchedStore } from "./watched_store.ts";

/** Lets an import apply its first records, and delays the commits that apply more. */
export function holdJobs(store: Store) {
  let firstPlace = 0;
  return holdWhere(store, ({ value }) => {
    const place = appliedOf(value);
    if (firstPlace === 0) firstPlace = place;
    return place > firstPlace;
  });
}

export async function startDeafApp(options: TestAppOptions = {}) {
  const memory = await openMemoryStore();
  let isDeaf = false;
  const { store, release } = holdWhere(
    memory,
    ({ name, key }) => isDeaf && name === "delete" && key[0] === "nw",
  );
  const app = await startTestApp({ ...options, store });
  return {
    ...app,
    /** From now on, rules evaluate no product and close no proposal. */
    deafen: () => void (isDeaf = true),
    async [Symbol.asyncDispose]() {
      // The app cannot close while commits are delayed.
      release();
      await app[Symbol.asyncDispose]();
      memory.kv.close();
    },
  };
}

function holdWhere(store: Store, isHeld: (change: Change) => boolean) {
  const { promise: isFree, resolve: release } = Promise.withResolvers<void>();
  const committing = (changes: readonly Change[]) => changes.some(isHeld) ? isFree : undefined;
  return { store: watchedStore(store, { committing }), release };
}

function appliedOf(value: unknown): number {
  if (typeof value !== "object" || value === null || !("progress" in value)) return 0;
  const { phase, progress } = value as { phase?: string; progress?: { processed?: number } };
  return phase === "apply" ? progress?.processed ?? 0 : 0;
}
