/**
 * Draws only rows in and near the visible area. The visible area is the window on a phone, and the
 * table's box elsewhere.
 */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from "@tanstack/virtual-core";
import { sumOf } from "../../../base/collections.ts";
import type { RefObject } from "preact";
import { useCallback, useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { useMedia } from "../hooks.ts";
import type { Column } from "./table.tsx";

interface VirtualOptions {
  readonly rows: readonly unknown[];
  readonly rowPx: number;
  idOf(index: number): string;
  readonly headPx: number;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly isOfPage: boolean;
}

export function useVirtualRows(options: VirtualOptions) {
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

export function useNumberRoom<Row>(
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
