/**
 * The queue for a worker that workspaces share, with a partition for each. The partition that has used
 * the least of the worker is served next; among equals, the one that was served longest ago. So a
 * workspace that floods a worker waits for itself. What a partition used while it was alone is forgiven.
 */

interface Partition<T> {
  usedMs: number;
  /** Items that were taken and whose use is not yet noted. */
  inFlight: number;
  readonly waiting: T[];
}

/** A partition with cheap items waits for one dear item of another, not for all of them. */
export class FairQueue<T> {
  readonly #partitions = new Map<string, Partition<T>>();
  /** The use of the partition that was served last: a new partition begins there. */
  #nowMs = 0;

  #waiting = 0;

  /** How many items wait in all. */
  get waiting(): number {
    return this.#waiting;
  }

  /** How many items of a partition wait. */
  waitingOf(name: string): number {
    return this.#partitions.get(name)?.waiting.length ?? 0;
  }

  add(name: string, item: T): void {
    const partition = this.#partitions.get(name) ??
      { usedMs: this.#nowMs, inFlight: 0, waiting: [] };
    if (partition.waiting.length === 0) partition.usedMs = Math.max(partition.usedMs, this.#nowMs);
    partition.waiting.push(item);
    this.#waiting++;
    this.#partitions.set(name, partition);
  }

  /** Takes the next item of a partition that may have one; null when none waits. */
  take(may: (name: string) => boolean = () => true): T | null {
    if (this.#waiting === 0) return null;
    let next: [name: string, partition: Partition<T>] | null = null;
    for (const each of this.#partitions) {
      const [name, partition] = each;
      const isBefore = next === null || partition.usedMs < next[1].usedMs;
      if (partition.waiting.length > 0 && isBefore && may(name)) next = each;
    }
    if (next === null) return null;
    const [name, partition] = next;
    this.#nowMs = Math.max(this.#nowMs, partition.usedMs);
    this.#partitions.delete(name);
    this.#partitions.set(name, partition);
    partition.inFlight++;
    return this.#removed(partition.waiting.shift());
  }

  /** Notes how long an item of a partition took. */
  use(name: string, ms: number): void {
    const partition = this.#partitions.get(name);
    if (partition) {
      partition.usedMs += ms;
      partition.inFlight = Math.max(0, partition.inFlight - 1);
    }
    for (const [other, { waiting, inFlight, usedMs }] of this.#partitions) {
      const isIdle = waiting.length + inFlight === 0;
      if (isIdle && usedMs <= this.#nowMs) this.#partitions.delete(other);
    }
  }

  /** Takes an item out that is no longer wanted; false when it does not wait. */
  drop(name: string, item: T): boolean {
    const waiting = this.#partitions.get(name)?.waiting ?? [];
    const at = waiting.indexOf(item);
    return at >= 0 && this.#removed(waiting.splice(at, 1)[0]) !== null;
  }

  /** Takes the newest item of the longest partition out when more than `count` wait there; else null. */
  dropNewest(count: number): T | null {
    let longest: T[] = [];
    for (const { waiting } of this.#partitions.values()) {
      if (waiting.length > longest.length) longest = waiting;
    }
    return longest.length > count ? this.#removed(longest.pop()) : null;
  }

  /** Takes everything out. */
  clear(): T[] {
    const items = [...this.#partitions.values()].flatMap(({ waiting }) => waiting);
    this.#partitions.clear();
    this.#waiting = 0;
    return items;
  }

  /** Items are never undefined: that is what an empty partition gives. */
  #removed(item: T | undefined): T | null {
    if (item === undefined) return null;
    this.#waiting--;
    return item;
  }
}

/** Runs work for the partitions of a queue, a bounded number at a time. */
export class FairPermits {
  readonly queue = new FairQueue<PromiseWithResolvers<void>>();
  readonly #atOnceMax: number;
  readonly #nowMs: () => number;
  #running = 0;
  #endedAtMs = -Infinity;

  /** `nowMs` is a clock that never goes back; a constant one counts all work alike. */
  constructor(atOnceMax: number, nowMs: () => number = () => performance.now()) {
    this.#atOnceMax = atOnceMax;
    this.#nowMs = nowMs;
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  /** True when the next work has to wait. */
  get isFull(): boolean {
    return this.#running >= this.#atOnceMax;
  }

  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.isFull ? this.#runQueued(name, work) : this.#runNow(work);
  }

  async #runNow<T>(work: () => Promise<T>): Promise<T> {
    this.#running++;
    try {
      return await work();
    } finally {
      this.#handOver();
    }
  }

  async #runQueued<T>(name: string, work: () => Promise<T>): Promise<T> {
    const permit = Promise.withResolvers<void>();
    this.queue.add(name, permit);
    await permit.promise;
    const beganAtMs = this.#nowMs();
    try {
      return await work();
    } finally {
      // The worker began it when it was done with the one before.
      this.queue.use(name, this.#nowMs() - Math.max(beganAtMs, this.#endedAtMs));
      this.#handOver();
    }
  }

  /** The permit goes to the work that waits, so work that comes now cannot overtake it. */
  #handOver(): void {
    this.#endedAtMs = this.#nowMs();
    const next = this.queue.take();
    if (next) next.resolve();
    else this.#running--;
  }
}

/**
 * True when a holder of `own` slots may have one more of the `free` ones: a holder has no more than
 * are left for others. A single one gets half of the slots, and a new one finds a free slot until
 * there are as many holders as slots. The waiting rows belong to the store, which several processes
 * share, so there is no queue to order as in `FairQueue`.
 */
export function mayTakeSlot(own: number, free: number): boolean {
  return own < free;
}
