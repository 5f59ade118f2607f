import { useApp } from "../../app/app.ts";
import type { Column } from "./column.ts";
import type { Selection } from "./use_selection.ts";

/** Of the column with the boxes that mark rows. */
export const PICK_PX = 38;

interface TableHeadProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly selection?: Selection | undefined;
  /** Of the rows that are loaded. */
  ids(): readonly string[];
}

export function TableHead<Row>({ columns, selection, ids }: TableHeadProps<Row>) {
  const { words } = useApp();
  const isAny = selection !== undefined && (selection.isAll || selection.ids.size > 0);
  return (
    <>
      <colgroup>
        {selection && <col style={{ width: `${PICK_PX}px` }} />}
        {columns.map(({ key, width }) => <col key={key} style={{ width: `${width}px` }} />)}
      </colgroup>
      <thead>
        <tr>
          {selection && (
            <th class="pick">
              <input
                type="checkbox"
                aria-label={words.table.selectLoaded}
                checked={isAny}
                onChange={() => selection.toggleAll(ids())}
              />
            </th>
          )}
          {columns.map(({ key, title, isNumber }) => (
            <th key={key} scope="col" class={isNumber ? "number" : undefined}>{title}</th>
          ))}
        </tr>
      </thead>
    </>
  );
}
