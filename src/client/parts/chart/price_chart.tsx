/**
 * Prices over time: a legend, the drawing, a strip of the whole period, and a table. The legend
 * shows the prices at the time under the pointer, or else at the end of the shown period. Dragging
 * over the strip limits the drawing to a part; a click shows the whole period again.
 */
import { DAY_MS } from "../../../base/time.ts";
import { useApp } from "../../app/app.ts";
import { momentText } from "../../formats/day.ts";
import { LinkButton, Switch } from "../controls.tsx";
import { type Column, column, SimpleTable } from "../table/table.tsx";
import { ChartPlot } from "./chart_plot.tsx";
import {
  centsAt,
  endOf,
  lineClass,
  type Marker,
  type MarkerKind,
  type PriceSeries,
  priceSpan,
  scaled,
  type Span,
  stepLine,
  useWidth,
} from "./chart_scale.ts";
import type { TargetedPointerEvent } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";

interface PriceChartProps {
  readonly label: string;
  readonly currency: string;
  /** Our line is the first and the strongest. */
  readonly series: readonly PriceSeries[];
  readonly markers: readonly Marker[];
  readonly nowMs: number;
  readonly period: ChartPeriod;
}

/** Maximum number of drawn lines, because more are hard to tell apart. The table has all lines. */
const SERIES_MAX = 8;
const RANGES = [7, 30, 90, 365] as const;

type ChartDays = (typeof RANGES)[number];

/** `zoomed` is the drawn part of the days; null if all days are drawn. */
type ChartPeriod = ReturnType<typeof useChartPeriod>;

export function useChartPeriod(first: ChartDays) {
  const [days, onDays] = useState(first);
  const [zoomed, onZoom] = useState<Span | null>(null);
  return { days, zoomed, onDays, onZoom };
}

export function PeriodSwitch({ days, zoomed, onDays, onZoom }: ChartPeriod) {
  const texts = useApp().words.chart;
  return (
    <>
      {zoomed && <LinkButton onClick={() => onZoom(null)}>{texts.whole}</LinkButton>}
      <Switch
        label={texts.range}
        options={RANGES}
        value={zoomed === null ? days : null}
        textOf={texts.days}
        onValue={(range) => {
          onDays(range);
          onZoom(null);
        }}
      />
    </>
  );
}

export function PriceChart(props: PriceChartProps) {
  const { label, currency, series, markers, nowMs, period: { days, zoomed, onZoom } } = props;
  const texts = useApp().words.chart;
  const shown = useMemo(() => series.slice(0, SERIES_MAX), [series]);
  const [pointedMs, setPointedMs] = useState<number | null>(null);
  const whole = { from: nowMs - days * DAY_MS, to: nowMs };
  const time = zoomed ?? whole;
  const zoom = (span: Span | null) => {
    setPointedMs(null);
    onZoom(span);
  };
  return (
    <figure class="chart framed">
      <Legend series={shown} currency={currency} atMs={pointedMs ?? time.to} nowMs={nowMs} />
      <ChartPlot
        label={label}
        currency={currency}
        series={shown}
        markers={markers}
        time={time}
        pointedMs={pointedMs}
        onPoint={setPointedMs}
        onZoom={zoom}
      />
      <ChartStrip series={shown} whole={whole} time={time} onZoom={zoom} />
      <p class="chart-note">
        <span>
          {[...new Set(markers.map(({ kind }) => kind))].map((kind) => (
            <span key={kind}>
              <b>{texts.markerLetters[kind]}</b> {texts.markers[kind]}
              {" "}
            </span>
          ))}
        </span>
        <span>{texts.hint}</span>
      </p>
      <details class="chart-table">
        <summary>{texts.asTable}</summary>
        <PointTable label={label} currency={currency} series={series} markers={markers} />
      </details>
    </figure>
  );
}

interface LegendProps extends Pick<PriceChartProps, "series" | "currency" | "nowMs"> {
  readonly atMs: number;
}

function Legend({ series, currency, atMs, nowMs }: LegendProps) {
  const { show, words } = useApp();
  return (
    <ul class="legend">
      {series.map((one) => (
        <li key={one.key}>
          <svg class="line-swatch" viewBox="0 0 22 4" aria-hidden="true">
            <path class={lineClass(one)} d="M0 2H22" />
          </svg>
          {one.label}
          <LegendPrice points={one.points} currency={currency} atMs={atMs} nowMs={nowMs} />
        </li>
      ))}
      <li class="legend-time">
        {atMs === nowMs ? words.chart.now : show.dateTime(new Date(atMs))}
      </li>
    </ul>
  );
}

interface LegendPriceProps extends Omit<LegendProps, "series"> {
  readonly points: PriceSeries["points"];
}

function LegendPrice({ points, currency, atMs, nowMs }: LegendPriceProps) {
  const { show, words } = useApp();
  const end = atMs === nowMs ? endOf(points) : null;
  if (end === null) return <strong>{show.money(centsAt(points, atMs), currency)}</strong>;
  const until = momentText(show, new Date(end.atMs).toISOString(), nowMs);
  return <span>{words.chart.until(show.money(end.cents, currency), until)}</span>;
}

interface PointRow {
  readonly key: string;
  readonly label: string;
  readonly atMs: number;
  readonly cents: number | null;
  readonly by: MarkerKind | null;
}

type TableProps = Pick<PriceChartProps, "label" | "currency" | "series" | "markers">;

function PointTable({ label, currency, series, markers }: TableProps) {
  const { show, words } = useApp();
  const texts = words.chart;
  const kinds = new Map(markers.map(({ atMs, kind }) => [atMs, kind]));
  const rows: PointRow[] = series.flatMap(({ key, label, colour, points }) =>
    points.map(({ atMs, cents }) => ({
      key: `${key}-${atMs}`,
      label,
      atMs,
      cents,
      by: colour === 0 ? kinds.get(atMs) ?? null : null,
    }))
  ).toSorted((a, b) => b.atMs - a.atMs);
  const columns: Column<PointRow>[] = [
    column("at", words.time, 150).cell(({ atMs }) => show.dateTime(new Date(atMs))),
    column("who", texts.whose, 160).cell(({ label }) => label),
    column("price", words.price, 110).number(({ cents }) =>
      cents === null ? texts.unknown : show.money(cents, currency)
    ),
    column("by", texts.by, 110).cell(({ by }) => by === null ? "" : texts.markers[by]),
  ];
  return <SimpleTable label={label} columns={columns} rows={rows} />;
}

interface ChartStripProps {
  readonly series: readonly PriceSeries[];
  readonly whole: Span;
  readonly time: Span;
  onZoom(span: Span | null): void;
}

const HEIGHT_PX = 34;
const EDGE_PX = 3;
/** A shorter drag is a click. */
const DRAG_LEAST_PX = 8;

function ChartStrip({ series, whole, time, onZoom }: ChartStripProps) {
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
