/**
 * Keys: `nw W dueMs id` → outbox row: events of one commit that are not relayed yet; `tq W dueMs
 * id` → products that wait for evaluation. A row is removed in the commit that adds its effects.
 */
import type { Context } from "../store/context.ts";
import type { Write } from "../store/kv.ts";
import { createRowQueue } from "../store/row_queue_store.ts";
import type { OutboxEvent, TouchCause } from "./event.ts";

/** The events from index `from` on are not relayed yet; `bytes` is a JSON array of all events. */
export interface StoredEvents {
  readonly bytes: Uint8Array;
  readonly at: string;
  readonly from: number;
  readonly failures: number;
  /** The versionstamp of the publishing commit; absent until the row is rewritten. */
  readonly stamp?: string;
  /** True if the events are in the log already, because a consumer has failed on them. */
  readonly isLogged?: true;
}

/** Up to 100 products with one cause. Those before index `from` have been evaluated. */
export interface DirtyProducts {
  readonly cause: TouchCause;
  readonly ref: string | null;
  readonly productIds: readonly string[];
  readonly from: number;
  /**
   * The versionstamp of the change, which later evaluations include. Absent if time is the cause.
   */
  readonly stamp?: string;
  readonly failures?: number;
}

export const outboxQueue = createRowQueue<StoredEvents>("nw", 1);
export const dirtyQueue = createRowQueue<DirtyProducts>("tq", 1);

/** The store allows 65,536 bytes. */
export const ROW_BYTES_MAX = 60_000;
const TOUCHED_MAX = 100;
const encoder = new TextEncoder();

/**
 * If the commit succeeds, each event is relayed exactly once. Usually one mutation and no check.
 * Events contain ids and numbers, not documents.
 */
export function publish(
  write: Write,
  { workspaceId, now, newId }: Pick<Context, "workspaceId" | "now" | "newId">,
  events: readonly OutboxEvent[],
): void {
  const at = now();
  for (const bytes of cutRows(events.flatMap(cutDirty))) {
    const value = { bytes, at: at.toISOString(), from: 0, failures: 0 };
    outboxQueue.add(write, { lane: [workspaceId], id: newId(), dueMs: at.getTime(), value });
  }
}

function cutDirty(event: OutboxEvent): OutboxEvent[] {
  if (event.type !== "products.touched") return [event];
  const { cause, ref, productIds } = event.data;
  const parts: OutboxEvent[] = [];
  for (let at = 0; at < productIds.length; at += TOUCHED_MAX) {
    const part = productIds.slice(at, at + TOUCHED_MAX);
    parts.push({ type: "products.touched", data: { cause, ref, productIds: part } });
  }
  return parts;
}

function cutRows(events: readonly OutboxEvent[]): Uint8Array[] {
  const rows: Uint8Array[] = [];
  let texts: string[] = [];
  let bytes = 0;
  const close = () => {
    if (texts.length > 0) rows.push(encoder.encode(`[${texts.join()}]`));
    texts = [];
    bytes = 2;
  };
  close();
  for (const event of events) {
    const text = JSON.stringify(event);
    const size = encoder.encode(text).length + 1;
    if (bytes + size > ROW_BYTES_MAX) close();
    texts.push(text);
    bytes += size;
  }
  close();
  return rows;
}
