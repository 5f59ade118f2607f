import type { Overview } from "../../../market/overview/read_overview.ts";
import type { ShopFreshness } from "../../../market/overview/shop_freshness.ts";
import { sharePct } from "../../../base/percent.ts";
import { useApp } from "../../app/app.ts";
import { useDocument } from "../../app/use_document.ts";
import { momentText } from "../../formats/moment.ts";
import { Card } from "../../parts/card.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Loading } from "../../parts/progress.tsx";
import { ShopBadge } from "../../parts/shop_badge.tsx";
import { useShopColours } from "../../parts/use_shops.ts";

const WATCH_MS = 60_000;
/** More shops are behind the link. */
const SHOPS_SHOWN = 12;
/** As long as rules count a price: what the service calls fresh. */
const FRESH_HOURS = 48;
/** Below these shares the bar says that something is amiss. */
const WARN_SHARE = 0.95;
const BAD_SHARE = 0.5;

type Shop = ShopFreshness["items"][number];

/** Whether what everything else is made of has come: the file of the ERP, and the prices of each shop. */
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
      {shops
        ? <ShopList shops={shops} nowMs={nowMs} />
        : found.error
        ? <ErrorNote error={found.error} onAgain={() => void found.refetch()} />
        : <Loading label={words.loading} />}
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
              <a href="/competitors/repairs">
                {words.repairs.count(failing, show.number(failing))}
              </a>
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
      {shops.slice(0, SHOPS_SHOWN).map((shop) => {
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
