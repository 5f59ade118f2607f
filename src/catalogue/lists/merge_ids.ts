import { removeFirst, sink, toHeap } from "../../base/heap.ts";

/** Stands on an id; without one it has come to its end. */
export interface IdWalk {
  readonly id: string | undefined;
}

/** The ids of walks whose own ids ascend, ascending; `moveOn` is called only as far as ids are taken. */
export function* mergeIds<Walk extends IdWalk>(
  walks: readonly Walk[],
  moveOn: (walk: Walk) => void,
): Generator<string> {
  const heap = walks.filter(({ id }) => id !== undefined);
  toHeap(heap, isBefore);
  for (let first = heap[0]; first?.id !== undefined; first = heap[0]) {
    yield first.id;
    moveOn(first);
    if (first.id === undefined) removeFirst(heap);
    sink(heap, 0, isBefore);
  }
}

function isBefore(a: IdWalk, b: IdWalk): boolean {
  return a.id !== undefined && b.id !== undefined && a.id < b.id;
}
