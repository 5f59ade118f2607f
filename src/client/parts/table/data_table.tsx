/**
 * The table for long lists, which loads the next page before the person reaches the last row. On a
 * phone, the `main` element scrolls; elsewhere, the table's box scrolls. The keys `j` and `k` and
 * the arrow keys move the current row, Enter opens it, and `x` selects it.
 */
import { type List, useApp } from "../../app/app.ts";
import { Icon } from "../controls.tsx";
import { ErrorNote, FileLinks, type Files, Loading, More } from "../page.tsx";
import { useKeys, useMedia } from "../hooks.ts";
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
import type { ComponentChildren, RefObject, TargetedMouseEvent } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { sumOf } from "../../../base/collections.ts";

interface DataTableProps<Row> {
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
  readonly selection?: Selection;
  idOf(row: Row): string;
  onOpen?(row: Row): void;
  onActive?(row: Row | null): void;
  /** Asked when the current row has disappeared; if true, the next row becomes current. */
  isDone?(id: string): boolean;
  /**
   * Returns a heading if the row only groups other rows, else null. Headings cannot be selected or
   * reached by keyboard.
   */
  headingOf?(row: Row): ComponentChildren | null;
  /** True for a decided row, which cannot be selected or reached by keyboard. */
  isPast?(row: Row): boolean;
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
  const keys = useRowKeys(props, scroller);
  useEffect(() => {
    if (end.current === null || list.error || !list.hasMore) return;
    const root = isCards ? end.current.closest("main") : scroller.current;
    const see = ([seen]: readonly IntersectionObserverEntry[]) => {
      if (seen?.isIntersecting) list.more();
    };
    const observer = new IntersectionObserver(see, { root, rootMargin: `${AHEAD_PX}px` });
    observer.observe(end.current);
    return () => observer.disconnect();
    // If a reload cancels `list.more()`, `isLoadingMore` changes, so a new observer asks again.
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
              isPast={isPast?.(row) ?? false}
              names={namesOf({
                opens: onOpen !== undefined && !isPast?.(row),
                selected: selection?.has(id),
                active: keys.active === index,
                shown: table.isShown?.(row),
                part: isPartOf?.(row),
                past: isPast?.(row),
              })}
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
  readonly isPast: boolean;
  readonly names: string;
}

function TableRow<Row>({ row, index, columns, isSelected, isPast, names }: TableRowProps<Row>) {
  const { words, show } = useApp();
  // Unchanged rows are not rendered again, because a list can have thousands.
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

function namesOf(marks: Readonly<Record<string, boolean | undefined>>): string {
  return Object.entries(marks).flatMap(([name, isSo]) => isSo ? [name] : []).join(" ");
}

/** Keeps the current row when the list is reloaded. */
function useRowKeys<Row>(options: DataTableProps<Row>, scroller: RefObject<HTMLElement | null>) {
  const { list: { rows }, selection } = options;
  const [stood, setStood] = useState<Place | null>(null);
  const now = placeNow(options, stood);
  useEffect(() => {
    if (now !== stood) setStood((latest) => latest === stood ? now : latest);
  });
  const at = now?.index ?? null;
  const setActive = (index: number) => {
    const row = rows[index];
    if (row !== undefined) setStood({ index, id: options.idOf(row) });
  };
  const move = (step: number) => {
    const next = at === null ? nearestOwn(options, 0, 1) : nearestOwn(options, at + step, step);
    if (next !== null) setActive(next);
  };
  const row = at === null ? undefined : rows[at];
  const id = now?.id ?? null;
  const focused = useRef<number | null>(null);
  useLayoutEffect(() => options.onActive?.(row ?? null), [id]);
  useLayoutEffect(() => {
    const hasMoved = focused.current !== at;
    focused.current = at;
    // A reload must not take the focus from another element.
    if (at === null || !hasMoved && document.activeElement !== document.body) return;
    const element = scroller.current?.querySelector<HTMLElement>(`tr[data-index="${at}"]`);
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "nearest" });
  }, [at, id]);
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ...(selection && { x: () => row !== undefined && selection.toggle(options.idOf(row)) }),
  });
  useTableKeys(scroller, {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    ...(options.onOpen && { Enter: () => row !== undefined && options.onOpen?.(row) }),
  });
  return { active: at, activate: setActive };
}

interface Place {
  readonly index: number;
  readonly id: string;
}

function placeNow<Row>(options: DataTableProps<Row>, stood: Place | null): Place | null {
  const { list: { rows }, idOf, isDone = () => true } = options;
  if (stood === null) return null;
  const same = rows[stood.index];
  const isSame = same !== undefined && idOf(same) === stood.id;
  const index = isSame ? stood.index : rows.findIndex((row) => idOf(row) === stood.id);
  const found = rows[index];
  if (found !== undefined && !options.isPast?.(found)) {
    return isSame ? stood : { index, id: stood.id };
  }
  if (!isDone(stood.id)) return null;
  const next = nearestOwn(options, stood.index, 1) ?? nearestOwn(options, rows.length - 1, -1);
  const row = next === null ? undefined : rows[next];
  return next === null || row === undefined ? null : { index: next, id: idOf(row) };
}

function nearestOwn<Row>(
  { list: { rows }, headingOf, isPast }: DataTableProps<Row>,
  index: number,
  step: number,
): number | null {
  const direction = Math.sign(step);
  for (let at = index;; at += direction) {
    const row = rows[at];
    if (row === undefined) return null;
    if ((headingOf?.(row) ?? null) === null && !isPast?.(row)) return at;
  }
}

function useTableKeys(
  scroller: RefObject<HTMLElement | null>,
  keys: Readonly<Record<string, () => void>>,
): void {
  const latest = useRef(keys);
  latest.current = keys;
  // Runs after each rendering, because the element is missing while the table is empty.
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const press = (event: KeyboardEvent) => {
      const isHere = event.target === element || event.target instanceof HTMLTableRowElement;
      const act = latest.current[event.key];
      if (!isHere || !act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act();
    };
    element.addEventListener("keydown", press);
    return () => element.removeEventListener("keydown", press);
  });
}
