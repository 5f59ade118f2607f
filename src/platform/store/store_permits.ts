/**
 * One thread serves a file in the order of calls. So only a few calls are passed on at once, and
 * the others wait in a queue that is fair to workspaces.
 */
import { TimeSlice } from "../event_loop.ts";
import { FairQueue } from "../fair_queue.ts";
import type { AroundCall } from "./handle.ts";

export const PERMITS_AT_ONCE = {
  /** Enough to keep the file busy. */
  reads: 4,
  /** A new commit only waits for the current one. */
  commits: 1,
} as const;

/** Lets at most `atOnceMax` calls pass at once. */
export function withPermits(atOnceMax: number): AroundCall {
  const permits = new FairQueue(atOnceMax);
  // Store calls may follow each other for 16 ms before the event loop serves the network.
  const busy = new TimeSlice(16);
  return (call, key) => {
    // While no call is in flight, the event loop serves the network anyway.
    if (permits.isIdle) busy.begin();
    return permits.run(partitionOf(key), async () => {
      await busy.yield();
      return await call();
    });
  };
}

/** The workspace, whose id is the second part of its keys. Other rows share one partition. */
export function partitionOf([, owner]: Deno.KvKey): string {
  // An id has 12 bytes (base/id.ts). Digests of secrets, which callers may guess, are longer.
  const isId = owner instanceof Uint8Array && owner.length === 12;
  return isId ? String.fromCharCode(...owner) : "";
}
