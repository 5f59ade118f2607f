import { useApp } from "../../app/app.ts";
import { Icon } from "../icon.tsx";
import type { Column, Sorting } from "./column.ts";
import type { Selection } from "./use_selection.ts";

/** Of the column with the boxes that mark rows. */
export const PICK_PX = 38;

interface TableHeadProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly selection?: Selection | undefined;
  /** Of the rows that are loaded: the box marks these. */
  readonly ids: readonly string[];
  readonly sorting?: Sorting | undefined;
  /** The extra width of columns, so that no number is cut. */
  readonly roomPx: ReadonlyMap<string, number>;
}

export function TableHead<Row>(
  { columns, selection, ids, sorting, roomPx }: TableHeadProps<Row>,
) {
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
          {selection && <PickAll selection={selection} ids={ids} />}
          {columns.map(({ key, title, head, isNumber, sort }) => (
            <th
              key={key}
              scope="col"
              class={isNumber ? "number" : undefined}
              data-column={key}
              aria-sort={sort && sorting?.by === sort.by ? ARIA_ORDERS[sorting.order] : undefined}
            >
              {sort && sorting
                ? <SortButton title={title} sort={sort} sorting={sorting} />
                : head ?? title}
            </th>
          ))}
        </tr>
      </thead>
    </>
  );
}

interface PickAllProps {
  readonly selection: Selection;
  /** Of the rows that are loaded. */
  readonly ids: readonly string[];
}

/** The head of the boxes that mark rows: it marks all that are loaded. */
export function PickAll({ selection, ids }: PickAllProps) {
  const { words } = useApp();
  const isEvery = ids.length > 0 && ids.every(selection.has);
  return (
    <th class="pick">
      <input
        type="checkbox"
        aria-label={words.table.selectLoaded}
        checked={isEvery}
        indeterminate={!isEvery && selection.ids.size > 0}
        onChange={() => selection.toggleAll(ids)}
      />
    </th>
  );
}

const ARIA_ORDERS = { asc: "ascending", desc: "descending" } as const;

interface SortButtonProps {
  readonly title: string;
  readonly sort: NonNullable<Column<unknown>["sort"]>;
  readonly sorting: Sorting;
}

/** First the way in which the column is mostly looked at, then the other way, then not at all. */
function SortButton({ title, sort: { by, first }, sorting }: SortButtonProps) {
  const isSorted = sorting.by === by;
  const second = first === "asc" ? "desc" : "asc";
  const press = () => {
    if (!isSorted) sorting.onSort(by, first);
    else if (sorting.order === first) sorting.onSort(by, second);
    else sorting.onSort("", "asc");
  };
  return (
    <button type="button" class="sort" onClick={press}>
      {title}
      {isSorted && <Icon name={sorting.order === "asc" ? "up" : "down"} />}
    </button>
  );
}
