/**
 * The files of a list: all that its JSON has page by page, in the same order and by the same
 * filters, as CSV and as a workbook (docs/decisions/http.md).
 */
import { z } from "@hono/zod-openapi";
import { columnHeadings, type ColumnName, isColumnName } from "../../wording/column_words.ts";
import type { Cell, OutgoingTable } from "../tables/cell.ts";
import { DialectQuery } from "../tables/csv_table.ts";
import { CSV_CONTENT, XLSX_CONTENT } from "../tables/table_answer.ts";
import type { Access } from "./app_context.ts";
import { route } from "./http.ts";
import type { Page } from "./page.ts";

interface ListFile<Path extends string, Query extends z.core.$ZodLooseShape> {
  /** Of the list; those of its files have an ending behind it. */
  readonly path: Path;
  readonly access: Access;
  readonly tags?: string[];
  /** Of a list that belongs to something. */
  readonly params?: z.ZodObject;
  /** What the list is narrowed and ordered by. */
  readonly query: z.ZodObject<Query, z.core.$strict>;
  /** Whose rows they are, and their order. */
  readonly describes: string;
}

/** In which language a file speaks. */
export const HeadingQuery = z.enum(["de", "en"]).optional().meta({
  description:
    "Columns are headed as people call them in this language, and codes and flags are its words " +
    "in files of the app; files by key have codes",
});

const NO_PARAMS = z.object({});

/** Declares both files of a list. */
export function fileRoutes<Path extends string, Query extends z.core.$ZodLooseShape>(
  { path, access, tags, params = NO_PARAMS, query, describes }: ListFile<Path, Query>,
) {
  const shared = { method: "get", access, ...(tags && { tags }) } as const;
  return {
    csv: route({
      ...shared,
      path: `${path}.csv`,
      request: { params, query: query.extend({ dialect: DialectQuery, lang: HeadingQuery }) },
      responses: { 200: { description: describes, content: CSV_CONTENT } },
    }),
    xlsx: route({
      ...shared,
      path: `${path}.xlsx`,
      request: { params, query: query.extend({ lang: HeadingQuery }) },
      responses: { 200: { description: `${describes}; as a workbook`, content: XLSX_CONTENT } },
    }),
  };
}

/** What a file has of each row, by the name of the column. */
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
