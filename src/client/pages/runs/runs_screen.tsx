/** Shows whether current prices arrive: by shop, by cause of failure, and by run. */
import { useEffect, useRef } from "preact/hooks";
import { sharePct } from "../../../base/fraction.ts";
import type { Run } from "../../../scraping/runs/run.ts";
import { byPath, get, where, type Wire } from "../../api/call.ts";
import { type List, useApp, useChange, useDocument, useList } from "../../app/app.ts";
import { longDay, momentText } from "../../formats/day.ts";
import { LinkButton } from "../../parts/controls.tsx";
import {
  Card,
  EmptyState,
  FileLinks,
  filesOf,
  More,
  PageHead,
  Pending,
} from "../../parts/page.tsx";
import { ChoiceBar, type Filter, useFilter } from "../../parts/filter.tsx";
import { isWaiting, ReadAgain, RunProgress, WayOut } from "../../parts/shop/read_again.tsx";
import { adviceOf, useFreshness, useOutages, useRepairs } from "../../parts/shop/shop_check.tsx";
import { ShopBadge, useShops } from "../../parts/shops.tsx";
import { DayStrip, RunsTable } from "./runs_table.tsx";
import { sumOf } from "../../../base/collections.ts";

const FILTERS = ["status", "productId", "createdSince", "createdBefore"] as const;
const WATCH_MS = 5_000;
const RUNNING_SHOWN = 5;

export function RunsScreen() {
  const { words: { runs: texts, arrivals, notFound }, show } = useApp();
  const filter = useFilter(FILTERS);
  const list = useList(
    (page) => get("/api/scrape-runs", where({ ...filter.values, order: "desc", ...page })),
    { everyMs: WATCH_MS },
  );
  const isEmpty = !list.isPending && !list.error && list.rows.length === 0;
  const nowMs = Date.now();
  return (
    <div class="page wide">
      <PageHead
        title={texts.title}
        beside={
          <span class="soft">
            {longDay(show, nowMs, nowMs)}, {show.time(new Date(nowMs))} ·{" "}
            {arrivals.zone(show.timeZone)}
          </span>
        }
      />
      {isEmpty && !filter.isAny
        ? (
          <EmptyState icon="runs" title={texts.emptyTitle} text={texts.emptyText}>
            <a class="button" href="/products">{notFound.toProducts}</a>
          </EmptyState>
        )
        : (
          <>
            <Today />
            <LastRuns filter={filter} list={list} />
          </>
        )}
    </div>
  );
}

function LastRuns({ filter, list }: { filter: Filter<(typeof FILTERS)[number]>; list: List<Run> }) {
  const { words: { runs: texts, codes, alerts, arrivals, fields }, show } = useApp();
  const { createdSince, createdBefore, status, productId } = filter.values;
  const isWholeHour = createdSince !== "" && status === "" && productId === "";
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (createdSince !== "") section.current?.scrollIntoView();
  }, [createdSince, list.isPending]);
  return (
    <section class="section stack gap-10" ref={section}>
      <header class="row flow">
        <h2>
          {createdSince === ""
            ? arrivals.last
            : arrivals.between(show.time(createdSince), show.time(createdBefore))}
        </h2>
        {createdSince !== "" && <a href="/runs">{arrivals.allRuns}</a>}
        <div class="section-actions flow gap-8 end">
          <ChoiceBar
            filter={filter}
            name="status"
            label={fields.status}
            options={codes.jobStates}
          />
        </div>
      </header>
      {list.error !== null || list.isPending
        ? <Pending of={list} />
        : list.rows.length === 0
        ? (
          <EmptyState
            icon="runs"
            title={isWholeHour ? arrivals.noneBegan : texts.noneTitle}
            text={alerts.noneText}
          />
        )
        : <RunsTable list={list} />}
      <footer class="row">
        <More of={list} />
        <FileLinks {...filesOf("/api/scrape-runs", { ...filter.values, order: "desc" })} />
      </footer>
    </section>
  );
}

function Today() {
  const shops = useShops()?.filter(({ enabled }) => enabled) ?? [];
  const fetches = useDocument(get("/api/fetches"), { everyMs: WATCH_MS });
  const fresh = useFreshness();
  const repairs = useRepairs(WATCH_MS);
  if (!fetches.data || !fresh.data || repairs.isPending) {
    return <Pending of={fetches.error ? fetches : fresh.error ? fresh : repairs} />;
  }
  const fetchesOf = new Map(fetches.data.items.map((item) => [item.competitorId, item]));
  const freshOf = new Map(fresh.data.items.map((item) => [item.competitorId, item]));
  const rows = shops.map((shop) => {
    const item = freshOf.get(shop.id);
    return {
      shop,
      hours: fetchesOf.get(shop.id)?.lastHours ?? [],
      nextAt: item?.nextAt ?? null,
      freshPct: item && item.links > 0 ? sharePct(item.fresh / item.links, 0) : null,
    };
  });
  return (
    <>
      <Answer rows={rows} fresh={fresh.data.items} groups={repairs.rows} />
      {rows.length > 0 && <DayStrip rows={rows} />}
      <Work groups={repairs.rows} />
    </>
  );
}

interface AnswerProps {
  readonly rows: Parameters<typeof DayStrip>[0]["rows"];
  readonly fresh: Wire<"ShopFreshness">["items"];
  readonly groups: readonly Wire<"RepairGroup">[];
}

function Answer({ rows, fresh, groups }: AnswerProps) {
  const { words: { arrivals: texts, repairs }, show } = useApp();
  const hours = rows.flatMap((row) => row.hours);
  const read = sumOf(hours, ({ ok }) => ok);
  const links = sumOf(fresh, (one) => one.links);
  const recent = sumOf(fresh, (one) => one.fresh);
  const down = fresh.filter(({ downSince }) => downSince !== null);
  const downIds = new Set(down.map(({ competitorId }) => competitorId));
  const others = groups.filter(({ competitorId }) => !downIds.has(competitorId));
  const failing = sumOf(others, ({ pages }) => pages);
  const [first] = down;
  const name = first?.displayName ?? "";
  const since = momentText(show, first?.downSince);
  const outage = down.length > 1
    ? texts.down(since, texts.more(name, down.length - 1))
    : repairs.down(name, since);
  const isQuiet = hours.every(({ ok, failed }) => ok + failed === 0);
  const sentence = isQuiet
    ? texts.quiet
    : read === 0
    ? first ? `${texts.allDown} ${outage}.` : texts.allDown
    : first
    ? `${outage}; ${failing > 0 ? texts.othersBut(failing) : texts.others}.`
    : failing > 0
    ? texts.partly
    : texts.good;
  return (
    <div class={`note answer ${first ? "bad" : isQuiet ? "info" : "good"}`} role="status">
      <p>
        <strong>{sentence}</strong> {links > 0 &&
          texts.fresh(recent, links, show.percent(sharePct(recent / links, 0)))}
      </p>
      {first && <ReadAgain shop={{ id: first.competitorId, displayName: name }} kind="main" />}
    </div>
  );
}

function Work({ groups }: Pick<AnswerProps, "groups">) {
  const texts = useApp().words.arrivals;
  const list = useList((page) => get("/api/scrape-runs", where({ ...page, status: "running" })), {
    limit: RUNNING_SHOWN,
    everyMs: 2_000,
  });
  const isRunning = list.rows.length > 0;
  return (
    <div class={isRunning ? "panels wide-left columns gap-12" : undefined}>
      <FailuresCard groups={groups} />
      {isRunning && (
        <Card title={texts.running}>
          <ul class="stack gap-12">
            {list.rows.slice(0, RUNNING_SHOWN).map((run) => <RunningRow key={run.id} run={run} />)}
          </ul>
          {list.hasMore && <p class="soft small">{texts.runningMore}</p>}
        </Card>
      )}
    </div>
  );
}

function RunningRow({ run }: { run: Run }) {
  const { words: { runs: texts }, may } = useApp();
  const cancel = useChange({
    ask: (api) => api.POST("/api/scrape-runs/{runId}/cancel", byPath({ runId: run.id })),
  });
  return (
    <li>
      <span class="row spread gap-12">
        <a href={`/runs/${run.id}`}>{run.sku}</a>
        {may("manager") && (
          <LinkButton
            label={`${texts.cancel}: ${run.sku}`}
            onClick={() => cancel.mutate(undefined)}
          >
            {texts.cancel}
          </LinkButton>
        )}
      </span>
      <RunProgress run={run} />
    </li>
  );
}

type Group = Wire<"RepairGroup">;

function FailuresCard({ groups }: { groups: readonly Group[] }) {
  const { words, show } = useApp();
  const texts = words.arrivals;
  const outages = useOutages();
  const [firstDown] = outages.keys();
  const sinceOf = ({ competitorId, since }: Group) =>
    momentText(show, outages.get(competitorId) ?? since);
  const sum = (some: readonly Group[]) => sumOf(some, ({ pages }) => pages);
  const causes = [...Map.groupBy(groups, ({ cause }) => cause)]
    .sort(([, a], [, b]) => sum(b) - sum(a));
  return (
    <Card title={texts.why} note={groups.length > 0 && texts.pages(sum(groups))}>
      {causes.length === 0
        ? <p class="soft">{words.repairs.shop.noCauses}</p>
        : (
          <ul class="failures stack ruled">
            {causes.map(([cause, own]) => {
              const [first] = own;
              const pages = sum(own);
              return (
                <li key={cause}>
                  {first && <ShopBadge id={first.competitorId} name={first.competitor} />}
                  <span>
                    <strong>{texts.pages(pages)}: {words.repairs.causes[cause]}</strong>
                    {own.length > 1 ? <>{" "}{words.repairs.inShops(own.length)}</> : first && (
                      <>
                        {" "}– {first.competitor}, {words.shops.since(sinceOf(first))}
                      </>
                    )}
                    <small>{adviceOf(words, cause, outages.has(first?.competitorId ?? ""))}</small>
                  </span>
                  {own.length === 1 && first
                    ? !(first.competitorId === firstDown && isWaiting(cause)) &&
                      <WayOut group={first} />
                    : <a class="button" href="/competitors">{texts.look(pages)}</a>}
                </li>
              );
            })}
          </ul>
        )}
    </Card>
  );
}
