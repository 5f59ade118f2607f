import { useMemo, useState } from "preact/hooks";
import type { PriceChange } from "../../../catalogue/prices/price_history.ts";
import type { ObservationDocument } from "../../../observations/observation.ts";
import { useDocument } from "../../app/use_document.ts";
import type { Page } from "../../api/page.ts";
import { useList } from "../../app/use_list.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { PriceChart } from "../../parts/chart/price_chart.tsx";
import { EmptyState } from "../../parts/empty_state.tsx";
import { usePriceChangeColumns } from "../../parts/table/price_change_columns.tsx";
import { Section } from "../../parts/section.tsx";
import { SimpleTable } from "../../parts/table/simple_table.tsx";
import type { Column } from "../../parts/table/column.ts";
import type { Product } from "./product.ts";
import { shopColours } from "../../parts/chart/shop_colours.ts";
import { priceMarkers, priceSeries } from "./price_series.ts";
import { useMatches } from "./use_matches.ts";

/** Observations in the chart: the newest of them. */
const OBSERVATIONS_MAX = 500;

/** Shops whose colours are told apart: as many as the service gives at once. */
const SHOPS_MAX = 200;

type Competitor = { readonly id: string };

/** Own and competitors' prices over time. */
export function PriceSection({ product }: { product: Product }) {
  const { words } = useApp();
  const texts = words.product;
  const history = useHistory(product);
  const seen = useDocument<Page<ObservationDocument>>({
    key: ["observations", product.id],
    path: "/api/observations",
    query: { productId: product.id, limit: OBSERVATIONS_MAX },
  });
  const matches = useMatches(product.id);
  const shops = useDocument<Page<Competitor>>({
    key: ["competitors", "colours"],
    path: "/api/competitors",
    query: { limit: SHOPS_MAX },
  });
  const [nowMs] = useState(() => Date.now());
  const series = useMemo(() =>
    priceSeries({
      us: texts.us,
      changes: history.rows,
      seen: seen.data?.items ?? [],
      packFactors: new Map(matches.rows.map(({ id, packFactor }) => [id, packFactor])),
      colours: shopColours(shops.data?.items ?? []),
      intervalHours: product.scrapeIntervalHours,
      currency: product.currency,
      nowMs,
    }), [history.rows, seen.data, matches.rows, shops.data, texts.us]);
  const markers = useMemo(() => priceMarkers(history.rows), [history.rows]);
  const hasPrices = series.some(({ points }) => points.length > 0);
  return (
    <Section title={texts.prices}>
      {hasPrices
        ? (
          <PriceChart
            label={texts.chart(product.title)}
            currency={product.currency}
            series={series}
            markers={markers}
            nowMs={nowMs}
          />
        )
        : <EmptyState icon="overview" title={texts.noPrices} text={texts.noPricesText} />}
    </Section>
  );
}

/** Every change of the own price; nothing while there was none. */
export function PriceHistorySection({ product }: { product: Product }) {
  const { words } = useApp();
  const { history: title } = words.product;
  const history = useHistory(product);
  const columns = useHistoryColumns();
  if (history.rows.length === 0) return null;
  return (
    <Section title={title}>
      <SimpleTable
        label={title}
        columns={columns}
        rows={history.rows}
        idOf={({ at, toCents }) => `${at}-${toCents}`}
      />
      {history.hasMore && (
        <Button kind="quiet" isBusy={history.isLoadingMore} onClick={history.more}>
          {words.table.more}
        </Button>
      )}
    </Section>
  );
}

function useHistory({ id, deletedAt }: Product) {
  return useList<PriceChange>({
    key: ["products", id, "history"],
    path: `/api/products/${id}/price-history`,
    query: { includeDeleted: deletedAt ? true : undefined },
  });
}

function useHistoryColumns(): readonly Column<PriceChange>[] {
  const { words, show } = useApp();
  const { from, to, change, source } = usePriceChangeColumns<PriceChange>();
  return [
    { key: "at", title: words.time, width: 140, cell: ({ at }) => show.dateTime(at) },
    from,
    to,
    change,
    source,
    {
      key: "actor",
      title: words.product.historyColumns.actor,
      width: 160,
      cell: ({ actor }) => actor.name,
    },
  ];
}
