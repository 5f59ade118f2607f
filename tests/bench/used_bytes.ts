import { DatabaseSync } from "node:sqlite";

/** Bytes of the database pages in use. Free pages do not count, because SQLite reuses them. */
export function usedBytes({ storePath }: { readonly storePath: string }): number {
  using file = new DatabaseSync(storePath, { readOnly: true });
  const read = (name: string) =>
    Number(Object.values(file.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  return (read("page_count") - read("freelist_count")) * read("page_size");
}
