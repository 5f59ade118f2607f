/** Limits the total memory of bodies that are being read, so that slow senders cannot use it up. */
import { Failure } from "../../base/failure.ts";

interface BodyShare extends Disposable {
  /** Sets the memory of this body. If all bodies together use too much, the largest is given up. */
  grow(bytes: number): void;
}

export interface BodyMemory {
  /** If the body is given up, `giveUp` is called with `unavailable`. */
  share(giveUp: (failure: Failure) => void): BodyShare;
}

export function createBodyMemory(bytesMax: number): BodyMemory {
  const held = new Map<(failure: Failure) => void, number>();
  let total = 0;

  const leave = (giveUp: (failure: Failure) => void) => {
    total -= held.get(giveUp) ?? 0;
    held.delete(giveUp);
  };
  const makeRoom = () => {
    while (total > bytesMax) {
      const [largest] = [...held].reduce((most, one) => one[1] > most[1] ? one : most);
      leave(largest);
      const message = "Too much data is being sent at once: try again in a few seconds";
      largest(new Failure("unavailable", message));
    }
  };
  return {
    share(giveUp) {
      held.set(giveUp, 0);
      return {
        grow(bytes) {
          const before = held.get(giveUp);
          // This body was given up before.
          if (before === undefined) return;
          held.set(giveUp, bytes);
          total += bytes - before;
          makeRoom();
        },
        [Symbol.dispose]: () => leave(giveUp),
      };
    },
  };
}
