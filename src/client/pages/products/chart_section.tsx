/**
 * Shows a product's price chart, a small chart of the whole period, and a table of the prices. The
 * chart has lines for our price and the seven cheapest linked pages, and marks changes of our
 * price. A line has a gap where its page was not observed for a long time.
 */
import type { PriceChange } from "../../../catalogue/prices/price_rows.ts";
import { byPath, get, type Wire } from "../../api/call.ts";
import { useApp, useDocument } from "../../app/app.ts";
import {
  lineClass,
  type MarkerKind,
  type PricePoint,
  type PriceSeries,
  priceSpan,
  scaled,
  type Span,
  stepLine,
  useDrag,
  useWidth,
} from "../../parts/chart/chart_scale.ts";
import { EmptyState, Pending, Section } from "../../parts/page.tsx";
import { badgeOf, useShopColours } from "../../parts/shops.tsx";
import { useProduct } from "./product_context.tsx";
import { useMemo, useRef, useState } from "preact/hooks";
import { DAY_MS } from "../../../base/time.ts";
import { LinkButton, Switch } from "../../parts/controls.tsx";
import { type Column, column, SimpleTable } from "../../parts/table/table.tsx";
import { ChartPlot, type ChartPlotProps } from "../../parts/chart/chart_plot.tsx";

const DAYS_AT_FIRST = 90;

export function ChartSection() {
  const { product, changes, includeDeleted, nowMs } = useProduct();
  const colours = useShopColours();
  const { words } = useApp();
  const texts = words.product;
  const period = useChartPeriod(DAYS_AT_FIRST);
  const asked = byPath({ id: product.id }, { days: period.days, includeDeleted });
  const found = useDocument(get("/api/products/{id}/chart", asked));
  const [last, setLast] = useState<ProductChart | null>(null);
  if (found.data && found.data !== last) setLast(found.data);
  const chart = found.data ?? last;
  const series = useMemo(
    () => chart === null ? [] : chartSeries({ chart, us: words.position.us, colours, nowMs }),
    [chart, colours, words, nowMs],
  );
  const markers = useMemo(
    () => changes.map(({ at, source }) => ({ atMs: Date.parse(at), kind: MARKERS[source] })),
    [changes],
  );
  const hasPrices = series.some(({ points }) => points.length > 0);
  return (
    <Section
      isCard
      title={texts.prices}
      actions={!found.error && hasPrices && <PeriodSwitch {...period} />}
    >
      {found.error || chart === null ? <Pending of={found} /> : hasPrices
        ? (
          <PriceChart
            label={texts.chart(product.title)}
            currency={chart.currency}
            series={series}
            markers={markers}
            period={period}
          />
        )
        : <EmptyState icon="overview" title={texts.noPrices} text={texts.noPricesText} />}
    </Section>
  );
}

interface SeriesInput {
  readonly chart: ProductChart;
  readonly us: string;
  readonly colours: ReadonlyMap<string, number>;
  readonly nowMs: number;
}

export function chartSeries({ chart, us, colours, nowMs }: SeriesInput): PriceSeries[] {
  const own = chart.own.map(([at, cents]) => ({ atMs: Date.parse(at), cents }));
  const others = chart.shops.map((shop): PriceSeries => {
    const points = shop.points.map(([at, cents]) => ({ atMs: Date.parse(at), cents }));
    const gaps = shop.gaps.map(([from, to]) => ({ from: Date.parse(from), to: Date.parse(to) }));
    return {
      key: shop.competitorProductId,
      label: shop.isOurs ? `${shop.competitor} (${us})` : shop.competitor,
      badge: badgeOf(shop.competitor),
      colour: colours.get(shop.competitorId) ?? 1,
      points: untilNow(withGaps(points, gaps, Date.parse(chart.to)), nowMs),
    };
  }).filter(({ points }) => points.length > 0);
  const lastCents = ({ points }: PriceSeries) => points.findLast(({ cents }) => cents)?.cents ?? 0;
  return [
    { key: "own", label: us, badge: us, colour: 0, points: untilNow(own, nowMs) },
    ...others.sort((a, b) => lastCents(a) - lastCents(b)),
  ];
}

/**
 * Interrupts the line in gaps, where the price is unknown. After a gap without a new price, the
 * line continues with the last price before the gap.
 */
function withGaps(
  points: readonly PricePoint[],
  gaps: readonly { readonly from: number; readonly to: number }[],
  nowMs: number,
): readonly PricePoint[] {
  const inGap = (atMs: number) => gaps.some(({ from, to }) => atMs > from && atMs < to);
  const kept = points.filter(({ atMs }) => !inGap(atMs));
  const known = new Set(kept.map(({ atMs }) => atMs));
  const edges = gaps.flatMap(({ from, to }): PricePoint[] => {
    const before = kept.findLast(({ atMs }) => atMs < to);
    const isOver = to < nowMs && !known.has(to);
    const end = isOver && before !== undefined ? [{ atMs: to, cents: before.cents }] : [];
    return [{ atMs: from, cents: null }, ...end];
  });
  return [...kept, ...edges].sort((a, b) => a.atMs - b.atMs);
}

function untilNow(points: readonly PricePoint[], nowMs: number): readonly PricePoint[] {
  const last = points.at(-1);
  return last && last.atMs < nowMs ? [...points, { atMs: nowMs, cents: last.cents }] : points;
}

const MARKERS: Readonly<Record<PriceChange["source"], MarkerKind>> = {
  api: "person",
  import: "import",
  rule: "rule",
  proposal: "proposal",
  rollback: "person",
};

type ProductChart = Pick<Wire<"ProductChart">, "currency" | "own" | "shops" | "to">;

interface PriceChartProps
  extends Pick<ChartPlotProps, "label" | "currency" | "series" | "markers"> {
  readonly period: ChartPeriod;
}

const SERIES_MAX = 8;
const RANGES = [7, 30, 90, 365] as const;

type ChartPeriod = ReturnType<typeof useChartPeriod>;

function useChartPeriod(first: (typeof RANGES)[number]) {
  const [days, onDays] = useState(first);
  const [zoomed, onZoom] = useState<Span | null>(null);
  return { days, zoomed, onDays, onZoom };
}

function PeriodSwitch({ days, zoomed, onDays, onZoom }: ChartPeriod) {
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

function PriceChart(props: PriceChartProps) {
  const { series, period: { days, zoomed, onZoom } } = props;
  const { nowMs } = useProduct();
  const texts = useApp().words.chart;
  const shown = useMemo(() => series.slice(0, SERIES_MAX), [series]);
  const [pointedMs, setPointedMs] = useState<number | null>(null);
  const whole = { from: nowMs - days * DAY_MS, to: nowMs };
  const time = zoomed ?? whole;
  const markers = props.markers.filter(({ atMs }) => atMs >= time.from && atMs <= time.to);
  const zoom = (span: Span | null) => {
    setPointedMs(null);
    onZoom(span);
  };
  return (
    <figure class="chart stack framed gap-8">
      <Legend series={shown} />
      <ChartPlot
        {...props}
        series={shown}
        markers={markers}
        time={time}
        pointedMs={pointedMs}
        onPoint={setPointedMs}
        onZoom={zoom}
      />
      <ChartStrip series={shown} whole={whole} time={time} onZoom={zoom} />
      <p class="flow spread gap-16 rows-4 small soft">
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
        <PointTable {...props} />
      </details>
    </figure>
  );
}

function Legend({ series }: Pick<PriceChartProps, "series">) {
  return (
    <ul class="legend flow soft gap-16 rows-4">
      {series.map((one) => (
        <li key={one.key} class="row gap-6">
          <svg class="line-swatch" viewBox="0 0 22 4" aria-hidden="true">
            <path class={lineClass(one)} d="M0 2H22" />
          </svg>
          {one.label}
        </li>
      ))}
    </ul>
  );
}

interface PointRow {
  readonly key: string;
  readonly label: string;
  readonly atMs: number;
  readonly cents: number | null;
  readonly by: MarkerKind | null;
}

function PointTable({ label, currency, series, markers }: PriceChartProps) {
  const { show, words: { chart: texts, fields, price } } = useApp();
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
    column("at", fields.at, 150).time(({ atMs }) => new Date(atMs)),
    column("who", fields.actor, 160).cell(({ label }) => label),
    column("price", price, 110).number(({ cents }) =>
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

function ChartStrip({ series, whole, time, onZoom }: ChartStripProps) {
  const box = useRef<HTMLDivElement>(null);
  const widthPx = useWidth(box);
  const place = { from: 0, to: widthPx };
  const drag = useDrag(whole, place);
  const x = scaled(whole, place);
  const price = priceSpan(series, whole);
  if (price === null) return null;
  const y = scaled(price, { from: HEIGHT_PX - EDGE_PX, to: EDGE_PX });
  return (
    <div
      ref={box}
      class="chart-strip"
      aria-hidden="true"
      onPointerDown={drag.press}
      onPointerUp={(event) => drag.from !== null && onZoom(drag.release(event))}
      onPointerLeave={drag.cancel}
    >
      <svg viewBox={`0 0 ${widthPx} ${HEIGHT_PX}`} width={widthPx} height={HEIGHT_PX}>
        {series.map((one) => (
          <path
            key={one.key}
            class={lineClass(one)}
            d={stepLine({ points: one.points, time: whole, x, y }).path}
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
