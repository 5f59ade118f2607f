/**
 * Turns a list of the API into a table for CSV files and workbooks (docs/decisions/http.md). The
 * table has the items of all pages of the JSON answer, in the same order.
 */
import type { Language } from "../../base/codes.ts";
import { fromKeys } from "../../base/collections.ts";
import {
  columnHeadings,
  type ColumnName,
  isColumnName,
} from "../../engine/wording/column_words.ts";
import { type Cell, momentCell, type OutgoingTable } from "../../platform/tables/cell.ts";
import { openPagedTable } from "../../platform/http/paged_table.ts";

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

export async function openListTable<Item>(
  name: string,
  columns: Columns<Item>,
  read: Parameters<typeof openPagedTable<Item>>[2],
): Promise<OutgoingTable> {
  const names = Object.keys(columns).filter(isColumnName);
  const headingsIn = (language: Language) => columnHeadings(language, name, names);
  return await openPagedTable({ name, columns: names, headingsIn }, Object.values(columns), read);
}
