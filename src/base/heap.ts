/** A binary heap in an array: its first item is before all others. For merging what is in order. */

/** True when `a` comes before `b`. */
export type IsBefore<T> = (a: T, b: T) => boolean;

/** Brings the items of an array into the order of a heap. */
export function toHeap<T>(items: T[], isBefore: IsBefore<T>): void {
  for (let at = (items.length >> 1) - 1; at >= 0; at--) sink(items, at, isBefore);
}

/** Restores the order below an item that may have moved back. */
export function sink<T>(heap: T[], at: number, isBefore: IsBefore<T>): void {
  for (let parent = at;;) {
    const left = 2 * parent + 1;
    const [one, two] = [heap[left], heap[left + 1]];
    const child = one !== undefined && two !== undefined && isBefore(two, one) ? left + 1 : left;
    const [upper, lower] = [heap[parent], heap[child]];
    if (upper === undefined || lower === undefined || !isBefore(lower, upper)) return;
    heap[parent] = lower;
    heap[child] = upper;
    parent = child;
  }
}

/** Takes the first item away; the last takes its place and has yet to sink. */
export function removeFirst<T>(heap: T[]): void {
  const last = heap.pop();
  if (last !== undefined && heap.length > 0) heap[0] = last;
}
