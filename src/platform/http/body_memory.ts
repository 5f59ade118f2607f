/**
 * Limits the memory of all bodies that are being read, because many slow senders add up, each far below
 * its own limit.
 */
import { Failure } from "../../base/failure.ts";

/** The part of a budget that one body holds; disposing gives it back. */
export interface BodyShare extends Disposable {
  /** From now on the body holds `bytes` in all; bodies that hold more may have to go for it. */
  grow(bytes: number): void;
}

export interface BodyMemory {
  /** `giveUp` is called with `unavailable` when the body has to go; its share is gone then. */
  share(giveUp: (failure: Failure) => void): BodyShare;
}

/**
 * A budget of `bytesMax`. When it is spent, the largest body is given up, so that many large ones
 * do not exclude small ones.
 */
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
      largest(tooMuchAtOnce());
    }
  };
  return {
    share(giveUp) {
      held.set(giveUp, 0);
      return {
        grow(bytes) {
          const before = held.get(giveUp);
          // It was given up for another one, and hears of it at its next read.
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

function tooMuchAtOnce(): Failure {
  return new Failure("unavailable", "Too much is being sent at once, try again in a few seconds");
}
