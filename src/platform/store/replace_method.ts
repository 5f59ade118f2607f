/**
 * Replaces a method of a Deno KV object. The methods of Deno KV only work on the original objects,
 * so these cannot be subclassed or wrapped.
 */
export function replaceMethod(
  target: object,
  name: string,
  method: (...args: never[]) => unknown,
): void {
  Object.defineProperty(target, name, { value: method, configurable: true, writable: true });
}

/** Runs `work` before a store is closed. */
export function beforeClosing(kv: Deno.Kv, work: () => void): void {
  const close = kv.close.bind(kv);
  replaceMethod(kv, "close", () => {
    work();
    close();
  });
}
