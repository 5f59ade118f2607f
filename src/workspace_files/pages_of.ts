/** How many rows of a kind are in memory at once. */
export const ROWS_PER_READ = 500;

/** Pages of a list until one is short; each begins behind the last row of the one before. */
export async function* pagesOf<T, P>(
  list: (after: P | null) => Promise<T[]>,
  placeOf: (row: T) => P,
): AsyncGenerator<T[]> {
  for (let after: P | null = null;;) {
    const page: T[] = await list(after);
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < ROWS_PER_READ) return;
    after = placeOf(last);
  }
}

/** The place of rows that are in the order of their ids. */
export function idOf({ id }: { readonly id: string }): string {
  return id;
}
