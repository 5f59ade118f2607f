import { useEffect, useRef, useState } from "preact/hooks";
import { useApp } from "../../app/app.ts";
import type { Column } from "../table/column.ts";
import { SimpleTable } from "../table/simple_table.tsx";
import { drawChart } from "./draw_chart.ts";
import type { PricePoint, PriceSeries } from "./price_points.ts";

interface PriceChartProps {
  readonly label: string;
  readonly currency: string;
  /** The first one is ours and is drawn with the strongest line. */
  readonly series: readonly PriceSeries[];
}

/** As many lines can be told apart by colour and dashes. */
export const SERIES_MAX = 6;

/** Prices over time as steps, with the same figures as a table beside it. */
export function PriceChart({ label, currency, series }: PriceChartProps) {
  const { show, words, theme } = useApp();
  const box = useRef<HTMLDivElement>(null);
  const legend = useRef<HTMLUListElement>(null);
  const shown = series.slice(0, SERIES_MAX);
  const [pointedMs, setPointedMs] = useState<number | null>(null);
  useEffect(() => {
    if (box.current === null || legend.current === null) return;
    const colours = [...legend.current.querySelectorAll("i")]
      .map((swatch) => getComputedStyle(swatch).color);
    return drawChart({
      box: box.current,
      colours,
      series: shown,
      text: getComputedStyle(legend.current).color,
      line: getComputedStyle(box.current).borderTopColor,
      showCents: (cents) => show.money(cents, currency),
      showDate: (atMs) => show.date(new Date(atMs)),
      timeZone: show.timeZone,
      onPoint: setPointedMs,
    });
  }, [series, currency, show, theme.value]);
  return (
    <figure class="chart">
      <ul class="legend" ref={legend}>
        {shown.map(({ key, label, points }, at) => (
          <li key={key}>
            <i class={`swatch line-${at + 1}`} />
            {label}
            <strong>{show.money(centsAt(points, pointedMs), currency)}</strong>
          </li>
        ))}
        <li class="legend-time">
          {pointedMs === null ? words.chart.now : show.date(new Date(pointedMs))}
        </li>
      </ul>
      <div class="chart-box" ref={box} role="img" aria-label={label} />
      <details class="chart-table">
        <summary>{words.chart.asTable}</summary>
        <PointTable label={label} currency={currency} series={series} />
      </details>
    </figure>
  );
}

/** The price in force at a time; null for the time before the first one. */
function centsAt(points: readonly PricePoint[], atMs: number | null): number | null {
  const inForce = atMs === null ? points.at(-1) : points.findLast((point) => point.atMs <= atMs);
  return inForce?.cents ?? null;
}

interface PointRow {
  readonly key: string;
  readonly label: string;
  readonly atMs: number;
  readonly cents: number | null;
}

function PointTable({ label, currency, series }: PriceChartProps) {
  const { show, words } = useApp();
  const rows: PointRow[] = series.flatMap(({ key, label, points }) =>
    points.map(({ atMs, cents }) => ({ key: `${key}-${atMs}`, label, atMs, cents }))
  ).toSorted((a, b) => b.atMs - a.atMs);
  const columns: Column<PointRow>[] = [
    { key: "at", title: words.time, width: 150, cell: ({ atMs }) => show.dateTime(new Date(atMs)) },
    { key: "who", title: words.chart.whose, width: 160, cell: ({ label }) => label },
    {
      key: "price",
      title: words.price,
      width: 110,
      isNumber: true,
      cell: ({ cents }) => show.money(cents, currency),
    },
  ];
  return <SimpleTable label={label} columns={columns} rows={rows} idOf={({ key }) => key} />;
}
