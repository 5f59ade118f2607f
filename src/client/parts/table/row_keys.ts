/**
 * Keyboard control of a list. `j`, `k` and the arrow keys change the current row. Enter opens the
 * current row, and `x` selects it. The current row stays current when the list is read again. If
 * the current row disappears, the next row becomes current, unless `isDone` returns false.
 */
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useKeys } from "../hooks.ts";
import type { Selection } from "./table.tsx";

export interface KeyedRows<Row> {
  readonly selection?: Selection;
  idOf(row: Row): string;
  onOpen?(row: Row): void;
  onActive?(row: Row | null): void;
  /**
   * Called when the current row disappears. If the result is true, the next row becomes current; if
   * false, no row does.
   */
  isDone?(id: string): boolean;
  /**
   * Returns a heading for a row that only groups other rows, else null. The keyboard skips
   * headings, and headings cannot be selected.
   */
  headingOf?(row: Row): ComponentChildren | null;
  /**
   * True if a person has decided on the row, but the row stays in the list. The keyboard skips
   * decided rows, and decided rows cannot be selected.
   */
  isPast?(row: Row): boolean;
}

interface RowKeyOptions<Row> extends KeyedRows<Row> {
  readonly list: { readonly rows: readonly Row[] };
  readonly scroller: RefObject<HTMLElement | null>;
}

export function useRowKeys<Row>(options: RowKeyOptions<Row>) {
  const { list: { rows }, scroller, selection } = options;
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
    // A row takes the focus from another element only if the index of the current row has changed.
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

function placeNow<Row>(options: RowKeyOptions<Row>, stood: Place | null): Place | null {
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
  { list: { rows }, headingOf, isPast }: RowKeyOptions<Row>,
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
  // The table's element does not exist before the first row, so the effect runs after each
  // rendering.
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
