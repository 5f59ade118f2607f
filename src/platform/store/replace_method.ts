/**
 * Gives an object of the engine another method. Deno KV's are of classes of its own, whose methods work
 * on themselves alone: they can neither be inherited from nor wrapped.
 */
export function replaceMethod(
  target: object,
  name: string,
  method: (...args: never[]) => unknown,
): void {
  Object.defineProperty(target, name, { value: method, configurable: true, writable: true });
}

/** Does something more before a store is closed. */
export function beforeClosing(kv: Deno.Kv, work: () => void): void {
  const close = kv.close.bind(kv);
  replaceMethod(kv, "close", () => {
    work();
    close();
  });
}
