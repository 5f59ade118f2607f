import { idBytes, idText } from "../../base/id.ts";

/** The smallest key part after an id: where the page after it starts. */
export function justAfterId(id: string): Uint8Array {
  const part = new Uint8Array(13);
  part.set(idBytes(id));
  return part;
}

/** Rows of ids between two of them, both included. */
export interface IdStretch {
  readonly first: string;
  readonly last: string;
}

/** The rows below `prefix` with an id of the range; without one all rows below `prefix`. */
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

/** The rows below `prefix` after an id in the order of the list; `null` starts with the first. */
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

/** The bytes that stand at a place of a key; a place below zero counts from the end. Asserted. */
export function bytesIn(key: Deno.KvKey, place: number): Uint8Array {
  const part = key.at(place);
  if (!(part instanceof Uint8Array)) throw new Error(`A key has no bytes at its place ${place}`);
  return part;
}

/** Like `bytesIn`, where the bytes are those of an id. */
export function idIn(key: Deno.KvKey, place: number): string {
  return idText(bytesIn(key, place));
}

/** The id that a key ends in; such a key is asserted. */
export function lastIdOf(key: Deno.KvKey): string {
  return idIn(key, -1);
}
