/**
 * Keys: `nw W dueMs id` → news: the events of one commit that nobody has passed on yet;
 * `tq W dueMs id` → products that wait to be judged by the rules. Who has an effect of a row takes
 * the row away in the same commit: that is the whole exactly-once (docs/decisions/jobs.md).
 */
import { createRowQueue } from "../store/row_queue_store.ts";
import type { TouchCause } from "./event.ts";

/** The events from `from` on are still to be passed on; `bytes` is their JSON, an array. */
export interface News {
  readonly bytes: Uint8Array;
  readonly at: string;
  readonly from: number;
  /** How often passing on broke off. */
  readonly failures: number;
  /** Of the commit that announced them, once the row was written anew; until then its own. */
  readonly stamp?: string;
}

/** Up to 100 products of one cause; those before `from` are judged already. */
export interface TouchedProducts {
  readonly cause: TouchCause;
  readonly ref: string | null;
  readonly productIds: readonly string[];
  readonly from: number;
  /**
   * The versionstamp of the change: who was judged by a pass that saw it is not judged for it again.
   * Absent where time is the cause: no pass of before has seen that.
   */
  readonly stamp?: string;
  /** How often judging broke off; absent before the first time. */
  readonly failures?: number;
}

export const newsQueue = createRowQueue<News>("nw", 1);
export const touchedQueue = createRowQueue<TouchedProducts>("tq", 1);
