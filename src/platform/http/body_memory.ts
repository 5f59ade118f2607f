/** Limits the memory of all bodies that are being read, because many slow senders may add up. */
import { Failure } from "../../base/failure.ts";

interface BodyShare extends Disposable {
  /** Sets the memory of the body to `bytes`. The largest body may be given up to make room. */
  grow(bytes: number): void;
}

export interface BodyMemory {
  /** `giveUp` is called with `unavailable` if this body must make room. */
  share(giveUp: (failure: Failure) => void): BodyShare;
}

/** If all bodies exceed `bytesMax`, the largest one is ended, so that small ones have room. */
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
          // The body was given up; its next read throws.
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
