import { compareTexts } from "../../base/text.ts";

/** Lists that are each newest first as one such list, read no further than it is asked for. */

/** Where an item stands: by time, and at one time by id. */
export interface TimelinePlace {
  readonly atMs: number;
  readonly id: string;
}

/** Before an item: all of them. */
export const NEWEST: TimelinePlace = { atMs: Infinity, id: "" };

/** Negative when `a` is the newer one, which comes first. */
export function compareNewest(a: TimelinePlace, b: TimelinePlace): number {
  if (a.atMs !== b.atMs) return b.atMs - a.atMs;
  return compareTexts(b.id, a.id);
}

/** Newest first, though the source knows no order among equal times. */
async function* inOrder<T extends TimelinePlace>(source: AsyncIterable<T>): AsyncGenerator<T> {
  let equal: T[] = [];
  for await (const item of source) {
    if (equal[0] !== undefined && equal[0].atMs !== item.atMs) {
      yield* equal.sort(compareNewest);
      equal = [];
    }
    equal.push(item);
  }
  yield* equal.sort(compareNewest);
}

interface Head<T> {
  readonly reader: AsyncGenerator<T>;
  /** Null at the end. */
  item: T | null;
}

/** All items of the sources behind a place. A source must be in the order of its times. */
export async function* mergeNewest<T extends TimelinePlace>(
  sources: readonly AsyncIterable<T>[],
  after: TimelinePlace,
): AsyncGenerator<T> {
  const heads = sources.map((source): Head<T> => ({ reader: inOrder(source), item: null }));
  try {
    await Promise.all(heads.map((head) => advance(head, after)));
    for (;;) {
      const [first] = heads.filter(({ item }) => item !== null).sort(compareHeads);
      if (!first?.item) return;
      yield first.item;
      await advance(first, after);
    }
  } finally {
    await Promise.all(heads.map(({ reader }) => reader.return(undefined)));
  }
}

async function advance<T extends TimelinePlace>(head: Head<T>, after: TimelinePlace) {
  do {
    const { done, value } = await head.reader.next();
    head.item = done ? null : value;
  } while (head.item !== null && compareNewest(head.item, after) <= 0);
}

function compareHeads<T extends TimelinePlace>(a: Head<T>, b: Head<T>): number {
  return a.item && b.item ? compareNewest(a.item, b.item) : 0;
}
