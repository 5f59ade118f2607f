/** What all tables share (columns, selection, head), and the short table within a page. */
import type { ComponentChild, ComponentChildren, TargetedMouseEvent } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useMedia } from "../hooks.ts";
import { type List, useApp } from "../../app/app.ts";
import type { Show } from "../../../engine/wording/show.ts";
import { Icon } from "../controls.tsx";
import { FilterChoice } from "../filter.tsx";
import { isRecord } from "../../api/call.ts";
import { More, type MoreOf, Pending } from "../page.tsx";

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly head?: ComponentChild;
  readonly width: number;
  readonly narrowWidth?: number;
  /** True for right-aligned numbers; a long number makes the column wider. */
  readonly isNumber?: boolean;
  /** Initial state of a column that people can show or hide. */
  readonly choice?: "shown" | "hidden";
  /** Without `choice`, hidden on phones and tablets; with `narrowWidth`, only on phones. */
  readonly isWide?: boolean;
  /** `by` is the service's sort key, `first` the order after the first click. */
  readonly sort?: { readonly by: string; readonly first: "asc" | "desc" };
  /** Columns of a downloaded file that contain this column's data; by default, `key`. */
  readonly file?: readonly string[];
  cell(row: Row, show: Show): ComponentChild;
}

type Shape = Omit<Column<unknown>, "key" | "title" | "cell">;
type Cell<Row, Value = ComponentChild> = (row: Row, show: Show) => Value;
type Instant = Parameters<Show["dateTime"]>[0];
type Money = readonly [cents: number | null, currency?: string | null];

export function column(key: string, title: string, shape: number | Shape) {
  const head = { key, title, ...(typeof shape === "number" ? { width: shape } : shape) };
  const kind =
    <Value,>(say: (value: Value, show: Show) => ComponentChild, isNumber: boolean) =>
    <Row,>(of: Cell<Row, Value>): Column<Row> => ({
      ...head,
      isNumber,
      cell: (row, show) => say(of(row, show), show),
    });
  return {
    cell: kind((child: ComponentChild) => child, false),
    number: kind(
      (value: ComponentChild, show) =>
        typeof value === "number" || value === null ? show.number(value) : value,
      true,
    ),
    money: kind(([cents, currency]: Money, show) => show.money(cents, currency), true),
    share: kind((pct: number | null, show) => show.share(pct), true),
    time: kind((at: Instant, show) => show.dateTime(at), false),
    date: kind((at: Instant, show) => show.date(at), false),
  };
}

export interface Sorting {
  readonly by: string;
  readonly order: "asc" | "desc";
  readonly isAlways: boolean;
  /** An empty `by` restores the default order. */
  onSort(by: string, order: "asc" | "desc"): void;
}

/** The style sheets contain the same limits for phones and tablets. */
export const NARROW = "(max-width: 700px)";
export const TIGHT = "(max-width: 1100px)";

export function useFittingColumns<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const isNarrow = useMedia(NARROW);
  const isTight = useMedia(TIGHT);
  return useMemo(() => {
    if (!isTight) return columns;
    const stays = ({ isWide, choice, narrowWidth }: Column<Row>) =>
      !isWide || choice !== undefined || (!isNarrow && narrowWidth !== undefined);
    return columns.filter(stays)
      .map((column) => ({ ...column, width: column.narrowWidth ?? column.width }));
  }, [columns, isNarrow, isTight]);
}

export type Selection = ReturnType<typeof useSelection>;

const NONE: ReadonlySet<string> = new Set();

/** Clears the selection when the list's filter, `scope`, changes. */
export function useSelection(scope: string) {
  const [ids, setIds] = useState(NONE);
  const [isAll, setAll] = useState(false);
  const clear = () => {
    setIds(NONE);
    setAll(false);
  };
  useEffect(clear, [scope]);
  return {
    ids,
    isAll,
    clear,
    has: (id: string) => isAll || ids.has(id),
    toggle: (id: string) => {
      setAll(false);
      setIds((before) => before.symmetricDifference(new Set([id])));
    },
    toggleAll: (shown: readonly string[]) => {
      setAll(false);
      setIds(!isAll && shown.some((id) => !ids.has(id)) ? new Set(shown) : NONE);
    },
    selectAll: (loaded: readonly string[]) => {
      setIds(new Set(loaded));
      setAll(true);
    },
  };
}

export const PICK_PX = 38;

const TEXT_LEAST_PX = 180;

interface TableHeadProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly selection?: Selection | undefined;
  readonly ids: readonly string[];
  readonly sorting?: Sorting | undefined;
}

export function TableHead<Row>({ columns, selection, ids, sorting }: TableHeadProps<Row>) {
  return (
    <thead>
      <tr>
        {selection && <PickAll selection={selection} ids={ids} />}
        {columns.map(({ key, title, head, isNumber, sort, width }) => (
          <th
            key={key}
            scope="col"
            class={isNumber ? "number" : undefined}
            data-column={key}
            style={{
              width: `${width}px`,
              minWidth: isNumber ? undefined : `${Math.min(width, TEXT_LEAST_PX)}px`,
            }}
            aria-sort={sort && sorting?.by === sort.by ? ARIA_ORDERS[sorting.order] : undefined}
          >
            {sort && sorting
              ? <SortButton title={title} sort={sort} sorting={sorting} />
              : head ?? title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function PickAll({ selection, ids }: { selection: Selection; ids: readonly string[] }) {
  const { words } = useApp();
  const isEvery = ids.length > 0 && ids.every(selection.has);
  return (
    <th class="pick">
      <label>
        <input
          type="checkbox"
          aria-label={words.table.selectLoaded}
          checked={isEvery}
          indeterminate={!isEvery && selection.ids.size > 0}
          onChange={() => selection.toggleAll(ids)}
        />
        <span class="card-only">{words.table.selectLoaded}</span>
      </label>
    </th>
  );
}

const ARIA_ORDERS = { asc: "ascending", desc: "descending" } as const;

interface SortButtonProps {
  readonly title: string;
  readonly sort: NonNullable<Column<unknown>["sort"]>;
  readonly sorting: Sorting;
}

/** The second click reverses the order `first`, and the third restores the list's default order. */
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

export function SortChoice<Row>(
  { columns, sorting }: { readonly columns: readonly Column<Row>[]; readonly sorting: Sorting },
) {
  const { words } = useApp();
  const { by, order, isAlways, onSort } = sorting;
  const options = columns.flatMap(({ title, sort }) =>
    sort === undefined ? [] : (["desc", "asc"] as const).map((way) => ({
      value: `${sort.by} ${way}`,
      label: `${title} ${way === "desc" ? "↓" : "↑"}`,
    }))
  );
  return (
    <div class="card-sort">
      <FilterChoice
        label={words.table.sort}
        value={by === "" ? "" : `${by} ${order}`}
        options={options}
        {...(!isAlways && { none: words.table.defaultOrder })}
        onValue={(value) => {
          const [name = "", way] = value.split(" ");
          onSort(name, way === "desc" ? "desc" : "asc");
        }}
      />
    </div>
  );
}

export function cellsOf<Row>(columns: readonly Column<Row>[], row: Row, show: Show) {
  return columns.map(({ key, title, isNumber, cell }, at) => {
    const kept = {
      class: isNumber ? "number" : undefined,
      "data-column": key,
      "data-label": title,
    };
    return at === 0
      ? <th key={key} scope="row" {...kept}>{cell(row, show)}</th>
      : <td key={key} {...kept}>{cell(row, show)}</td>;
  });
}

interface RowGroup<Row> {
  readonly key: string;
  readonly heading: ComponentChildren;
  readonly rows: readonly Row[];
}

interface SimpleTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows?: readonly Row[];
  /** Replaces `rows`. With `groups`, omit `empty`, which would be shown instead of the groups. */
  readonly groups?: readonly RowGroup<Row>[];
  idOf?(row: Row): string;
  hrefOf?(row: Row): string;
  readonly kind?: "coverage" | "mapping" | "mapped" | "runs" | "shops" | "sources";
  readonly empty?: ComponentChildren;
}

export function SimpleTable<Row>(props: SimpleTableProps<Row>) {
  const { label, rows = [], idOf = ownId, hrefOf, kind = "", empty } = props;
  const { show } = useApp();
  const { route } = useLocation();
  const columns = useFittingColumns(props.columns);
  const { groups = [{ key: "", heading: null, rows }] } = props;
  if (rows.length === 0 && empty) return <>{empty}</>;
  const open = (row: Row) => ({ target }: TargetedMouseEvent<HTMLElement>) => {
    const isOwn = target instanceof Element && target.closest("a, button, dialog") !== null;
    if (hrefOf && !isOwn) route(hrefOf(row));
  };
  return (
    <div class="simple-scroll framed" tabIndex={0} role="region" aria-label={label}>
      <table class={`table simple ${kind}`} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ key, title, head, isNumber, width }) => (
              <th
                key={key}
                scope="col"
                class={isNumber ? "number" : undefined}
                style={{ minWidth: `${width}px` }}
              >
                {head ?? title}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map((group) => (
          <tbody key={group.key}>
            {group.heading && (
              <tr class="heading">
                <th colSpan={columns.length} scope="rowgroup">{group.heading}</th>
              </tr>
            )}
            {group.rows.map((row, place) => (
              <tr key={idOf(row, place)} class={hrefOf && "opens"} onClick={open(row)}>
                {cellsOf(columns, row, show)}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

function ownId(row: unknown, place: number): string {
  return String(isRecord(row) && "id" in row ? row.id : place);
}

interface ListTableProps<Row> extends Omit<SimpleTableProps<Row>, "rows" | "groups"> {
  readonly list: Pick<List<Row>, "rows" | "isPending" | "error" | "again" | keyof MoreOf>;
  readonly more?: string;
}

export function ListTable<Row>({ list, more, ...table }: ListTableProps<Row>) {
  if (list.error || list.isPending) return <Pending of={list} />;
  return (
    <>
      <SimpleTable {...table} rows={list.rows} />
      <More of={list} text={more} />
    </>
  );
}
