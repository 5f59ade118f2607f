/** Commits. Only this module retries lost races and knows the limits of stores. */
import { Failure } from "../../base/failure.ts";
import type { DirectReads } from "./direct_reads.ts";
import type { SecretKey } from "./secret_key.ts";
import { asStoreTrouble, DAMAGED, StoreTrouble } from "./store_trouble.ts";
import { noteOwner } from "./store_permits.ts";
import { z } from "zod";

export interface Store {
  readonly kv: Deno.Kv;
  /** `file` and `memory` belong to one server process; several processes share a `remote` one. */
  readonly kind: "file" | "memory" | "remote";
  /** How long a commit waits for a held file: 5 s in a server, 30 s in a tool. */
  readonly busyMs: number;
  /** The reader for `listBytes` and `getBytes`; absent if only the engine can read. */
  readonly direct?: DirectReads | null;
  /** True after a damaged page of the file was found; absent without a file. */
  isDamaged?(): boolean;
  /** The keys of sealed texts, the sealing one first; absent if none is configured. */
  readonly secretKeys?: readonly SecretKey[];
  /** The original handle of the process, if `kv` is a loan of it. */
  readonly shared?: Deno.Kv;
  /** Aborted when the loan ends; reads and commits then fail. */
  readonly ended?: AbortSignal;
}

/** The original handle. State that is kept per store uses it as its key. */
export function handleOf({ kv, shared }: Handle): Deno.Kv {
  return shared ?? kv;
}

type Handle = Pick<Store, "kv" | "shared">;

/** The open write to which store functions add. Its verb decides when to commit. */
export interface Write {
  /** The commit fails if the row has changed since `versionstamp` (null: if it exists). */
  check(key: Deno.KvKey, versionstamp: string | null): void;
  /** The store may delete the row some time after `expireInMs`; readers compare a time. */
  set(key: Deno.KvKey, value: unknown, expireInMs?: number): void;
  delete(key: Deno.KvKey): void;
  /** Adds to an unsigned counter; a negative `amount` subtracts (the sum wraps around at 2^64). */
  sum(key: Deno.KvKey, amount: number): void;
  /**
   * Adds bytes, as hex, to this commit's row of a log, whose key ends in the version of the commit.
   * Equal bytes are added once. At most 12 bytes per mutation: every store has this reserve beyond
   * `COMMIT_MAX`.
   */
  append(log: Deno.KvKey, hex: string): void;
  /** After the commit, wakes the workers of this kind, if the store has a queue. */
  wakeUp(kind: string): void;
  /** After the commit, calls the listeners of the topic in this process (`onCommitted`). */
  notify(topic: string): void;
  /** False if the cost would exceed the limits of some store, so that a batch must end. */
  fits(cost: Partial<CommitCost>): boolean;
  readonly isEmpty: boolean;
}

export interface CommitCost {
  readonly checks: number;
  readonly mutations: number;
  readonly keyBytes: number;
  readonly bytes: number;
}

/** The limits of a commit on every store. */
export const COMMIT_MAX: CommitCost = {
  checks: 10,
  mutations: 950,
  keyBytes: 75_000,
  bytes: 750_000,
};

export function addCosts(...costs: readonly Partial<CommitCost>[]): CommitCost {
  const sum = { checks: 0, mutations: 0, keyBytes: 0, bytes: 0 };
  for (const { checks = 0, mutations = 0, keyBytes = 0, bytes = 0 } of costs) {
    sum.checks += checks;
    sum.mutations += mutations;
    sum.keyBytes += keyBytes;
    sum.bytes += bytes;
  }
  return sum;
}

/** A share of a commit's limits without checks, to reserve room for later writes. */
export function shareOfCommit(share: number): CommitCost {
  return {
    checks: 0,
    mutations: share * COMMIT_MAX.mutations,
    keyBytes: share * COMMIT_MAX.keyBytes,
    bytes: share * COMMIT_MAX.bytes,
  };
}

interface Committed<T> {
  readonly value: T;
  /** Null if the work wrote nothing. */
  readonly versionstamp: string | null;
}

const commits = new WeakMap<Deno.Kv, number>();

/** Acknowledged commits of this process; data read before the last one may be outdated. */
export function commitsOf(store: Handle): number {
  return commits.get(handleOf(store)) ?? 0;
}

const listeners = new WeakMap<Deno.Kv, Map<string, Set<() => void>>>();

/**
 * Calls `listener` after this process's commits with `topic`, until the returned function is
 * called. The committer waits for it. Commits of other processes are not reported.
 */
export function onCommitted(store: Handle, topic: string, listener: () => void): () => void {
  const topics = listeners.getOrInsertComputed(
    handleOf(store),
    () => new Map<string, Set<() => void>>(),
  );
  topics.getOrInsertComputed(topic, () => new Set<() => void>()).add(listener);
  return () => void topics.get(topic)?.delete(listener);
}

export type BegunWrite = MeasuredWrite;

export function beginWrite({ store }: { readonly store: Store }): BegunWrite {
  return new MeasuredWrite(store);
}

/** For callers that work ahead while a commit is in flight. */
export interface CommitOptions<T> {
  /** The write that the first attempt continues. */
  readonly begun?: BegunWrite;
  /** Called when the commit of `value` has been sent to the store and is not acknowledged yet. */
  readonly committing?: (value: T) => void;
}

/**
 * Commits the writes of `work` atomically. If a check fails, `work` runs again, so it must have no
 * other effect. Throws `conflict` after 30 failures, `unavailable` if the store stays busy.
 */
export async function transact<T>(
  at: { readonly store: Store },
  work: (write: Write) => T | Promise<T>,
): Promise<T> {
  return (await transactVersioned(at, work)).value;
}

/** Returns the version of the written rows, too. */
export async function transactVersioned<T>(
  { store }: { readonly store: Store },
  work: (write: Write) => T | Promise<T>,
  { begun, committing }: CommitOptions<T> = {},
): Promise<Committed<T>> {
  for (let attempt = 1; attempt <= 30; attempt++) {
    const write = attempt === 1 && begun ? begun : new MeasuredWrite(store);
    const value = await work(write);
    if (write.isEmpty) return { value, versionstamp: null };
    const committed = commitWhenFree(store, write.seal());
    committing?.(value);
    const versionstamp = await committed;
    if (versionstamp) {
      const handle = handleOf(store);
      commits.set(handle, commitsOf(store) + 1);
      for (const topic of write.topics) {
        listeners.get(handle)?.get(topic)?.forEach((listener) => listener());
      }
      return { value, versionstamp };
    }
    await pause(Math.random() * Math.min(64, 2 ** attempt));
  }
  throw new Failure("conflict", "Too many changes at once, try again");
}

/** Null if a check failed. Waits while the file is busy. */
async function commitWhenFree(store: Store, operation: Deno.AtomicOperation) {
  const giveUpAt = performance.now() + store.busyMs;
  for (let wait = 4;; wait = Math.min(100, wait * 2)) {
    store.ended?.throwIfAborted();
    try {
      const result = await operation.commit();
      return result.ok ? result.versionstamp : null;
    } catch (thrown) {
      const error = asStoreTrouble(thrown);
      const isBusy = error instanceof StoreTrouble && error.kind === "busy";
      if (!isBusy || performance.now() > giveUpAt) throw asUnavailable(error);
      await pause(Math.random() * wait);
    }
  }
}

/** A store that cannot write now (disk full, locked, unreachable) is a state, not a defect. */
function asUnavailable(error: unknown): unknown {
  if (!(error instanceof StoreTrouble)) return error;
  const message = error.kind === "damaged"
    ? DAMAGED
    : "The store takes no changes now, try again later";
  return new Failure("unavailable", message, undefined, { cause: error });
}

function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}

/** Refuses a commit on every store if some kind of store would refuse it. */
class MeasuredWrite implements Write {
  readonly #operation: Deno.AtomicOperation;
  readonly #hasQueue: boolean;
  readonly topics = new Set<string>();
  readonly #woken = new Set<string>();
  readonly #logs: { readonly key: Deno.KvKey; readonly parts: Set<string> }[] = [];
  readonly #cost = { checks: 0, mutations: 0, keyBytes: 0, bytes: 0 };

  readonly #ownVersion: symbol;

  constructor({ kv, kind }: Store) {
    this.#operation = kv.atomic();
    this.#ownVersion = kv.commitVersionstamp();
    this.#hasQueue = kind !== "remote";
  }

  get isEmpty(): boolean {
    return this.#cost.mutations === 0 && this.#logs.length === 0;
  }

  check(key: Deno.KvKey, versionstamp: string | null): void {
    this.#cost.checks++;
    this.#operation.check({ key, versionstamp });
  }

  set(key: Deno.KvKey, value: unknown, expireInMs?: number): void {
    this.#count(key, sizeOf(value));
    this.#operation.set(key, value, expireInMs === undefined ? {} : { expireIn: expireInMs });
  }

  delete(key: Deno.KvKey): void {
    this.#count(key, 0);
    this.#operation.delete(key);
  }

  sum(key: Deno.KvKey, amount: number): void {
    this.#count(key, 8);
    this.#operation.sum(key, BigInt.asUintN(64, BigInt(amount)));
  }

  append(log: Deno.KvKey, hex: string): void {
    const isSame = ({ key }: { readonly key: Deno.KvKey }) => isSameKey(key, log);
    const known = this.#logs.find(isSame);
    if (known) known.parts.add(hex);
    else this.#logs.push({ key: log, parts: new Set([hex]) });
  }

  wakeUp(kind: string): void {
    if (!this.#hasQueue || this.#woken.has(kind)) return;
    this.#woken.add(kind);
    this.#cost.mutations++;
    // One attempt is enough, because the next sweep finds the job if the wake-up is lost.
    this.#operation.enqueue(wakeUpMessage(kind), { backoffSchedule: [] });
  }

  notify(topic: string): void {
    this.topics.add(topic);
  }

  fits(cost: Partial<CommitCost>): boolean {
    const { checks, mutations, keyBytes, bytes } = addCosts(this.#cost, cost);
    return checks <= COMMIT_MAX.checks && mutations <= COMMIT_MAX.mutations &&
      keyBytes <= COMMIT_MAX.keyBytes && bytes <= COMMIT_MAX.bytes;
  }

  seal(): Deno.AtomicOperation {
    if (!this.fits({})) {
      const { checks, mutations, keyBytes, bytes } = this.#cost;
      throw new Error(
        `A commit of ${checks} checks, ${mutations} mutations, ${bytes} bytes ` +
          `and ${keyBytes} bytes of keys is more than every store takes`,
      );
    }
    for (const { key, parts } of this.#logs) {
      this.#operation.set([...key, this.#ownVersion], Uint8Array.fromHex([...parts].join("")));
    }
    return this.#operation;
  }

  #count(key: Deno.KvKey, valueBytes: number): void {
    const keyBytes = sizeOfKey(key);
    if (this.#cost.keyBytes === 0) noteOwner(this.#operation, key);
    this.#cost.mutations++;
    this.#cost.keyBytes += keyBytes;
    this.#cost.bytes += keyBytes + valueBytes;
  }
}

export function isSameKey(one: Deno.KvKey, other: Deno.KvKey): boolean {
  return one.length === other.length && one.every((part, at) => {
    const beside = other[at];
    return part === beside || (part instanceof Uint8Array && beside instanceof Uint8Array &&
      part.length === beside.length && part.every((byte, n) => byte === beside[n]));
  });
}

/** An upper bound of a key's encoded bytes. A text of n UTF-16 units takes at most 3n. */
function sizeOfKey(key: Deno.KvKey): number {
  let bytes = 0;
  for (const part of key) {
    if (typeof part === "string") bytes += part.length * 3 + 2;
    else if (part instanceof Uint8Array) bytes += part.length + 4;
    else bytes += 10;
  }
  return bytes;
}

function sizeOf(value: unknown): number {
  if (value instanceof Uint8Array) return value.length;
  if (typeof value === "string") return value.length * 2 + 8;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + sizeOf(item), 8);
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).reduce((sum, [name, item]) => sum + name.length + sizeOf(item), 8);
  }
  return 10;
}

const WakeUp = z.object({ bell: z.string() });

/** The message may arrive twice, late or never. Workers only trust the ready row. */
function wakeUpMessage(kind: string): z.infer<typeof WakeUp> {
  return { bell: kind };
}

/** `onWakeUp` must return at once, else a message repeats. Resolves when the store is closed. */
export function listenForWakeUp(kv: Deno.Kv, onWakeUp: (kind: string) => void): Promise<void> {
  return kv.listenQueue((message: unknown) => {
    const wakeUp = WakeUp.safeParse(message);
    // Only wake-ups are enqueued; messages of later versions are ignored.
    if (wakeUp.success) onWakeUp(wakeUp.data.bell);
  });
}
