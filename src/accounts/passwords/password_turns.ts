/**
 * Few at a time: each look at a password takes 32 MiB and a core for a fifth of a second. Who waits
 * is served in turn by where they come from, so that a crowd from one place delays itself alone.
 */
import { Failure } from "../../base/failure.ts";
import { FairLanes } from "../../platform/fair_lanes.ts";

const AT_ONCE_MAX = 2;
const WAITING_MAX = 100;

/** Runs `work` when fewer than two others run; refuses with `unavailable` when too many wait. */
export type PasswordTurn = <T>(work: () => Promise<T>) => Promise<T>;

export interface PasswordTurns {
  /** The turns of whoever comes from `lane`. */
  of(lane: string): PasswordTurn;
}

export function createPasswordTurns(): PasswordTurns {
  const lanes = new FairLanes<PromiseWithResolvers<void>>();
  let running = 0;

  const wait = (lane: string) => {
    if (lanes.waiting >= WAITING_MAX) makeRoom(lane);
    const place = Promise.withResolvers<void>();
    lanes.add(lane, place);
    return place.promise;
  };

  /** Who came last of the longest lane goes, unless that would be the newcomer. */
  const makeRoom = (lane: string) => {
    const full = new Failure("unavailable", "Too many sign in at once, try again shortly");
    const last = lanes.dropNewest(lanes.waitingOf(lane) + 1);
    if (last === null) throw full;
    last.reject(full);
  };

  /** Whoever ends hands its place over, so `running` stays as it is while somebody waits. */
  const handOver = (lane: string) => {
    // All looks cost the same: lanes are served by turns, whatever they had before.
    lanes.use(lane, 0);
    const next = lanes.take();
    if (next) next.resolve();
    else running--;
  };

  return {
    of: (lane) => async (work) => {
      if (running >= AT_ONCE_MAX) await wait(lane);
      else running++;
      try {
        return await work();
      } finally {
        handOver(lane);
      }
    },
  };
}
