/** Parts of what comes one by one. */

/** All of it in parts of `size`; the last one may have fewer, and none is empty. */
export async function* batchesOf<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    if (batch.push(item) < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The first of it, `count` at most, which is 1 at least; nothing behind them is waited for. */
export async function firstOf<T>(items: AsyncIterable<T>, count: number): Promise<T[]> {
  const first: T[] = [];
  for await (const item of items) if (first.push(item) === count) break;
  return first;
}
