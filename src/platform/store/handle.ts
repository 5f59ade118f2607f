/** Replaces methods of a `Deno.Kv` handle, because Deno KV rejects wrapped handles. */

/** Number of rows that an iterator of Deno KV fetches at once by default. */
const DEFAULT_BATCH_SIZE = 100;

export function replaceMethod(
  target: object,
  name: string,
  method: (...args: never[]) => unknown,
): void {
  Object.defineProperty(target, name, { value: method, configurable: true, writable: true });
}

export function beforeClosing(kv: Deno.Kv, work: () => void): void {
  const close = kv.close.bind(kv);
  replaceMethod(kv, "close", () => {
    work();
    close();
  });
}

/** A function that wraps each read and commit. `key` shows which workspace the rows belong to. */
export type AroundCall = <T>(call: () => Promise<T>, key: Deno.KvKey) => Promise<T>;

const owners = new WeakMap<Deno.AtomicOperation, Deno.KvKey>();

export function noteOwner(operation: Deno.AtomicOperation, key: Deno.KvKey): void {
  owners.set(operation, key);
}

export function aroundCalls(kv: Deno.Kv, around: AroundCall): Deno.Kv {
  const { get, getMany, list, atomic } = kv;
  replaceMethod(
    kv,
    "get",
    (...args: [Deno.KvKey]) => around(() => Reflect.apply(get, kv, args), args[0]),
  );
  replaceMethod(
    kv,
    "getMany",
    (...args: [Deno.KvKey[]]) => around(() => Reflect.apply(getMany, kv, args), args[0][0] ?? []),
  );
  replaceMethod(kv, "list", (selector: Deno.KvListSelector, options: Deno.KvListOptions = {}) => {
    const rows: Deno.KvListIterator<unknown> = Reflect.apply(list, kv, [selector, options]);
    const key = "prefix" in selector ? selector.prefix : selector.start;
    const next = rows.next.bind(rows);
    const asked = options.batchSize ?? options.limit ?? DEFAULT_BATCH_SIZE;
    const batchSize = Math.min(asked, 500);
    let taken = 0;
    // Deno KV reads the whole batch when the first row of the batch is requested.
    rows.next = () => taken++ % batchSize === 0 ? around(next, key) : next();
    return rows;
  });
  replaceMethod(kv, "atomic", () => {
    const operation: Deno.AtomicOperation = Reflect.apply(atomic, kv, []);
    const commit = operation.commit.bind(operation);
    operation.commit = () => around(commit, owners.get(operation) ?? []);
    return operation;
  });
  return kv;
}
