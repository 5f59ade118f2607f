/**
 * Keys: `nw W dueMs id` → outbox row: the events of one commit that are not relayed yet; `tq W dueMs id`
 * → products that wait for evaluation by the rules. The effects of a row and its removal are one commit,
 * so they happen exactly once (docs/decisions/jobs.md).
 */
import type { Context } from "../store/context.ts";
import type { Write } from "../store/kv.ts";
import { createRowQueue } from "../store/row_queue_store.ts";
import type { OutboxEvent, TouchCause } from "./event.ts";

/** The events from `from` on are still to be passed on; `bytes` is their JSON, an array. */
export interface StoredEvents {
  readonly bytes: Uint8Array;
  readonly at: string;
  readonly from: number;
  /** How often passing on broke off. */
  readonly failures: number;
  /** The versionstamp of the announcing commit once the row was rewritten; until then its own. */
  readonly stamp?: string;
}

/** Up to 100 products of one cause; those before `from` are judged already. */
export interface DirtyProducts {
  readonly cause: TouchCause;
  readonly ref: string | null;
  readonly productIds: readonly string[];
  readonly from: number;
  /**
   * The versionstamp of the change: a product that was judged by a pass with this change is not
   * judged for it again. Absent if time is the cause.
   */
  readonly stamp?: string;
  /** How often judging broke off; absent before the first time. */
  readonly failures?: number;
}

export const outboxQueue = createRowQueue<StoredEvents>("nw", 1);
export const dirtyQueue = createRowQueue<DirtyProducts>("tq", 1);

/** Of one row; a value of the store holds 65,536. */
const ROW_BYTES_MAX = 60_000;
/** Products that are judged in one go. */
const TOUCHED_MAX = 100;
const encoder = new TextEncoder();

/**
 * Writes the events into the caller's commit: they are heard if and only if it succeeds, each once,
 * within seconds. Usually one mutation, and no check; long lists take a row per 60 KB. The writer
 * knows no listener. Events hold ids and figures, not documents.
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

/** Splits a list of products into parts that one evaluation takes; an empty list gives none. */
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
