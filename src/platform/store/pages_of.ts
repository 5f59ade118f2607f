/**
 * Reads a list in pages of up to `size` rows until a page is short. The first page begins after `start`,
 * each other one after the last row of the previous page. A page is read when it is requested.
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

/** The position of rows that are ordered by id. */
export function idOf({ id }: { readonly id: string }): string {
  return id;
}
