/**
 * Shares this thread among workspaces. Work uses up the credit of its workspace, and time refills
 * the credit. A workspace without credit waits, so a flood of requests delays only its sender. A
 * single active workspace never waits.
 */
import { Failure } from "../base/failure.ts";
import { FairQueue } from "./fair_queue.ts";

export const THREAD_SHARE = {
  /** Maximum number of running requests while only one workspace is active. */
  aloneAtOnce: 16,
  /** Maximum number of running requests per workspace while several workspaces are active. */
  besideAtOnce: 2,
  /** Part of the thread's time that all active workspaces together get. */
  sharedPart: 0.6,
  /** Minimum part of the thread's time that each active workspace gets. */
  leastPart: 0.1,
  creditMsMax: 250,
  debtMsMax: 1_500,
  waitingMax: 500,
  /** A workspace without a request or step for this long is not active. */
  presentMs: 2_000,
} as const;

interface Caller {
  /** Number of running requests and steps. */
  active: number;
  creditMs: number;
  seenAtMs: number;
}

export class ThreadShare {
  readonly #nowMs: () => number;
  readonly #callers = new Map<string, Caller>();
  readonly #steps = new FairQueue(Infinity, {
    nowMs: () => 0,
    mayBegin: (id) => this.#hasCredit(id),
  });
  readonly #requests = new FairQueue(Infinity, {
    nowMs: () => 0,
    mayBegin: (id, own) => own < this.#atOnceMax() && this.#hasCredit(id),
  });
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
    const { waitingMax } = THREAD_SHARE;
    if (this.#requests.waitingOf(workspaceId) >= waitingMax) {
      const message = `More than ${waitingMax} requests of this workspace wait: send fewer at once`;
      throw new Failure("rate_limited", message, { retryAfterSeconds: 1 });
    }
    const passing = this.#requests.run(workspaceId, () => this.#run(caller, work));
    if (this.#isWaiting(workspaceId)) this.#admit();
    return await passing;
  }

  /** If `signal` aborts while the step waits for credit, the step begins at once. */
  async step<T>(workspaceId: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const caller = this.#see(workspaceId);
    let isWaiting = true;
    const begin = () => {
      isWaiting = false;
      return this.#run(caller, work);
    };
    if (this.#hasCredit(workspaceId) || signal?.aborted) return await begin();
    const stepping = this.#steps.run(workspaceId, begin, signal);
    this.#admit();
    try {
      return await stepping;
    } catch (error) {
      if (isWaiting) return await begin();
      throw error;
    }
  }

  async #run<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
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

  #see(workspaceId: string): Caller {
    this.#count();
    const { creditMsMax: creditMs } = THREAD_SHARE;
    const caller = this.#callers.getOrInsertComputed(
      workspaceId,
      () => ({ active: 0, creditMs, seenAtMs: 0 }),
    );
    caller.seenAtMs = this.#countedAtMs;
    return caller;
  }

  #isAlone(): boolean {
    return this.#callers.size <= 1;
  }

  #atOnceMax(): number {
    return this.#isAlone() ? THREAD_SHARE.aloneAtOnce : THREAD_SHARE.besideAtOnce;
  }

  #hasCredit(workspaceId: string): boolean {
    return this.#isAlone() || (this.#callers.get(workspaceId)?.creditMs ?? 0) > 0;
  }

  #isWaiting(workspaceId: string): boolean {
    return this.#steps.waitingOf(workspaceId) + this.#requests.waitingOf(workspaceId) > 0;
  }

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
      if (caller.active > 0 || this.#isWaiting(id)) caller.seenAtMs = atMs;
      // Keep a workspace in debt, so that a short absence does not clear its debt.
      const hasGone = caller.seenAtMs < atMs - presentMs && caller.creditMs >= creditMsMax;
      if (hasGone) this.#callers.delete(id);
    }
  }

  #part(): number {
    const { sharedPart, leastPart } = THREAD_SHARE;
    return this.#isAlone() ? 1 : Math.max(leastPart, sharedPart / this.#callers.size);
  }

  #admit(): void {
    this.#steps.handOut();
    this.#requests.handOut();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    let owedMs = Infinity;
    for (const [id, { creditMs }] of this.#callers) {
      if (this.#isWaiting(id) && !this.#hasCredit(id)) owedMs = Math.min(owedMs, -creditMs);
    }
    if (owedMs === Infinity) return;
    this.#timer = setTimeout(() => {
      this.#count();
      this.#admit();
    }, 1 + owedMs / this.#part());
  }
}
