/** The waiting requests of this process: which wait for a permit, and which are about to take one. */
import { isBefore, type Slot } from "./domain_queue.ts";

interface Waiting {
  readonly ticket: Slot;
  wake(): void;
}

/**
 * Maximum number of waiting requests per domain, because each holds a slot that could serve another shop.
 */
const WAITING_MAX = 8;
/** A request that takes a permit for longer than this has moved to another process. */
const TAKING_MS_MAX = 5_000;

/** One per process. */
export class Permits {
  readonly #waiting = new Map<string, Set<Waiting>>();
  readonly #taking = new Map<string, { readonly id: string; readonly atMs: number }>();

  /** True while another caller is about to take a permit there, or commits one: two at once would race. */
  isBeingTaken(domain: string, id: string): boolean {
    const taking = this.#taking.get(domain);
    if (taking === undefined || taking.id === id) return false;
    if (performance.now() - taking.atMs <= TAKING_MS_MAX) return true;
    this.#taking.delete(domain);
    return false;
  }

  /** False if another caller takes a permit; `leave` says that none is taken. */
  begin(domain: string, id: string): boolean {
    if (this.isBeingTaken(domain, id)) return false;
    // A commit that lost its race may be about another shop when it is tried again.
    for (const [other, taking] of this.#taking) if (taking.id === id) this.#taking.delete(other);
    this.#taking.set(domain, { id, atMs: performance.now() });
    return true;
  }

  /** The permit is committed, or was not taken. */
  leave(domain: string): void {
    this.#taking.delete(domain);
  }

  /**
   * `rang`: the slot has to look; `over`: the time is, or `signal` aborts; `full`: enough wait
   * already.
   */
  wait(ticket: Slot, delayMs: number, signal: AbortSignal): Promise<"rang" | "over" | "full"> {
    if (signal.aborted) return Promise.resolve("over");
    const others = this.#waiting.get(ticket.domain) ?? new Set();
    if (others.size >= WAITING_MAX) return Promise.resolve("full");
    this.#waiting.set(ticket.domain, others);
    return new Promise((resolve) => {
      const end = (how: "rang" | "over") => {
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
        others.delete(waiting);
        if (others.size === 0) this.#waiting.delete(ticket.domain);
        resolve(how);
      };
      const giveUp = () => end("over");
      const waiting: Waiting = { ticket, wake: () => end("rang") };
      const timer = setTimeout(giveUp, delayMs);
      signal.addEventListener("abort", giveUp);
      others.add(waiting);
    });
  }

  /** How many of those who wait here are served before the slot. */
  countBefore(slot: Slot): number {
    const others = this.#waiting.get(slot.domain) ?? new Set();
    return [...others].filter((other) => isBefore(other.ticket, slot)).length;
  }

  /** Wakes the first of those who wait. */
  wakeUp(domain: string): void {
    let first: Waiting | null = null;
    for (const one of this.#waiting.get(domain) ?? []) {
      if (first === null || isBefore(one.ticket, first.ticket)) first = one;
    }
    first?.wake();
  }
}
