/**
 * The table that all long lists use. The next page of the list is loaded before the person has
 * scrolled to the end of the loaded rows. The scrolled area is the window on a phone, and the
 * table's box elsewhere.
 */
import { type List, useApp } from "../../app/app.ts";
import { Icon } from "../controls.tsx";
import { ErrorNote, FileLinks, type Files, Loading, More } from "../page.tsx";
import { useMedia } from "../hooks.ts";
import {
  cellsOf,
  type Column,
  NARROW,
  PICK_PX,
  SortChoice,
  type Sorting,
  TableHead,
  useFittingColumns,
} from "./table.tsx";
import { type KeyedRows, useRowKeys } from "./row_keys.ts";
import type { ComponentChildren, TargetedMouseEvent } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { sumOf } from "../../../base/collections.ts";

interface DataTableProps<Row> extends KeyedRows<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly list: Pick<
    List<Row>,
    "rows" | "hasMore" | "isPending" | "isLoadingMore" | "error" | "more" | "again"
  >;
  isShown?(row: Row): boolean;
  readonly entries?: readonly Row[];
  isPartOf?(row: Row): boolean;
  readonly empty: ComponentChildren;
  readonly total?: number | null;
  readonly files?: Files;
  readonly sorting?: Sorting;
  readonly density?: Density;
}

type Density = "normal" | "pair" | "double" | "tall";

const AHEAD_PX = 1_000;

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { list } = props;
  const { words } = useApp();
  const drawn = useDrawnRows(props);
  if (list.isPending) return <Loading label={words.loading} />;
  if (list.error && list.rows.length === 0) {
    return <ErrorNote error={list.error} onAgain={list.again} />;
  }
  if (list.rows.length === 0) return <>{props.empty}</>;
  const { label, selection, sorting, density = "normal", total = null } = props;
  const { columns, isCards } = drawn;
  const widthPx = sumOf(columns, ({ width }) => width) + (selection ? PICK_PX : 0);
  return (
    <div class={`table-box column framed ${density}${isCards ? " cards" : ""}`}>
      {isCards && sorting && <SortChoice columns={props.columns} sorting={sorting} />}
      <div class="table-scroll" ref={drawn.scroller} role="region" aria-label={label} tabIndex={0}>
        <table
          class="table"
          aria-label={label}
          aria-rowcount={total ?? -1}
          style={{ minWidth: `${widthPx}px` }}
        >
          <TableHead
            columns={columns}
            ids={drawn.ids}
            selection={selection}
            sorting={sorting}
          />
          <TableBody table={props} drawn={drawn} />
        </table>
        <div ref={drawn.end} />
      </div>
      {list.error
        ? <ErrorNote error={list.error} onAgain={list.again} />
        : (
          <TableFoot list={{ ...list, rows: drawn.entries }} total={total}>
            {props.files && <FileLinks {...props.files} />}
          </TableFoot>
        )}
    </div>
  );
}

function useDrawnRows<Row>(props: DataTableProps<Row>) {
  const { list: { rows, ...list }, headingOf, isPast } = props;
  const columns = useFittingColumns(props.columns);
  const scroller = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const isCards = useMedia(NARROW);
  const own = useMemo(
    () => rows.filter((row) => !isPast?.(row) && (headingOf?.(row) ?? null) === null),
    [rows],
  );
  const ids = useMemo(() => own.map(props.idOf), [own]);
  const entries = props.entries ?? own;
  const keys = useRowKeys({ ...props, scroller });
  useEffect(() => {
    if (end.current === null || list.error || !list.hasMore) return;
    const root = isCards ? end.current.closest("main") : scroller.current;
    const see = ([seen]: readonly IntersectionObserverEntry[]) => {
      if (seen?.isIntersecting) list.more();
    };
    const observer = new IntersectionObserver(see, { root, rootMargin: `${AHEAD_PX}px` });
    observer.observe(end.current);
    return () => observer.disconnect();
    // A reload can cancel `list.more()`, so the effect also runs when `isLoadingMore` changes.
  }, [isCards, rows.length, list.hasMore, list.isLoadingMore]);
  return { columns, scroller, end, isCards, ids, entries, keys };
}

function TableBody<Row>(
  { table, drawn }: { table: DataTableProps<Row>; drawn: ReturnType<typeof useDrawnRows<Row>> },
) {
  const { columns, keys } = drawn;
  const { list: { rows }, selection, idOf, headingOf, isPartOf, isPast, onOpen } = table;
  const columnCount = columns.length + (selection ? 1 : 0);
  const click = ({ target }: TargetedMouseEvent<HTMLElement>) => {
    if (!(target instanceof Element)) return;
    const index = Number(target.closest<HTMLElement>("tr[data-index]")?.dataset.index ?? NaN);
    const row = rows[index];
    if (row === undefined || isPast?.(row)) return;
    if (target.matches(".pick input")) return selection?.toggle(idOf(row));
    if (!onOpen || target.closest("a, button, input, label")) return;
    keys.activate(index);
    onOpen(row);
  };
  return (
    <tbody onClick={click}>
      {rows.map((row, index) => {
        const id = idOf(row);
        const heading = headingOf?.(row) ?? null;
        return heading !== null
          ? (
            <tr key={id} class="heading" aria-rowindex={index + 2}>
              <th colSpan={columnCount} scope="colgroup">{heading}</th>
            </tr>
          )
          : (
            <TableRow
              key={id}
              {...{ row, index, columns }}
              isSelected={selection?.has(id)}
              isActive={keys.active === index}
              isPart={isPartOf?.(row) ?? false}
              isPast={isPast?.(row) ?? false}
              isShown={table.isShown?.(row) ?? false}
              opens={onOpen !== undefined}
            />
          );
      })}
    </tbody>
  );
}

interface TableFootProps {
  readonly list: Pick<List<unknown>, "rows" | "hasMore" | "isLoadingMore" | "more">;
  readonly total: number | null;
  readonly children?: ComponentChildren;
}

function TableFoot({ list, total, children }: TableFootProps) {
  const { words } = useApp();
  const loaded = list.rows.length;
  return (
    <div class="table-foot row spread soft">
      <span role="status">
        {list.hasMore
          ? total === null ? words.table.loadedMore(loaded) : words.table.loadedOf(loaded, total)
          : words.table.loadedAll(loaded)}
      </span>
      <More of={list} />
      {children}
    </div>
  );
}

interface TableRowProps<Row> {
  readonly row: Row;
  readonly index: number;
  readonly columns: readonly Column<Row>[];
  /** Undefined if rows cannot be selected. */
  readonly isSelected: boolean | undefined;
  readonly isActive: boolean;
  readonly isPart: boolean;
  readonly isPast: boolean;
  readonly isShown: boolean;
  readonly opens: boolean;
}

function TableRow<Row>(props: TableRowProps<Row>) {
  const { row, index, columns, isSelected, isPast } = props;
  const { words, show } = useApp();
  const names = classOf(props);
  // A list can have thousands of rows, so unchanged rows are not drawn again.
  return useMemo(() => (
    <tr
      data-index={index}
      tabIndex={-1}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      class={names}
    >
      {isSelected !== undefined && (
        <td class="pick">
          {isPast ? <Icon name="check" /> : (
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={words.table.selectRow}
              checked={isSelected}
            />
          )}
        </td>
      )}
      {cellsOf(columns, row, show)}
    </tr>
  ), [row, index, columns, isSelected, names, words, show]);
}

function classOf<Row>(row: TableRowProps<Row>): string {
  const names = {
    opens: !row.isPast && row.opens,
    selected: row.isSelected,
    active: row.isActive,
    shown: row.isShown,
    part: row.isPart,
    past: row.isPast,
  };
  return Object.entries(names).flatMap(([name, isSo]) => isSo ? [name] : []).join(" ");
}
