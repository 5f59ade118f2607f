/**
 * Turns a list of the API into a table for CSV files and workbooks (docs/decisions/http.md). The
 * table has the same items in the same order as the JSON answer.
 */
import { fromKeys } from "../../base/collections.ts";
import {
  columnHeadings,
  type ColumnName,
  isColumnName,
} from "../../engine/wording/column_words.ts";
import { type Cell, momentCell, type OutgoingTable } from "../../platform/tables/cell.ts";
import type { Page } from "../../platform/http/http.ts";

export type Columns<Item> = { readonly [Name in ColumnName]?: (item: Item) => Cell };

export function fields<Name extends ColumnName>(...names: readonly Name[]) {
  return columnsOf(names, (value: Cell) => value);
}

export function moments<Name extends ColumnName>(...names: readonly Name[]) {
  return columnsOf(names, momentCell);
}

function columnsOf<Name extends ColumnName, Value>(
  names: readonly Name[],
  cellOf: (value: Value) => Cell,
) {
  return fromKeys(names, (name) => (item: Readonly<Record<Name, Value>>) => cellOf(item[name]));
}

const PAGE_ROWS = 500;

/** Reads the first page, so that a refused request fails before the response begins. */
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
