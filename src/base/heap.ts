/** A binary heap in an array, whose first item is the smallest one. */

type IsBefore<T> = (a: T, b: T) => boolean;

function toHeap<T>(items: T[], isBefore: IsBefore<T>): void {
  for (let at = (items.length >> 1) - 1; at >= 0; at--) sink(items, at, isBefore);
}

function sink<T>(heap: T[], at: number, isBefore: IsBefore<T>): void {
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

function removeFirst<T>(heap: T[]): void {
  const last = heap.pop();
  if (last !== undefined && heap.length > 0) heap[0] = last;
}

export class SortedQueue<T> {
  readonly #items: T[];
  readonly #isBefore: IsBefore<T>;

  /** The queue reorders the array `items`, and `take` removes items from this array. */
  constructor(items: T[], isBefore: IsBefore<T>) {
    this.#items = items;
    this.#isBefore = isBefore;
    toHeap(items, isBefore);
  }

  get size(): number {
    return this.#items.length;
  }

  take(count: number): T[] {
    const taken: T[] = [];
    for (let [first] = this.#items; first !== undefined && taken.length < count;) {
      taken.push(first);
      removeFirst(this.#items);
      sink(this.#items, 0, this.#isBefore);
      [first] = this.#items;
    }
    return taken;
  }
}

/** Keeps the first `limit` items (at least 1) in the order of `isBefore`. */
export class TopN<T> {
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
