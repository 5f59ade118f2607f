export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
  readonly count: number;
}

/** All pages of a list, each read when the caller asks for it. */
export async function* pagesOf<P extends Pick<Page<unknown>, "nextCursor">>(
  read: (cursor: string | null) => Promise<P>,
) {
  let cursor: string | null = null;
  do {
    const page: P = await read(cursor);
    yield page;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
