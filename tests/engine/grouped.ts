/** A table of cases by what is expected, then by name. */
export type Grouped<Given> = Readonly<Record<string, Readonly<Record<string, Given>>>>;

/** The cases of a table, one after the other. */
export function rowsOf<Given>(
  table: Grouped<Given>,
): readonly (readonly [name: string, given: Given, expected: string])[] {
  return Object.entries(table).flatMap(([expected, cases]) =>
    Object.entries(cases).map(([name, given]) => [name, given, expected] as const)
  );
}
