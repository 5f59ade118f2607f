/**
 * Limits the total memory of all bodies that are being read. Many slow senders add up, even if each
 * stays below its own limit.
 */
import { Failure } from "../../base/failure.ts";

/** The part of a budget that one body uses. Disposing returns it. */
export interface BodyShare extends Disposable {
  /**
   * Declares that the body now uses `bytes` in total. Larger bodies may be given up to make room.
   */
  grow(bytes: number): void;
}

export interface BodyMemory {
  /**
   * Starts a body. `giveUp` is called with `unavailable` if the body must make room; its share is
   * then already returned.
   */
  share(giveUp: (failure: Failure) => void): BodyShare;
}

/**
 * A budget of `bytesMax`. When it is exceeded, the largest body is given up, so that many large
 * bodies do not exclude small ones.
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
          // The body was given up for another one; its next read throws.
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
