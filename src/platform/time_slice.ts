import { type Line, openLine } from "./network_look.ts";

const TURN_MS = 4;

/** Settles when the event loop has looked at the network after the last turn that was given. */
let lastTurn: Promise<void> = Promise.resolve();

/** Keeps long work that waits for nothing from holding up the requests of others. */
export class TimeSlice implements Disposable {
  #begunAt = performance.now();
  /** Undefined until there was something to wait for. */
  #line: Line | null | undefined;

  /**
   * Lets others have a turn when the work's own has lasted for 4 ms. All works of a process wait in one
   * queue, so that only one of them has a turn between two looks at the network.
   */
  async yield(): Promise<void> {
    if (performance.now() - this.#begunAt <= TURN_MS) return;
    if (this.#line === undefined) this.#line = await openLine();
    const line = this.#line;
    const turn = lastTurn.then(() => line ? line.pass() : nextTimer());
    lastTurn = turn.catch(() => {});
    await turn;
    this.#begunAt = performance.now();
  }

  [Symbol.dispose](): void {
    this.#line?.end();
    this.#line = null;
  }
}

/** Where there is no line: a look, and more than a millisecond. */
function nextTimer(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
