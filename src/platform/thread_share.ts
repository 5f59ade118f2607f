/**
 * Each active workspace has a credit that its work uses up and that time refills. A workspace
 * without credit waits, so a flood delays only its sender. A single active workspace never waits.
 */
import { Failure } from "../base/failure.ts";

export const THREAD_SHARE = {
  /** Requests of the only active workspace. A second workspace waits for no more than these. */
  aloneAtOnce: 16,
  /** Requests per workspace while several are active. */
  besideAtOnce: 2,
  /** Part of the thread's time that is divided among workspaces. The rest keeps waits short. */
  sharedPart: 0.6,
  /** Minimum part per workspace, even if there are many. */
  leastPart: 0.1,
  creditMsMax: 250,
  debtMsMax: 1_500,
  waitingMax: 500,
  /** A workspace without a call for this long has no share. */
  presentMs: 2_000,
} as const;

interface Caller {
  /** Running requests; `active` counts running steps, too. */
  requests: number;
  active: number;
  creditMs: number;
  seenAtMs: number;
  /** Waiting steps; waiting requests are in `waiting`. */
  readonly steps: Set<() => void>;
  readonly waiting: (() => void)[];
}

export class ThreadShare {
  readonly #nowMs: () => number;
  readonly #callers = new Map<string, Caller>();
  #countedAtMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `nowMs` is a clock that never goes back. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#countedAtMs = nowMs();
  }

  /** Throws `rate_limited` if too many requests of the workspace wait. */
  async pass<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    const caller = this.#see(workspaceId);
    if (caller.waiting.length === 0 && this.#mayBegin(caller)) begin(caller);
    else await this.#waitForRequest(caller);
    try {
      return await work();
    } finally {
      this.#count();
      caller.requests--;
      caller.active--;
      this.#admit();
    }
  }

  /** A step of long work waits only for credit, goes before requests, and is never refused. */
  async step<T>(
    workspaceId: string,
    work: () => Promise<T>,
    signal: AbortSignal | null = null,
  ): Promise<T> {
    const caller = this.#see(workspaceId);
    if (!this.#hasCredit(caller) && !signal?.aborted) await this.#waitForStep(caller, signal);
    this.#count();
    caller.active++;
    try {
      return await work();
    } finally {
      this.#count();
      caller.active--;
      this.#admit();
    }
  }

  async #waitForRequest({ waiting }: Caller): Promise<void> {
    const { waitingMax } = THREAD_SHARE;
    if (waiting.length >= waitingMax) {
      const message = `More than ${waitingMax} requests of this workspace wait: send fewer at once`;
      throw new Failure("rate_limited", message, { retryAfterSeconds: 1 });
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    this.#admit();
    await promise;
  }

  async #waitForStep({ steps }: Caller, signal: AbortSignal | null): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const leave = () => {
      steps.delete(resolve);
      resolve();
    };
    signal?.addEventListener("abort", leave);
    steps.add(resolve);
    this.#admit();
    await promise;
    signal?.removeEventListener("abort", leave);
  }

  #see(workspaceId: string): Caller {
    this.#count();
    const caller = this.#callers.getOrInsertComputed(workspaceId, () => ({
      requests: 0,
      active: 0,
      creditMs: THREAD_SHARE.creditMsMax,
      seenAtMs: 0,
      steps: new Set<() => void>(),
      waiting: [],
    }));
    caller.seenAtMs = this.#countedAtMs;
    return caller;
  }

  #mayBegin(caller: Caller): boolean {
    const { aloneAtOnce, besideAtOnce } = THREAD_SHARE;
    return this.#hasCredit(caller) &&
      caller.requests < (this.#isAlone() ? aloneAtOnce : besideAtOnce);
  }

  #isAlone(): boolean {
    return this.#callers.size <= 1;
  }

  #hasCredit(caller: Caller): boolean {
    return this.#isAlone() || caller.creditMs > 0;
  }

  /** Divides the time since the last call equally among the active tasks. */
  #count(): void {
    const atMs = this.#nowMs();
    const passedMs = atMs - this.#countedAtMs;
    this.#countedAtMs = atMs;
    let active = 0;
    for (const caller of this.#callers.values()) active += caller.active;
    const { creditMsMax, debtMsMax, presentMs } = THREAD_SHARE;
    const part = this.#part();
    for (const [id, caller] of this.#callers) {
      const usedMs = active === 0 ? 0 : passedMs * caller.active / active;
      const creditMs = caller.creditMs + passedMs * part - usedMs;
      caller.creditMs = Math.max(-debtMsMax, Math.min(creditMsMax, creditMs));
      if (caller.active > 0 || isWaiting(caller)) caller.seenAtMs = atMs;
      // A short absence must not cancel a debt.
      const hasGone = caller.seenAtMs < atMs - presentMs && caller.creditMs >= creditMsMax;
      if (hasGone) this.#callers.delete(id);
    }
  }

  #part(): number {
    const { sharedPart, leastPart } = THREAD_SHARE;
    return this.#isAlone() ? 1 : Math.max(leastPart, sharedPart / this.#callers.size);
  }

  /** Starts the tasks that may start. A timer starts the others when there is credit. */
  #admit(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    let owedMs = Infinity;
    for (const caller of this.#callers.values()) {
      // All steps start together, because a workspace has few.
      if (this.#hasCredit(caller)) {
        for (const resolve of caller.steps) resolve();
        caller.steps.clear();
      }
      while (caller.waiting.length > 0 && this.#mayBegin(caller)) {
        begin(caller);
        caller.waiting.shift()?.();
      }
      const owes = isWaiting(caller) && !this.#hasCredit(caller);
      if (owes) owedMs = Math.min(owedMs, -caller.creditMs);
    }
    if (owedMs === Infinity) return;
    this.#timer = setTimeout(() => {
      this.#count();
      this.#admit();
    }, 1 + owedMs / this.#part());
  }
}

function begin(caller: Caller): void {
  caller.requests++;
  caller.active++;
}

function isWaiting({ steps, waiting }: Caller): boolean {
  return steps.size + waiting.length > 0;
}
