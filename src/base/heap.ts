/**
 * A binary heap in an array; its first item is the smallest. It is used to merge sorted lists and to find
 * the smallest of many items.
 */

type IsBefore<T> = (a: T, b: T) => boolean;

export function toHeap<T>(items: T[], isBefore: IsBefore<T>): void {
  for (let at = (items.length >> 1) - 1; at >= 0; at--) sink(items, at, isBefore);
}

/** Restores the heap order after the item at `at` has become larger. */
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

/** Removes the first item and moves the last one there. The caller then calls `sink`. */
export function removeFirst<T>(heap: T[]): void {
  const last = heap.pop();
  if (last !== undefined && heap.length > 0) heap[0] = last;
}

/** Finds the first `limit` (at least 1) of any number of items in one pass. */
export class TopN<T> {
  /** Once it is full, a heap whose first item is the next one to be replaced. */
  readonly #items: T[] = [];
  readonly #limit: number;
  readonly #isBefore: IsBefore<T>;
  readonly #isBehind: IsBefore<T>;

  constructor(limit: number, isBefore: IsBefore<T>) {
    this.#limit = limit;
    this.#isBefore = isBefore;
    this.#isBehind = (a, b) => isBefore(b, a);
  }

  add(item: T): void {
    const items = this.#items;
    const [last] = items;
    if (items.length < this.#limit || last === undefined) {
      if (items.push(item) === this.#limit) toHeap(items, this.#isBehind);
    } else if (this.#isBefore(item, last)) {
      items[0] = item;
      sink(items, 0, this.#isBehind);
    }
  }

  sorted(): T[] {
    return this.#items.toSorted((a, b) => this.#isBefore(a, b) ? -1 : 1);
  }
}
