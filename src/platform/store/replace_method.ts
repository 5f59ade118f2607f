/**
 * Replaces a method of an object of Deno KV. The methods of its classes work only on the original
 * objects, so these cannot be subclassed or wrapped.
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
