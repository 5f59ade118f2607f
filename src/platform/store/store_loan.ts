/**
 * Background work borrows the store. After a stop, the next read or commit of this work throws, so
 * the work need not watch for a stop.
 */
import { Failure } from "../../base/failure.ts";
import { withTimeout } from "../event_loop.ts";
import type { Store } from "./kv.ts";
import { replaceMethod } from "./handle.ts";

/** Thrown to end work after a stop. It is not reported as an error. */
export class LoanEnded extends Failure {
  constructor() {
    super("unavailable", "The process stops");
  }
}

export class StoreLoan {
  readonly #ended = new AbortController();
  readonly store: Store;

  constructor(store: Store) {
    const { kv, direct } = store;
    const { signal: ended } = this.#ended;
    this.store = {
      ...store,
      kv: endingKv(kv, ended),
      ...(direct ? { direct: ending(direct, ended) } : {}),
      shared: store.shared ?? kv,
      ended,
    };
  }

  /** Waits for the end of the work. After `graceMs`, ends the loan. */
  async endBehind(work: Promise<unknown>, graceMs = 300): Promise<void> {
    if (await withTimeout(graceMs, work)) return;
    this.#ended.abort(new LoanEnded());
  }
}

function ending<T extends object>(
  whole: T,
  ended: AbortSignal,
  made: (name: string, answer: unknown) => void = () => {},
): T {
  return new Proxy(whole, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function" || typeof name === "symbol") return value;
      return (...args: unknown[]) => {
        ended.throwIfAborted();
        const answer: unknown = Reflect.apply(value, target, args);
        made(name, answer);
        return answer;
      };
    },
  });
}

/** Reads and lists throw after the loan has ended. `transact` checks the loan before it commits. */
function endingKv(kv: Deno.Kv, ended: AbortSignal): Deno.Kv {
  return ending(kv, ended, (name, rows) => {
    if (name !== "list" || typeof rows !== "object" || rows === null) return;
    const next: unknown = Reflect.get(rows, "next");
    if (typeof next !== "function") return;
    replaceMethod(rows, "next", () => {
      ended.throwIfAborted();
      return Reflect.apply(next, rows, []);
    });
  });
}
