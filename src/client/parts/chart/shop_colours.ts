/** Colours and badges of shops: the same on every screen of a workspace. */

/** As many colours there are; the eighth shop has the first colour, and another dash. */
export const COLOUR_COUNT = 7;

/** The number of each shop, from 1, in the order in which they were created: a new one changes no other. */
export function shopColours(
  shops: readonly { readonly id: string }[],
): ReadonlyMap<string, number> {
  const ids = shops.map(({ id }) => id).toSorted();
  return new Map(ids.map((id, at) => [id, at + 1]));
}

/** Two capital letters: of two words their first ones, else the first two of the name. */
export function badgeOf(name: string): string {
  const letters = name.match(/\p{Lu}/gu) ?? [];
  const word = [...name.replace(/[^\p{L}\p{N}]/gu, "")];
  const chosen = letters.length >= 2 ? letters : word;
  return chosen.slice(0, 2).join("").toUpperCase() || "?";
}
