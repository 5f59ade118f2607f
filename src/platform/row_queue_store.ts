/**
 * Work that waits as plain rows: `table lane… dueMs id` → value. A lane is one or more ids, the
 * workspace's first; lanes take turns, so a full one delays no other. Lighter than a job: a row has no
 * lease and no history, it goes away in the commit that has its effect.
 */
import { idBytes, idText } from "../base/id.ts";
import type { Store, Write } from "./kv.ts";

/** Sorts after all numbers, so it skips to the next lane. */
const BEHIND_ALL = true;

/** A waiting row; `versionstamp` is what takes it away from everybody else. */
export interface QueueRow<T> {
  /** Ids, the workspace's first. */
  readonly lane: readonly string[];
  /** Unique in its lane. */
  readonly id: string;
  readonly dueMs: number;
  readonly value: T;
  readonly versionstamp: string;
}

/** What makes a row. */
export type NewQueueRow<T> = Omit<QueueRow<T>, "versionstamp">;

export interface RowQueue<T> {
  add(write: Write, row: NewQueueRow<T>): void;
  /** The oldest row of the first lane behind `lane`; null when no lane is left. */
  findBehind(store: Store, lane: readonly string[] | null): Promise<QueueRow<T> | null>;
  /** The row as it is now; null when it was taken or moved. */
  findAgain(store: Store, row: NewQueueRow<T>): Promise<QueueRow<T> | null>;
  /** Takes the row away. The commit fails when somebody else took or moved it. */
  take(write: Write, row: QueueRow<T>): void;
  /** Leaves the row for a later time or with another value. The commit fails as that of `take`. */
  move(write: Write, row: QueueRow<T>, dueMs: number, value: T): void;
  /** Every row of a workspace or a lane, or the first `limit`, lane by lane, oldest first. */
  list(store: Store, lane: readonly string[], limit?: number): AsyncGenerator<QueueRow<T>>;
}

/** The queue of a table whose lanes are made of `laneIds` ids. */
export function createRowQueue<T>(table: string, laneIds: number): RowQueue<T> {
  const laneKey = (lane: readonly string[]): Deno.KvKey => [table, ...lane.map(idBytes)];
  const rowKey = ({ lane, dueMs, id }: NewQueueRow<T>) => [...laneKey(lane), dueMs, idBytes(id)];
  const rowOf = ({ key, value, versionstamp }: Deno.KvEntry<T>): QueueRow<T> => ({
    lane: key.slice(1, 1 + laneIds).map(idOf),
    dueMs: Number(key[1 + laneIds]),
    id: idOf(key[2 + laneIds]),
    value,
    versionstamp,
  });
  return {
    add: (write, row) => write.set(rowKey(row), row.value),
    async findBehind({ kv }, lane) {
      const start = lane === null ? {} : { start: [...laneKey(lane), BEHIND_ALL] };
      const rows = kv.list<T>({ prefix: [table], ...start }, { limit: 1 });
      for await (const entry of rows) return rowOf(entry);
      return null;
    },
    async findAgain({ kv }, row) {
      const { value, versionstamp } = await kv.get<T>(rowKey(row));
      return versionstamp === null ? null : { ...row, value, versionstamp };
    },
    take(write, row) {
      write.check(rowKey(row), row.versionstamp);
      write.delete(rowKey(row));
    },
    move(write, row, dueMs, value) {
      const next = { ...row, dueMs, value };
      write.check(rowKey(row), row.versionstamp);
      if (dueMs !== row.dueMs) write.delete(rowKey(row));
      write.set(rowKey(next), value);
    },
    async *list({ kv }, lane, limit) {
      const rows = kv.list<T>({ prefix: laneKey(lane) }, limit === undefined ? {} : { limit });
      for await (const entry of rows) yield rowOf(entry);
    },
  };
}

/** What a walk over the due rows of a queue goes by. */
export interface QueueWalk<T> {
  readonly store: Store;
  now(): Date;
  /** Hears of the first row of a lane that is not due yet. */
  waits?(dueMs: number): void;
  /** The longest that a row with such a value is ever left for later; see `isDue`. */
  restMsMax(value: T): number;
}

/**
 * True from the row's time on, and when that is further away than rows are ever left for later: then
 * the row was written before the clock was set back.
 */
export function isDue<T>(
  { dueMs, value }: Pick<QueueRow<T>, "dueMs" | "value">,
  walk: Pick<QueueWalk<T>, "now" | "restMsMax">,
): boolean {
  const nowMs = walk.now().getTime();
  return dueMs <= nowMs || dueMs > nowMs + walk.restMsMax(value);
}

/**
 * One due row per lane and round, until a round finds none. A row that is still there when its lane
 * comes round again was not settled: its lane is left alone from then on.
 */
export async function* walkDue<T>(
  queue: RowQueue<T>,
  walk: QueueWalk<T>,
): AsyncGenerator<QueueRow<T>> {
  const { store } = walk;
  const lastSeen = new Map<string, string>();
  for (let hasNews = true; hasNews;) {
    hasNews = false;
    let row = await queue.findBehind(store, null);
    for (; row; row = await queue.findBehind(store, row.lane)) {
      const lane = row.lane.join(" ");
      if (!isDue(row, walk)) walk.waits?.(row.dueMs);
      else if (lastSeen.get(lane) !== row.id) {
        lastSeen.set(lane, row.id);
        hasNews = true;
        yield row;
      }
    }
  }
}

function idOf(part: Deno.KvKeyPart | undefined): string {
  if (part instanceof Uint8Array) return idText(part);
  throw new Error("A row of a queue has no id where one belongs");
}
