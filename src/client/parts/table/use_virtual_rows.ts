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
  /** The rows that are drawn, by their place in the list. */
  readonly indexes: readonly number[];
  /** Heights of what is not drawn above and below. */
  readonly abovePx: number;
  readonly belowPx: number;
  scrollTo(index: number): void;
}

interface VirtualOptions {
  readonly count: number;
  readonly rowPx: number;
  /** Height of the head, which covers the first row. */
  readonly headPx: number;
  readonly scroller: RefObject<HTMLElement | null>;
}

const OVERSCAN_ROWS = 12;
const PRINT = "print";

/** Which rows of a long list stand in the window; all are of one height. */
export function useVirtualRows({ count, rowPx, headPx, scroller }: VirtualOptions): VirtualRows {
  const isPrinted = useMedia(PRINT);
  const [, redraw] = useReducer((turn: number, _: null) => turn + 1, 0);
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
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
  useLayoutEffect(() => virtualizer.measure(), [rowPx]);
  // Paper does not scroll.
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
