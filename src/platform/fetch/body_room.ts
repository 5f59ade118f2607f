/** How much of what shops send is held at once: there are many slow shops, and few large pages. */

import { FairQueue, mayTakeSlot } from "../fair_queue.ts";

export interface BodyRoomLimits {
  /** A body may hold so much without asking. */
  readonly smallBytes: number;
  /** So many may hold more, at once. */
  readonly largeAtOnce: number;
}

/** With 64 pages at once of 4 MiB at most: 80 MiB together. */
export const BODY_ROOM_LIMITS: BodyRoomLimits = { smallBytes: 512 * 1024, largeAtOnce: 12 };

/** The memory of one body, released when it is no longer used. */
export interface BodyPlace extends Disposable {
  /** Resolves when the body may hold so many bytes. */
  admit(bytes: number): Promise<void>;
}

export interface BodyRoom {
  /** `lane` is the workspace that asks: none holds more places than are left for others. */
  begin(partition: string): BodyPlace;
}

export function createBodyRoom(limits: BodyRoomLimits = BODY_ROOM_LIMITS): BodyRoom {
  const desk = new LargeBodySlots(limits.largeAtOnce);
  return { begin: (partition) => new Place(desk, partition, limits.smallBytes) };
}

class Place implements BodyPlace {
  readonly #desk: LargeBodySlots;
  readonly #partition: string;
  readonly #smallBytes: number;
  #entering: Promise<void> | null = null;
  #leave: (() => void) | null = null;

  constructor(desk: LargeBodySlots, partition: string, smallBytes: number) {
    this.#desk = desk;
    this.#partition = partition;
    this.#smallBytes = smallBytes;
  }

  async admit(bytes: number): Promise<void> {
    if (bytes <= this.#smallBytes) return;
    this.#entering ??= new Promise((resolve) => {
      this.#leave = this.#desk.enter(this.#partition, resolve);
    });
    await this.#entering;
  }

  [Symbol.dispose](): void {
    this.#leave?.();
    this.#leave = null;
  }
}

/** Hands out the places for large bodies. */
class LargeBodySlots {
  readonly #queue = new FairQueue<() => void>();
  readonly #held = new Map<string, number>();
  #free: number;

  constructor(places: number) {
    this.#free = places;
  }

  /** Calls `begin` once there is a place; what it answers gives the place back, or the wish for one. */
  enter(partition: string, begin: () => void): () => void {
    let heldSinceMs: number | null = null;
    const take = () => {
      heldSinceMs = performance.now();
      this.#give(partition, 1);
      begin();
    };
    this.#queue.add(partition, take);
    this.#handOut();
    return () => {
      if (heldSinceMs === null) return void this.#queue.drop(partition, take);
      this.#queue.use(partition, performance.now() - heldSinceMs);
      this.#give(partition, -1);
      this.#handOut();
    };
  }

  #handOut(): void {
    const mayHold = (partition: string) => mayTakeSlot(this.#held.get(partition) ?? 0, this.#free);
    for (let take = this.#queue.take(mayHold); take; take = this.#queue.take(mayHold)) take();
  }

  #give(partition: string, places: number): void {
    this.#free -= places;
    const held = (this.#held.get(partition) ?? 0) + places;
    if (held === 0) this.#held.delete(partition);
    else this.#held.set(partition, held);
  }
}
