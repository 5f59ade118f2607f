/**
 * The files of a list: all that its JSON has page by page, in the same order and by the same
 * filters, as CSV and as a workbook (docs/decisions/http.md).
 */

import {
  columnHeadings,
  type ColumnName,
  isColumnName,
} from "../../engine/wording/column_words.ts";
import type { Language } from "../../engine/wording/show.ts";
import type { Context, WorkspaceStore } from "../store/context.ts";
import type { Cell, OutgoingTable } from "../tables/cell.ts";
import { type CsvDialect, DialectQuery } from "../tables/csv_table.ts";
import { CSV_CONTENT, tableResponse, worded, XLSX_CONTENT } from "../tables/table_answer.ts";
import type { Access, AppEnv } from "./app_context.ts";
import { room, route } from "./http.ts";
import type { Page } from "./page.ts";
import { z } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";

/** What the query of a file has beside the filters of its list. */
interface FileForm {
  /** Of a CSV alone. */
  readonly dialect?: CsvDialect;
  /** Without it the table has the names of its columns. */
  readonly lang?: Language | undefined;
}

export interface ListFile<Filter, Params> {
  /** Of the list; those of its files have an ending behind it. */
  readonly path: string;
  readonly access: Access;
  readonly tags?: string[];
  /** Of a list that belongs to something. */
  readonly params?: z.ZodObject & z.ZodType<Params>;
  /** What the list is narrowed and ordered by. */
  readonly query: z.ZodObject & z.ZodType<Filter>;
  /** Whose rows they are, and their order. */
  readonly describes: string;
  /** The table of what was asked for. */
  open(
    ctx: Context,
    filter: Omit<Filter & FileForm, keyof FileForm>,
    params: Params,
  ): OutgoingTable | Promise<OutgoingTable>;
}

/** In which language a file speaks. */
export const HeadingQuery = z.enum(["de", "en"]).optional().meta({
  description:
    "Columns are headed as people call them in this language, and codes and flags are its words " +
    "in files of the app; files by key have codes",
});

const NO_PARAMS = z.object({});

/** Both files of a list; `timeZoneOf` is the clock of a workspace. */
export function fileRoutes<Filter, Params>(
  { path, access, tags, params, query, describes, open }: ListFile<Filter, Params>,
  timeZoneOf: (workspace: WorkspaceStore) => Promise<string>,
) {
  const shared = { method: "get", access, ...(tags && { tags }) } as const;
  const csv = route({
    ...shared,
    path: `${path}.csv`,
    request: {
      params: params ?? NO_PARAMS,
      query: query.extend({ dialect: DialectQuery, lang: HeadingQuery }),
    },
    responses: { 200: { description: describes, content: CSV_CONTENT } },
  });
  const xlsx = route({
    ...shared,
    path: `${path}.xlsx`,
    request: { params: params ?? NO_PARAMS, query: query.extend({ lang: HeadingQuery }) },
    responses: { 200: { description: `${describes}; as a workbook`, content: XLSX_CONTENT } },
  });
  type Asked = { out: { query: Filter & FileForm; param: Params } };
  const answer = async (c: HonoContext<AppEnv, string, Asked>) => {
    const { dialect, lang, ...filter } = c.req.valid("query");
    const table = worded(await open(c.var.ctx, filter, c.req.valid("param")), lang);
    if (dialect) return tableResponse(table, { format: "csv", dialect });
    const timeZone = await timeZoneOf(c.var.ctx);
    return tableResponse(table, { format: "xlsx", timeZone });
  };
  return room().openapi(csv, answer).openapi(xlsx, answer);
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
