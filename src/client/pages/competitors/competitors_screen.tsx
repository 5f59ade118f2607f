/**
 * The screen of all shops shows which shops need a person, and how our prices compare with the
 * shops' prices.
 */
import type { Shop } from "../../parts/shops.tsx";
import { sumOf } from "../../../base/collections.ts";
import { daysOf } from "../../formats/day.ts";
import { sharePct } from "../../../base/fraction.ts";
import { get, PAGE_SIZE_MAX, where, type Wire } from "../../api/call.ts";
import { useApp, useDocument, useList } from "../../app/app.ts";
import { EmptyState, Figure, Figures, More, PageHead, Pending } from "../../parts/page.tsx";
import {
  ShopCheck,
  standingOf,
  useFreshness,
  useHeldText,
  useRepairs,
} from "../../parts/shop/shop_check.tsx";
import { type ShopRow, ShopsTable } from "./shops_table.tsx";
import { useMarketSummary } from "../../parts/shared_queries.ts";

const STATES = ["well", "partly", "slow", "down", "empty", "idle", "off"] as const;

export function CompetitorsScreen() {
  const { words: { shops: texts, coverage, frame, quarantine }, may } = useApp();
  const list = useList<Shop, object>((page) => get("/api/competitors", where(page)), {
    limit: PAGE_SIZE_MAX,
  });
  const { rows, market, repairs, isPending } = useShopRows(list.rows);
  const counts = STATES.flatMap((state) => {
    const count = rows.filter((row) => row.state === state).length;
    return count === 0 ? [] : [texts.counts[state](count)];
  });
  const isEmpty = !list.isPending && list.rows.length === 0;
  return (
    <div class="page wide">
      <PageHead
        title={frame.shopsPlace}
        beside={!isPending && !isEmpty && (
          <span class="soft">{[frame.shops(rows.length), counts.join(", ")].join(" · ")}</span>
        )}
      >
        <a href="/competitors/quarantine">{useHeldText() ?? quarantine.title}</a>
      </PageHead>
      {may("manager") && <ShopCheck shops={list.rows} />}
      {!isEmpty && <MarketStrip market={market} repairs={repairs} />}
      {list.error !== null || list.isPending
        ? <Pending of={list} />
        : isEmpty
        ? <EmptyState icon="competitors" title={coverage.emptyTitle} text={texts.emptyText} />
        : <ShopsTable rows={rows} products={market?.products ?? 0} />}
      <More of={list} />
    </div>
  );
}

function useShopRows(shops: readonly Shop[]) {
  const all = useMarketSummary();
  const own = useMarketSummary({ by: "competitor" });
  const fetches = useDocument(get("/api/fetches"));
  const repairs = useRepairs();
  const freshness = useFreshness();
  const market = all.data?.items[0];
  const rows = shops.map((shop): ShopRow => {
    const isOfShop = (one: { competitorId?: string | null | undefined }) =>
      one.competitorId === shop.id;
    return {
      shop,
      compared: own.data?.items.find(isOfShop)?.compared ?? 0,
      days: fetches.data?.items.find(isOfShop)?.days ?? [],
      nextAt: freshness.data?.items.find(isOfShop)?.nextAt ?? null,
      ...standingOf(shop, repairs.rows.filter(isOfShop), market?.products ?? 0),
    };
  }).sort((a, b) => b.compared - a.compared);
  return { rows, market, repairs: repairs.first, isPending: repairs.isPending };
}

interface MarketStripProps {
  readonly market: Wire<"MarketSummary">["items"][number] | undefined;
  readonly repairs: Pick<Wire<"RepairGroups">, "pages" | "shops"> | null;
}

function MarketStrip({ market, repairs }: MarketStripProps) {
  const { words: { shops: { figures: texts }, imports, repairs: { inShops } }, show } = useApp();
  const fresh = useFreshness();
  const trend = useDocument(get("/api/market/trend", where({ days: "30" })));
  const shops = fresh.data?.items ?? [];
  const [links, read] = [sumOf(shops, (one) => one.links), sumOf(shops, (one) => one.fresh)];
  const points = trend.data?.points ?? [];
  const then = points[0]?.indexPct;
  const { products = 0, compared = 0, indexPct = null } = market ?? {};
  return (
    <Figures>
      <Figure
        label={texts.fresh}
        value={links === 0 ? "–" : show.percent(sharePct(read / links, 0))}
        note={links > 0 && texts.freshOf(read, links)}
      />
      <Figure
        label={texts.compared}
        value={<a href="/links/coverage">{show.number(compared)}</a>}
        note={imports.counts.ofRecords(products)}
      />
      <Figure
        label={texts.index}
        value={indexPct === null ? "–" : show.tenths(indexPct)}
        note={typeof then === "number" && points.length > 1 &&
          texts.indexThen(daysOf(points), show.tenths(then))}
      />
      <Figure
        label={texts.without}
        value={repairs && repairs.pages > 0
          ? <a href="/runs">{show.number(repairs.pages)}</a>
          : repairs
          ? "0"
          : "–"}
        note={repairs && (repairs.pages > 0 ? inShops(repairs.shops) : texts.none)}
      />
    </Figures>
  );
}
