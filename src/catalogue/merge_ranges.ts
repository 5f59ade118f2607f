/** k-way merge of ranges that are each in id order, reading each only as far as it is needed. */

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

/** All rows by id, each id once. The first read of every range runs side by side. */
export async function* mergeRanges<T extends { readonly id: string }>(
  readers: readonly RangeReader<T>[],
): AsyncGenerator<T> {
  const heads = await Promise.all(readers.map(open));
  const heap = heads.filter((head) => head.rows.length > 0);
  for (let at = (heap.length >> 1) - 1; at >= 0; at--) sink(heap, at);
  let lastId: string | null = null;
  for (let head = heap[0]; head; head = heap[0]) {
    const row = head.rows[head.at];
    if (row && row.id !== lastId) yield row;
    lastId = row?.id ?? lastId;
    head.at++;
    if (head.at === head.rows.length) await refill(head);
    if (head.at === head.rows.length) removeFirst(heap);
    sink(heap, 0);
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

function removeFirst<T>(heap: Head<T>[]): void {
  const last = heap.pop();
  if (last && heap.length > 0) heap[0] = last;
}

/** Restores the order of the heap below `at`. */
function sink<T extends { readonly id: string }>(heap: Head<T>[], at: number): void {
  for (let parent = at;;) {
    const left = 2 * parent + 1;
    const child = isBefore(heap[left + 1], heap[left]) ? left + 1 : left;
    const [upper, lower] = [heap[parent], heap[child]];
    if (!upper || !lower || !isBefore(lower, upper)) return;
    heap[parent] = lower;
    heap[child] = upper;
    parent = child;
  }
}

function isBefore<T extends { readonly id: string }>(
  a: Head<T> | undefined,
  b: Head<T> | undefined,
): boolean {
  const [first, second] = [a?.rows[a.at], b?.rows[b.at]];
  return first !== undefined && second !== undefined && first.id < second.id;
}
