/**
 * Pages of up to `size` rows of a list until one is short; each begins behind the last row of the one before,
 * the first behind `start`. A page is read when it is asked for.
 */
export async function* pagesOf<T, P = string>(
  list: (after: P | null, limit: number) => Promise<readonly T[]>,
  placeOf: (row: T) => P,
  size: number,
  start: P | null = null,
): AsyncGenerator<readonly T[]> {
  for (let after = start;;) {
    const page = await list(after, size);
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < size) return;
    after = placeOf(last);
  }
}

/** The place of rows that are in the order of their ids. */
export function idOf({ id }: { readonly id: string }): string {
  return id;
}
