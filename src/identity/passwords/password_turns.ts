/**
 * Few at a time: each look at a password takes 32 MiB and a core for a fifth of a second. Who waits
 * is served in turn by where they come from, so that a crowd from one place delays itself alone.
 */
import { Failure } from "../../base/failure.ts";

const AT_ONCE_MAX = 2;
const WAITING_MAX = 100;

/** Runs `work` when fewer than two others run; refuses with `unavailable` when too many wait. */
export type PasswordTurn = <T>(work: () => Promise<T>) => Promise<T>;

export interface PasswordTurns {
  /** The turns of whoever comes from `lane`. */
  of(lane: string): PasswordTurn;
}

interface Waiting {
  begin(): void;
  giveUp(failure: Failure): void;
}

export function createPasswordTurns(): PasswordTurns {
  // In the order in which the lanes are asked next.
  const lanes = new Map<string, Waiting[]>();
  let waitingCount = 0;
  let running = 0;

  const wait = (lane: string) => {
    if (waitingCount >= WAITING_MAX) makeRoom(lane);
    return new Promise<void>((begin, giveUp) => {
      const queue = lanes.get(lane) ?? [];
      queue.push({ begin, giveUp });
      lanes.set(lane, queue);
      waitingCount++;
    });
  };

  /** Who came last of the longest lane goes, unless that would be the newcomer. */
  const makeRoom = (lane: string) => {
    const full = new Failure("unavailable", "Too many sign in at once, try again shortly");
    const [longest = []] = [...lanes.values()].toSorted((a, b) => b.length - a.length);
    if (longest.length <= (lanes.get(lane)?.length ?? 0) + 1) throw full;
    longest.pop()?.giveUp(full);
    waitingCount--;
  };

  /** Whoever ends hands its place over, so `running` stays as it is while somebody waits. */
  const handOver = () => {
    const [first] = lanes;
    if (first === undefined) {
      running--;
      return;
    }
    const [lane, queue] = first;
    const next = queue.shift();
    lanes.delete(lane);
    if (queue.length > 0) lanes.set(lane, queue);
    waitingCount--;
    next?.begin();
  };

  return {
    of: (lane) => async (work) => {
      if (running >= AT_ONCE_MAX) await wait(lane);
      else running++;
      try {
        return await work();
      } finally {
        handOver();
      }
    },
  };
}
