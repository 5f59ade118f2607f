export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(json: unknown): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

export function fromKeys<N extends string, V>(
  names: readonly N[],
  valueOf: (name: N) => V,
): Record<N, V> {
  return Object(Object.fromEntries(names.map((name) => [name, valueOf(name)])));
}

export function mapValues<N extends string, V, To>(
  record: Readonly<Record<N, V>>,
  map: (value: V, name: string) => To,
): Record<N, To> {
  return Object(Object.fromEntries(
    Object.entries<V>(record).map(([name, value]) => [name, map(value, name)]),
  ));
}

export function pick<T extends object, N extends keyof T>(
  whole: T,
  names: readonly N[],
): Pick<T, N> {
  return Object(Object.fromEntries(names.map((name) => [name, whole[name]])));
}

export function sumOf<T>(items: readonly T[], valueOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + valueOf(item), 0);
}

/** In `patch`, null resets a field to `defaults`, and undefined leaves the field unchanged. */
export function withPatch<T extends object>(
  before: T,
  patch: { readonly [Name in keyof T]?: T[Name] | null | undefined },
  defaults: Partial<T>,
): T {
  const plain: Record<string, unknown> = { ...defaults };
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  const changes = given.map(([name, value]) => [name, value ?? plain[name] ?? null]);
  return { ...before, ...Object.fromEntries(changes) };
}

export async function* batchesOf<T>(
  items: AsyncIterable<T> | Iterable<T>,
  size: number,
): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    if (batch.push(item) < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Cuts `items` into lists of a total size of at most `most`; a larger item gets its own list. */
export function cutBySize<T>(
  items: readonly T[],
  most: number,
  sizeOf: (item: T) => number,
): T[][] {
  const lists: T[][] = [];
  let size = Infinity;
  for (const item of items) {
    const own = sizeOf(item);
    size += own;
    if (size <= most) lists.at(-1)?.push(item);
    else {
      lists.push([item]);
      size = own;
    }
  }
  return lists;
}

/** Each source must be sorted by `keyOf`, in the given `order`. */
export async function* mergeSorted<T>(
  sources: readonly AsyncGenerator<T>[],
  keyOf: (item: T) => string,
  order: "asc" | "desc" = "asc",
): AsyncGenerator<T> {
  const headOf = async (source: AsyncGenerator<T>) => {
    const { done, value } = await source.next();
    return done ? null : { source, value, key: keyOf(value) };
  };
  const heads = await Promise.all(sources.map(headOf));
  const isBefore = (one: string, other: string) => order === "asc" ? one < other : one > other;
  for (;;) {
    const first = heads.reduce(
      (least, head) => least && !(head && isBefore(head.key, least.key)) ? least : head,
      null,
    );
    if (first === null) return;
    yield first.value;
    heads[heads.indexOf(first)] = await headOf(first.source);
  }
}

export async function firstOf<T>(
  items: AsyncIterable<T> | Iterable<T>,
  count: number,
  fits: (item: T) => boolean = () => true,
): Promise<T[]> {
  const first: T[] = [];
  for await (const item of items) if (fits(item) && first.push(item) >= count) break;
  return first;
}

/** Disposes `held` when the iteration over `source` ends, fails or is stopped early. */
export function releasing<T>(
  source: AsyncGenerator<T, void>,
  held: Disposable,
): AsyncIterableIterator<T, void> {
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      try {
        const step = await source.next();
        if (step.done) held[Symbol.dispose]();
        return step;
      } catch (error) {
        held[Symbol.dispose]();
        throw error;
      }
    },
    async return() {
      using _ = held;
      return await source.return();
    },
  };
}

export function keepNewest<K, V>(cache: Map<K, V>, key: K, value: V, max: number): void {
  cache.delete(key);
  cache.set(key, value);
  const [oldest] = cache.keys();
  if (cache.size > max && oldest !== undefined) cache.delete(oldest);
}

export function once<T>(make: () => T): () => T {
  let known: { readonly value: T } | null = null;
  return () => (known ??= { value: make() }).value;
}

/** Results are cached, so callers must not change a result. */
export function memoize<T>(
  make: (text: string) => NonNullable<T>,
  charactersMax: number,
): (text: string) => NonNullable<T> {
  let recent = new Map<string, NonNullable<T>>();
  let before = recent;
  return (text) => {
    const known = recent.get(text);
    if (known !== undefined) return known;
    const made = before.get(text) ?? make(text);
    if (text.length > charactersMax) return made;
    if (recent.size >= 1_024) {
      before = recent;
      recent = new Map();
    }
    recent.set(text, made);
    return made;
  };
}

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
