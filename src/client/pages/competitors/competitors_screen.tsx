/**
 * Lists all shops: shops with problems first, disabled shops last. The row of a shop with problems
 * offers a solution for the most serious one.
 */
import { type Shop, ShopBadge } from "../../parts/shops.tsx";
import { sumOf } from "../../../base/collections.ts";
import { daysOf, momentText } from "../../formats/day.ts";
import { sharePct } from "../../../base/fraction.ts";
import { get, PAGE_SIZE_MAX, where, type Wire } from "../../api/call.ts";
import { useApp, useDocument, useList } from "../../app/app.ts";
import {
  EmptyState,
  Figure,
  Figures,
  FileLinks,
  filesOf,
  Meter,
  More,
  PageHead,
  Pending,
} from "../../parts/page.tsx";
import {
  nextText,
  ShopCheck,
  type ShopStanding,
  type ShopState,
  standingOf,
  TONES,
  useFreshness,
  useHeldText,
  useLastRead,
  useRepairs,
} from "../../parts/shop/shop_check.tsx";
import { useMarketSummary } from "../../parts/shared_queries.ts";
import { useState } from "preact/hooks";
import { Badge, Button } from "../../parts/controls.tsx";
import { readPct, useShopTrend } from "./shop_cards.tsx";
import { type FailingGroup, ReadAgain, useRetry, WayOut } from "../../parts/shop/read_again.tsx";
import { FindPages } from "./discovery_card.tsx";
import { TeachDialog } from "./teach_dialog.tsx";
import { type Column, column, SimpleTable } from "../../parts/table/table.tsx";

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
      compared: own.data ? own.data.items.find(isOfShop)?.compared ?? 0 : null,
      days: fetches.data?.items.find(isOfShop)?.days ?? [],
      nextAt: freshness.data?.items.find(isOfShop)?.nextAt ?? null,
      ...standingOf(shop, repairs.rows.filter(isOfShop), market?.products ?? 0),
    };
  }).sort((a, b) => (b.compared ?? 0) - (a.compared ?? 0));
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
  const indexPct = market?.indexPct ?? null;
  return (
    <Figures>
      <Figure
        label={texts.fresh}
        value={links === 0 ? "–" : show.percent(sharePct(read / links, 0))}
        note={links > 0 && texts.freshOf(read, links)}
      />
      <Figure
        label={texts.compared}
        value={market ? <a href="/links/coverage">{show.number(market.compared)}</a> : "–"}
        note={market && imports.counts.ofRecords(market.products)}
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

interface ShopRow extends ShopStanding {
  readonly shop: Shop;
  /** Null until it is loaded. */
  readonly compared: number | null;
  readonly days: Wire<"ShopFetches">["items"][number]["days"];
  readonly nextAt: string | null;
}

const WORST_FIRST: readonly ShopState[] = ["down", "partly", "slow", "well", "idle", "empty"];

function ShopsTable({ rows, products }: { rows: readonly ShopRow[]; products: number }) {
  const { words: { shops: texts, frame }, show } = useApp();
  const groups = {
    needs: rows.filter(({ need }) => need !== null)
      .toSorted((a, b) => WORST_FIRST.indexOf(a.state) - WORST_FIRST.indexOf(b.state)),
    runs: rows.filter(({ need, state }) => need === null && state !== "off"),
    off: rows.filter(({ state }) => state === "off"),
  };
  return (
    <section class={groups.needs.length > 0 ? "shops-table needs" : "shops-table"}>
      <SimpleTable
        label={frame.shopsPlace}
        kind="shops"
        columns={useShopColumns(products)}
        groups={(["needs", "runs", "off"] as const).flatMap((key) => {
          const own = groups[key];
          const heading = `${texts.groups[key]} · ${show.number(own.length)}`;
          return own.length > 0 ? [{ key, heading, rows: own }] : [];
        })}
        idOf={({ shop }) => shop.id}
        hrefOf={({ shop }) => `/competitors/${shop.id}`}
      />
      <footer class="row flow spread soft small gap-14">
        {texts.legend}
        <FileLinks {...filesOf("/api/competitors")} />
      </footer>
    </section>
  );
}

function useShopColumns(products: number): readonly Column<ShopRow>[] {
  const { words, show } = useApp();
  const { columns, perDay, states } = words.shops;
  const noted = (title: string, note: string) => (
    <>
      {title} <span class="soft">{note}</span>
    </>
  );
  const isLinked = ({ shop }: ShopRow) => shop.trackedProducts > 0;
  return [
    column("shop", words.fields.competitor, { width: 195, narrowWidth: 150 }).cell(({ shop }) => (
      <span class="shop-name">
        <ShopBadge id={shop.id} name={shop.displayName} />
        <span>
          <a href={`/competitors/${shop.id}`}>{shop.displayName}</a>
          <small class="below">{shop.domain}</small>
        </span>
      </span>
    )),
    column("state", columns.reads, {
      width: 230,
      narrowWidth: 150,
      head: noted(columns.reads, columns.days),
    })
      .cell((row) => (
        <span class="stack gap-2">
          <span class="reads row gap-8">
            <DayBars days={row.days} />
            <Badge tone={TONES[row.state]}>{states[row.state]}</Badge>
          </span>
          <small>
            <Why row={row} products={products} />
          </small>
        </span>
      )),
    column("compared", columns.compared, 160).cell((row) => <Coverage row={row} />),
    column("index", columns.index, {
      width: 200,
      narrowWidth: 150,
      head: noted(columns.index, columns.month),
    })
      .cell((row) => isLinked(row) && <Standing shop={row.shop} />),
    column("next", columns.next, { width: 110, isWide: true }).cell((row) =>
      isLinked(row) && (
        <>
          {nextText(words, show, row.nextAt)}
          <small class="below">{perDay(row.shop.health.due)}</small>
        </>
      )
    ),
    column("act", columns.todo, { width: 160, narrowWidth: 130 }).cell((row) => <Todo row={row} />),
  ];
}

const BAR = 5;
const GAP = 2;
const TALL = 18;
const STEP = 100 / TALL;

function DayBars({ days }: Pick<ShopRow, "days">) {
  const { words: { shops: texts, repairs }, show } = useApp();
  const mean = readPct(days);
  const today = days.at(-1);
  if (mean === null || !today) return null;
  const now = readPct([today]);
  const said = now === null ? repairs.days.noFetch : show.percent(now);
  return (
    <svg
      class="day-bars"
      width={days.length * (BAR + GAP) - GAP}
      height={TALL}
      role="img"
      aria-label={texts.daysLabel(show.percent(mean), said)}
    >
      {days.map((day, at) => {
        const pct = readPct([day]);
        const height = pct === null ? 1 : Math.max(2, Math.round(pct === 0 ? TALL : pct / STEP));
        const kind = pct === null ? "idle" : pct === 0 ? "failed" : pct < 90 ? "partly" : "read";
        return (
          <rect
            key={at}
            class={kind}
            x={at * (BAR + GAP)}
            y={TALL - height}
            width={BAR}
            height={height}
          />
        );
      })}
    </svg>
  );
}

function Why({ row, products }: { readonly row: ShopRow; readonly products: number }) {
  const { words: { shops: texts, repairs }, show } = useApp();
  const { shop, state, need, worst, failing } = row;
  const { trackedProducts, health } = shop;
  if (state === "empty") return <>{texts.noPages}</>;
  if (state === "slow") return <>{texts.slow(health.due, health.perDayMax)}</>;
  if (need === "forbidden" && worst) return <>{texts.forbidden(worst.pages)}</>;
  if (need === "find") {
    return <>{texts.few(show.percent(sharePct(trackedProducts / Math.max(products, 1), 1)))}</>;
  }
  if (worst === null) return <>{state === "idle" && texts.notFetched}</>;
  const since = health.downSince ?? worst.since;
  if (state === "well" || state === "idle") {
    const pages = texts.without(failing);
    return <a href={`/competitors/${shop.id}`}>{pages}</a>;
  }
  const at = texts.since(momentText(show, since));
  return <>{at} · {repairs.causes[worst.cause]}</>;
}

function Coverage({ row: { shop, compared } }: { readonly row: ShopRow }) {
  const { words: { shops: texts }, show } = useApp();
  const linked = shop.trackedProducts;
  if (compared === null) return <>–</>;
  const label = texts.meter(compared, linked);
  return (
    <span class="stack gap-4">
      <Meter pct={sharePct(Math.min(1, compared / Math.max(linked, 1)), 1)} label={label} />
      <small>
        <a href={`/products?competitorId=${shop.id}&rankMin=1`}>{show.number(compared)}</a>{" "}
        {texts.ofPages(linked)}
      </small>
    </span>
  );
}

const WIDE = 92;
const HIGH = 28;
const EDGE = 3;

function Standing({ shop }: { shop: Shop }) {
  const { words: { shops: texts }, show } = useApp();
  const { today, last, points } = useShopTrend(shop.id);
  const lastRead = useLastRead(shop.id);
  if (typeof last?.indexPct !== "number") return <span class="soft">–</span>;
  const { indexPct } = last;
  const isStill = today === undefined || today.compared === 0;
  const said = show.tenths(indexPct);
  const level = show.tenths(100);
  const side = said === level ? "level" : indexPct > 100 ? "dearer" : "cheaper";
  const values = points.flatMap((point) => point.indexPct ?? []);
  const [low, high] = [Math.min(100, ...values), Math.max(100, ...values)];
  const yOf = (value: number) =>
    EDGE + (HIGH - 2 * EDGE) * (high === low ? 0.5 : (high - value) / (high - low));
  const line = values.map((value, at) =>
    `${EDGE + (WIDE - 2 * EDGE) * at / Math.max(1, values.length - 1)},${yOf(value)}`
  );
  return (
    <span class={isStill ? "shop-index row gap-8 still" : `shop-index row gap-8 ${side}`}>
      <b>{said}</b>
      <svg
        viewBox={`0 0 ${WIDE} ${HIGH}`}
        width={WIDE}
        height={HIGH}
        role="img"
        aria-label={texts.trendLabel(said)}
      >
        <path d={`M0 ${yOf(100)}H${WIDE}`} />
        <polyline points={line.join(" ")} />
        <circle cx={WIDE - EDGE} cy={yOf(indexPct)} r="2.4" />
      </svg>
      <small class="nowrap">
        {isStill ? lastRead : texts[side]}
        <br />
        {isStill
          ? texts.notCounting
          : <a href={`/products?undercutBy=${shop.id}`}>{texts.dearerAt(today.dearest)}</a>}
      </small>
    </span>
  );
}

function Todo({ row: { shop, need, worst } }: { row: ShopRow }) {
  const { words: { shops: texts, arrivals }, may } = useApp();
  const group = worst && { ...worst, competitorId: shop.id, competitor: shop.displayName };
  if (need === null || !may("manager")) return <span class="soft">{arrivals.nothing}</span>;
  switch (need) {
    case "repair":
    case "forbidden":
      return group ? <WayOut group={group} /> : <ReadAgain shop={shop} />;
    case "slower":
      return <a class="button" href={`/products?competitorId=${shop.id}`}>{texts.slower}</a>;
    case "teach":
      return group && <Teach group={group} />;
    case "find":
      return <FindPages shop={shop} />;
  }
}

function Teach({ group }: { readonly group: FailingGroup }) {
  const repairs = useApp().words.repairs;
  const [isOpen, setOpen] = useState(false);
  const retry = useRetry(group.competitorId, null);
  if (retry.retry && retry.isRunning) {
    const { done, pages } = retry.retry;
    return <small>{repairs.repair.running(done, pages)}</small>;
  }
  return (
    <>
      <Button isBusy={retry.isBusy} onClick={() => setOpen(true)}>{repairs.repair.teach}</Button>
      {isOpen && <TeachDialog group={group} retry={retry} onClose={() => setOpen(false)} />}
    </>
  );
}
