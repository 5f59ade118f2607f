import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import type { Column } from "./table.tsx";

interface NumberRoom {
  readonly ofColumn: ReadonlyMap<string, number>;
  /** Minimum width of the table. In a narrower window, the table scrolls sideways. */
  readonly totalPx: number;
}

const PADDING_PX = 10;

/** Minimum width of a text column in which names stay recognisable. */
const TEXT_LEAST_PX = 180;

const NONE: ReadonlyMap<string, number> = new Map();

/** A column grows with its numbers, and never shrinks. */
export function useNumberRoom<Row>(
  scroller: RefObject<HTMLElement | null>,
  columns: readonly Column<Row>[],
): NumberRoom {
  const [grown, setGrown] = useState(NONE);
  useLayoutEffect(() => {
    const wanted = [...tooNarrow(scroller.current)];
    // Widths only grow. Otherwise a table without enough room would be measured again and again.
    const wider = wanted.filter(([key, px]) => px > (grown.get(key) ?? 0));
    if (wider.length > 0) setGrown((before) => new Map([...before, ...wider]));
  });
  return useMemo(() => {
    const ofColumn = widthsOf(columns, grown);
    const totalPx = [...ofColumn.values()].reduce((sum, px) => sum + px, 0);
    return { ofColumn, totalPx };
  }, [columns, grown]);
}

/** Number columns take their additional width from text columns, whose texts may be cut. */
export function widthsOf<Row>(
  columns: readonly Pick<Column<Row>, "key" | "width" | "isNumber">[],
  grown: ReadonlyMap<string, number>,
): Map<string, number> {
  const widths = new Map(
    columns.map(({ key, width }) => [key, Math.max(width, grown.get(key) ?? 0)]),
  );
  let owedPx = columns.reduce((sum, { key, width }) => sum + (widths.get(key) ?? 0) - width, 0);
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
