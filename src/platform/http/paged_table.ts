/** A list of the API as a table for download, with the same items in the same order. */
import type { Cell, OutgoingTable } from "../tables/cell.ts";
import type { Page } from "./http.ts";

/** A page also reads the next row, and the store reads at most 500 rows at once. */
const PAGE_ROWS = 499;

/** Reads the first page, so that a refused request fails before the response begins. */
export async function openPagedTable<Item>(
  head: Omit<OutgoingTable, "batches">,
  cells: readonly ((item: Item) => Cell)[],
  read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page<Item>>,
): Promise<OutgoingTable> {
  const first = await read({ limit: PAGE_ROWS });
  async function* batches(): AsyncGenerator<Cell[][]> {
    for (let page = first;;) {
      if (page.items.length > 0) yield page.items.map((item) => cells.map((of) => of(item)));
      if (page.nextCursor === null) return;
      page = await read({ limit: PAGE_ROWS, cursor: page.nextCursor });
    }
  }
  return { ...head, batches: batches() };
}
