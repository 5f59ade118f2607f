/**
 * One thread works for all workspaces of a process. Each workspace has a share of the thread's time
 * while others are active, and waits when it has used more; so a flood delays only its sender. A
 * workspace that is alone has all of it. `FairQueue` orders work for a worker that does one thing
 * at a time; here many are in progress at once, and time is credit that returns as it passes.
 */
import { Failure } from "../base/failure.ts";

export interface ThreadShareLimits {
  /** Requests in work of a workspace that is alone: who comes next finds no more than these before him. */
  readonly aloneAtOnce: number;
  /** The same while others are active. */
  readonly besideAtOnce: number;
  /** Part of the thread's time that workspaces share among them; the rest keeps their waits short. */
  readonly sharedPart: number;
  /** No workspace has a smaller part, however many there are. */
  readonly leastPart: number;
  /** The maximum credit of an idle caller, and the maximum debt of a busy one. */
  readonly creditMsMax: number;
  readonly debtMsMax: number;
  /** Requests of one workspace that may wait. */
  readonly waitingMax: number;
  /** A caller without a call for this long has no share. */
  readonly presentMs: number;
}

export const THREAD_SHARE_LIMITS: ThreadShareLimits = {
  aloneAtOnce: 16,
  besideAtOnce: 2,
  sharedPart: 0.6,
  leastPart: 0.1,
  creditMsMax: 250,
  debtMsMax: 1_500,
  waitingMax: 500,
  presentMs: 2_000,
};

/** A workspace that is there. */
interface Caller {
  /** Requests in work, and everything of it that uses the thread now. */
  requests: number;
  active: number;
  /** The remaining credit; below 0 the caller waits. */
  creditMs: number;
  seenAtMs: number;
  readonly steps: Set<() => void>;
  readonly waiting: Waiting[];
}

interface Waiting {
  /** False for what only enters. */
  readonly isRequest: boolean;
  begin(): void;
}

/** The shares of one process. */
export class ThreadShare {
  readonly #limits: ThreadShareLimits;
  readonly #nowMs: () => number;
  readonly #callers = new Map<string, Caller>();
  #countedAtMs: number;
  /** Steps and requests of all workspaces that wait. */
  #waiters = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `nowMs` is a clock that never goes back. */
  constructor(
    limits: ThreadShareLimits = THREAD_SHARE_LIMITS,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#limits = limits;
    this.#nowMs = nowMs;
    this.#countedAtMs = nowMs();
  }

  /**
   * Resolves when the workspace may begin something: before a body is read, whose reading takes time
   * as well. Refuses with `rate_limited` when very many of its requests wait already.
   */
  async enter(workspaceId: string): Promise<void> {
    await this.#wait(this.#see(workspaceId), false);
  }

  /** Runs a request, as one of a few that a workspace has in work. Refuses as `enter` does. */
  async pass<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    const caller = this.#see(workspaceId);
    const turn = this.#wait(caller, true);
    if (turn) await turn;
    try {
      return await work();
    } finally {
      this.#count();
      caller.requests--;
      caller.active--;
      this.#admit();
    }
  }

  /**
   * Runs a step of long work. It waits for the share alone, before requests do, and is never refused;
   * after an abort it waits no more.
   */
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

  async #waitForStep(caller: Caller, signal: AbortSignal | null): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const leave = () => {
      if (caller.steps.delete(resolve)) this.#waiters--;
      resolve();
    };
    signal?.addEventListener("abort", leave);
    caller.steps.add(resolve);
    this.#waiters++;
    this.#admit();
    await promise;
    signal?.removeEventListener("abort", leave);
  }

  #see(workspaceId: string): Caller {
    this.#count();
    const found = this.#callers.get(workspaceId);
    if (found) {
      found.seenAtMs = this.#countedAtMs;
      return found;
    }
    const caller: Caller = {
      requests: 0,
      active: 0,
      creditMs: this.#limits.creditMsMax,
      seenAtMs: this.#countedAtMs,
      steps: new Set(),
      waiting: [],
    };
    this.#callers.set(workspaceId, caller);
    return caller;
  }

  #wait(caller: Caller, isRequest: boolean): Promise<void> | void {
    if (caller.waiting.length === 0 && this.#mayBegin(caller, isRequest)) {
      return this.#begin(caller, isRequest);
    }
    if (caller.waiting.length >= this.#limits.waitingMax) throw tooMany(this.#limits.waitingMax);
    return new Promise((resolve) => {
      caller.waiting.push({ isRequest, begin: resolve });
      this.#waiters++;
      this.#admit();
    });
  }

  #mayBegin(caller: Caller, isRequest: boolean): boolean {
    const { aloneAtOnce, besideAtOnce } = this.#limits;
    const atOnce = this.#isAlone() ? aloneAtOnce : besideAtOnce;
    return this.#hasCredit(caller) && (!isRequest || caller.requests < atOnce);
  }

  #begin(caller: Caller, isRequest: boolean): void {
    if (!isRequest) return;
    caller.requests++;
    caller.active++;
  }

  #isAlone(): boolean {
    return this.#callers.size <= 1;
  }

  #hasCredit(caller: Caller): boolean {
    return this.#isAlone() || caller.creditMs > 0;
  }

  /** Divides the time since the last call equally among the active callers. */
  #count(): void {
    const atMs = this.#nowMs();
    const passedMs = atMs - this.#countedAtMs;
    this.#countedAtMs = atMs;
    let active = 0;
    for (const caller of this.#callers.values()) active += caller.active;
    const { creditMsMax, debtMsMax, presentMs } = this.#limits;
    const part = this.#part();
    for (const [id, caller] of this.#callers) {
      const usedMs = active === 0 ? 0 : passedMs * caller.active / active;
      const creditMs = caller.creditMs + passedMs * part - usedMs;
      caller.creditMs = Math.max(-debtMsMax, Math.min(creditMsMax, creditMs));
      const isIdle = caller.active + caller.steps.size + caller.waiting.length === 0;
      if (!isIdle) caller.seenAtMs = atMs;
      // A short absence does not cancel a debt.
      const hasGone = caller.seenAtMs < atMs - presentMs && caller.creditMs >= creditMsMax;
      if (hasGone) this.#callers.delete(id);
    }
  }

  #part(): number {
    const { sharedPart, leastPart } = this.#limits;
    return this.#isAlone() ? 1 : Math.max(leastPart, sharedPart / this.#callers.size);
  }

  /** Begins what may begin, and looks again when the next one will have earned its turn. */
  #admit(): void {
    if (this.#waiters === 0 && this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    let owedMs = Infinity;
    for (const caller of this.#callers.values()) {
      this.#admitOf(caller);
      const isWaiting = caller.steps.size + caller.waiting.length > 0;
      if (isWaiting && !this.#hasCredit(caller)) owedMs = Math.min(owedMs, -caller.creditMs);
    }
    if (owedMs === Infinity) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#count();
      this.#admit();
    }, 1 + owedMs / this.#part());
  }

  #admitOf(caller: Caller): void {
    // They share what they are given: a workspace has few at a time.
    if (this.#hasCredit(caller)) {
      for (const begin of caller.steps) begin();
      this.#waiters -= caller.steps.size;
      caller.steps.clear();
    }
    for (let next = caller.waiting[0]; next && this.#mayBegin(caller, next.isRequest);) {
      caller.waiting.shift();
      this.#waiters--;
      this.#begin(caller, next.isRequest);
      next.begin();
      next = caller.waiting[0];
    }
  }
}

function tooMany(waitingMax: number): Failure {
  return new Failure(
    "rate_limited",
    `More than ${waitingMax} requests of this workspace wait: send fewer at once`,
    { retryAfterSeconds: 1 },
  );
}
