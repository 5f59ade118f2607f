/** Commits changes of rows, repeats a commit if a check fails, and checks if the store works. */
import { fromKeys, sumOf } from "../../base/collections.ts";
import { Failure } from "../../base/failure.ts";
import { withTimeout } from "../event_loop.ts";
import { type DirectReads, keyHex, type PlainKey } from "./direct_reads.ts";
import { asStoreTrouble, DAMAGED, noteOwner, StoreTrouble } from "./store_trouble.ts";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";

export interface Store {
  readonly kv: Deno.Kv;
  /** A `file` or `memory` store has one server process; several servers share a `remote` store. */
  readonly kind: "file" | "memory" | "remote";
  readonly busyMs: number;
  readonly direct?: DirectReads | null;
  isDamaged?(): boolean;
  readonly secretKeys?: readonly SecretKey[];
}

/**
 * Encrypts credentials. The key comes from `SECRET_KEY` or from a key file; backups contain
 * neither.
 */
export interface SecretKey {
  /** Each encrypted text contains the id of its key. */
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export type Write = Omit<MeasuredWrite, "seal" | "topics">;

const COSTS = ["checks", "mutations", "keyBytes", "bytes"] as const;
export type CommitCost = Readonly<Record<(typeof COSTS)[number], number>>;

export const COMMIT_MAX: CommitCost = {
  checks: 10,
  mutations: 950,
  keyBytes: 75_000,
  bytes: 750_000,
};

export function addCosts(...costs: readonly Partial<CommitCost>[]): CommitCost {
  return fromKeys(COSTS, (name) => sumOf(costs, (cost) => cost[name] ?? 0));
}

export function shareOfCommit(share: number): CommitCost {
  return { ...fromKeys(COSTS, (name) => share * COMMIT_MAX[name]), checks: 0 };
}

const EMPTY = new Uint8Array();
const commits = new WeakMap<Deno.Kv, number>();

export function commitsOf({ kv }: Pick<Store, "kv">): number {
  return commits.get(kv) ?? 0;
}

const listeners = new WeakMap<Deno.Kv, Map<string, Set<() => void>>>();

export function onCommitted(
  { kv }: Pick<Store, "kv">,
  topic: string,
  listener: () => void,
): () => void {
  const topics = listeners.getOrInsertComputed(kv, () => new Map<string, Set<() => void>>());
  topics.getOrInsertComputed(topic, () => new Set<() => void>()).add(listener);
  return () => void topics.get(topic)?.delete(listener);
}

/**
 * If a version check fails, `work` runs again, so it must only change `write`. Throws `conflict`
 * after 30 failed attempts, and `unavailable` if the store stays busy or cannot write.
 */
export async function transact<T>(
  at: { readonly store: Store },
  work: (write: Write) => T | Promise<T>,
): Promise<T> {
  return (await transactVersioned(at, work)).value;
}

export async function transactVersioned<T>(
  { store }: { readonly store: Store },
  work: (write: Write) => T | Promise<T>,
): Promise<{ readonly value: T; readonly versionstamp: string | null }> {
  for (let attempt = 1; attempt <= 30; attempt++) {
    const write = new MeasuredWrite(store);
    const value = await work(write);
    if (write.isEmpty) return { value, versionstamp: null };
    const versionstamp = await commitWhenFree(store, write.seal());
    if (versionstamp) {
      commits.set(store.kv, commitsOf(store) + 1);
      for (const topic of write.topics) {
        listeners.get(store.kv)?.get(topic)?.forEach((listener) => listener());
      }
      return { value, versionstamp };
    }
    await pause(Math.random() * Math.min(64, 2 ** attempt));
  }
  throw new Failure("conflict", "Too many changes at once, try again", { retryAfterSeconds: 1 });
}

async function commitWhenFree(store: Store, operation: Deno.AtomicOperation) {
  const giveUpAt = performance.now() + store.busyMs;
  for (let wait = 4;; wait = Math.min(100, wait * 2)) {
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

function asUnavailable(error: unknown): unknown {
  if (!(error instanceof StoreTrouble)) return error;
  const message = error.kind === "damaged"
    ? DAMAGED
    : "The store takes no changes now, try again later";
  return new Failure("unavailable", message, undefined, { cause: error });
}

class MeasuredWrite {
  readonly #operation: Deno.AtomicOperation;
  readonly #hasQueue: boolean;
  readonly topics = new Set<string>();
  readonly #woken = new Set<string>();
  readonly #logs: { readonly key: Deno.KvKey; readonly parts: Set<string> }[] = [];
  readonly #touched = new Set<string>();
  readonly #sums = new Map<string, { readonly key: PlainKey; amount: number }>();
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

  /** The commit fails unless the row has this versionstamp; null means that no row exists. */
  check(key: Deno.KvKey, versionstamp: string | null): void {
    this.#cost.checks++;
    this.#operation.check({ key, versionstamp });
  }

  /** The row may still exist after `expireInMs`, so readers must check the time. */
  set(key: Deno.KvKey, value: unknown, expireInMs?: number): void {
    this.#count(key, sizeOf(value));
    this.#operation.set(key, value, expireInMs === undefined ? {} : { expireIn: expireInMs });
  }

  delete(key: Deno.KvKey): void {
    this.#count(key, 0);
    this.#operation.delete(key);
  }

  /** Writes an empty row, to change the row's version. */
  touch(key: PlainKey): void {
    const name = keyHex(key);
    if (!this.#touched.has(name)) this.set(key, EMPTY);
    this.#touched.add(name);
  }

  /** Adds a positive or negative `amount` to an unsigned counter, modulo 2^64. */
  sum(key: PlainKey, amount: number): void {
    const fresh = () => {
      this.#count(key, 8);
      return { key, amount: 0 };
    };
    this.#sums.getOrInsertComputed(keyHex(key), fresh).amount += amount;
  }

  /**
   * Adds bytes (as hex digits) to the row that this commit writes to `log`; equal bytes only once.
   * `COMMIT_MAX` leaves room for these bytes, so they are not counted.
   */
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
    // Send the message only once, because the regular search for due jobs also finds the job.
    const message: z.infer<typeof WakeUp> = { bell: kind };
    this.#operation.enqueue(message, { backoffSchedule: [] });
  }

  /** After a successful commit, calls the listeners of `topic` in this process. */
  notify(topic: string): void {
    this.topics.add(topic);
  }

  fits(cost: Partial<CommitCost>): boolean {
    return COSTS.every((name) => this.#cost[name] + (cost[name] ?? 0) <= COMMIT_MAX[name]);
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
    for (const { key, amount } of this.#sums.values()) {
      if (amount !== 0) this.#operation.sum(key, BigInt.asUintN(64, BigInt(amount)));
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

/** `onWakeUp` must return at once, because Deno KV repeats a message that takes too long. */
export function listenForWakeUp(kv: Deno.Kv, onWakeUp: (kind: string) => void): Promise<void> {
  return kv.listenQueue((message: unknown) => {
    const wakeUp = WakeUp.safeParse(message);
    // Ignore unknown messages, which a later version of the service may have sent.
    if (wakeUp.success) onWakeUp(wakeUp.data.bell);
  });
}

const ANSWER_MS_MAX = 2_000;
const PROBE_EVERY_MS = 5_000;
const PROBE_KEY = ["probe"];
/** The check for `/readyz` writes this value, to notice a full disk. */
const PROBE = new Uint8Array(60_000);

/**
 * Returns a check for `/readyz`, which throws `unavailable` if the store does not answer, refuses a
 * write, or has a damaged file.
 */
export function createStoreCheck(store: Store): () => Promise<void> {
  let probedAtMs = -Infinity;
  return async () => {
    if (store.isDamaged?.()) throw new Failure("unavailable", DAMAGED);
    const isDue = performance.now() - probedAtMs >= PROBE_EVERY_MS;
    const writeProbe = () => transact({ store }, (write) => write.set(PROBE_KEY, PROBE));
    try {
      const answer: Promise<unknown> = isDue ? writeProbe() : store.kv.get(PROBE_KEY);
      const isInTime = await withTimeout(ANSWER_MS_MAX, answer);
      if (!isInTime) throw new Error(`no answer in ${ANSWER_MS_MAX} ms`);
    } catch (cause) {
      throw new Failure("unavailable", "The store does not answer", undefined, { cause });
    }
    // A failed write leaves `probedAtMs` unchanged, so that the next check writes again.
    if (isDue) probedAtMs = performance.now();
  };
}
