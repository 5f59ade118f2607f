import { useApp } from "../../app/app.ts";
import { useDocument } from "../../app/queries.ts";
import { MarketNumber } from "../../parts/percentages.tsx";
import { Card, ErrorNote, Loading, Pending } from "../../parts/page.tsx";
import { ShopBadge, useShopColours } from "../../parts/shops.tsx";
import type { MarketSummary } from "./position_card.tsx";
import type { Overview } from "../../../market/overview/read_overview.ts";
import type { ShopFreshness } from "../../../market/overview/shop_freshness.ts";
import { sharePct } from "../../../base/percent.ts";
import { momentText } from "../../formats/moment.ts";
import { Icon } from "../../parts/controls.tsx";

const CATEGORIES_SHOWN = 8;
const SHOPS_SHOWN = 6;
/** A mean of fewer says nothing. */
const COMPARED_MIN = 5;
/** Distance from 100 at which a cell has its full colour. */
const FULL_POINTS = 6;
/** Of the colour that a cell takes at most: text stays readable on it. */
const COLOUR_MAX = 40;
/** Nearer to 100 it has none. */
const PLAIN_POINTS = 0.35;

type Group = MarketSummary["items"][number];

/** Where we are dear, by category and shop; each cell leads to its products. */
export function IndexCard() {
  const { words } = useApp();
  const texts = words.overview.index;
  const key = ["products", "summary"];
  const categories = useDocument({
    key: [...key, { by: "category" }],
    read: (api) => api.GET("/api/market/summary", { params: { query: { by: "category" } } }),
  });
  const shops = useDocument({
    key: [...key, { by: "competitor" }],
    read: (api) => api.GET("/api/market/summary", { params: { query: { by: "competitor" } } }),
  });
  const cells = useDocument({
    key: [...key, { by: "category,competitor" }],
    read: (api) =>
      api.GET("/api/market/summary", { params: { query: { by: "category,competitor" } } }),
  });
  const parts = [categories, shops, cells];
  const failed = parts.find(({ error }) => error);
  const beside = (
    <span class="scale soft">
      {texts.cheaper} <i aria-hidden="true" /> {texts.dearer}
    </span>
  );
  return (
    <Card title={texts.title} beside={beside}>
      {categories.data && shops.data && cells.data
        ? (
          <IndexTable
            categories={categories.data.items}
            shops={shops.data.items}
            cells={cells.data.items}
          />
        )
        : failed
        ? <ErrorNote error={failed.error} onAgain={() => void failed.refetch()} />
        : <Loading label={words.loading} />}
    </Card>
  );
}

interface IndexTableProps {
  readonly categories: readonly Group[];
  readonly shops: readonly Group[];
  readonly cells: readonly Group[];
}

function IndexTable({ categories, shops, cells }: IndexTableProps) {
  const { words, show } = useApp();
  const texts = words.overview.index;
  const colours = useShopColours();
  const isNamed = ({ category, compared }: Group) => Boolean(category) && compared > 0;
  const rows = categories.filter(isNamed).toSorted((a, b) => b.compared - a.compared)
    .slice(0, CATEGORIES_SHOWN);
  const columns = shops.filter(({ compared }) => compared > 0).slice(0, SHOPS_SHOWN);
  if (rows.length === 0) return <p class="note info">{texts.empty}</p>;
  const cellOf = new Map(
    cells.map((cell) => [`${cell.competitorId} ${cell.category}`, cell] as const),
  );
  return (
    <div class="simple-scroll" tabIndex={0} role="region" aria-label={texts.title}>
      <table class="heat">
        <thead>
          <tr>
            <th scope="col">{texts.category}</th>
            <th scope="col" class="number">{texts.market}</th>
            {columns.map(({ competitorId = "", competitor }) => (
              <th key={competitorId} scope="col" class="number">
                <span class="sr-only">{competitor}</span>
                <ShopBadge name={competitor ?? ""} colour={colours.get(competitorId)} />
              </th>
            ))}
            <th scope="col" class="number">{texts.compared}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const category = row.category ?? "";
            const href = `/products?category=${encodeURIComponent(category)}`;
            return (
              <tr key={category}>
                <th scope="row">
                  <a href={href} title={category}>{category}</a>
                </th>
                <IndexCell group={row} href={href} isStrong />
                {columns.map(({ competitorId = "" }) => (
                  <IndexCell
                    key={competitorId}
                    group={cellOf.get(`${competitorId} ${row.category}`)}
                    href={`${href}&competitorId=${competitorId}`}
                  />
                ))}
                <td class="number soft">
                  <a href={href}>{show.number(row.compared)}</a>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface IndexCellProps {
  readonly group: Group | undefined;
  readonly href: string;
  readonly isStrong?: boolean;
}

function IndexCell({ group, href, isStrong = false }: IndexCellProps) {
  const { words, show } = useApp();
  const index = group?.indexPct ?? null;
  if (!group || index === null || group.compared < COMPARED_MIN) {
    return <td class="number soft" title={words.overview.index.few}>–</td>;
  }
  return (
    <td class={isStrong ? "number strong" : "number"} style={{ background: heatOf(index) }}>
      <a href={href}>
        <MarketNumber value={index} text={show.tenths(index)} />
      </a>
    </td>
  );
}

function heatOf(index: number): string | undefined {
  const points = index - 100;
  if (Math.abs(points) < PLAIN_POINTS) return undefined;
  const part = Math.round(Math.min(1, Math.abs(points) / FULL_POINTS) * COLOUR_MAX);
  return `color-mix(in oklab, var(--${points > 0 ? "above" : "below"}) ${part}%, var(--surface))`;
}

const WATCH_MS = 60_000;
/** More shops are behind the link. */
const FRESH_SHOPS_SHOWN = 12;
/** As long as rules count a price: what the service calls fresh. */
const FRESH_HOURS = 48;
/** Below these shares the bar says that something is amiss. */
const WARN_SHARE = 0.95;
const BAD_SHARE = 0.5;

type Shop = ShopFreshness["items"][number];

/** Whether the data behind the page has arrived: the ERP's file, and the prices of each shop. */
export function DataCard({ overview, nowMs }: { overview: Overview; nowMs: number }) {
  const { words, show } = useApp();
  const texts = words.overview.data;
  const found = useDocument({
    key: ["overview", "shops"],
    read: (api) => api.GET("/api/overview/shops"),
    everyMs: () => WATCH_MS,
  });
  const repairs = useDocument({
    key: ["repairs", "count"],
    read: (api) => api.GET("/api/repairs", { params: { query: { limit: 1 } } }),
    everyMs: () => WATCH_MS,
  });
  const failing = repairs.data?.pages ?? 0;
  const shops = found.data?.items;
  const worst = shops?.find(({ fresh, failing }) => fresh === 0 && failing > 0);
  return (
    <Card title={texts.title} beside={<a href="/competitors">{texts.shops}</a>}>
      <ErpLine erp={overview.erp} nowMs={nowMs} />
      {shops ? <ShopList shops={shops} nowMs={nowMs} /> : <Pending of={found} />}
      {shops && shops.length > 0 && (
        <p class="soft small">
          {texts.share(show.number(FRESH_HOURS))}
          {worst && (
            <>
              {" · "}
              <a href={`/competitors/${worst.competitorId}`}>{texts.repair(worst.displayName)}</a>
            </>
          )}
          {failing > 0 && (
            <>
              {" · "}
              <a href="/competitors/repairs">{words.repairs.count(show.number(failing))}</a>
            </>
          )}
        </p>
      )}
    </Card>
  );
}

function ErpLine({ erp, nowMs }: { erp: Overview["erp"]; nowMs: number }) {
  const { words, show } = useApp();
  const texts = words.overview.data;
  const { last, isLate } = erp;
  if (last === null) {
    return (
      <p class={isLate ? "erp bad" : "erp"}>
        <Icon name={isLate ? "warning" : "imports"} />
        <a href="/imports">{texts.never}</a>
      </p>
    );
  }
  const time = momentText(show, last.finishedAt ?? last.createdAt, nowMs);
  const { updated, inserted } = last.stats;
  return (
    <p class={isLate ? "erp bad" : "erp"}>
      <Icon name={isLate ? "warning" : "check"} />
      <span>
        <strong>{isLate ? texts.late(time) : texts.came(time)}</strong>{" "}
        <a href={`/imports/${last.jobId}`}>{last.label}</a>
        {" · "}
        {texts.changed(show.number(updated), show.number(inserted))}
        {last.errorCount > 0 && (
          <>
            {" · "}
            <a href={`/imports/${last.jobId}`}>{texts.errors(show.number(last.errorCount))}</a>
          </>
        )}
      </span>
    </p>
  );
}

function ShopList({ shops, nowMs }: { shops: readonly Shop[]; nowMs: number }) {
  const { words, show } = useApp();
  const texts = words.overview.data;
  const colours = useShopColours();
  if (shops.length === 0) return <p class="note info">{texts.noShops}</p>;
  return (
    <ul class="freshness">
      {shops.slice(0, FRESH_SHOPS_SHOWN).map((shop) => {
        const { competitorId, displayName, links, fresh, failing, stale, lastSeenAt } = shop;
        const share = fresh / links;
        const tone = share < BAD_SHARE ? "bad" : share < WARN_SHARE ? "warn" : "good";
        const details = [
          texts.fresh(displayName, show.number(fresh), show.number(links)),
          ...(failing > 0 ? [texts.failing(show.number(failing))] : []),
          ...(stale > 0 ? [texts.stale(show.number(stale))] : []),
        ].join(", ");
        return (
          <li key={competitorId}>
            <a href={`/products?competitorId=${competitorId}`} title={details}>
              <ShopBadge name={displayName} colour={colours.get(competitorId)} />
              <span class="sr-only">{details}</span>
              <span class={`meter ${tone}`} aria-hidden="true">
                <i style={{ width: `${sharePct(share, 1)}%` }} />
              </span>
              <span class="number" aria-hidden="true">{show.percent(sharePct(share, 0))}</span>
              <span class={tone === "bad" ? "number loss" : "number soft"}>
                {momentText(show, lastSeenAt, nowMs)}
              </span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}
