/** Limits the memory of fetched pages: only a few large bodies are in memory at a time. */
import { FairQueue } from "../fair_queue.ts";

interface BodyRoomLimits {
  readonly smallBytes: number;
  readonly largeAtOnce: number;
}

/** With these limits, 64 simultaneous pages of up to 4 MiB together use at most 80 MiB. */
const BODY_ROOM_LIMITS: BodyRoomLimits = { smallBytes: 512 * 1024, largeAtOnce: 12 };

interface BodyPlace extends Disposable {
  admit(bytes: number): Promise<void>;
}

export interface BodyRoom {
  begin(workspaceId: string): BodyPlace;
}

export function createBodyRoom(
  { smallBytes, largeAtOnce }: BodyRoomLimits = BODY_ROOM_LIMITS,
): BodyRoom {
  const permits = new FairQueue(largeAtOnce, { keepsSlotsFree: true });
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
          // `run` rejects if the caller disposes of the body before the body gets a slot.
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
