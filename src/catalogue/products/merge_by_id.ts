/**
 * The rows of sources whose own ids ascend, by their ids; of rows with one id those of the first source
 * come first.
 */
export async function* mergeById<Row>(
  sources: readonly AsyncGenerator<Row>[],
  idOf: (row: Row) => string,
): AsyncGenerator<Row> {
  const heads = await Promise.all(
    sources.map(async (source) => ({ source, head: await source.next() })),
  );
  for (;;) {
    let first: { readonly place: (typeof heads)[number]; readonly value: Row } | null = null;
    for (const place of heads) {
      if (place.head.done) continue;
      const { value } = place.head;
      if (first === null || idOf(value) < idOf(first.value)) first = { place, value };
    }
    if (first === null) return;
    yield first.value;
    first.place.head = await first.place.source.next();
  }
}
