/**
 * The public events of the last 30 days. Keys are times that grow with every commit, so a reader
 * that continues after its last row misses no event.
 */
import { decoder, encoder } from "../../base/bytes.ts";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { compareTexts } from "../../base/text.ts";
import type { Context, WorkspaceStore } from "../store/context.ts";
import type { Write } from "../store/kv.ts";
import { defineTable } from "../store/table.ts";
import { eventBody, isPublicEvent, type PublicEvent, type RelayedEvent } from "./event.ts";

export const EVENT_DAYS = 30;

/** `id` is also the `webhook-id` of the event. */
interface LoggedEvent extends ReturnType<typeof eventBody<PublicEvent["data"]>> {
  readonly id: string;
}

interface LogRow {
  readonly atMs: number;
  /** In the order of the commits that published the events. */
  readonly events: readonly LoggedEvent[];
}

/** Rows are large, so few are read at once. */
const ROWS_AT_ONCE = 50;

export const eventLog = defineTable<LogRow, "atMs">({
  prefix: "ev",
  about: "public events of one commit, as deflated JSON; the time only grows",
  key: { atMs: "number" },
  version: "evv",
  batchSize: ROWS_AT_ONCE,
  codec: {
    encode: ({ events }) => new Uint8Array(deflateRawSync(encoder.encode(JSON.stringify(events)))),
    decode: (value) => ({
      events: value instanceof Uint8Array ? JSON.parse(decoder.decode(inflateRawSync(value))) : [],
    }),
  },
  keep: {
    what: "events",
    days: EVENT_DAYS,
    isOld: ({ atMs }, before) => atMs < before.getTime(),
    isInOrder: true,
  },
});

/** Adds two mutations and one check to the commit. */
export async function logEvents(
  write: Write,
  ctx: Context,
  relayed: readonly RelayedEvent[],
): Promise<void> {
  const events = relayed.toSorted((a, b) => compareTexts(a.place, b.place)).flatMap(loggedEvent);
  if (events.length === 0) return;
  const version = await eventLog.version(ctx);
  const [last] = await eventLog.list(ctx, { order: "desc", limit: 1 });
  eventLog.checkVersion(write, ctx, version);
  const atMs = Math.max(ctx.now().getTime(), (last?.row.atMs ?? 0) + 1);
  eventLog.put(write, ctx, { atMs, events });
}

function loggedEvent({ eventId: id, at, event }: RelayedEvent): LoggedEvent[] {
  return isPublicEvent(event) ? [{ id, ...eventBody(event.type, at, event.data) }] : [];
}

/** Event `n` of the row at `atMs`; if the event does not exist, the next event in the log. */
export type LogPlace = readonly [atMs: number, n: number];

export async function* walkEvents(
  workspace: WorkspaceStore,
  [fromMs, fromN]: LogPlace,
): AsyncGenerator<{ readonly event: LoggedEvent; readonly behind: LogPlace }> {
  for await (const { row } of eventLog.walk(workspace, { after: { atMs: fromMs - 1 } })) {
    for (const [n, event] of row.events.entries()) {
      if (row.atMs === fromMs && n < fromN) continue;
      yield { event, behind: [row.atMs, n + 1] };
    }
  }
}
