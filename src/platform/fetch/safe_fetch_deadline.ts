/** Thrown inside of a fetch and turned into its result; nobody else sees it. */
export class FetchTrouble extends Error {
  constructor(readonly errorCode: FetchErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "FetchTrouble";
  }
}

/** Why a fetch brought no answer (docs/decisions/scraping.md). */
export type FetchErrorCode =
  | "timeout"
  | "dns_error"
  | "unreachable"
  | "private_address"
  | "redirect_refused"
  | "too_large"
  | "unsupported_content";

/**
 * The time that is left for a fetch, by a clock that no signal can miss: an aborted signal alone
 * was measured not to end a read reliably. Disposing stops the timer.
 */
export class Deadline implements Disposable {
  readonly #endsAt: number;
  readonly #expired: Promise<never>;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #signal: AbortSignal;
  readonly #onAbort: () => void;

  constructor(timeoutMs: number, signal: AbortSignal) {
    const { promise, reject } = Promise.withResolvers<never>();
    this.#endsAt = performance.now() + timeoutMs;
    this.#expired = promise;
    // Whoever races it hears of it; with no race left, nobody has to.
    promise.catch(() => {});
    this.#timer = setTimeout(() => reject(lateAfter(timeoutMs)), timeoutMs);
    this.#signal = signal;
    this.#onAbort = () => reject(signal.reason);
    if (signal.aborted) this.#onAbort();
    signal.addEventListener("abort", this.#onAbort);
  }

  get leftMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  /** The promise's value, or a `timeout` when the time is over first. */
  async race<T>(promise: Promise<T>): Promise<T> {
    // The loser may still fail later; nobody waits for it then.
    promise.catch(() => {});
    const value = await Promise.race([promise, this.#expired]);
    // A stream that is always ready would leave a timer no turn.
    if (this.leftMs === 0) throw lateAfter(0);
    return value;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener("abort", this.#onAbort);
  }
}

function lateAfter(timeoutMs: number): FetchTrouble {
  const span = timeoutMs > 0 ? ` within ${timeoutMs} ms` : " in time";
  return new FetchTrouble("timeout", `The page did not come${span}`);
}
