const TURN_MS = 4;
const NOTHING = new Uint8Array();

/** Keeps long work that waits for nothing from holding up the requests of others. */
export class TimeSlice {
  #begunAt = performance.now();

  /**
   * Lets others have a turn when the work's own has lasted for 4 ms. It waits for a word of another
   * thread: only while it waits the event loop looks at sockets. After `setImmediate` it does so once
   * in some 60 turns; a timer would take more than a millisecond, this takes a twentieth of that.
   */
  async yield(): Promise<void> {
    if (performance.now() - this.#begunAt <= TURN_MS) return;
    await crypto.subtle.digest("SHA-256", NOTHING);
    this.#begunAt = performance.now();
  }
}
