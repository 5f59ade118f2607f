import { shopClass } from "../shops.tsx";
import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

/** A price that is valid until the next point; null means unknown. */
export interface PricePoint {
  readonly atMs: number;
  readonly cents: number | null;
}

export interface PriceSeries {
  readonly key: string;
  readonly label: string;
  /** Two letters, or our own name. */
  readonly badge: string;
  /** Number of the colour: 0 for our line, from 1 for shops. */
  readonly colour: number;
  /** Oldest first. */
  readonly points: readonly PricePoint[];
}

export type MarkerKind = "import" | "rule" | "proposal" | "person";

export interface Marker {
  readonly atMs: number;
  readonly kind: MarkerKind;
}

/** Null before the first point, and while the price is unknown. */
export function centsAt(points: readonly PricePoint[], atMs: number): number | null {
  return points.findLast((point) => point.atMs <= atMs)?.cents ?? null;
}

/** The last known price and when it became unknown; null if no price has become unknown. */
export function endOf(points: readonly PricePoint[]) {
  const at = points.findLastIndex(({ cents }) => cents !== null);
  const [last, next] = [points[at], points[at + 1]];
  return last && next ? { cents: last.cents, atMs: next.atMs } : null;
}

export function lineClass({ colour }: { readonly colour: number }): string {
  return colour === 0 ? "line own" : `line ${shopClass(colour)}`;
}

const WIDTH_AT_FIRST_PX = 600;

export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [widthPx, setWidthPx] = useState(WIDTH_AT_FIRST_PX);
  useLayoutEffect(() => {
    const box = element.current;
    if (box === null) return;
    const measure = () => setWidthPx(Math.max(1, box.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  return widthPx;
}
