/**
 * Keys (`W`: id of the workspace): `nw W dueMs id` → row of the outbox: events of a commit that are
 * not yet relayed; `tq W dueMs id` → products whose rules are not yet evaluated.
 *
 * A commit that publishes events stores them in rows of the outbox. A relay later gives each event
 * to all listeners and to the log of public events. Changes that a listener adds to the relay's
 * commit take effect exactly once; a listener's own commits may be repeated.
 */
import { decoder, encoder, sha256 } from "../../base/bytes.ts";
import { cutBySize } from "../../base/collections.ts";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { compareTexts, utf8Bytes } from "../../base/text.ts";
import {
  type Actor,
  type Context,
  contextFor,
  type Tools,
  type WorkspaceStore,
} from "../store/context.ts";
import { COMMIT_MAX, shareOfCommit, transact, type Write } from "../store/kv.ts";
import { defineTable } from "../store/table.ts";
import {
  eventBody,
  isPublicEvent,
  type OutboxEvent,
  type PublicEvent,
  type RelayedEvent,
  type TouchCause,
} from "./event.ts";
import {
  isDue,
  type QueueRow,
  type QueueWalk,
  RowQueue,
  walkDue,
  type WalkPosition,
} from "../store/row_queue_store.ts";
import type { roomLog } from "../log.ts";
import { hasEnded, type Job } from "../jobs/job.ts";
import { addJob, listJobs } from "../jobs/job_store.ts";

export const EVENT_DAYS = 30;

interface LoggedEvent extends ReturnType<typeof eventBody<PublicEvent["data"]>> {
  readonly id: string;
}

interface LogRow {
  readonly atMs: number;
  readonly events: readonly LoggedEvent[];
}

const ROWS_AT_ONCE = 50;

/** Each new row has a greater key than all earlier rows, so readers miss no event. */
export const eventLog = defineTable<LogRow, "atMs">({
  prefix: "ev",
  about: "public events of one commit, as deflated JSON; each new row has the latest time",
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

async function logEvents(
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

/** The position just before event `n` (counted from 0) of the row with the time `atMs`. */
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

/** `bytes` is a JSON array of events; the first `from` of them have already been relayed. */
interface StoredEvents {
  readonly bytes: Uint8Array;
  readonly at: string;
  readonly from: number;
  readonly failures: number;
  /** Versionstamp of the commit that published the events; set when the row is rewritten. */
  readonly stamp?: string;
  readonly isLogged?: true;
}

/** The products in `productIds` before the index `from` have already been evaluated. */
export interface DirtyProducts {
  readonly cause: TouchCause;
  readonly ref: string | null;
  readonly productIds: readonly string[];
  readonly from: number;
  /** Versionstamp of the change; rules that have already evaluated this change are skipped. */
  readonly stamp?: string;
  /** True if a person applied the rule `ref`, so that rejected prices are proposed again. */
  readonly isApplied?: true;
  readonly failures?: number;
}

export const outboxQueue = new RowQueue<StoredEvents>("nw", 1);
export const dirtyQueue = new RowQueue<DirtyProducts>("tq", 1);

const ROW_BYTES_MAX = 60_000;
const TOUCHED_MAX = 100;

/** Adds the events to the caller's commit: one row per 60 kB, without version checks. */
export function publish(
  write: Write,
  { workspaceId, now, newId }: Pick<Context, "workspaceId" | "now" | "newId">,
  events: readonly OutboxEvent[],
): void {
  const at = now();
  for (const bytes of cutRows(events.flatMap(cutDirty))) {
    const value = { bytes, at: at.toISOString(), from: 0, failures: 0 };
    outboxQueue.add(write, { partition: [workspaceId], id: newId(), dueMs: at.getTime(), value });
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
  const texts = events.map((event) => JSON.stringify(event));
  return cutBySize(texts, ROW_BYTES_MAX - 2, (text) => utf8Bytes(text) + 1)
    .map((some) => encoder.encode(`[${some.join()}]`));
}

/** For each event, all listeners together may fill 40 % of a commit, but add no version checks. */
export interface OutboxListener {
  handle(write: Write, ctx: Context, relayed: RelayedEvent): Promise<void>;
}

export interface RelaySetup extends Tools {
  readonly listeners: readonly OutboxListener[];
  readonly log: ReturnType<typeof roomLog>;
  readonly position: WalkPosition;
}

const NEXT_EVENT = shareOfCommit(0.4);
/** A row needs two version checks, for the outbox row and for `eventLog`. */
const NEXT_ROW = { ...NEXT_EVENT, checks: 2 };
const BACKOFF_MS_MAX = 10 * 60_000;
const BACKOFF_MS = 5_000;

export async function relayOutbox(setup: RelaySetup, stopping?: AbortSignal): Promise<boolean> {
  let hasRows = false;
  const begun = setup.clock.now();
  for await (const row of walkDue(outboxQueue, { ...walkOf(setup), now: () => begun })) {
    if (stopping?.aborted) break;
    hasRows = true;
    await relayRow(setup, row);
  }
  return hasRows;
}

function walkOf({ store, clock, position }: RelaySetup): QueueWalk<StoredEvents> {
  return { store, position, now: () => clock.now(), backoffMsMax: () => BACKOFF_MS_MAX };
}

async function relayRow(setup: RelaySetup, row: QueueRow<StoredEvents>): Promise<void> {
  let isAlone = false;
  for (let isDone = false; !isDone;) {
    try {
      isDone = await relayPart(setup, row, isAlone);
    } catch (error) {
      isDone = isAlone;
      if (isAlone) await postpone(setup, row, error);
      isAlone = true;
    }
  }
}

/** Relays `row` and, unless `isAlone`, later rows; returns false if events of `row` remain. */
async function relayPart(
  setup: RelaySetup,
  row: QueueRow<StoredEvents>,
  isAlone: boolean,
): Promise<boolean> {
  const { store } = setup;
  return await transact(setup, async (write) => {
    const found = await outboxQueue.findAgain(store, row);
    if (!found) return true;
    const passed: RelayedEvent[] = [];
    const isWhole = await handleRow(setup, write, found, passed);
    let { length: bytes } = found.value.bytes;
    const list = () => outboxQueue.list(store, row.partition, COMMIT_MAX.checks);
    // Limit the total size of a commit's events, because the event log stores them in one row.
    for await (const next of isAlone || !isWhole ? [] : list()) {
      if (next.id === row.id) continue;
      if (!isDue(next, walkOf(setup)) || !write.fits(NEXT_ROW)) break;
      bytes += next.value.bytes.length;
      if (bytes > ROW_BYTES_MAX || !await handleRow(setup, write, next, passed)) break;
    }
    await logEvents(write, contextOf(setup, row), passed);
    return isWhole;
  });
}

async function handleRow(
  setup: RelaySetup,
  write: Write,
  row: QueueRow<StoredEvents>,
  passed: RelayedEvent[],
): Promise<boolean> {
  const ctx = contextOf(setup, row);
  const relayed = relayedOf(ctx, row);
  let from = row.value.from;
  for (const one of relayed.slice(from)) {
    if (from > row.value.from && !write.fits(NEXT_EVENT)) break;
    for (const listener of setup.listeners) await listener.handle(write, ctx, one);
    if (!row.value.isLogged) passed.push(one);
    from++;
  }
  if (from === relayed.length) outboxQueue.take(write, row);
  else outboxQueue.move(write, row, row.dueMs, { ...row.value, from, stamp: stampOf(row) });
  return from === relayed.length;
}

/** Delays the relay of a row, but logs its events at once, so that the event log stays in order. */
async function postpone(
  setup: RelaySetup,
  row: QueueRow<StoredEvents>,
  error: unknown,
): Promise<void> {
  const { log, store, clock } = setup;
  log.error("events could not be published", {
    workspaceId: row.partition[0],
    rowId: row.id,
    error,
  });
  await transact(setup, async (write) => {
    const found = await outboxQueue.findAgain(store, row);
    if (!found) return;
    const failures = found.value.failures + 1;
    const backoffMs = Math.min(BACKOFF_MS_MAX, BACKOFF_MS * 2 ** failures);
    const dueMs = clock.now().getTime() + backoffMs;
    if (!found.value.isLogged) {
      const ctx = contextOf(setup, found);
      await logEvents(write, ctx, relayedOf(ctx, found).slice(found.value.from));
    }
    const value = { ...found.value, failures, stamp: stampOf(found), isLogged: true as const };
    outboxQueue.move(write, found, dueMs, value);
  });
}

function stampOf({ value: { stamp }, versionstamp }: QueueRow<StoredEvents>): string {
  return stamp ?? versionstamp;
}

const POSITION_DIGITS = 6;

function relayedOf({ workspaceId }: Context, row: QueueRow<StoredEvents>): RelayedEvent[] {
  const { id, value: { bytes, at } } = row;
  const stamp = stampOf(row);
  const events: OutboxEvent[] = JSON.parse(decoder.decode(bytes));
  return events.map((event, position) => {
    const hash = sha256(`${workspaceId} ${id} ${position}`);
    const place = `${stamp} ${id} ${String(position).padStart(POSITION_DIGITS, "0")}`;
    return { eventId: id.slice(0, 8) + hash.slice(0, 8).toHex(), at, stamp, place, event };
  });
}

const RELAY: Actor = { type: "system", id: "news", name: "News" };

function contextOf(
  { store, clock }: RelaySetup,
  { partition, id }: QueueRow<StoredEvents>,
): Context {
  return contextFor({ store, clock, requestId: id }, partition[0] ?? "", RELAY);
}

export const dirtyListener: OutboxListener = {
  handle(write, { workspaceId, now }, { eventId, stamp, event }) {
    if (event.type === "products.touched") {
      const value: DirtyProducts = { ...event.data, from: 0, stamp };
      const dueMs = now().getTime();
      dirtyQueue.add(write, { partition: [workspaceId], id: eventId, dueMs, value });
    }
    return Promise.resolve();
  },
};

/** A job of the kind `rejudge` queues many products for evaluation (docs/decisions/jobs.md). */
export const REJUDGE_KIND = "rejudge";

export type RejudgeArgs =
  | {
    readonly by: "rule";
    readonly ruleId: string;
    readonly version: number;
    /** Hash of the parts of the rule that affect decisions; absent in jobs of earlier versions. */
    readonly terms?: string;
    /** True to evaluate even products that were already evaluated with this version of the rule. */
    readonly isAsked?: true;
    readonly isApplied?: true;
    /**
     * Set if the rule no longer sets the prices of some products. If the rule ran only on a
     * schedule, the job evaluates `all` products, otherwise those for which the rule has `fired`.
     */
    readonly owned?: "fired" | "all";
  }
  | { readonly by: "competitor"; readonly competitorId: string }
  | { readonly by: "settings" };

export type RejudgeJob = Job<RejudgeArgs, { readonly after: string }, Record<never, never>>;

/**
 * A rule's job ends early if the rule's terms have changed. A job of a competitor, or of the
 * settings, ends if a newer one exists. Jobs with `owned`, or from a schedule, run to the end.
 */
export function rejudge(
  write: Write,
  ctx: Pick<Context, "workspaceId" | "actor" | "now" | "newId">,
  args: RejudgeArgs,
): RejudgeJob {
  return addJob(write, ctx, { kind: REJUDGE_KIND, args, stats: {} });
}

export function reasonOf(args: RejudgeArgs): string {
  if (args.by === "rule") return `rule ${args.ruleId}`;
  return args.by === "competitor" ? `competitor ${args.competitorId}` : args.by;
}

/** True if products may wait for evaluation. Ignores a queue whose first row has failed before. */
export async function isJudging(workspace: WorkspaceStore): Promise<boolean> {
  const page = { kind: REJUDGE_KIND, limit: 20, afterId: null, order: "newest" } as const;
  const { jobs } = await listJobs<RejudgeJob>(workspace, page);
  if (jobs.some((job) => !hasEnded(job))) return true;
  const { store, workspaceId } = workspace;
  for (const queue of [outboxQueue, dirtyQueue]) {
    const row = await queue.findBehind(store, null, [workspaceId]);
    if (row !== null && (row.value.failures ?? 0) === 0) return true;
  }
  return false;
}
