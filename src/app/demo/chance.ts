/**
 * Maps a text to a number from 0 (inclusive) to 1 (exclusive), so that the demo is the same every
 * time. It uses FNV-1a with a final mixing step, without which texts that differ only at the end
 * would give similar numbers.
 */
export function chanceOf(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const unit of parts.join("\u001f")) {
    hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** Chooses an item of a list, always the same for the same text. */
export function choiceOf<T>(list: readonly [T, ...T[]], ...parts: readonly (string | number)[]): T {
  return list[Math.floor(chanceOf(...parts) * list.length)] ?? list[0];
}
