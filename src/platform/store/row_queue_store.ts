/**
 * Queues of rows with the key `table partition… dueMs id`. A partition is one or more ids, and
 * begins with the workspace's id. The commit that handles a row also deletes or moves it.
 */
import { idBytes } from "../../base/id.ts";
import { byGroup, firstRow, idIn } from "./rows.ts";
import { onCommitted, type Store, type Write } from "./kv.ts";

const BEHIND_ALL = true;

/** If several processes handle a row, only one can commit, because commits check `versionstamp`. */
export interface QueueRow<T> {
  readonly partition: readonly string[];
  readonly id: string;
  readonly dueMs: number;
  readonly value: T;
  readonly versionstamp: string;
}

type NewQueueRow<T> = Omit<QueueRow<T>, "versionstamp">;

export class RowQueue<T> {
  readonly #table: string;
  readonly #partitionIds: number;

  constructor(table: string, partitionIds: number) {
    this.#table = table;
    this.#partitionIds = partitionIds;
  }

  add(write: Write, row: NewQueueRow<T>): void {
    write.set(this.#rowKey(row), row.value);
    write.notify(this.#table);
  }

  onAdded(store: Store, listener: () => void): () => void {
    return onCommitted(store, this.#table, listener);
  }

  /** Finds the first row after the partition `last`, in partitions that begin with `within`. */
  async findBehind(
    store: Store,
    last: string | null,
    within: readonly string[] = [],
  ): Promise<QueueRow<T> | null> {
    const start = last === null ? {} : { start: [...this.#keyOf(last.split(" ")), BEHIND_ALL] };
    const row = await firstRow<T>(store, { prefix: this.#keyOf(within), ...start });
    return row && this.#rowOf(row);
  }

  /** Reads the row again; returns null if the row was handled, or moved to another due time. */
  async findAgain({ kv }: Store, row: NewQueueRow<T>): Promise<QueueRow<T> | null> {
    const { value, versionstamp } = await kv.get<T>(this.#rowKey(row));
    return versionstamp === null ? null : { ...row, value, versionstamp };
  }

  /** The commit fails if another process has handled or moved the row. */
  take(write: Write, row: QueueRow<T>): void {
    write.check(this.#rowKey(row), row.versionstamp);
    write.delete(this.#rowKey(row));
  }

  move(write: Write, row: QueueRow<T>, dueMs: number, value: T): void {
    write.check(this.#rowKey(row), row.versionstamp);
    if (dueMs !== row.dueMs) write.delete(this.#rowKey(row));
    write.set(this.#rowKey({ ...row, dueMs }), value);
  }

  async *list(
    { kv }: Store,
    partition: readonly string[],
    limit?: number,
  ): AsyncGenerator<QueueRow<T>> {
    const rows = kv.list<T>(
      { prefix: this.#keyOf(partition) },
      limit === undefined ? {} : { limit },
    );
    for await (const entry of rows) yield this.#rowOf(entry);
  }

  #keyOf(partition: readonly string[]): Deno.KvKey {
    return [this.#table, ...partition.map(idBytes)];
  }

  #rowKey({ partition, dueMs, id }: NewQueueRow<T>): Deno.KvKey {
    return [...this.#keyOf(partition), dueMs, idBytes(id)];
  }

  #rowOf({ key, value, versionstamp }: Deno.KvEntry<T>): QueueRow<T> {
    const ids = this.#partitionIds;
    return {
      partition: Array.from({ length: ids }, (_, n) => idIn(key, 1 + n)),
      dueMs: Number(key[1 + ids]),
      id: idIn(key, 2 + ids),
      value,
      versionstamp,
    };
  }
}

const nameOf = ({ partition }: Pick<QueueRow<unknown>, "partition">) => partition.join(" ");

export async function hasRowDue<T>(
  queue: RowQueue<T>,
  store: Store,
  untilMs: number,
): Promise<boolean> {
  return (await oldestDueMs(queue, store) ?? Infinity) < untilMs;
}

export async function oldestDueMs<T>(queue: RowQueue<T>, store: Store): Promise<number | null> {
  let oldestMs: number | null = null;
  // The first row of each partition is its oldest.
  for await (const { dueMs } of byGroup((last) => queue.findBehind(store, last), nameOf)) {
    oldestMs = Math.min(oldestMs ?? Infinity, dueMs);
  }
  return oldestMs;
}

/**
 * Remembers, in memory only, the last workspace of a walk through a queue, and the last partition
 * of each workspace. The next walk continues there.
 */
export class WalkPosition {
  workspaceId: string | null = null;
  readonly partitions = new Map<string, string>();

  note(row: Pick<QueueRow<unknown>, "partition">): void {
    const [workspaceId = ""] = row.partition;
    this.workspaceId = workspaceId;
    if (row.partition.length > 1) this.partitions.set(workspaceId, nameOf(row));
  }
}

export interface QueueWalk<T> {
  readonly store: Store;
  readonly position: WalkPosition;
  now(): Date;
  waits?(dueMs: number): void;
  backoffMsMax(value: T): number;
}

/** True if the row is due, or so far ahead that the clock must have been set back since. */
export function isDue<T>(
  { dueMs, value }: Pick<QueueRow<T>, "dueMs" | "value">,
  walk: Pick<QueueWalk<T>, "now" | "backoffMsMax">,
): boolean {
  const nowMs = walk.now().getTime();
  return dueMs <= nowMs || dueMs > nowMs + walk.backoffMsMax(value);
}

/** Workspaces take turns. A row that the caller neither deletes nor moves ends its partition. */
export async function* walkDue<T>(
  queue: RowQueue<T>,
  walk: QueueWalk<T>,
): AsyncGenerator<QueueRow<T>> {
  const { store, position } = walk;
  const lastSeen = new Map<string, string>();
  const isServed = (row: QueueRow<T>) => lastSeen.get(nameOf(row)) === row.id;
  for (let hasMore = true; hasMore;) {
    hasMore = false;
    const ownerOf = ({ partition: [owner = ""] }: QueueRow<T>) => owner;
    const find = (last: string | null) => queue.findBehind(store, last);
    for await (const first of byGroup(find, ownerOf, position.workspaceId)) {
      const owner = ownerOf(first);
      const within = (last: string | null) => queue.findBehind(store, last, [owner]);
      const partitions = first.partition.length === 1
        ? [first]
        : byGroup(within, nameOf, position.partitions.get(owner));
      for await (const row of partitions) {
        if (!isDue(row, walk)) walk.waits?.(row.dueMs);
        else if (!isServed(row)) {
          lastSeen.set(nameOf(row), row.id);
          position.note(row);
          hasMore = true;
          yield row;
          break;
        }
      }
    }
  }
}
