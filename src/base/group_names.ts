/** Names that people give to groups of competitors, and those under which shops sell. */
import { composed, fold, hasControlCharacters, isLongerThan } from "./text.ts";

/** Most names of one list. */
export const NAMES_MAX = 20;
const NAME_CHARACTERS_MAX = 60;

/** What is wrong with a name that has no blanks around it; null: nothing. */
export function misfitOfName(name: string): string | null {
  if (name === "") return "Must not be empty";
  if (isLongerThan(name, NAME_CHARACTERS_MAX)) {
    return `Must have at most ${NAME_CHARACTERS_MAX} characters`;
  }
  return hasControlCharacters(name) ? "Must not hold control characters" : null;
}

/** The names in the form that is kept; one that stands there twice, whatever its case, once. */
export function oneEach(names: readonly string[]): string[] {
  const first = new Map<string, string>();
  for (const name of names.map((one) => composed(one))) {
    if (!first.has(fold(name))) first.set(fold(name), name);
  }
  return [...first.values()];
}
