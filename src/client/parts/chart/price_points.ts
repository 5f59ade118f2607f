import { shopClass } from "../shops.tsx";
import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

/** A price that holds until the next point; null is a time in which nothing is known. */
export interface PricePoint {
  readonly atMs: number;
  readonly cents: number | null;
}

/** One line of a chart of prices. */
export interface PriceSeries {
  readonly key: string;
  readonly label: string;
  /** Two letters, or what we are called. */
  readonly badge: string;
  /** 0 is ours; shops count from 1, and keep their number in the whole workspace. */
  readonly colour: number;
  /** Oldest first. */
  readonly points: readonly PricePoint[];
}

/** Causes of our price changes: an import, a rule, a proposal or a person. */
export type MarkerKind = "import" | "rule" | "proposal" | "person";

export interface Marker {
  readonly atMs: number;
  readonly kind: MarkerKind;
}

/** The price in force at a time; null before the first one, and where nothing is known. */
export function centsAt(points: readonly PricePoint[], atMs: number): number | null {
  return points.findLast((point) => point.atMs <= atMs)?.cents ?? null;
}

/** Of a series: its colour and its dash. Ours is solid, in the colour of what can be done. */
export function lineClass({ colour }: { readonly colour: number }): string {
  return colour === 0 ? "line own" : `line ${shopClass(colour)}`;
}

const WIDTH_AT_FIRST_PX = 600;

/** How wide an element is, in pixels, also after the window has changed. */
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
