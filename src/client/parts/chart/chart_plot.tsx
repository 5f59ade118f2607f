/**
 * Lines are steps, because a price is valid until the next price. Dragging zooms in and a double
 * click zooms out. The table below the chart has the same prices for keyboards and screen readers.
 */
import { DAY_MS } from "../../../base/time.ts";
import type { TargetedPointerEvent } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { ourGapPct, whole } from "../../../base/fraction.ts";
import { useApp } from "../../app/app.ts";
import { shortDay } from "../../formats/day.ts";
import {
  apartMarkers,
  centsAt,
  lineClass,
  type Marker,
  type PriceSeries,
  priceSpan,
  priceTicks,
  scaled,
  type Span,
  spanOf,
  spread,
  stepLine,
  timeTicks,
  useDrag,
  useWidth,
} from "./chart_scale.ts";

export interface ChartPlotProps {
  readonly label: string;
  readonly currency: string;
  readonly series: readonly PriceSeries[];
  readonly markers: readonly Marker[];
  readonly time: Span;
  readonly pointedMs: number | null;
  onPoint(atMs: number | null): void;
  onZoom(span: Span | null): void;
}

const HEIGHT_PX = 280;
const PLOT_Y = { from: 34, to: 252 };
const LEFT_PX = 18;
const CHARACTER_PX = 7;
const RIGHT_PX = 40;
const BADGE_PX = 20;
const MARKER_PX = 22;
const PX_PER_DATE = 110;
const YEARLESS_MS = 300 * DAY_MS;
const TIP_ROW_PX = 17;
const TIP_PX = 210;

export function ChartPlot(props: ChartPlotProps) {
  const { series, time, pointedMs, currency } = props;
  const { show, words } = useApp();
  const box = useRef<HTMLDivElement>(null);
  const widthPx = useWidth(box);
  const price = useMemo(() => priceSpan(series, time), [series, time.from, time.to]);
  const leftPx = LEFT_PX + CHARACTER_PX * show.money(price?.to ?? 0, currency).length;
  const plot = { from: leftPx, to: Math.max(leftPx + 60, widthPx - RIGHT_PX) };
  const pointing = usePointing({ ...props, plot });
  const { chosen } = pointing;
  return (
    <div
      ref={box}
      class="chart-box"
      role="img"
      aria-label={props.label}
      {...pointing.handlers}
    >
      {price === null ? <p class="soft">{words.chart.nothing}</p> : (
        <svg
          viewBox={`0 0 ${widthPx} ${HEIGHT_PX}`}
          width={widthPx}
          height={HEIGHT_PX}
          aria-hidden="true"
        >
          <Axes {...props} price={price} plot={plot} />
          <Markers {...props} plot={plot} />
          <Lines {...props} price={price} plot={plot} />
          {chosen && (
            <rect
              class="chosen"
              x={chosen.from}
              y={PLOT_Y.from}
              width={chosen.to - chosen.from}
              height={PLOT_Y.to - PLOT_Y.from}
            />
          )}
          {pointedMs !== null && <Tip {...props} atMs={pointedMs} plot={plot} />}
        </svg>
      )}
    </div>
  );
}

function usePointing({ time, pointedMs, plot, onPoint, onZoom }: Drawn) {
  const drag = useDrag(time, plot);
  const x = scaled(time, plot);
  return {
    chosen: drag.from === null || pointedMs === null ? null : spanOf(x(drag.from), x(pointedMs)),
    handlers: {
      onPointerMove: (event: TargetedPointerEvent<HTMLElement>) => onPoint(drag.timeOf(event)),
      onPointerLeave: () => {
        drag.cancel();
        onPoint(null);
      },
      onPointerDown: drag.press,
      onPointerUp: (event: TargetedPointerEvent<HTMLElement>) => {
        const span = drag.release(event);
        if (span) onZoom(span);
      },
      onDblClick: () => onZoom(null),
    },
  };
}

type Drawn = ChartPlotProps & { readonly plot: Span };

function Axes({ time, price, plot, currency }: Drawn & { readonly price: Span }) {
  const { show } = useApp();
  const x = scaled(time, plot);
  const y = scaled(price, { from: PLOT_Y.to, to: PLOT_Y.from });
  const dates = Math.max(2, Math.floor((plot.to - plot.from) / PX_PER_DATE));
  return (
    <>
      {priceTicks(price, 5).map((cents) => (
        <g key={cents}>
          <line class="grid" x1={plot.from} x2={plot.to} y1={y(cents)} y2={y(cents)} />
          <text x={plot.from - 8} y={y(cents) + 4} text-anchor="end">
            {show.money(cents, currency)}
          </text>
        </g>
      ))}
      {timeTicks(time, dates).map((atMs) => (
        <text key={atMs} x={x(atMs)} y={HEIGHT_PX - 8} text-anchor="middle">
          {time.to - time.from > YEARLESS_MS
            ? show.date(new Date(atMs))
            : shortDay(show, new Date(atMs).toISOString())}
        </text>
      ))}
    </>
  );
}

function Markers({ markers, time, plot }: Drawn) {
  const { words } = useApp();
  const x = scaled(time, plot);
  return (
    <>
      {apartMarkers(markers, x, MARKER_PX).map(({ atMs, kind }) => (
        <g key={atMs} class="marker">
          <line x1={x(atMs)} x2={x(atMs)} y1={22} y2={PLOT_Y.to} />
          <circle cx={x(atMs)} cy={12} r={9} />
          <text x={x(atMs)} y={16} text-anchor="middle">{words.chart.markerLetters[kind]}</text>
        </g>
      ))}
    </>
  );
}

function Lines({ series, time, price, plot }: Drawn & { readonly price: Span }) {
  const x = scaled(time, plot);
  const y = scaled(price, { from: PLOT_Y.to, to: PLOT_Y.from });
  const lines = series.map((one) => ({
    one,
    ...stepLine({ points: one.points, time, x, y }),
  }));
  const ended = lines.flatMap(({ one, endY }) => endY === null ? [] : [{ one, endY }]);
  const places = spread(ended.map(({ endY }) => endY), BADGE_PX, {
    from: PLOT_Y.from,
    to: PLOT_Y.to,
  });
  return (
    <>
      {lines.toReversed().map(({ one, path }) => (
        <path key={one.key} class={lineClass(one)} d={path} />
      ))}
      {ended.map(({ one }, at) => (
        <g key={one.key} class={`end-badge ${lineClass(one)}`}>
          <rect x={plot.to + 5} y={(places[at] ?? 0) - 9} width={32} height={18} rx={4} />
          <text x={plot.to + 21} y={(places[at] ?? 0) + 4} text-anchor="middle">{one.badge}</text>
        </g>
      ))}
    </>
  );
}

function Tip({ series, time, plot, atMs, currency }: Drawn & { readonly atMs: number }) {
  const { show, words } = useApp();
  const gap = gapAt(series, atMs);
  const rows = [
    ...series.map(({ key, label, points }) => ({
      key,
      name: shortened(label),
      text: show.money(centsAt(points, atMs), currency),
    })),
    ...gap === null
      ? []
      : [{ key: "tip-gap", name: words.market.columns.gapPct, text: show.percentChange(gap) }],
  ];
  const x = scaled(time, plot)(atMs);
  const left = x + TIP_PX + 12 > plot.to ? x - TIP_PX - 12 : x + 12;
  const top = PLOT_Y.from + 18;
  return (
    <g class="tip">
      <line x1={x} x2={x} y1={PLOT_Y.from} y2={PLOT_Y.to} />
      <rect
        x={left}
        y={PLOT_Y.from}
        width={TIP_PX}
        height={(rows.length + 1) * TIP_ROW_PX + 12}
        rx={5}
      />
      <text class="tip-time" x={left + 10} y={top}>{show.dateTime(new Date(atMs))}</text>
      {rows.map(({ key, name, text }, at) => (
        <g key={key} class={key === "tip-gap" ? key : undefined}>
          <text x={left + 10} y={top + (at + 1) * TIP_ROW_PX}>{name}</text>
          <text x={left + TIP_PX - 10} y={top + (at + 1) * TIP_ROW_PX} text-anchor="end">
            {text}
          </text>
        </g>
      ))}
    </g>
  );
}

function gapAt(series: readonly PriceSeries[], atMs: number): number | null {
  const ours = series.find(({ colour }) => colour === 0);
  const ourCents = ours ? centsAt(ours.points, atMs) : null;
  const theirs = series.filter(({ colour }) => colour !== 0)
    .map(({ points }) => centsAt(points, atMs))
    .filter((cents) => cents !== null);
  if (ourCents === null || theirs.length === 0) return null;
  return ourGapPct(ourCents, whole(Math.min(...theirs)));
}

const NAME_CHARACTERS = 15;

function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= NAME_CHARACTERS) return name;
  return `${characters.slice(0, NAME_CHARACTERS - 1).join("")}…`;
}
