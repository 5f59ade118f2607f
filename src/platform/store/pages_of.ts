/** Reads a list in pages of up to `size` rows. A page with fewer rows is the last. */
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

/** The position of a row in a list that is sorted by id. */
export function idOf({ id }: { readonly id: string }): string {
  return id;
}
