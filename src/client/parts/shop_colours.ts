/** Colours and badges of shops: the same on every screen of a workspace. */

/** As many colours there are; the eighth shop has the first colour, and another dash. */
const COLOUR_COUNT = 7;
const DASH_COUNT = 4;

/** The classes of a shop's colour and dash, by the number that it was given (docs/decisions/competitors.md). */
export function shopClass(colour: number): string {
  const at = (colour - 1) % COLOUR_COUNT;
  const turn = Math.floor((colour - 1) / COLOUR_COUNT);
  return `shop-${at + 1} dash-${(at + turn) % DASH_COUNT + 1}`;
}

/** Two capital letters: of two words their first ones, else the first two of the name. */
export function badgeOf(name: string): string {
  const letters = name.match(/\p{Lu}/gu) ?? [];
  const word = [...name.replace(/[^\p{L}\p{N}]/gu, "")];
  const chosen = letters.length >= 2 ? letters : word;
  return chosen.slice(0, 2).join("").toUpperCase() || "?";
}
