import { idBytes, idText } from "../../base/id.ts";

/** The smallest key part after an id: where the page after it starts. */
export function justAfterId(id: string): Uint8Array {
  const part = new Uint8Array(13);
  part.set(idBytes(id));
  return part;
}

/** The id that a key ends in; such a key is asserted. */
export function lastIdOf(key: Deno.KvKey): string {
  const part = key.at(-1);
  if (!(part instanceof Uint8Array)) throw new Error("A key does not end in an id");
  return idText(part);
}
