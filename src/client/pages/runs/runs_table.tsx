/**
 * Shows a table of runs, and a grid of the fetches of the last 24 hours by shop and hour. Today's
 * runs are grouped by time of day, earlier runs by day in the workspace's time zone. The heading of
 * a group shows sums only if all its runs are loaded.
 */
import { sumOf } from "../../../base/collections.ts";
import { useState } from "preact/hooks";
import { type List, useApp } from "../../app/app.ts";
import { dayOf, hourOf, longDay, momentText } from "../../formats/day.ts";
import { Card, Unbroken } from "../../parts/page.tsx";
import { RunState } from "../../parts/shop/read_again.tsx";
import type { Run } from "../../../scraping/runs/run.ts";
import { sharePct } from "../../../base/fraction.ts";
import { HOUR_MS } from "../../../base/time.ts";
import { addressOf, type Wire } from "../../api/call.ts";
import { FAILING, nextText } from "../../parts/shop/shop_check.tsx";
import { type Column, column, SimpleTable } from "../../parts/table/table.tsx";
import { type Shop, ShopBadge } from "../../parts/shops.tsx";

const NONE: ReadonlySet<string> = new Set();

export function RunsTable({ list }: { list: List<Run> }) {
  const { words: { arrivals: texts }, show } = useApp();
  const [turned, setTurned] = useState(NONE);
  const groups = groupRuns(list, show.timeZone, new Date()).map((group, at) => {
    const key = `${group.date} ${group.part}`;
    const isOpen = (group.part !== null || at === 0) !== turned.has(key);
    const turn = () => setTurned(turned.symmetricDifference(new Set([key])));
    const heading = <GroupHead group={group} isOpen={isOpen} onTurn={turn} />;
    return { key, heading, rows: isOpen ? group.runs : [] };
  });
  return (
    <SimpleTable
      label={texts.last}
      kind="runs"
      columns={useRunColumns()}
      groups={groups}
      idOf={({ id }) => id}
      hrefOf={({ id }) => `/runs/${id}`}
    />
  );
}

interface GroupHeadProps {
  readonly group: RunGroup;
  readonly isOpen: boolean;
  onTurn(): void;
}

function GroupHead({ group: { date, part, runs, isWhole }, isOpen, onTurn }: GroupHeadProps) {
  const { words: { arrivals: texts }, show } = useApp();
  const [, from = 0, to = 0] = DAY_PARTS.find(([name]) => name === part) ?? [];
  const two = (hour: number) => String(hour).padStart(2, "0");
  const noonMs = Date.parse(`${date}T12:00:00Z`);
  const name = part === null
    ? longDay(show, noonMs, Date.now())
    : `${texts.parts[part]}, ${texts.hours(two(from), two(to))}`;
  const sum = (of: "targets" | "failed") => sumOf(runs, ({ counts }) => counts[of]);
  const failed = sum("failed");
  const count = runs.length;
  const facts = isWhole
    ? [
      texts.runs(count),
      texts.pages(sum("targets")),
      ...(failed > 0 ? [texts.failedPages(failed)] : []),
    ]
    : [texts.loadedRuns(count)];
  return (
    <button type="button" class="row gap-8" aria-expanded={isOpen} onClick={onTurn}>
      <span class="opener" aria-hidden="true">{isOpen ? "▾" : "▸"}</span>
      <span>
        {name} <span class="soft">· {facts.join(" · ")}</span>
      </span>
    </button>
  );
}

function useRunColumns(): readonly Column<Run>[] {
  const { words: { runs: { columns }, codes, fields, arrivals }, show } = useApp();
  return [
    column("run", fields.productId, 200).cell(({ id, sku, title }) => (
      <>
        <a href={`/runs/${id}`}>
          <Unbroken text={title ?? sku} />
        </a>{" "}
        {title !== null && (
          <small>
            <Unbroken text={sku} />
          </small>
        )}
      </>
    )),
    column("state", fields.status, 130).cell((run) => (
      <>
        <RunState run={run} />{" "}
        {run.counts.skipped > 0 && (
          <small>{codes.visitResults.skipped}: {show.number(run.counts.skipped)}</small>
        )}
      </>
    )),
    column("targets", fields.targets, 60).number(({ counts }) => counts.targets),
    column("failed", columns.failed, 60).number(({ counts: { failed } }) => (
      <span class={failed > 0 ? "loss" : undefined}>{show.number(failed)}</span>
    )),
    column("trigger", columns.trigger, { width: 120, isWide: true }).cell((
      { trigger, requestedBy },
    ) => trigger === "manual" ? arrivals.byPerson(requestedBy.name) : codes.runTriggers[trigger]),
    column("at", columns.at, 70).number((run) => show.time(beginOf(run))),
    column("took", columns.took, { width: 80, isWide: true }).number(({ startedAt, finishedAt }) =>
      startedAt && finishedAt ? show.duration(Date.parse(finishedAt) - Date.parse(startedAt)) : null
    ),
  ];
}

const DAY_PARTS = [
  ["night", 0, 6],
  ["early", 6, 10],
  ["day", 10, 18],
  ["evening", 18, 24],
] as const;

interface RunGroup {
  readonly date: string;
  readonly part: (typeof DAY_PARTS)[number][0] | null;
  readonly runs: readonly Run[];
  readonly isWhole: boolean;
}

const beginOf = ({ startedAt, createdAt }: Pick<Run, "startedAt" | "createdAt">) =>
  startedAt ?? createdAt;

export function groupRuns(
  { rows, hasMore }: Pick<List<Run>, "rows" | "hasMore">,
  timeZone: string,
  now: Date,
): RunGroup[] {
  const today = dayOf(now.toISOString(), timeZone);
  const groups = Map.groupBy(rows, (run) => {
    const date = dayOf(beginOf(run), timeZone);
    if (date !== today) return date;
    const hour = hourOf(beginOf(run), timeZone);
    return DAY_PARTS.find(([, , to]) => hour < to)?.[0] ?? date;
  });
  return [...groups].map(([key, runs], at) => {
    const part = DAY_PARTS.find(([name]) => name === key)?.[0] ?? null;
    const isWhole = !hasMore || at < groups.size - 1;
    return { date: part === null ? key : today, part, runs, isWhole };
  });
}

type Fetches = Wire<"ShopFetches">["items"][number];

interface DayRow {
  readonly shop: Shop;
  readonly hours: Fetches["lastHours"];
  readonly nextAt: string | null;
  /** Percentage of linked pages whose price is at most `FRESH_HOURS` old, or null without links. */
  readonly freshPct: number | null;
}

const LABELLED = 3;

export function DayStrip({ rows }: { readonly rows: readonly DayRow[] }) {
  const { words, show } = useApp();
  const texts = words.arrivals;
  const most = Math.max(1, ...rows.flatMap(({ hours }) => hours.map(({ ok }) => ok)));
  return (
    <Card
      title={texts.strip}
      beside={
        <ul class="legend small flow soft gap-16 rows-4">
          {(["read", "partly", "failed", "now"] as const).map((kind) => (
            <li key={kind} class="row gap-6">
              <i class={`hour ${kind}`} />
              {kind === "partly"
                ? texts.legend.partly(show.percent(sharePct(FAILING, 0)))
                : texts.legend[kind]}
            </li>
          ))}
        </ul>
      }
    >
      <div class="day-strip stack fine gap-12 rows-4">
        <span />
        <span class="hours axis" aria-hidden="true">
          {rows[0]?.hours.map(({ startAt }) => <Tick key={startAt} at={startAt} />)}
        </span>
        <span class="head">{texts.freshHead}</span>
        <span class="head">{texts.nextHead}</span>
        {rows.map(({ shop, hours, nextAt, freshPct }) => (
          <div class="strip-row stack fine gap-12 rows-4" key={shop.id}>
            <a class="strip-shop row gap-8" href={`/competitors/${shop.id}`}>
              <ShopBadge id={shop.id} name={shop.displayName} />
              <span class="clip" aria-hidden="true">{shop.displayName}</span>
            </a>
            <StripHours shop={shop} hours={hours} most={most} />
            <span class={freshPct === 0 ? "number loss" : "number"}>{show.percent(freshPct)}</span>
            <span class="number soft">{nextText(words, show, nextAt)}</span>
          </div>
        ))}
      </div>
    </Card>
  );
}

function Tick({ at }: { at: string }) {
  const { show: { locale, timeZone } } = useApp();
  const hour = hourOf(at, timeZone);
  if (hour !== 0) {
    const kind = hour % (2 * LABELLED) === 0 ? undefined : "extra";
    return <span class={kind}>{hour % LABELLED === 0 && String(hour).padStart(2, "0")}</span>;
  }
  const weekday = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone });
  return <strong class="day-change">{weekday.format(new Date(at))}</strong>;
}

function StripHours({ shop, hours, most }: Pick<DayRow, "shop" | "hours"> & { most: number }) {
  const { words: { arrivals: texts }, show } = useApp();
  const name = shop.displayName;
  const isIdle = hours.every(({ ok, failed }) => ok + failed === 0);
  return (
    <span class="hours" role="group" aria-label={isIdle ? texts.none(name) : name}>
      {hours.map(({ startAt, ok, failed }, at) => {
        const now = at === hours.length - 1 ? " now" : "";
        const marks = hourOf(startAt, show.timeZone) === 0 ? `${now} day-change` : now;
        if (ok + failed === 0) return <i key={startAt} class={`hour${marks}`} />;
        const kind = ok === 0 ? "failed" : failed >= FAILING * (ok + failed) ? "partly" : "read";
        const from = momentText(show, startAt);
        const text = texts.cell(name, from, ok, failed);
        const createdBefore = new Date(Date.parse(startAt) + HOUR_MS).toISOString();
        return (
          <a
            key={startAt}
            class={`hour ${kind}${marks}`}
            style={{ "--part": `${20 + 20 * Math.ceil(4 * ok / most)}%` }}
            href={addressOf("/runs", { createdSince: startAt, createdBefore })}
            title={text}
            aria-label={text}
          />
        );
      })}
    </span>
  );
}
