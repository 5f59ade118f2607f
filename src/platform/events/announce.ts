import type { Context } from "../store/context.ts";
import type { Write } from "../store/kv.ts";
import type { NewsEvent } from "./event.ts";
import { newsQueue } from "./news_store.ts";

/** Of one row; a value of the store holds 65,536. */
const ROW_BYTES_MAX = 60_000;
/** Products that are judged in one go. */
const TOUCHED_MAX = 100;
const encoder = new TextEncoder();

/**
 * Writes the events into the caller's commit: they are heard if and only if it succeeds, each once,
 * within seconds. Usually one mutation, and no check; long lists take a row per 60 KB. The writer
 * knows no listener. Hand over ids and figures, not documents.
 */
export function announce(
  write: Write,
  { workspaceId, now, newId }: Pick<Context, "workspaceId" | "now" | "newId">,
  events: readonly NewsEvent[],
): void {
  const at = now();
  for (const bytes of cutRows(events.flatMap(cutTouched))) {
    const value = { bytes, at: at.toISOString(), from: 0, failures: 0 };
    newsQueue.add(write, { lane: [workspaceId], id: newId(), dueMs: at.getTime(), value });
  }
}

/** A list of products in parts that one evaluation takes; an empty list is no news. */
function cutTouched(event: NewsEvent): NewsEvent[] {
  if (event.type !== "products.touched") return [event];
  const { cause, ref, productIds } = event.data;
  const parts: NewsEvent[] = [];
  for (let at = 0; at < productIds.length; at += TOUCHED_MAX) {
    const part = productIds.slice(at, at + TOUCHED_MAX);
    parts.push({ type: "products.touched", data: { cause, ref, productIds: part } });
  }
  return parts;
}

function cutRows(events: readonly NewsEvent[]): Uint8Array[] {
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
