/** Which rows of a long list are drawn: those in the window, and some around it. */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useLayoutEffect, useReducer, useState } from "preact/hooks";
import { useMedia } from "../use_media.ts";

interface VirtualRows {
  /** The indexes of drawn rows in the list. */
  readonly indexes: readonly number[];
  /** Heights of the rows above and below that are not drawn. */
  readonly abovePx: number;
  readonly belowPx: number;
  scrollTo(index: number): void;
}

interface VirtualOptions {
  readonly rows: readonly unknown[];
  /** Height of a usual row. */
  readonly rowPx: number;
  heightOf(index: number): number;
  /** Height of the head, which covers the first row. */
  readonly headPx: number;
  readonly scroller: RefObject<HTMLElement | null>;
}

const OVERSCAN_ROWS = 12;
const PRINT = "print";

/** Returns the rows of a long list that are in the window. */
export function useVirtualRows(
  { rows, rowPx, heightOf, headPx, scroller }: VirtualOptions,
): VirtualRows {
  const count = rows.length;
  const isPrinted = useMedia(PRINT);
  const [, redraw] = useReducer((turn: number, _: null) => turn + 1, 0);
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: heightOf,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    overscan: OVERSCAN_ROWS,
    scrollPaddingStart: headPx,
    onChange: () => redraw(null),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  useLayoutEffect(() => virtualizer.measure(), [rowPx, rows]);
  // All rows are drawn for printing, because paper does not scroll.
  if (isPrinted) {
    const indexes = Array.from({ length: count }, (_, index) => index);
    return { indexes, abovePx: 0, belowPx: 0, scrollTo: () => {} };
  }
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1);
  return {
    indexes: items.map(({ index }) => index),
    abovePx: items[0]?.start ?? 0,
    belowPx: virtualizer.getTotalSize() - (last?.end ?? 0),
    scrollTo: (index) => virtualizer.scrollToIndex(index, { align: "auto" }),
  };
}
