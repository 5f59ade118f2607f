/**
 * A queue before a resource that workspaces share, such as the store's file, this thread or a
 * Worker. Each workspace has a partition, in which its tasks wait in order of arrival. The
 * partition that has used the resource for the least time is served next. Without `mayBegin`, a
 * task that finds a free slot begins at once and its time is not counted, which keeps most calls of
 * the store cheap.
 */

interface Partition {
  usedMs: number;
  inFlight: number;
  readonly waiting: PromiseWithResolvers<void>[];
}

interface FairOptions {
  /** A clock that never goes back. A constant clock counts no time, so partitions take turns. */
  readonly nowMs?: () => number;
  /**
   * A further condition for starting a task of a partition that has `own` running tasks. Call
   * `handOut` when the condition has changed.
   */
  mayBegin?(name: string, own: number, free: number): boolean;
}

export class FairQueue {
  readonly #atOnceMax: number;
  readonly #nowMs: () => number;
  readonly #mayBegin: FairOptions["mayBegin"];
  readonly #partitions = new Map<string, Partition>();
  /** Used time of the partition that was served last. A new partition starts with this time. */
  #servedMs = 0;
  #waiting = 0;
  #running = 0;
  #endedAtMs = -Infinity;

  constructor(atOnceMax: number, options: FairOptions = {}) {
    this.#atOnceMax = atOnceMax;
    this.#nowMs = options.nowMs ?? (() => performance.now());
    this.#mayBegin = options.mayBegin;
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
    return this.isFull || this.#mayBegin ? this.#runQueued(name, work, signal) : this.#runNow(work);
  }

  /**
   * Rejects the newest task of the longest partition if this partition has more than `count` tasks.
   * Returns true if a task was rejected.
   */
  refuseNewest(count: number, reason: unknown): boolean {
    let longest: PromiseWithResolvers<void>[] = [];
    for (const { waiting } of this.#partitions.values()) {
      if (waiting.length > longest.length) longest = waiting;
    }
    const newest = longest.length > count ? longest.pop() : undefined;
    if (!newest) return false;
    this.#waiting--;
    newest.reject(reason);
    return true;
  }

  refuseAll(reason: unknown): void {
    while (this.refuseNewest(0, reason));
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
    this.handOut();
    try {
      await permit.promise;
    } finally {
      signal?.removeEventListener("abort", giveUp);
    }
    const beganAtMs = this.#nowMs();
    try {
      return await work();
    } finally {
      // The resource serves one task after another, so this task's time begins when the previous
      // task has ended.
      this.#note(name, this.#nowMs() - Math.max(beganAtMs, this.#endedAtMs));
      this.#end();
    }
  }

  /** Ends a task and at once starts waiting tasks, so that no new task overtakes them. */
  #end(): void {
    this.#endedAtMs = this.#nowMs();
    this.#running--;
    this.handOut();
  }

  /** Starts all waiting tasks that may begin. */
  handOut(): void {
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
      const [name, { waiting, usedMs, inFlight }] = each;
      const isBefore = next === null || usedMs < next[1].usedMs;
      if (waiting.length === 0 || !isBefore) continue;
      if (this.#mayBegin?.(name, inFlight, this.#atOnceMax - this.#running) ?? true) next = each;
    }
    if (next === null) return;
    const [name, partition] = next;
    this.#servedMs = Math.max(this.#servedMs, partition.usedMs);
    // Partitions with equal times take turns, because the served partition moves to the end of the
    // map.
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

/**
 * A holder may take a slot while it has fewer slots than are free. A single holder gets half of all
 * slots.
 */
export function mayTakeSlot(own: number, free: number): boolean {
  return own < free;
}
