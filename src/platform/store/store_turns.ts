/**
 * A file is read and written by one thread, in the order of asking. Whoever asks for a thousand rows
 * at once would make everybody wait for all of them, so the process hands over only a few calls at a
 * time; what waits is served by workspace, the one first that has used the least of the store.
 */
import { FairLanes } from "../fair_lanes.ts";
import type { NetworkLook } from "../network_look.ts";
import { replaceMethod } from "./replace_method.ts";

/** Calls that are handed over at once. */
export const TURNS_AT_ONCE = {
  /** So many that the store never waits for this process. */
  reads: 4,
  /** Whoever comes waits for no more than the one that is being written. */
  commits: 1,
} as const;
/** So long may work that waits for the store alone keep the event loop from the network. */
const LOOK_AFTER_MS = 8;
/** Rows that an iterator fetches at once, the rest it holds already: unless it was told, and at most. */
const DEFAULT_BATCH_SIZE = 100;
const BATCH_SIZE_MAX = 500;
/** Of an id (base/id.ts); the digests of what strangers guess are longer. */
const ID_BYTES = 12;

const owners = new WeakMap<Deno.AtomicOperation, Deno.KvKey>();

/** Says whose commit it will be: that of the workspace of `key`. */
export function noteOwner(operation: Deno.AtomicOperation, key: Deno.KvKey): void {
  owners.set(operation, key);
}

/**
 * The same store, of whose calls at most `atOnceMax` are handed over; the others wait for their turn.
 * Between them `network` is looked at.
 */
export function takingTurns(kv: Deno.Kv, atOnceMax: number, network: NetworkLook): Deno.Kv {
  const turns = new StoreTurns(atOnceMax, network);
  const { get, getMany, list, atomic } = kv;
  replaceMethod(
    kv,
    "get",
    (key: Deno.KvKey, ...options: unknown[]) =>
      turns.pass(key, () => Reflect.apply(get, kv, [key, ...options])),
  );
  replaceMethod(
    kv,
    "getMany",
    (keys: readonly Deno.KvKey[], ...options: unknown[]) =>
      turns.pass(keys[0] ?? [], () => Reflect.apply(getMany, kv, [keys, ...options])),
  );
  replaceMethod(kv, "list", (selector: Deno.KvListSelector, options: Deno.KvListOptions = {}) => {
    const rows: Deno.KvListIterator<unknown> = Reflect.apply(list, kv, [selector, options]);
    const key = "prefix" in selector ? selector.prefix : selector.start;
    const next = rows.next.bind(rows);
    const asked = options.batchSize ?? options.limit ?? DEFAULT_BATCH_SIZE;
    const batchSize = Math.min(asked, BATCH_SIZE_MAX);
    let taken = 0;
    rows.next = () => taken++ % batchSize === 0 ? turns.pass(key, next) : next();
    return rows;
  });
  replaceMethod(kv, "atomic", () => {
    const operation: Deno.AtomicOperation = Reflect.apply(atomic, kv, []);
    const commit = operation.commit.bind(operation);
    operation.commit = () => turns.pass(owners.get(operation) ?? [], commit);
    return operation;
  });
  return kv;
}

/** Who waits, and how much is handed over. */
export class StoreTurns {
  readonly #lanes = new FairLanes<() => void>();
  readonly #atOnceMax: number;
  readonly #network: Pick<NetworkLook, "after">;
  readonly #nowMs: () => number;
  #running = 0;
  #endedAtMs = -Infinity;

  /** `nowMs` is a clock that never goes back. */
  constructor(
    atOnceMax: number,
    network: Pick<NetworkLook, "after">,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#atOnceMax = atOnceMax;
    this.#network = network;
    this.#nowMs = nowMs;
  }

  /** Runs a call for the workspace that `key` belongs to, when it is its turn. */
  pass<T>(key: Deno.KvKey, call: () => Promise<T>): Promise<T> {
    return this.#running < this.#atOnceMax ? this.#run(call) : this.#queue(laneOf(key), call);
  }

  async #run<T>(call: () => Promise<T>): Promise<T> {
    this.#running++;
    try {
      await this.#network.after(LOOK_AFTER_MS);
      return await call();
    } finally {
      this.#handOver();
    }
  }

  async #queue<T>(lane: string, call: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#lanes.add(lane, resolve);
    await promise;
    const beganAtMs = this.#nowMs();
    try {
      await this.#network.after(LOOK_AFTER_MS);
      return await call();
    } finally {
      // The store took it up when it was done with the one before.
      this.#lanes.use(lane, this.#nowMs() - Math.max(beganAtMs, this.#endedAtMs));
      this.#handOver();
    }
  }

  /** Whoever ends hands its place over, so nobody who comes then gets it before those who wait. */
  #handOver(): void {
    this.#endedAtMs = this.#nowMs();
    const next = this.#lanes.take();
    if (next) next();
    else this.#running--;
  }
}

/**
 * By the second part of a key, which names the workspace of what belongs to one (docs/keys.md). All
 * else shares one lane: whoever guesses tokens has none of his own for each guess.
 */
function laneOf([, owner]: Deno.KvKey): string {
  const isId = owner instanceof Uint8Array && owner.length === ID_BYTES;
  return isId ? String.fromCharCode(...owner) : "";
}
