/** What was worked out for the texts that were asked for last, where the same ones are asked for again and again. */

/** So many texts twice: those that were asked for last are among them. */
const RECENT_MAX = 1_024;

/**
 * `make`, which keeps its last answers for texts of up to `charactersMax` characters; nobody may change them.
 * What throws is kept for nobody.
 */
export function remembered<T>(
  make: (text: string) => NonNullable<T>,
  charactersMax: number,
): (text: string) => NonNullable<T> {
  let recent = new Map<string, NonNullable<T>>();
  let before = recent;
  return (text) => {
    const known = recent.get(text);
    if (known !== undefined) return known;
    const made = before.get(text) ?? make(text);
    if (text.length > charactersMax) return made;
    if (recent.size >= RECENT_MAX) {
      before = recent;
      recent = new Map();
    }
    recent.set(text, made);
    return made;
  };
}
