/** k-way merge of ranges that are each in order, reading each only as far as it is needed. */
import { removeFirst, sink, toHeap } from "../../base/heap.ts";

/** A range that gives its next rows, at most `limit`; fewer mean that it has ended. */
export interface RangeReader<T> {
  read(limit: number): Promise<readonly T[]>;
  /** How many rows are probably needed; later reads take four times as many each. */
  readonly firstLimit: number;
}

const READ_MAX = 1_000;

interface Head<T> {
  readonly reader: RangeReader<T>;
  rows: readonly T[];
  at: number;
  limit: number;
}

/** All rows in the order of `compare`, each once. The first read of every range runs side by side. */
export async function* mergeRanges<T>(
  readers: readonly RangeReader<T>[],
  compare: (a: T, b: T) => number,
): AsyncGenerator<T> {
  const isBefore = (a: Head<T>, b: Head<T>) => {
    const [first, second] = [a.rows[a.at], b.rows[b.at]];
    return first !== undefined && second !== undefined && compare(first, second) < 0;
  };
  const heads = await Promise.all(readers.map(open));
  const heap = heads.filter((head) => head.rows.length > 0);
  toHeap(heap, isBefore);
  let last: T | undefined;
  for (let head = heap[0]; head; head = heap[0]) {
    const row = head.rows[head.at];
    if (row !== undefined) {
      if (last === undefined || compare(last, row) !== 0) yield row;
      last = row;
    }
    head.at++;
    if (head.at === head.rows.length) await refill(head);
    if (head.at === head.rows.length) removeFirst(heap);
    sink(heap, 0, isBefore);
  }
}

async function open<T>(reader: RangeReader<T>): Promise<Head<T>> {
  const limit = Math.min(READ_MAX, Math.max(1, Math.ceil(reader.firstLimit)));
  return { reader, rows: await reader.read(limit), at: 0, limit };
}

async function refill<T>(head: Head<T>): Promise<void> {
  if (head.rows.length < head.limit) return;
  head.limit = Math.min(READ_MAX, head.limit * 4);
  head.rows = await head.reader.read(head.limit);
  head.at = 0;
}
