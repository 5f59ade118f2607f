/**
 * Replaces a method of a handle. Deno KV's methods work on the original object only, so a handle
 * cannot be wrapped.
 */
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
