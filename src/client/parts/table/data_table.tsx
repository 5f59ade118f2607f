/**
 * The table that all long lists use. Only rows in and near the visible area are drawn. The visible
 * area is the window on a phone, and the table's box elsewhere.
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
  type Selection,
  SortChoice,
  type Sorting,
  TableHead,
  useFittingColumns,
} from "./table.tsx";
import { type KeyedRows, useRowKeys } from "./row_keys.ts";
import type { ComponentChildren, RefObject, TargetedMouseEvent } from "preact";
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from "preact/hooks";
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from "@tanstack/virtual-core";
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

const ROW_PX: Readonly<Record<Density, number>> = { normal: 32, pair: 38, double: 46, tall: 92 };
const CARD_PX = 120;
const AHEAD_ROWS = 50;

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
  const { columns, room, isCards } = drawn;
  return (
    <div class={`table-box column framed ${density}${isCards ? " cards" : ""}`}>
      {isCards && sorting && <SortChoice columns={props.columns} sorting={sorting} />}
      <div class="table-scroll" ref={drawn.scroller} role="region" aria-label={label} tabIndex={0}>
        <table
          class="table"
          aria-label={label}
          aria-rowcount={total ?? -1}
          style={{ minWidth: `${room.totalPx + (selection ? PICK_PX : 0)}px` }}
        >
          <TableHead
            columns={columns}
            ids={drawn.ids}
            roomPx={room.ofColumn}
            selection={selection}
            sorting={sorting}
          />
          <TableBody table={props} drawn={drawn} />
        </table>
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
  const { list: { rows, ...list }, headingOf, isPast, density = "normal" } = props;
  const columns = useFittingColumns(props.columns);
  const scroller = useRef<HTMLDivElement>(null);
  const isCards = useMedia(NARROW);
  const rowPx = isCards ? CARD_PX : ROW_PX[density];
  const room = useNumberRoom(scroller, columns);
  const window = useVirtualRows({
    rows,
    idOf: (index) => rows[index] === undefined ? "" : props.idOf(rows[index]),
    rowPx,
    headPx: 34,
    scroller,
    isOfPage: isCards,
  });
  const own = useMemo(
    () => rows.filter((row) => !isPast?.(row) && (headingOf?.(row) ?? null) === null),
    [rows],
  );
  const ids = useMemo(() => own.map(props.idOf), [own]);
  const entries = props.entries ?? own;
  const keys = useRowKeys({ ...props, scroller, scrollTo: window.scrollTo });
  const lastDrawn = window.indexes.at(-1) ?? -1;
  useEffect(() => {
    if (!list.error && rows.length > 0 && lastDrawn >= rows.length - AHEAD_ROWS) list.more();
    // A reload can cancel `list.more()`, so the effect also runs when `isLoadingMore` changes.
  }, [lastDrawn, rows.length, list.hasMore, list.isLoadingMore]);
  return { columns, scroller, isCards, window, room, ids, entries, keys };
}

function TableBody<Row>(
  { table, drawn }: { table: DataTableProps<Row>; drawn: ReturnType<typeof useDrawnRows<Row>> },
) {
  const { columns, window, keys } = drawn;
  const { list: { rows }, selection, idOf, headingOf, isPartOf, isPast, onOpen } = table;
  const columnCount = columns.length + (selection ? 1 : 0);
  return (
    <tbody>
      <Gap heightPx={window.abovePx} columnCount={columnCount} />
      {window.indexes.map((index) => {
        const row = rows[index];
        if (row === undefined) return false;
        const id = idOf(row);
        const heading = headingOf?.(row) ?? null;
        return heading !== null
          ? (
            <tr key={id} class="heading" data-index={index} aria-rowindex={index + 2}>
              <th colSpan={columnCount} scope="colgroup">{heading}</th>
            </tr>
          )
          : (
            <TableRow
              key={id}
              {...{ row, id, index, columns, selection }}
              isActive={keys.active === index}
              isPart={isPartOf?.(row) ?? false}
              isPast={isPast?.(row) ?? false}
              isShown={table.isShown?.(row) ?? false}
              onOpen={onOpen && ((opened: Row) => {
                keys.activate(index);
                onOpen(opened);
              })}
            />
          );
      })}
      <Gap heightPx={window.belowPx} columnCount={columnCount} />
    </tbody>
  );
}

function Gap({ heightPx, columnCount }: { heightPx: number; columnCount: number }) {
  if (heightPx <= 0) return null;
  return (
    <tr aria-hidden="true" class="gap">
      <td colSpan={columnCount} style={{ height: `${heightPx}px` }} />
    </tr>
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
  readonly id: string;
  readonly index: number;
  readonly columns: readonly Column<Row>[];
  readonly selection?: Selection | undefined;
  readonly isActive: boolean;
  readonly isPart: boolean;
  readonly isPast: boolean;
  readonly isShown: boolean;
  readonly onOpen?: ((row: Row) => void) | undefined;
}

function TableRow<Row>(props: TableRowProps<Row>) {
  const { row, id, index, columns, selection, isPast } = props;
  const onOpen = isPast ? undefined : props.onOpen;
  const { words } = useApp();
  const isSelected = selection?.has(id) ?? false;
  const open = (event: TargetedMouseEvent<HTMLTableRowElement>) => {
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest("a, button, input, label")) return;
    onOpen?.(row);
  };
  // Scrolling draws the table often, so unchanged rows are reused.
  return useMemo(() => (
    <tr
      data-index={index}
      tabIndex={-1}
      aria-rowindex={index + 2}
      aria-selected={selection ? isSelected : undefined}
      class={classOf(props)}
      onClick={onOpen && open}
    >
      {selection && (
        <td class="pick">
          {isPast ? <Icon name="check" /> : (
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={words.table.selectRow}
              checked={isSelected}
              onChange={() => selection.toggle(id)}
            />
          )}
        </td>
      )}
      {cellsOf(columns, row)}
    </tr>
  ), [
    row,
    index,
    columns,
    isSelected,
    props.isActive,
    props.isShown,
    props.isPart,
    isPast,
    onOpen,
    selection,
    words,
  ]);
}

function classOf<Row>(row: TableRowProps<Row>): string {
  const names = {
    opens: !row.isPast && row.onOpen !== undefined,
    selected: row.selection?.has(row.id),
    active: row.isActive,
    shown: row.isShown,
    part: row.isPart,
    past: row.isPast,
  };
  return Object.entries(names).flatMap(([name, isSo]) => isSo ? [name] : []).join(" ");
}

interface VirtualOptions {
  readonly rows: readonly unknown[];
  readonly rowPx: number;
  idOf(index: number): string;
  readonly headPx: number;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly isOfPage: boolean;
}

function useVirtualRows(options: VirtualOptions) {
  const { rows, rowPx, idOf, headPx, scroller, isOfPage } = options;
  const count = rows.length;
  const isPrinted = useMedia("print");
  const [, redraw] = useReducer((turn: number, _: null) => turn + 1, 0);
  const page = () => isOfPage ? scroller.current?.closest("main") ?? null : null;
  const offset = useRef(0);
  const getItemKey = useCallback(idOf, [rows]);
  const settings = {
    count,
    getItemKey,
    getScrollElement: () => page() ?? scroller.current,
    scrollMargin: offset.current,
    estimateSize: () => rowPx,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    overscan: 12,
    scrollPaddingStart: headPx,
    onChange: () => redraw(null),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(settings));
  virtualizer.setOptions(settings);
  useLayoutEffect(() => {
    const [main, table] = [page(), scroller.current];
    offset.current = main && table
      ? table.getBoundingClientRect().top - main.getBoundingClientRect().top + main.scrollTop
      : 0;
  });
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  useLayoutEffect(() => virtualizer.measure(), [rowPx]);
  useLayoutEffect(() => {
    scroller.current?.querySelectorAll<HTMLElement>("tbody > tr[data-index]")
      .forEach((row) => virtualizer.measureElement(row));
  });
  // All rows are drawn for printing, because paper does not scroll.
  if (isPrinted) {
    const indexes = Array.from({ length: count }, (_, index) => index);
    return { indexes, abovePx: 0, belowPx: 0, scrollTo: () => {} };
  }
  const { scrollMargin } = settings;
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1);
  return {
    indexes: items.map(({ index }) => index),
    abovePx: (items[0]?.start ?? scrollMargin) - scrollMargin,
    belowPx: virtualizer.getTotalSize() + scrollMargin - (last?.end ?? scrollMargin),
    scrollTo: (index: number) => virtualizer.scrollToIndex(index, { align: "auto" }),
  };
}

const PADDING_PX = 10;

const TEXT_LEAST_PX = 180;

const NONE: ReadonlyMap<string, number> = new Map();

function useNumberRoom<Row>(
  scroller: RefObject<HTMLElement | null>,
  columns: readonly Column<Row>[],
) {
  const [grown, setGrown] = useState(NONE);
  useLayoutEffect(() => {
    const wanted = [...tooNarrow(scroller.current)];
    // Widths only grow, so this effect cannot repeat endlessly.
    const wider = wanted.filter(([key, px]) => px > (grown.get(key) ?? 0));
    if (wider.length > 0) setGrown((before) => new Map([...before, ...wider]));
  });
  return useMemo(() => {
    const ofColumn = widthsOf(columns, grown);
    const totalPx = sumOf([...ofColumn.values()], (px) => px);
    return { ofColumn, totalPx };
  }, [columns, grown]);
}

/** A widened number column takes its additional width from text columns, which may be cut. */
export function widthsOf<Row>(
  columns: readonly Pick<Column<Row>, "key" | "width" | "isNumber">[],
  grown: ReadonlyMap<string, number>,
): Map<string, number> {
  const widths = new Map(
    columns.map(({ key, width }) => [key, Math.max(width, grown.get(key) ?? 0)]),
  );
  let owedPx = sumOf(columns, ({ key, width }) => (widths.get(key) ?? 0) - width);
  for (const { key, width, isNumber } of columns.toSorted((a, b) => b.width - a.width)) {
    if (isNumber || owedPx === 0) continue;
    const givenPx = Math.min(owedPx, Math.max(0, width - TEXT_LEAST_PX));
    widths.set(key, width - givenPx);
    owedPx -= givenPx;
  }
  return widths;
}

function tooNarrow(scroller: HTMLElement | null): Map<string, number> {
  const needed = new Map<string, number>();
  for (const cell of scroller?.querySelectorAll<HTMLElement>(".number[data-column]") ?? []) {
    const { column = "" } = cell.dataset;
    const { scrollWidth, clientWidth } = cell;
    if (scrollWidth <= clientWidth) continue;
    needed.set(column, Math.max(needed.get(column) ?? 0, scrollWidth + PADDING_PX));
  }
  return needed;
}
