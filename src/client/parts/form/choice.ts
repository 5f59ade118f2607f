/** Converts lists of the service to check boxes of a form, and back. */

type Choice<T extends string> = Readonly<Record<T, boolean>>;

export function choiceOf<T extends string>(
  all: readonly T[],
  chosen: readonly string[],
): Choice<T> {
  const choice = Object.fromEntries(all.map((name) => [name, chosen.includes(name)]));
  if (!hasAll(all, choice)) throw new Error("A choice lacks one of its names");
  return choice;
}

/** In the order of `all`. */
export function chosenOf<T extends string>(all: readonly T[], choice: Choice<T>): T[] {
  return all.filter((name) => choice[name]);
}

function hasAll<T extends string>(all: readonly T[], choice: object): choice is Choice<T> {
  return all.every((name) => name in choice);
}
