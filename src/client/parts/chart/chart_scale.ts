/**
 * Computes the lines of a price chart, and converts prices (minor units) and times (milliseconds)
 * to pixels.
 */
import type { Show } from "../../../engine/wording/show.ts";
import { shopClass } from "../shops.tsx";
import type { RefObject, TargetedPointerEvent } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

export interface Span {
  readonly from: number;
  readonly to: number;
}

const AIR = 0.06;

/** Distances in minor units between labels of the price axis: 1, 2, 5, 10, 20 and so on. */
const ROUND_STEPS: readonly number[] = Array.from({ length: 13 }, (_, digits) => digits)
  .flatMap((digits) => [1, 2, 5].map((size) => Number(`${size}e${digits}`)));

function centsIn({ points }: PriceSeries, { from, to }: Span): number[] {
  const inside = points.filter(({ atMs }) => atMs > from && atMs <= to).map(({ cents }) => cents);
  return [centsAt(points, from), ...inside].filter((cents) => cents !== null);
}

/** Returns the range of the price axis, or null without a price in `time`. */
export function priceSpan(series: readonly PriceSeries[], time: Span): Span | null {
  const shown = series.flatMap((one) => centsIn(one, time));
  if (shown.length === 0) return null;
  const [low, high] = [Math.min(...shown), Math.max(...shown)];
  const air = Math.max((high - low) * AIR, high * 0.005, 1);
  return { from: Math.max(0, low - air), to: high + air };
}

export function priceTicks({ from, to }: Span, count: number): number[] {
  const rough = (to - from) / count;
  const step = ROUND_STEPS.find((size) => size >= rough) ?? rough;
  const first = Math.ceil(from / step);
  const length = Math.max(0, Math.floor(to / step) - first + 1);
  return Array.from({ length }, (_, at) => (first + at) * step);
}

export function timeTicks({ from, to }: Span, count: number): number[] {
  return Array.from({ length: count }, (_, at) => from + (to - from) * (at + 0.5) / count);
}

export function scaled(span: Span, place: Span): (value: number) => number {
  const factor = (place.to - place.from) / (span.to - span.from || 1);
  return (value) => place.from + (value - span.from) * factor;
}

interface LinePlan {
  readonly points: readonly PricePoint[];
  readonly time: Span;
  readonly x: (atMs: number) => number;
  readonly y: (cents: number) => number;
}

export function stepLine({ points, time, x, y }: LinePlan) {
  const inside = points.filter(({ atMs }) => atMs > time.from && atMs <= time.to);
  const steps = [{ atMs: time.from, cents: centsAt(points, time.from) }, ...inside];
  const parts: string[] = [];
  let endY: number | null = null;
  for (const [at, { atMs, cents }] of steps.entries()) {
    const isDown = endY !== null;
    endY = cents === null ? null : y(cents);
    if (endY === null) continue;
    parts.push(isDown ? `V${place(endY)}` : `M${place(x(atMs))} ${place(endY)}`);
    const next = steps[at + 1]?.atMs ?? time.to;
    parts.push(`H${place(x(Math.min(next, time.to)))}`);
  }
  return { path: parts.join(""), endY };
}

function place(px: number): number {
  return Math.round(px * 10) / 10;
}

export function spread(places: readonly number[], leastPx: number, within: Span): number[] {
  const order = places.map((y, at) => ({ y, at })).toSorted((a, b) => a.y - b.y);
  const found = [...places];
  let least = within.from;
  for (const { y, at } of order) {
    found[at] = Math.max(y, least);
    least = found[at] + leastPx;
  }
  let most = within.to;
  for (const { at } of order.toReversed()) {
    found[at] = Math.min(found[at] ?? most, most);
    most = found[at] - leastPx;
  }
  return found;
}

export function apartMarkers(
  markers: readonly Marker[],
  x: (atMs: number) => number,
  leastPx: number,
): Marker[] {
  const kept: Marker[] = [];
  for (const marker of markers.toSorted((a, b) => b.atMs - a.atMs)) {
    const last = kept.at(-1);
    if (last === undefined || x(last.atMs) - x(marker.atMs) >= leastPx) kept.push(marker);
  }
  return kept.reverse();
}

export function binLabel(edges: readonly number[], at: number, show: Show): string {
  const [low, high] = [edges[at - 1], edges[at]];
  if (low === undefined) return `< ${show.number(high)}`;
  if (high === undefined) return `≥ ${show.number(low)}`;
  return `${show.number(low)} … ${show.number(high)}`;
}

export interface PricePoint {
  readonly atMs: number;
  readonly cents: number | null;
}

export interface PriceSeries {
  readonly key: string;
  readonly label: string;
  readonly badge: string;
  /** 0 for our price, 1 or more for shops. */
  readonly colour: number;
  readonly points: readonly PricePoint[];
}

export type MarkerKind = "import" | "rule" | "proposal" | "person";

export interface Marker {
  readonly atMs: number;
  readonly kind: MarkerKind;
}

export function centsAt(points: readonly PricePoint[], atMs: number): number | null {
  return points.findLast((point) => point.atMs <= atMs)?.cents ?? null;
}

export function lineClass({ colour }: { readonly colour: number }): string {
  return colour === 0 ? "line own" : `line ${shopClass(colour)}`;
}

const DRAG_LEAST_PX = 8;

/** Selects a part of `time` by dragging; `place` is the range of pixels that shows `time`. */
export function useDrag(time: Span, place: Span) {
  const [from, setFrom] = useState<number | null>(null);
  const x = scaled(time, place);
  const timeOf = ({ clientX, currentTarget }: TargetedPointerEvent<HTMLElement>) => {
    const atMs = scaled(place, time)(clientX - currentTarget.getBoundingClientRect().left);
    return Math.min(time.to, Math.max(time.from, atMs));
  };
  return {
    from,
    timeOf,
    press: (event: TargetedPointerEvent<HTMLElement>) => setFrom(timeOf(event)),
    cancel: () => setFrom(null),
    /** Null if the pointer has hardly moved. */
    release: (event: TargetedPointerEvent<HTMLElement>): Span | null => {
      const to = timeOf(event);
      setFrom(null);
      const isDrag = from !== null && Math.abs(x(to) - x(from)) >= DRAG_LEAST_PX;
      return isDrag ? spanOf(from, to) : null;
    },
  };
}

export function spanOf(one: number, other: number): Span {
  return { from: Math.min(one, other), to: Math.max(one, other) };
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
