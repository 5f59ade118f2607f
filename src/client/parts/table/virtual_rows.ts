/**
 * Draws only rows in and near the visible area: the window on a phone, the table's box elsewhere.
 */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useCallback, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { useMedia } from "../use_media.ts";

interface VirtualRows {
  readonly indexes: readonly number[];
  /** Total height of the rows above that are not drawn; `belowPx` is that of the rows below. */
  readonly abovePx: number;
  readonly belowPx: number;
  scrollTo(index: number): void;
}

interface VirtualOptions {
  readonly rows: readonly unknown[];
  /** Estimated height of a row until it is drawn and measured. */
  readonly rowPx: number;
  idOf(index: number): string;
  /** Height of the sticky head, which covers the top of the visible area. */
  readonly headPx: number;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly isOfPage: boolean;
}

const OVERSCAN_ROWS = 12;
const PRINT = "print";

export function useVirtualRows(options: VirtualOptions): VirtualRows {
  const { rows, rowPx, idOf, headPx, scroller, isOfPage } = options;
  const count = rows.length;
  const isPrinted = useMedia(PRINT);
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
    overscan: OVERSCAN_ROWS,
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
    scrollTo: (index) => virtualizer.scrollToIndex(index, { align: "auto" }),
  };
}
