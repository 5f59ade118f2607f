import type { TargetedPointerEvent } from "preact";
import { useRef, useState } from "preact/hooks";
import { priceSpan, scaled, type Span, stepLine } from "./chart_scale.ts";
import { lineClass } from "./line_class.ts";
import type { PriceSeries } from "./price_points.ts";
import { useWidth } from "./use_width.ts";

interface ChartStripProps {
  readonly series: readonly PriceSeries[];
  readonly whole: Span;
  /** What the chart above shows of it. */
  readonly time: Span;
  onZoom(span: Span | null): void;
}

const HEIGHT_PX = 34;
const EDGE_PX = 3;
/** A shorter drag is a click: the whole again. */
const DRAG_LEAST_PX = 8;

/** The whole time in small: dragging over a part of it shows that part above. */
export function ChartStrip({ series, whole, time, onZoom }: ChartStripProps) {
  const box = useRef<HTMLDivElement>(null);
  const widthPx = useWidth(box);
  const [dragFrom, setDragFrom] = useState<number | null>(null);
  const place = { from: 0, to: widthPx };
  const x = scaled(whole, place);
  const price = priceSpan(series, whole);
  const timeOf = (event: TargetedPointerEvent<HTMLElement>) => {
    const left = event.currentTarget.getBoundingClientRect().left;
    const atMs = scaled(place, whole)(event.clientX - left);
    return Math.min(whole.to, Math.max(whole.from, atMs));
  };
  const release = (atMs: number) => {
    const from = dragFrom;
    setDragFrom(null);
    if (from === null) return;
    const isDrag = Math.abs(x(atMs) - x(from)) >= DRAG_LEAST_PX;
    onZoom(isDrag ? { from: Math.min(from, atMs), to: Math.max(from, atMs) } : null);
  };
  if (price === null) return null;
  const y = scaled(price, { from: HEIGHT_PX - EDGE_PX, to: EDGE_PX });
  return (
    <div
      ref={box}
      class="chart-strip"
      aria-hidden="true"
      onPointerDown={(event) => setDragFrom(timeOf(event))}
      onPointerUp={(event) => release(timeOf(event))}
      onPointerLeave={() => setDragFrom(null)}
    >
      <svg viewBox={`0 0 ${widthPx} ${HEIGHT_PX}`} width={widthPx} height={HEIGHT_PX}>
        {series.map((one) => (
          <path
            key={one.key}
            class={lineClass(one)}
            d={stepLine({ points: one.points, time: whole, price, x, y }).path}
          />
        ))}
        <rect
          class="chosen"
          x={x(time.from)}
          y={0}
          width={Math.max(2, x(time.to) - x(time.from))}
          height={HEIGHT_PX}
        />
      </svg>
    </div>
  );
}
