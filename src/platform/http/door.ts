/**
 * Counts the requests in progress while a process stops. The engine's own shutdown would cut off
 * requests and responses in transfer (measured on Deno 2.9.6), so it is only called after the last
 * one.
 */
export class DrainGate {
  #isClosed = false;
  #inside = 0;
  #emptied = Promise.withResolvers<void>();

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Runs a request and counts it until it has its answer. If the engine provides `sent`, the
   * request also counts until the answer is sent.
   */
  pass<T>(work: () => Promise<T>, sent?: Promise<void>): Promise<T> {
    this.#inside++;
    const answer = work();
    let open = sent ? 2 : 1;
    const close = () => {
      if (--open === 0) this.#leave();
    };
    // Requests also end if the client disconnects or an error occurs, which the caller handles.
    answer.then(close, close);
    sent?.then(close, close);
    return answer;
  }

  /** Refuses new requests. Resolves when all counted ones have ended. */
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
