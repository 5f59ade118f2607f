import type { PriceHistoryEntry } from "../../../catalogue/prices/price_mark.ts";
import { useMemo, useState } from "preact/hooks";
import { useDocument } from "../../app/use_document.ts";
import { useApp } from "../../app/app.ts";
import { type ChartDays, PriceChart } from "../../parts/chart/price_chart.tsx";
import { EmptyState } from "../../parts/empty_state.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { Loading } from "../../parts/progress.tsx";
import { Section } from "../../parts/section.tsx";
import { chartSeries, priceMarkers } from "./chart_series.ts";
import type { OneProduct } from "./one_product.ts";
import type { ProductChart } from "./past.ts";

interface ChartProps {
  readonly product: OneProduct;
  readonly changes: readonly PriceHistoryEntry[];
  readonly colours: ReadonlyMap<string, number>;
  readonly nowMs: number;
}

const DAYS_AT_FIRST = 90;

/** Own and competitors' prices over time. */
export function ChartSection({ product, changes, colours, nowMs }: ChartProps) {
  const { words } = useApp();
  const texts = words.product;
  const [days, setDays] = useState<ChartDays>(DAYS_AT_FIRST);
  const query = { days, includeDeleted: product.deletedAt ? true : undefined };
  const found = useDocument({
    key: ["products", product.id, "chart", query],
    read: (api) =>
      api.GET("/api/products/{id}/chart", {
        params: {
          path: { id: product.id },
          query,
        },
      }),
  });
  const [last, setLast] = useState<ProductChart | null>(null);
  if (found.data && found.data !== last) setLast(found.data);
  // While another time is read the old one stays.
  const chart = found.data ?? last;
  const series = useMemo(() =>
    chart === null ? [] : chartSeries({
      chart,
      us: words.position.us,
      colours,
      nowMs,
    }), [chart, colours, words, nowMs]);
  const markers = useMemo(() => priceMarkers(changes), [changes]);
  const hasPrices = series.some(({ points }) => points.length > 0);
  return (
    <Section isCard title={texts.prices}>
      {found.error
        ? <ErrorNote error={found.error} onAgain={() => void found.refetch()} />
        : chart === null
        ? <Loading label={words.loading} />
        : hasPrices
        ? (
          <PriceChart
            label={texts.chart(product.title)}
            currency={chart.currency}
            series={series}
            markers={markers}
            nowMs={nowMs}
            days={days}
            onDays={setDays}
          />
        )
        : <EmptyState icon="overview" title={texts.noPrices} text={texts.noPricesText} />}
    </Section>
  );
}
