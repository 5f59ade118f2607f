import { idBytes, idText } from "../../base/id.ts";

/** The smallest key part after an id. The next page starts there. */
export function justAfterId(id: string): Uint8Array {
  const part = new Uint8Array(13);
  part.set(idBytes(id));
  return part;
}

/** An inclusive range of ids. */
export interface IdStretch {
  readonly first: string;
  readonly last: string;
}

/** Selects the rows below `prefix` with an id in the range; without a range, all of them. */
export function selectorOfIds(
  prefix: Deno.KvKey,
  stretch: IdStretch | undefined,
): Deno.KvListSelector {
  if (!stretch) return { prefix };
  return {
    start: [...prefix, idBytes(stretch.first)],
    end: [...prefix, justAfterId(stretch.last)],
  };
}

/**
 * Selects the rows below `prefix` after an id in the order of the list; `null` starts with the
 * first.
 */
export function selectorAfter(
  prefix: Deno.KvKey,
  after: string | null,
  order: "asc" | "desc" = "asc",
): Deno.KvListSelector {
  if (after === null) return { prefix };
  return order === "asc"
    ? { prefix, start: [...prefix, justAfterId(after)] }
    : { prefix, end: [...prefix, idBytes(after)] };
}

/** The bytes at an index of a key, which must exist. Negative indexes count from the end. */
export function bytesIn(key: Deno.KvKey, place: number): Uint8Array {
  const part = key.at(place);
  if (!(part instanceof Uint8Array)) throw new Error(`A key has no bytes at its place ${place}`);
  return part;
}

/** Like `bytesIn`, for an id. */
export function idIn(key: Deno.KvKey, place: number): string {
  return idText(bytesIn(key, place));
}

/** The id at the end of a key, which must exist. */
export function lastIdOf(key: Deno.KvKey): string {
  return idIn(key, -1);
}
