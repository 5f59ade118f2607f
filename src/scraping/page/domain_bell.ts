/**
 * Tells those of this process who wait for a domain that a turn there was given back. It only saves
 * waiting: what counts is stored, and who hears nothing looks again by itself.
 */
import { isBefore, type Ticket } from "./domain_state.ts";

interface Waiting {
  readonly ticket: Ticket;
  wake(): void;
}

/** Of one domain: who waits holds a slot that others could visit another shop with. */
const WAITING_MAX = 8;

/** One per process. */
export class DomainBell {
  readonly #waiting = new Map<string, Set<Waiting>>();

  /**
   * `rang`: the ticket has to look; `over`: the time is, or `signal` aborts; `full`: enough wait
   * already.
   */
  wait(ticket: Ticket, delayMs: number, signal: AbortSignal): Promise<"rang" | "over" | "full"> {
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

  /** How many of those who wait here are served before the ticket. */
  countBefore(ticket: Ticket): number {
    const others = this.#waiting.get(ticket.domain) ?? new Set();
    return [...others].filter((other) => isBefore(other.ticket, ticket)).length;
  }

  /** Wakes the one whose turn it is among those who wait. */
  ring(domain: string): void {
    let first: Waiting | null = null;
    for (const one of this.#waiting.get(domain) ?? []) {
      if (first === null || isBefore(one.ticket, first.ticket)) first = one;
    }
    first?.wake();
  }
}
