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

/** What lies below `prefix` and an id of the stretch; without one all that lies below `prefix`. */
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

/** The id that a key ends in; such a key is asserted. */
export function lastIdOf(key: Deno.KvKey): string {
  const part = key.at(-1);
  if (!(part instanceof Uint8Array)) throw new Error("A key does not end in an id");
  return idText(part);
}
