/** Few at a time: each check of a password takes 32 MiB and a core for a fifth of a second. */
import { Failure } from "../../base/failure.ts";

const AT_ONCE_MAX = 2;
const WAITING_MAX = 100;

export interface Turns {
  /** Runs `work` when fewer than two others run; refuses with `unavailable` when too many wait. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createTurns(): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running >= AT_ONCE_MAX) {
        if (waiting.length >= WAITING_MAX) {
          throw new Failure("unavailable", "Too many sign in at once, try again shortly");
        }
        // Whoever ends hands its place over, so `running` stays as it is.
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else running++;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running--;
      }
    },
  };
}
