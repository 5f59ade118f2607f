import { Failure } from "../../base/failure.ts";
import { roomLog } from "../log.ts";
import { setTimeout as pause } from "node:timers/promises";

export interface LoopSetup {
  readonly name: string;
  /** Returns the time in ms until more work is due; null if unknown. */
  round(stopping: AbortSignal): Promise<number | null>;
  readonly sweepMs: number;
  /** Shortest pause between two rounds; 0 by default. */
  readonly pauseMinMs?: number;
  readonly log: ReturnType<typeof roomLog>;
}

/** Starts a round after a wake-up, at the time that the last round returned, or after `sweepMs`. */
export class WorkLoop {
  readonly #setup: LoopSetup;
  readonly #stopping = new AbortController();
  #isWoken = false;
  #endPause = () => {};
  #ended: Promise<void> = Promise.resolve();

  constructor(setup: LoopSetup) {
    this.#setup = setup;
  }

  start(): void {
    this.#ended = this.#repeat();
  }

  wake(): void {
    this.#isWoken = true;
    this.#endPause();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#ended;
  }

  async #repeat(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.#isWoken = false;
      const wishMs = await this.#takeRound(signal);
      await this.#pause(Math.min(this.#setup.sweepMs, Math.max(0, wishMs ?? Infinity)));
    }
  }

  async #takeRound(signal: AbortSignal): Promise<number | null> {
    try {
      return await this.#setup.round(signal);
    } catch (error) {
      // An interrupted round is not an error.
      if (signal.aborted) return null;
      const { log, name } = this.#setup;
      log.warning("a round of work broke off, tried again soon", { loop: name, error });
      return null;
    }
  }

  async #pause(delayMs: number): Promise<void> {
    await this.#pauseAtLeast();
    if (this.#isWoken) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#endPause = resolve;
      timer = setTimeout(resolve, delayMs);
    });
    clearTimeout(timer);
    this.#endPause = () => {};
  }

  async #pauseAtLeast(): Promise<void> {
    const { pauseMinMs = 0 } = this.#setup;
    if (pauseMinMs === 0) return;
    try {
      await pause(pauseMinMs, undefined, { signal: this.#stopping.signal });
    } catch {
      // The loop was stopped.
    }
  }
}

const log = roomLog("care");

/** If an item fails, logs the error and continues. Throws if the store refuses changes. */
export async function eachApart<T>(
  name: string,
  all: Iterable<T> | AsyncIterable<T>,
  work: (one: T) => Promise<void>,
): Promise<void> {
  for await (const one of all) {
    try {
      await work(one);
    } catch (error) {
      if (error instanceof Failure && error.code === "unavailable") throw error;
      log.error("one of several could not be done", { name, one, error });
    }
  }
}
