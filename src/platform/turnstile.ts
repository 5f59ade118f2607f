/**
 * Requests of several workspaces, each in its turn. One process has one thread for all of them, so whoever
 * sends many at once would make everybody wait for all of his; here he waits for himself.
 */
import { Failure } from "../base/failure.ts";

export interface Turnstile {
  /**
   * Runs a request of a workspace as soon as the workspace has room. Refuses with `rate_limited`
   * when very many of its requests wait already.
   */
  pass<T>(workspaceId: string, work: () => Promise<T>): Promise<T>;
}

export interface TurnstileLimits {
  /** Requests in work of a workspace that is alone: who comes next finds no more than these before him. */
  readonly alone: number;
  /** Requests in work, shared among the workspaces that called a moment ago. */
  readonly shared: number;
  /** What a workspace has at least, however many others there are. */
  readonly least: number;
  /** Requests of one workspace that may wait. */
  readonly waitingMax: number;
  /** Who has not called for so long takes no share. */
  readonly presentMs: number;
}

/** 8 is what the store and one thread make use of; a browser opens 6 connections. */
export const TURNSTILE_LIMITS: TurnstileLimits = {
  alone: 16,
  shared: 8,
  least: 2,
  waitingMax: 500,
  presentMs: 2_000,
};

/** A workspace that called a moment ago. */
interface Caller {
  inWork: number;
  lastAtMs: number;
  readonly waiting: (() => void)[];
}

/** `nowMs` is a clock that never goes back. Requests are begun in the order in which they came. */
export function createTurnstile(
  limits: TurnstileLimits = TURNSTILE_LIMITS,
  nowMs: () => number = () => performance.now(),
): Turnstile {
  const callers = new Map<string, Caller>();

  function callerOf(workspaceId: string): Caller {
    const caller = callers.get(workspaceId) ?? { inWork: 0, lastAtMs: 0, waiting: [] };
    caller.lastAtMs = nowMs();
    callers.set(workspaceId, caller);
    return caller;
  }

  /** How many requests a workspace may have in work now. */
  function share(): number {
    const leftAtMs = nowMs() - limits.presentMs;
    for (const [id, { inWork, lastAtMs }] of callers) {
      if (inWork === 0 && lastAtMs < leftAtMs) callers.delete(id);
    }
    if (callers.size <= 1) return limits.alone;
    return Math.max(limits.least, Math.floor(limits.shared / callers.size));
  }

  function begin(caller: Caller): Promise<void> | void {
    if (caller.waiting.length === 0 && caller.inWork < share()) {
      caller.inWork++;
      return;
    }
    if (caller.waiting.length >= limits.waitingMax) throw tooMany(limits.waitingMax);
    // Whoever calls this has counted the request as in work already.
    return new Promise((resolve) => caller.waiting.push(resolve));
  }

  function end(caller: Caller): void {
    caller.inWork--;
    for (let free = share() - caller.inWork; free > 0; free--) {
      const next = caller.waiting.shift();
      if (next === undefined) return;
      caller.inWork++;
      next();
    }
  }

  return {
    async pass(workspaceId, work) {
      const caller = callerOf(workspaceId);
      await begin(caller);
      try {
        return await work();
      } finally {
        end(caller);
      }
    },
  };
}

function tooMany(waitingMax: number): Failure {
  return new Failure(
    "rate_limited",
    `More than ${waitingMax} requests of this workspace wait: send fewer at once`,
    { retryAfterSeconds: 1 },
  );
}
