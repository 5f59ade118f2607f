/** Stores that delay commits of background work, so that tests see the state before them. */
import type { Store } from "../src/platform/store/kv.ts";
import { startTestApp, type TestAppOptions } from "./harness.ts";
import { openMemoryStore } from "./memory_store.ts";
import { type Change, watchedStore } from "./watched_store.ts";

/** Executes an import's commits until the first records are applied, and delays later commits. */
export function holdJobs(store: Store) {
  let firstPlace = 0;
  return holdWhere(store, ({ value }) => {
    const place = appliedOf(value);
    if (firstPlace === 0) firstPlace = place;
    return place > firstPlace;
  });
}

/** Starts an app on an in-memory store. The app relays changes until `deafen` is called. */
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
    /** After this call the app relays no changes: it evaluates no rule and closes no proposal. */
    deafen: () => void (isDeaf = true),
    async [Symbol.asyncDispose]() {
      // The app can close only after the delayed commits have been executed.
      release();
      await app[Symbol.asyncDispose]();
      memory.kv.close();
    },
  };
}

/** After `release`, the delayed commits are executed, and later commits are not delayed. */
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
