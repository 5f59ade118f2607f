/** A store that holds a job at a place, so that what a person sees half-way does not depend on speed. */
import type { Store } from "../../src/platform/store/kv.ts";

export interface HeldStore {
  readonly store: Store;
  /** The held commits, and all later ones, go their way. */
  release(): void;
}

/** The first commit of a job that has begun to apply passes; what brings it further waits. */
export function holdJobs(store: Store): HeldStore {
  const { promise: isFree, resolve: release } = Promise.withResolvers<void>();
  let firstPlace = 0;
  const isBeyond = (value: unknown) => {
    const place = appliedOf(value);
    if (firstPlace === 0) firstPlace = place;
    return place > firstPlace;
  };
  const kv = new Proxy(store.kv, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name === "atomic") return () => heldOperation(target.atomic(), isFree, isBeyond);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { store: { ...store, kv }, release };
}

function heldOperation(
  operation: Deno.AtomicOperation,
  isFree: Promise<void>,
  isBeyond: (value: unknown) => boolean,
): Deno.AtomicOperation {
  let isHeld = false;
  return new Proxy(operation, {
    get(target, name) {
      if (name === "set") {
        return (...set: Parameters<typeof target.set>) => {
          isHeld ||= isBeyond(set[1]);
          return target.set(...set);
        };
      }
      if (name === "commit") {
        return () => isHeld ? isFree.then(() => target.commit()) : target.commit();
      }
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Records that a job has applied by its row; 0 for every other row. */
function appliedOf(value: unknown): number {
  if (typeof value !== "object" || value === null || !("progress" in value)) return 0;
  const { phase, progress } = value as { phase?: string; progress?: { processed?: number } };
  return phase === "apply" ? progress?.processed ?? 0 : 0;
}
