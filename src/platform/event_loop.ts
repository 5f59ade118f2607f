/**
 * Long work yields to the event loop here, so that requests are answered meanwhile. Only a timer makes
 * the loop look at the network: it passes over hundreds of answers of other threads before it does so by
 * itself. All works of a process wait in one queue, so one of them runs between two looks.
 */

const SLICE_MS = 8;
/** The store's calls may follow each other for this long without a look at the network. */
const STORE_BUSY_MS = 16;

/** Settles when the last yield that was asked for is over. */
let lastYield: Promise<void> = Promise.resolve();

function yieldToEventLoop(): Promise<void> {
  lastYield = lastYield.then(() => new Promise((resolve) => setTimeout(resolve, 0)));
  return lastYield;
}

/** One long piece of work that waits for nothing. */
export class TimeSlice {
  #beganMs = performance.now();

  /** Yields when the work has run for 8 ms since it last did. */
  async yield(): Promise<void> {
    if (performance.now() - this.#beganMs <= SLICE_MS) return;
    await yieldToEventLoop();
    this.#beganMs = performance.now();
  }
}

/** The calls of one store: the event loop parks by itself whenever none is under way. */
export class StoreBusy {
  #sinceMs = 0;
  #yielding: Promise<void> | null = null;

  /** Notes that a call begins while no other one is under way. */
  begin(): void {
    this.#sinceMs = performance.now();
  }

  /** Yields once for all callers when the store has been busy for 16 ms. */
  async yield(): Promise<void> {
    if (performance.now() - this.#sinceMs <= STORE_BUSY_MS) return;
    this.#yielding ??= yieldToEventLoop().then(() => {
      this.#yielding = null;
      this.#sinceMs = performance.now();
    });
    await this.#yielding;
  }
}
