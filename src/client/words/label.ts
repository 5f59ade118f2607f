/** A text for each code of a list: one that is missing does not compile. */
export type Labels<Code extends string> = Readonly<Record<Code, string>>;

/** The label of a code of the service; a code that this page does not know yet is shown as it is. */
export function labelIn(labels: Readonly<Record<string, string>>, code: string): string {
  return labels[code] ?? code;
}

/** The word for one, or the one for none and many: German and English need no more. */
export function plural(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}
