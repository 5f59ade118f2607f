/**
 * The files of a list: all items of its JSON pages, with the same order and filters, as CSV and as a
 * workbook (docs/decisions/http.md).
 */
import { z } from "@hono/zod-openapi";
import {
  columnHeadings,
  type ColumnName,
  isColumnName,
} from "../../engine/wording/column_words.ts";
import type { Cell, OutgoingTable } from "../tables/cell.ts";
import type { Page } from "./page.ts";

/** In which language a file speaks. */
export const HeadingQuery = z.enum(["de", "en"]).optional().meta({
  description:
    "Columns are headed as people call them in this language, and codes and flags are its words " +
    "in files of the app; files by key have codes",
});

/** The cells of a row, by the name of the column. */
export type Columns<Item> = { readonly [Name in ColumnName]?: (item: Item) => Cell };

/** Read at once; a file asks for larger pages than people do. */
const PAGE_ROWS = 500;

/**
 * A list as a table. The first page is read before this answers, so that what the list refuses is
 * refused; the others as the file is taken.
 */
export async function openListTable<Item>(
  name: string,
  columns: Columns<Item>,
  read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page<Item>>,
): Promise<OutgoingTable> {
  const first = await read({ limit: PAGE_ROWS });
  const cells = Object.values(columns);
  const names = Object.keys(columns).filter(isColumnName);
  async function* batches(): AsyncGenerator<Cell[][]> {
    for (let page = first;;) {
      if (page.items.length > 0) yield page.items.map((item) => cells.map((of) => of(item)));
      if (page.nextCursor === null) return;
      page = await read({ limit: PAGE_ROWS, cursor: page.nextCursor });
    }
  }
  return {
    name,
    columns: names,
    headingsIn: (language) => columnHeadings(language, name, names),
    batches: batches(),
  };
}
