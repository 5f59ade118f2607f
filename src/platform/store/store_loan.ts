/**
 * Background work (jobs, loops, the schedule) uses a store that it borrows. A stop asks it to end
 * by a signal; a moment later its next read or commit is refused. So no work needs to handle a
 * stop, and none is half done: a commit is atomic, and the next start continues after the last one,
 * as after a crash.
 */

import { Failure } from "../../base/failure.ts";
import { withTimeout } from "../event_loop.ts";
import type { Store } from "./kv.ts";
import { replaceMethod } from "./replace_method.ts";

/** A stop has ended the work: the error is not reported. */
export class LoanEnded extends Failure {
  constructor() {
    super("unavailable", "The process stops");
  }
}

/** A store until the loan has ended; then it throws `LoanEnded`. */
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

  /** Gives the work a moment to end by itself, and then ends the loan. */
  async endBehind(work: Promise<unknown>, graceMs = GRACE_MS): Promise<void> {
    if (await withTimeout(graceMs, work)) return;
    this.#ended.abort(new LoanEnded());
  }
}

/** Longer than a step or a round takes as a rule. */
const GRACE_MS = 300;

/** The same object, whose methods throw from then on. */
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

/** Its lists end, too; of its commits `transact` knows. */
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
