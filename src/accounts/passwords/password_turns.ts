/**
 * Few passwords are checked at a time: each check takes 32 MiB and a core for a fifth of a second.
 * The others wait in a fair queue by origin, so a crowd from one place delays itself alone.
 */
import { Failure } from "../../base/failure.ts";
import { FairPermits } from "../../platform/fair_queue.ts";

const AT_ONCE_MAX = 2;
const WAITING_MAX = 100;

/** Runs `work` when fewer than two others run; refuses with `unavailable` when too many wait. */
export type PasswordTurn = <T>(work: () => Promise<T>) => Promise<T>;

export interface PasswordTurns {
  /** The turns of whoever comes from `lane`. */
  of(lane: string): PasswordTurn;
}

export function createPasswordTurns(): PasswordTurns {
  // All checks cost the same, so partitions are served by turns.
  const permits = new FairPermits(AT_ONCE_MAX, () => 0);
  const { queue } = permits;

  /** Refuses the newest of the longest partition, or the newcomer when that is the newest. */
  const makeRoom = (lane: string) => {
    const full = new Failure("unavailable", "Too many sign in at once, try again shortly");
    const last = queue.dropNewest(queue.waitingOf(lane) + 1);
    if (last === null) throw full;
    last.reject(full);
  };

  return {
    of: (lane) => async (work) => {
      if (permits.isFull && queue.waiting >= WAITING_MAX) makeRoom(lane);
      return await permits.run(lane, work);
    },
  };
}
