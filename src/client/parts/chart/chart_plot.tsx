/**
 * The drawing of a price chart. Lines are steps, because a price is valid until the next price.
 * Dragging zooms in and a double click zooms out; arrow keys move from one change to the next. For
 * screen readers, the chart is a slider; its value is a time with all prices at this time.
 */
import { DAY_MS } from "../../../base/time.ts";
import type { TargetedKeyboardEvent, TargetedPointerEvent } from "preact";
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
const LEFT_PX = 88;
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
  const plot = { from: LEFT_PX, to: Math.max(LEFT_PX + 60, widthPx - RIGHT_PX) };
  const price = useMemo(() => priceSpan(series, time), [series, time.from, time.to]);
  const pointing = usePointing({ ...props, plot });
  const { chosen } = pointing;
  const atMs = pointedMs ?? time.to;
  const spoken = [
    show.dateTime(new Date(atMs)),
    ...series.map(({ label, points }) => `${label} ${show.money(centsAt(points, atMs), currency)}`),
  ].join(", ");
  return (
    <div
      ref={box}
      class="chart-box"
      role="slider"
      tabIndex={0}
      aria-label={props.label}
      aria-valuemin={time.from}
      aria-valuemax={time.to}
      aria-valuenow={Math.round(atMs)}
      aria-valuetext={spoken}
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

function usePointing({ series, time, pointedMs, plot, onPoint, onZoom }: Drawn) {
  const drag = useDrag(time, plot);
  const x = scaled(time, plot);
  const press = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (event.key === "Escape") onPoint(null);
    if (event.key === "Home") onPoint(time.from);
    if (event.key === "End") onPoint(time.to);
    if (step !== 0) onPoint(nextChange(series, time, pointedMs ?? time.to, step));
    if (step !== 0 || event.key === "Home" || event.key === "End") event.preventDefault();
  };
  return {
    chosen: drag.from === null || pointedMs === null ? null : spanOf(x(drag.from), x(pointedMs)),
    handlers: {
      onKeyDown: press,
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

function nextChange(series: readonly PriceSeries[], time: Span, fromMs: number, step: number) {
  const times = series.flatMap(({ points }) => points.map(({ atMs }) => atMs))
    .filter((atMs) => atMs >= time.from && atMs <= time.to && (atMs - fromMs) * step > 0);
  if (times.length === 0) return fromMs;
  return step > 0 ? Math.min(...times) : Math.max(...times);
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
  const shown = markers.filter(({ atMs }) => atMs >= time.from && atMs <= time.to);
  return (
    <>
      {apartMarkers(shown, x, MARKER_PX).map(({ atMs, kind }) => (
        <g key={atMs} class="marker">
          <line x1={x(atMs)} x2={x(atMs)} y1={22} y2={PLOT_Y.to} />
          <circle cx={x(atMs)} cy={12} r={9} />
          <text x={x(atMs)} y={16} text-anchor="middle">{words.chart.markerLetters[kind]}</text>
        </g>
      ))}
    </>
  );
}

function Lines({ series, time, price, plot, currency }: Drawn & { readonly price: Span }) {
  const { show } = useApp();
  const x = scaled(time, plot);
  const y = scaled(price, { from: PLOT_Y.to, to: PLOT_Y.from });
  const lines = series.map((one) => ({
    one,
    ...stepLine({ points: one.points, time, price, x, y }),
  }));
  const ended = lines.flatMap(({ one, endY }) => endY === null ? [] : [{ one, endY }]);
  const places = spread(ended.map(({ endY }) => endY), BADGE_PX, {
    from: PLOT_Y.from,
    to: PLOT_Y.to,
  });
  return (
    <>
      {lines.toReversed().map(({ one, path, outside }) => (
        <g key={one.key}>
          <path class={lineClass(one)} d={path} />
          {outside.map(({ x, isAbove, cents }) => (
            <text
              key={x}
              class={`outside ${lineClass(one)}`}
              x={Math.min(x, plot.to - 4)}
              y={isAbove ? PLOT_Y.from + 4 : PLOT_Y.to - 3}
              text-anchor={x > (plot.from + plot.to) / 2 ? "end" : "start"}
            >
              {isAbove ? "▲" : "▼"} {show.money(cents, currency)}
            </text>
          ))}
        </g>
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
      : [{ key: "tip-gap", name: words.position.gapShort, text: show.percentChange(gap) }],
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
