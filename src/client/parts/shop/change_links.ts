import type { Call } from "../../api/call.ts";

/** `noPrice` says whether the pages show no price. `removed: false` links removed pages again. */
export type LinkChange = { readonly noPrice: boolean } | { readonly removed: boolean };

/** Maximum number of links in a request. */
const AT_ONCE = 200;

/** Returns the changed ids. May throw an error after it has already changed some links. */
export async function changeLinks(
  call: Call,
  ids: readonly string[],
  change: LinkChange,
): Promise<string[]> {
  const changed: string[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE);
    const outcome = await call((api) =>
      "removed" in change
        ? api.POST("/api/competitor-products/removal", { body: { ids: some, ...change } })
        : api.POST("/api/competitor-products/no-price", { body: { ids: some, ...change } })
    );
    changed.push(...outcome.changed);
  }
  return changed;
}
