/** The doorbell of the jobs: a message of the store's queue that says where to look for work, nothing else. */
import { z } from "zod";

const Bell = z.object({ bell: z.string() });

/** What a commit enqueues. It may come twice, late or never: a ready row is the truth, this only saves waiting. */
export function bellMessage(kind: string): z.infer<typeof Bell> {
  return { bell: kind };
}

/**
 * Hands the kind of every bell to `onRing`, until the store is closed: then the promise resolves.
 * `onRing` returns at once, because the queue repeats a message whose handler runs for a minute.
 */
export function listenForBells(kv: Deno.Kv, onRing: (kind: string) => void): Promise<void> {
  return kv.listenQueue((message: unknown) => {
    const bell = Bell.safeParse(message);
    // Nothing but bells is ever enqueued; what a later version may add is not for this listener.
    if (bell.success) onRing(bell.data.bell);
  });
}
