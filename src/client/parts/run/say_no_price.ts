import type { Call } from "../../api/call.ts";

/** As many as the service takes at once. */
const AT_ONCE = 200;

/**
 * Says of pages that they show no price, or takes it back; answers those of which something else was
 * known. When it throws, some of them may be done.
 */
export async function sayNoPrice(
  call: Call,
  ids: readonly string[],
  noPrice: boolean,
): Promise<string[]> {
  const changed: string[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const body = { ids: ids.slice(at, at + AT_ONCE), noPrice };
    const outcome = await call((api) => api.POST("/api/competitor-products/no-price", { body }));
    changed.push(...outcome.changed);
  }
  return changed;
}
