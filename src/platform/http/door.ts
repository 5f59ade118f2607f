/**
 * Counts the requests in progress while a process stops. The engine's own shutdown would cut requests and
 * responses in transfer (measured on Deno 2.9.6), so it is called after the last one.
 */
export class DrainGate {
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
    // A request also ends when its client goes away or by a defect; the caller gets the error.
    answer.then(close, close);
    sent?.then(close, close);
    return answer;
  }

  /** Refuses new requests; resolves when all inside have ended. */
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
