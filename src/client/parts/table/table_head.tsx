import { useApp } from "../../app/app.ts";
import type { Column } from "./column.ts";
import type { Selection } from "./use_selection.ts";

/** Of the column with the boxes that mark rows. */
export const PICK_PX = 38;

interface TableHeadProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly selection?: Selection | undefined;
  /** Of the rows that are loaded: the box marks these. */
  readonly ids: readonly string[];
  /** What a column took more than its width, so that no number of it is cut. */
  readonly roomPx: ReadonlyMap<string, number>;
}

export function TableHead<Row>({ columns, selection, ids, roomPx }: TableHeadProps<Row>) {
  const { words } = useApp();
  const isEvery = selection !== undefined && ids.length > 0 && ids.every(selection.has);
  const isSome = selection !== undefined && !isEvery && selection.ids.size > 0;
  return (
    <>
      <colgroup>
        {selection && <col style={{ width: `${PICK_PX}px` }} />}
        {columns.map(({ key, width }) => (
          <col key={key} style={{ width: `${roomPx.get(key) ?? width}px` }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {selection && (
            <th class="pick">
              <input
                type="checkbox"
                aria-label={words.table.selectLoaded}
                checked={isEvery}
                indeterminate={isSome}
                onChange={() => selection.toggleAll(ids)}
              />
            </th>
          )}
          {columns.map(({ key, title, isNumber }) => (
            <th key={key} scope="col" class={isNumber ? "number" : undefined} data-column={key}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
    </>
  );
}
