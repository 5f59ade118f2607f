/**
 * Functions that let long work yield to the event loop, wait with a time limit, and log stalls. In
 * a `FairQueue`, the tasks of each workspace wait in a partition. The next task comes from the
 * partition whose tasks have used the least time.
 */
import { roomLog } from "./log.ts";

let lastYield: Promise<void> = Promise.resolve();

/** Waits with a timer, because `setImmediate` would delay network traffic. */
export function yieldToEventLoop(): Promise<void> {
  lastYield = lastYield.then(() => new Promise((resolve) => setTimeout(resolve, 0)));
  return lastYield;
}

export class TimeSlice {
  readonly #limitMs: number;
  #beganMs = performance.now();
  #yielding: Promise<void> | null = null;

  constructor(limitMs = 8) {
    this.#limitMs = limitMs;
  }

  begin(): void {
    this.#beganMs = performance.now();
  }

  async yield(): Promise<void> {
    if (performance.now() - this.#beganMs <= this.#limitMs) return;
    this.#yielding ??= yieldToEventLoop().then(() => {
      this.#yielding = null;
      this.begin();
    });
    await this.#yielding;
  }
}

export async function withTimeout(delayMs: number, work: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), delayMs);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

const log = roomLog("platform");
const POLL_MS = 50;
const WINDOW_MS = 60_000;

let longest = { startedMs: 0, nowMs: 0, beforeMs: 0 };

export function longestStallMs(): number {
  rotateWindow();
  return Math.max(longest.nowMs, longest.beforeMs);
}

function rotateWindow(): void {
  const atMs = performance.now();
  const windows = Math.floor((atMs - longest.startedMs) / WINDOW_MS);
  if (windows === 0) return;
  const beforeMs = windows === 1 ? longest.nowMs : 0;
  longest = { startedMs: longest.startedMs + windows * WINDOW_MS, nowMs: 0, beforeMs };
}

export function watchStalls(): Disposable {
  let dueMs = performance.now() + POLL_MS;
  const look = () => {
    const stalledMs = Math.max(0, Math.round(performance.now() - dueMs));
    dueMs = performance.now() + POLL_MS;
    rotateWindow();
    longest = { ...longest, nowMs: Math.max(longest.nowMs, stalledMs) };
    if (stalledMs >= 1_000) log.warning("the event loop stalled", { stalledMs });
  };
  const timer = setInterval(look, POLL_MS);
  Deno.unrefTimer(timer);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

interface Partition {
  usedMs: number;
  inFlight: number;
  readonly waiting: PromiseWithResolvers<void>[];
}

export class FairQueue {
  readonly #atOnceMax: number;
  readonly #nowMs: () => number;
  readonly #keepsSlotsFree: boolean;
  readonly #partitions = new Map<string, Partition>();
  #servedMs = 0;
  #waiting = 0;
  #running = 0;
  #endedAtMs = -Infinity;

  /** If `nowMs` always returns 0, the partitions take turns. */
  constructor(
    atOnceMax: number,
    { nowMs = () => performance.now(), keepsSlotsFree = false } = {},
  ) {
    this.#atOnceMax = atOnceMax;
    this.#nowMs = nowMs;
    this.#keepsSlotsFree = keepsSlotsFree;
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  get isFull(): boolean {
    return this.#running >= this.#atOnceMax;
  }

  get waiting(): number {
    return this.#waiting;
  }

  waitingOf(name: string): number {
    return this.#partitions.get(name)?.waiting.length ?? 0;
  }

  /** An abort removes a waiting task, but does not end a running task. */
  run<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.isFull || this.#keepsSlotsFree
      ? this.#runQueued(name, work, signal)
      : this.#runNow(work);
  }

  refuseAll(reason: unknown): void {
    for (const { waiting } of this.#partitions.values()) {
      for (const one of waiting.splice(0)) one.reject(reason);
    }
    this.#waiting = 0;
  }

  async #runNow<T>(work: () => Promise<T>): Promise<T> {
    this.#running++;
    try {
      return await work();
    } finally {
      this.#end();
    }
  }

  async #runQueued<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const permit = Promise.withResolvers<void>();
    const giveUp = () => this.#drop(name, permit, signal?.reason);
    this.#add(name, permit);
    signal?.addEventListener("abort", giveUp);
    this.#handOut();
    try {
      await permit.promise;
    } finally {
      signal?.removeEventListener("abort", giveUp);
    }
    const beganAtMs = this.#nowMs();
    try {
      return await work();
    } finally {
      // Parallel tasks must not count the same time twice, so count from the last end of a task.
      this.#note(name, this.#nowMs() - Math.max(beganAtMs, this.#endedAtMs));
      this.#end();
    }
  }

  #end(): void {
    this.#endedAtMs = this.#nowMs();
    this.#running--;
    this.#handOut();
  }

  #handOut(): void {
    for (let permit = this.#next(); permit; permit = this.#next()) {
      this.#running++;
      permit.resolve();
    }
  }

  #add(name: string, permit: PromiseWithResolvers<void>): void {
    const partition = this.#partitions.get(name) ??
      { usedMs: this.#servedMs, inFlight: 0, waiting: [] };
    if (partition.waiting.length === 0) {
      partition.usedMs = Math.max(partition.usedMs, this.#servedMs);
    }
    partition.waiting.push(permit);
    this.#waiting++;
    this.#partitions.set(name, partition);
  }

  #next(): PromiseWithResolvers<void> | undefined {
    if (this.#waiting === 0 || this.isFull) return;
    let next: [name: string, partition: Partition] | null = null;
    for (const each of this.#partitions) {
      const { waiting, usedMs, inFlight } = each[1];
      const isBefore = next === null || usedMs < next[1].usedMs;
      if (waiting.length === 0 || !isBefore) continue;
      const free = this.#atOnceMax - this.#running;
      if (!this.#keepsSlotsFree || mayTakeSlot(inFlight, free)) next = each;
    }
    if (next === null) return;
    const [name, partition] = next;
    this.#servedMs = Math.max(this.#servedMs, partition.usedMs);
    // Move the partition to the end of the map, so that partitions with equal `usedMs` take turns.
    this.#partitions.delete(name);
    this.#partitions.set(name, partition);
    partition.inFlight++;
    this.#waiting--;
    return partition.waiting.shift();
  }

  #note(name: string, usedMs: number): void {
    const partition = this.#partitions.get(name);
    if (partition) {
      partition.usedMs += usedMs;
      partition.inFlight--;
    }
    for (const [other, { waiting, inFlight, usedMs }] of this.#partitions) {
      const isIdle = waiting.length + inFlight === 0;
      if (isIdle && usedMs <= this.#servedMs) this.#partitions.delete(other);
    }
  }

  #drop(name: string, permit: PromiseWithResolvers<void>, reason: unknown): void {
    const waiting = this.#partitions.get(name)?.waiting ?? [];
    const at = waiting.indexOf(permit);
    if (at < 0) return;
    waiting.splice(at, 1);
    this.#waiting--;
    permit.reject(reason);
  }
}

/** Leaves slots free for other owners: of five slots, one owner can take at most three. */
export function mayTakeSlot(own: number, free: number): boolean {
  return own < free;
}
