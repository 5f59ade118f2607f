/**
 * Shows a shop's key figures, the recipe that finds prices in its pages, its failing pages, and its
 * fetches by day. If there is no price index for today, the newest one is shown and marked as old.
 */
import type { Shop } from "../../parts/shops.tsx";
import { sumOf } from "../../../base/collections.ts";
import { sharePct } from "../../../base/fraction.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { Card, Figure, Figures, Pending, Progress } from "../../parts/page.tsx";
import { MarketNumber } from "../../parts/price_figures.tsx";
import { useProductCount } from "../../parts/shared_queries.ts";
import {
  adviceOf,
  isTeachable,
  nextText,
  useFreshness,
  useLastRead,
} from "../../parts/shop/shop_check.tsx";
import { Badge, Button, type Tone } from "../../parts/controls.tsx";
import { byId, get, where, type Wire } from "../../api/call.ts";
import { type ShopRetry, UnlinkButton } from "../../parts/shop/read_again.tsx";
import { ActionButton } from "../../parts/action_button.tsx";
import { column, SimpleTable } from "../../parts/table/table.tsx";
import { shortDay } from "../../formats/day.ts";

const TREND_DAYS = 30;
const WARN_PCT = 90;
const BAD_PCT = 50;

export function ShopFigures({ shop }: { shop: Shop }) {
  const app = useApp();
  const { words, show } = app;
  const texts = words.repairs.shop;
  const { trackedProducts, health: { ok24h, failed24h, due, downSince } } = shop;
  const isDown = downSince !== null;
  const products = useProductCount({}) ?? 0;
  const { nextAt } = useFreshness().data?.items.find((one) => one.competitorId === shop.id) ?? {};
  const days = useFetchDays(shop.id).data?.days ?? [];
  const [now, mean] = [readPct([{ ok: ok24h, failed: failed24h }]), readPct(days)];
  const meanText = mean === null ? texts.noFetch : texts.mean(show.percent(mean));
  return (
    <Figures>
      <Figure
        label={texts.pages}
        value={trackedProducts}
        note={products > 0 &&
          texts.ofCatalogue(show.percent(sharePct(trackedProducts / products, 0)))}
      />
      <Figure
        label={words.fields.ok24h}
        value={now === null ? "–" : show.percent(now)}
        note={meanText}
        tone={(isDown || now !== null && now < WARN_PCT) &&
          (isDown || (now ?? 0) < BAD_PCT ? "bad" : "warn")}
      />
      <MarketFigures shop={shop} />
      <Figure
        label={words.shops.columns.next}
        value={nextText(words, show, nextAt)}
        note={words.shops.perDay(due)}
      />
    </Figures>
  );
}

export function useShopTrend(competitorId: string) {
  const { data, error } = useDocument(
    get("/api/market/trend", where({ competitorId, days: TREND_DAYS })),
  );
  const points = data?.points ?? [];
  const last = points.findLast(({ indexPct }) => indexPct !== null);
  return { points, error, today: points.at(-1), last };
}

function MarketFigures({ shop }: { shop: Shop }) {
  const { words: { repairs: { shop: texts }, shops }, show } = useApp();
  const { today, last, error } = useShopTrend(shop.id);
  const lastRead = useLastRead(shop.id);
  const isStill = last !== undefined && last !== today;
  const whyNone = error ? texts.marketUnknown : texts.notCompared;
  return (
    <>
      <Figure
        label={texts.index}
        value={typeof last?.indexPct === "number"
          ? <MarketNumber value={last.indexPct} text={show.tenths(last.indexPct)} />
          : "–"}
        note={last === undefined
          ? whyNone
          : isStill
          ? `${shops.notCounting}: ${lastRead}`
          : texts.indexNote}
        tone={isStill && "still"}
      />
      <Figure
        label={texts.undercuts}
        value={today === undefined || today.compared === 0
          ? "–"
          : <a href={`/products?undercutBy=${shop.id}`}>{show.number(today.dearest)}</a>}
        note={today === undefined || today.compared === 0
          ? whyNone
          : (
            <a href={`/products?competitorId=${shop.id}&rankMin=1`}>
              {texts.ofCompared(today.compared)}
            </a>
          )}
      />
    </>
  );
}

type Recipe = NonNullable<Wire<"ShopRecipeAnswer">["recipe"]>;

const TONES: Readonly<Record<Recipe["status"], Tone>> = {
  active: "good",
  drifting: "bad",
  stale: "warn",
  off: "plain",
};

export function RecipeCard({ competitorId }: { competitorId: string }) {
  const { words: { repairs: { recipe: texts }, codes }, may } = useApp();
  const params = { path: { id: competitorId } };
  const found = useDocument(get("/api/competitors/{id}/recipe", { params }));
  const { data } = found;
  const recipe = data?.recipe ?? null;
  const { pages: learned = 0, needed = 0 } = data?.learning ?? {};
  return (
    <Card
      title={codes.audited.recipe}
      note={recipe && texts.sources[recipe.source]}
      beside={recipe && <Badge tone={TONES[recipe.status]}>{texts.statuses[recipe.status]}</Badge>}
      foot={recipe && may("manager") && (
        <>
          <ActionButton
            ask={(api) => api.POST("/api/competitors/{id}/recipe/relearn", { params })}
            toast={texts.relearned}
          >
            {texts.relearn}
          </ActionButton>
          <ActionButton
            ask={(api) => api.DELETE("/api/competitors/{id}/recipe", { params })}
            danger={{ title: texts.forgetTitle, text: texts.forgetText, yes: texts.forget }}
          >
            {texts.forget}
          </ActionButton>
        </>
      )}
    >
      {data
        ? recipe ? <Selectors recipe={recipe} /> : (
          <>
            <p class="soft">{texts.none}</p>
            {learned > 0 && learned < needed && (
              <p class="soft small">{texts.learning(needed, learned)}</p>
            )}
          </>
        )
        : <Pending of={found} />}
    </Card>
  );
}

function Selectors({ recipe }: { recipe: Recipe }) {
  const texts = useApp().words.repairs.recipe;
  return (
    <ol class="selectors ruled">
      {recipe.selectors.map(({ selector, statePath, hits, agreements }) => (
        <li key={selector ?? statePath} class="flow spread gap-12 rows-2">
          <code>{selector ?? statePath}</code>
          <small class="soft">{texts.agreed(agreements, hits)}</small>
        </li>
      ))}
    </ol>
  );
}

interface RepairCardProps {
  readonly shop: Shop;
  readonly groups: readonly Wire<"RepairGroup">[];
  readonly retry: ShopRetry;
  onRetry(): void;
  onTeach(): void;
}

export function RepairCard({ shop, groups, retry, onRetry, onTeach }: RepairCardProps) {
  const { words, may } = useApp();
  const texts = words.repairs.repair;
  const mayChange = may("manager");
  const taught = groups.filter(isTeachable);
  const shown = groups.filter((group) => taught.length === 0 || group.cause === "robots");
  const pages = sumOf(taught, (group) => group.pages);
  const failing = sumOf(groups, (group) => group.pages);
  const mayRetry = shop.enabled && groups.some(({ cause }) => cause !== "robots");
  if (groups.length === 0 && retry.retry === null) return null;
  return (
    <Card title={texts.title}>
      {groups.length === 0 && <p class="soft">{texts.none}</p>}
      {pages > 0 && <p>{(mayChange ? texts.text : texts.textForViewer)(pages)}</p>}
      {shown.map((group) => (
        <p key={group.cause}>
          <strong>{words.repairs.causes[group.cause]}.</strong>{" "}
          {adviceOf(words, group.cause, shop.health.downSince !== null)}
        </p>
      ))}
      {shown.map((group) =>
        group.cause === "robots" && mayChange && (
          <p key={group.cause}>
            <UnlinkButton of={group} pages={group.pages} name={shop.displayName} />
          </p>
        )
      )}
      {mayChange && !retry.isRunning && (
        <p class="row-actions">
          {pages > 0 && <Button kind="main" onClick={onTeach}>{texts.teach}</Button>}
          {mayRetry && (
            <Button kind={pages > 0 ? "plain" : "main"} isBusy={retry.isBusy} onClick={onRetry}>
              {texts.retry(failing)}
            </Button>
          )}
        </p>
      )}
      <RetryState retry={retry} />
      {pages > 0 && <p class="soft small">{texts.note}</p>}
    </Card>
  );
}

function RetryState({ retry: { retry, isRunning, cancel, isBusy } }: { retry: ShopRetry }) {
  const { words: { repairs: { repair: texts }, links }, may } = useApp();
  if (retry === null) return null;
  const { pages, done, failing } = retry;
  if (!isRunning) {
    const fixed = Math.max(0, pages - failing);
    return (
      <p class={fixed < pages ? "note warn" : "note info"} role="status">
        {texts.ended(fixed, pages)}
      </p>
    );
  }
  return (
    <>
      <Progress done={done} total={pages} label={texts.running(done, pages)} />
      {may("manager") && (
        <p>
          <Button isBusy={isBusy} onClick={cancel}>{links.cancel}</Button>
        </p>
      )}
    </>
  );
}

type FetchDay = Wire<"FetchDays">["days"][number];

const SLOT = 10;
const BAR = 8;
const HEIGHT = 100;

function useFetchDays(competitorId: string) {
  return useDocument(get("/api/competitors/{id}/fetch-days", byId(competitorId)));
}

type DayCount = Pick<FetchDay, "ok" | "failed">;

export function readPct(days: readonly DayCount[]): number | null {
  const [ok, failed] = [sumOf(days, (day) => day.ok), sumOf(days, (day) => day.failed)];
  return ok + failed === 0 ? null : sharePct(ok / (ok + failed), 0);
}

export function FetchDaysCard({ competitorId }: { competitorId: string }) {
  const texts = useApp().words.repairs.days;
  const found = useFetchDays(competitorId);
  const days = found.data?.days;
  return (
    <Card
      title={texts.title}
      note={texts.note}
      beside={
        <ul class="legend small flow soft gap-16 rows-4">
          <li class="row gap-6">
            <i class="swatch" />
            {texts.ok}
          </li>
          <li class="row gap-6">
            <i class="swatch failed" />
            {texts.failed}
          </li>
        </ul>
      }
    >
      {days
        ? readPct(days) === null ? <p class="soft">{texts.none}</p> : <Days days={days} />
        : <Pending of={found} />}
    </Card>
  );
}

function DayBar({ pct, at }: { pct: number | null; at: number }) {
  const place = { x: at * SLOT + (SLOT - BAR) / 2, width: BAR };
  if (pct === null) return <rect class="idle" {...place} y={HEIGHT - 1} height={1} />;
  return (
    <>
      <rect class="failed" {...place} y={0} height={HEIGHT - pct} />
      <rect {...place} y={0} height={HEIGHT - pct} fill="url(#failed-fetches)" />
      <rect class="read" {...place} y={HEIGHT - pct} height={pct} />
    </>
  );
}

function Days({ days }: { days: readonly FetchDay[] }) {
  const { words: { repairs: { days: texts }, chart, fields }, show } = useApp();
  const dayOf = (date: string) => show.date(`${date}T12:00:00Z`);
  const shareOf = (day: FetchDay) => {
    const pct = readPct([day]);
    return pct === null ? texts.noFetch : texts.share(show.percent(pct));
  };
  const label = texts.label(show.percent(readPct(days)), shareOf(days.at(-1) ?? NO_DAY));
  const columns = [
    column("day", fields.day, 110).cell(({ date }: FetchDay) => dayOf(date)),
    ...(["ok", "failed"] as const).map((part) =>
      column(part, texts[part], 90).number((day: FetchDay) => day[part])
    ),
    column("share", texts.shareTitle, 90).number((day: FetchDay) => show.percent(readPct([day]))),
  ];
  return (
    <figure class="fetch-days">
      <div class="share-axis soft small" aria-hidden="true">
        <span>{show.percent(100)}</span>
        <span>{show.percent(0)}</span>
      </div>
      <svg
        viewBox={`0 0 ${days.length * SLOT} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        <defs>
          <pattern id="failed-fetches" width="4" height="6" patternUnits="userSpaceOnUse">
            <path d="M-1,7L5,-1M-3,4L1,-2M3,8L7,2" />
          </pattern>
        </defs>
        {days.map((day, at) => (
          <g key={day.date}>
            <title>{`${dayOf(day.date)}: ${shareOf(day)}`}</title>
            <DayBar pct={readPct([day])} at={at} />
          </g>
        ))}
      </svg>
      <div class="day-axis row spread soft small" aria-hidden="true">
        <span>{shortDay(show, `${days[0]?.date ?? ""}T12:00:00Z`)}</span>
        <span>{texts.today}</span>
      </div>
      <details class="chart-table">
        <summary>{chart.asTable}</summary>
        <SimpleTable label={texts.title} columns={columns} rows={days.toReversed()} />
      </details>
    </figure>
  );
}

const NO_DAY: FetchDay = { date: "", ok: 0, failed: 0 };
