/**
 * Who waits for a worker, by lanes: the lane that has used the least of it is served next, and among
 * equals the one that was served longest ago.
 */

interface Lane<T> {
  usedMs: number;
  /** Items that were taken, and of which nobody has said yet what they took. */
  inHand: number;
  readonly waiting: T[];
}

/**
 * A queue that several share. A lane with cheap items does not wait for all of one with dear ones,
 * only for the one in hand. Who used much while nobody else was there owes nothing for it.
 */
export class FairLanes<T> {
  readonly #lanes = new Map<string, Lane<T>>();
  /** What the lane had used that was served last: who comes anew begins there. */
  #nowMs = 0;

  #waiting = 0;

  /** How many items wait in all. */
  get waiting(): number {
    return this.#waiting;
  }

  /** How many items of a lane wait. */
  waitingOf(name: string): number {
    return this.#lanes.get(name)?.waiting.length ?? 0;
  }

  add(name: string, item: T): void {
    const lane = this.#lanes.get(name) ?? { usedMs: this.#nowMs, inHand: 0, waiting: [] };
    if (lane.waiting.length === 0) lane.usedMs = Math.max(lane.usedMs, this.#nowMs);
    lane.waiting.push(item);
    this.#waiting++;
    this.#lanes.set(name, lane);
  }

  /** Takes the next item of a lane that may have one; null when none waits. */
  take(may: (name: string) => boolean = () => true): T | null {
    if (this.#waiting === 0) return null;
    let next: [name: string, lane: Lane<T>] | null = null;
    for (const each of this.#lanes) {
      const [name, lane] = each;
      const isBefore = next === null || lane.usedMs < next[1].usedMs;
      if (lane.waiting.length > 0 && isBefore && may(name)) next = each;
    }
    if (next === null) return null;
    const [name, lane] = next;
    this.#nowMs = Math.max(this.#nowMs, lane.usedMs);
    this.#lanes.delete(name);
    this.#lanes.set(name, lane);
    lane.inHand++;
    return this.#removed(lane.waiting.shift());
  }

  /** Notes what an item of a lane took. */
  use(name: string, ms: number): void {
    const lane = this.#lanes.get(name);
    if (lane) {
      lane.usedMs += ms;
      lane.inHand = Math.max(0, lane.inHand - 1);
    }
    for (const [other, { waiting, inHand, usedMs }] of this.#lanes) {
      const isIdle = waiting.length + inHand === 0;
      if (isIdle && usedMs <= this.#nowMs) this.#lanes.delete(other);
    }
  }

  /** Takes an item out that is no longer wanted; false when it does not wait. */
  drop(name: string, item: T): boolean {
    const waiting = this.#lanes.get(name)?.waiting ?? [];
    const at = waiting.indexOf(item);
    return at >= 0 && this.#removed(waiting.splice(at, 1)[0]) !== null;
  }

  /** Takes the newest item of the longest lane out when more than `count` wait there; else null. */
  dropNewest(count: number): T | null {
    let longest: T[] = [];
    for (const { waiting } of this.#lanes.values()) {
      if (waiting.length > longest.length) longest = waiting;
    }
    return longest.length > count ? this.#removed(longest.pop()) : null;
  }

  /** Takes everything out. */
  clear(): T[] {
    const items = [...this.#lanes.values()].flatMap(({ waiting }) => waiting);
    this.#lanes.clear();
    this.#waiting = 0;
    return items;
  }

  /** Items are never undefined: that is what an empty lane gives. */
  #removed(item: T | undefined): T | null {
    if (item === undefined) return null;
    this.#waiting--;
    return item;
  }
}
