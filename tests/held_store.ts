/** Stores that hold back commits of background work, so that tests see intermediate states reliably. */
import type { Store } from "../src/platform/store/kv.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "./harness.ts";
import { openMemoryStore } from "./memory_store.ts";

interface HeldStore {
  readonly store: Store;
  /** Lets the held and all later commits through. */
  release(): void;
}

/** Lets the first commit of an applying job through, and holds those with further progress. */
export function holdJobs(store: Store): HeldStore {
  let firstPlace = 0;
  return holdWhere(store, ({ value }) => {
    const place = appliedOf(value);
    if (firstPlace === 0) firstPlace = place;
    return place > firstPlace;
  });
}

interface DeafApp extends TestApp {
  /** From now on, no change is relayed, so no rule is evaluated and no proposal is closed. */
  deafen(): void;
}

/** An app on an in-memory store that relays changes until `deafen` is called. */
export async function startDeafApp(options: TestAppOptions = {}): Promise<DeafApp> {
  const memory = await openMemoryStore();
  let isDeaf = false;
  const { store, release } = holdWhere(
    memory,
    ({ name, key }) => isDeaf && name === "delete" && key[0] === "nw",
  );
  const app = await startTestApp({ ...options, store });
  return {
    ...app,
    deafen: () => void (isDeaf = true),
    async [Symbol.asyncDispose]() {
      // The app can only close when the held calls continue.
      release();
      await app[Symbol.asyncDispose]();
      memory.kv.close();
    },
  };
}

interface Mutation {
  readonly name: "set" | "delete";
  readonly key: Deno.KvKey;
  readonly value: unknown;
}

function holdWhere(store: Store, isHeld: (mutation: Mutation) => boolean): HeldStore {
  const { promise: isFree, resolve: release } = Promise.withResolvers<void>();
  const kv = new Proxy(store.kv, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name === "atomic") return () => heldOperation(target.atomic(), isFree, isHeld);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { store: { ...store, kv }, release };
}

function heldOperation(
  operation: Deno.AtomicOperation,
  isFree: Promise<void>,
  isHeld: (mutation: Mutation) => boolean,
): Deno.AtomicOperation {
  let waits = false;
  return new Proxy(operation, {
    get(target, name) {
      if (name === "set") {
        return (...set: Parameters<typeof target.set>) => {
          waits ||= isHeld({ name, key: set[0], value: set[1] });
          return target.set(...set);
        };
      }
      if (name === "delete") {
        return (key: Deno.KvKey) => {
          waits ||= isHeld({ name, key, value: null });
          return target.delete(key);
        };
      }
      if (name === "commit") {
        return () => waits ? isFree.then(() => target.commit()) : target.commit();
      }
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** The number of records that a job's row says are applied; 0 for any other value. */
function appliedOf(value: unknown): number {
  if (typeof value !== "object" || value === null || !("progress" in value)) return 0;
  const { phase, progress } = value as { phase?: string; progress?: { processed?: number } };
  return phase === "apply" ? progress?.processed ?? 0 : 0;
}
