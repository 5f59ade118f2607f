/**
 * The price chart of a product: our price, one line per linked page, and markers where our price
 * was changed. A line has a gap where its page was not observed for a long time.
 */
import type { PriceChange, PriceHistoryEntry } from "../../../catalogue/prices/price_rows.ts";
import { byPath, get, type Wire } from "../../api/call.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { PeriodSwitch, PriceChart, useChartPeriod } from "../../parts/chart/price_chart.tsx";
import type { MarkerKind, PricePoint, PriceSeries } from "../../parts/chart/chart_scale.ts";
import { EmptyState, Pending, Section } from "../../parts/page.tsx";
import { badgeOf } from "../../parts/shops.tsx";
import type { OneProduct } from "./one_product.tsx";
import { useMemo, useState } from "preact/hooks";

interface ChartProps {
  readonly product: OneProduct;
  readonly changes: readonly PriceHistoryEntry[];
  readonly colours: ReadonlyMap<string, number>;
  readonly nowMs: number;
}

const DAYS_AT_FIRST = 90;

export function ChartSection({ product, changes, colours, nowMs }: ChartProps) {
  const { words } = useApp();
  const texts = words.product;
  const period = useChartPeriod(DAYS_AT_FIRST);
  const query = { days: period.days, includeDeleted: product.deletedAt ? true : undefined };
  const found = useDocument(get("/api/products/{id}/chart", byPath({ id: product.id }, query)));
  const [last, setLast] = useState<ProductChart | null>(null);
  if (found.data && found.data !== last) setLast(found.data);
  const chart = found.data ?? last;
  const series = useMemo(() =>
    chart === null ? [] : chartSeries({
      chart,
      us: words.position.us,
      colours,
      nowMs,
    }), [chart, colours, words, nowMs]);
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
            nowMs={nowMs}
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

/** Our line, followed by one line per link, sorted by current price. */
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
 * At the start of a gap, the price becomes unknown; at its end, the last known price continues. A
 * gap that lasts until now has no end.
 */
function withGaps(
  points: readonly PricePoint[],
  gaps: readonly { readonly from: number; readonly to: number }[],
  nowMs: number,
): readonly PricePoint[] {
  // A point at the start of a gap was observed, so the point stays.
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
