import { setTimeout } from "node:timers/promises";

const TURN_MS = 4;

/** Keeps long work that waits for nothing from holding up the requests of others. */
export class TimeSlice {
  #begunAt = performance.now();

  /**
   * Lets others have a turn when the work's own has lasted for 4 ms. By a timer: after `setImmediate`
   * the event loop runs what is ready, and looks at sockets only once in some 60 turns.
   */
  async yield(): Promise<void> {
    if (performance.now() - this.#begunAt <= TURN_MS) return;
    await setTimeout(0);
    this.#begunAt = performance.now();
  }
}
