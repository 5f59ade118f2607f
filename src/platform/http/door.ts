/**
 * Who is inside when a process is told to stop. The engine's own shutdown takes the body away from a
 * request that is still being read, and the answer from one that is just being written (measured on
 * Deno 2.9.6), so it comes after the last one has left.
 */
export class Door {
  #isClosed = false;
  #inside = 0;
  #emptied = Promise.withResolvers<void>();

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Runs a request, which is inside until it has its answer and, where the engine says when, until that is sent. */
  pass<T>(work: () => Promise<T>, sent?: Promise<void>): Promise<T> {
    this.#inside++;
    const answer = work();
    let open = sent ? 2 : 1;
    const close = () => {
      if (--open === 0) this.#leave();
    };
    // A client that went away, or a defect, ends a request as well; whoever called hears of it.
    answer.then(close, close);
    sent?.then(close, close);
    return answer;
  }

  /** Nobody new is welcome from now on; resolves when everyone inside has left. */
  close(): Promise<void> {
    this.#isClosed = true;
    this.#tell();
    return this.#emptied.promise;
  }

  #leave(): void {
    this.#inside--;
    this.#tell();
  }

  #tell(): void {
    if (this.#isClosed && this.#inside === 0) this.#emptied.resolve();
  }
}
