/**
 * Limits the pages of shops in memory. Many shops are slow, but few pages are large: a small body needs
 * no permit, a large one waits for one of a few. A workspace holds at most half of the permits.
 */

import { FairPermits } from "../fair_queue.ts";

export interface BodyRoomLimits {
  /** A body may hold so much without asking. */
  readonly smallBytes: number;
  /** Number of larger bodies in memory at once. */
  readonly largeAtOnce: number;
}

/** With 64 pages at once of 4 MiB at most: 80 MiB together. */
const BODY_ROOM_LIMITS: BodyRoomLimits = { smallBytes: 512 * 1024, largeAtOnce: 12 };

/** The memory of one body, released when it is no longer used. */
export interface BodyPlace extends Disposable {
  /** Resolves when the body may hold so many bytes. */
  admit(bytes: number): Promise<void>;
}

export interface BodyRoom {
  /** Begins a body of a workspace. */
  begin(workspaceId: string): BodyPlace;
}

export function createBodyRoom(
  { smallBytes, largeAtOnce }: BodyRoomLimits = BODY_ROOM_LIMITS,
): BodyRoom {
  const permits = new FairPermits(largeAtOnce, { leavesRoom: true });
  return {
    begin(workspaceId) {
      const left = new AbortController();
      const { promise: leaving, resolve: leave } = Promise.withResolvers<void>();
      let entering: Promise<void> | null = null;
      const enter = () =>
        new Promise<void>((resolve) => {
          const hold = () => {
            resolve();
            return leaving;
          };
          // A body that is given up while it waits holds nothing.
          permits.run(workspaceId, hold, left.signal).catch(() => {});
        });
      return {
        async admit(bytes) {
          if (bytes > smallBytes) await (entering ??= enter());
        },
        [Symbol.dispose]() {
          leave();
          left.abort();
        },
      };
    },
  };
}
