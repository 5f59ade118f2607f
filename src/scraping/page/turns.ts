/** The requests of this process that wait for a permit or are about to take one. */
import { isBefore, type Slot } from "./domain_queue.ts";

interface Waiting {
  readonly ticket: Slot;
  wake(): void;
}

/**
 * Maximum number of waiting requests per domain, because each holds a slot that could serve another shop.
 */
const WAITING_MAX = 8;
/** A caller that takes longer than this to take a permit has moved to another process. */
const TAKING_MS_MAX = 5_000;

/** There is one object per process. */
export class Permits {
  readonly #waiting = new Map<string, Set<Waiting>>();
  readonly #taking = new Map<string, { readonly id: string; readonly atMs: number }>();

  /**
   * True while another caller is taking a permit for the domain, because two at once would
   * conflict.
   */
  isBeingTaken(domain: string, id: string): boolean {
    const taking = this.#taking.get(domain);
    if (taking === undefined || taking.id === id) return false;
    if (performance.now() - taking.atMs <= TAKING_MS_MAX) return true;
    this.#taking.delete(domain);
    return false;
  }

  /** Returns false if another caller is taking a permit. The caller ends with `leave`. */
  begin(domain: string, id: string): boolean {
    if (this.isBeingTaken(domain, id)) return false;
    // After a conflict the commit may be repeated for another shop.
    for (const [other, taking] of this.#taking) if (taking.id === id) this.#taking.delete(other);
    this.#taking.set(domain, { id, atMs: performance.now() });
    return true;
  }

  /** Must be called when the permit is committed or was not taken. */
  leave(domain: string): void {
    this.#taking.delete(domain);
  }

  /**
   * Waits for a permit. `rang`: the slot should try again; `over`: the time has passed or `signal`
   * was aborted; `full`: too many requests wait already.
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

  /** Counts the waiting requests of this process that are served before the slot. */
  countBefore(slot: Slot): number {
    const others = this.#waiting.get(slot.domain) ?? new Set();
    return [...others].filter((other) => isBefore(other.ticket, slot)).length;
  }

  /** Wakes the first waiting request. */
  wakeUp(domain: string): void {
    let first: Waiting | null = null;
    for (const one of this.#waiting.get(domain) ?? []) {
      if (first === null || isBefore(one.ticket, first.ticket)) first = one;
    }
    first?.wake();
  }
}
