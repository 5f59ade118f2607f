/**
 * The chart of a shop's fetches, with one bar per day. A day with few fetches is drawn pale, and
 * shows counts instead of a percentage.
 */
import { column, SimpleTable } from "../../parts/table/table.tsx";
import { byId, get, type Wire } from "../../api/call.ts";
import { sumOf } from "../../../base/collections.ts";
import { sharePct } from "../../../base/fraction.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { Card, Pending } from "../../parts/page.tsx";
import { shortDay } from "../../formats/day.ts";

type FetchDay = Wire<"FetchDays">["days"][number];

const SLOT = 10;
const BAR = 8;
const HEIGHT = 100;

export function useFetchDays(competitorId: string) {
  return useDocument(get("/api/competitors/{id}/fetch-days", byId(competitorId)));
}

type DayCount = Pick<FetchDay, "ok" | "failed">;

export function readPct(days: readonly DayCount[]): number | null {
  const [ok, failed] = [sumOf(days, (day) => day.ok), sumOf(days, (day) => day.failed)];
  return ok + failed === 0 ? null : sharePct(ok / (ok + failed), 0);
}

const ENOUGH = 0.25;

export function isThin(day: DayCount, days: readonly DayCount[]): boolean {
  const countOf = ({ ok, failed }: DayCount) => ok + failed;
  const usual = days.filter((one) => countOf(one) > 0);
  return countOf(day) > 0 && countOf(day) < ENOUGH * sumOf(usual, countOf) / usual.length;
}

/** Returns a text such as `97 %`, or `4 von 6 Abrufen` for a day with few fetches. */
export function readText(
  { words, show }: Pick<ReturnType<typeof useApp>, "words" | "show">,
  day: DayCount,
  days: readonly DayCount[],
): string | null {
  const pct = readPct([day]);
  if (pct === null) return null;
  return isThin(day, days)
    ? words.repairs.days.few(day.ok, day.ok + day.failed)
    : show.percent(pct);
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

function DayBar({ pct, isThin, at }: { pct: number | null; isThin: boolean; at: number }) {
  const place = { x: at * SLOT + (SLOT - BAR) / 2, width: BAR };
  if (pct === null) return <rect class="idle" {...place} y={HEIGHT - 1} height={1} />;
  return (
    <g class={isThin ? "few" : undefined}>
      <rect class="failed" {...place} y={0} height={HEIGHT - pct} />
      <rect {...place} y={0} height={HEIGHT - pct} fill="url(#failed-fetches)" />
      <rect class="read" {...place} y={HEIGHT - pct} height={pct} />
    </g>
  );
}

function Days({ days }: { days: readonly FetchDay[] }) {
  const app = useApp();
  const { words: { repairs: { days: texts }, chart, fields }, show } = app;
  const dayOf = (date: string) => show.date(`${date}T12:00:00Z`);
  const shareOf = (day: FetchDay) => {
    const text = readText(app, day, days);
    return text === null || isThin(day, days) ? text ?? texts.noFetch : texts.share(text);
  };
  const today = days.at(-1) ?? NO_DAY;
  const label = texts.label(show.percent(readPct(days)), shareOf(today));
  const columns = [
    column("day", fields.day, 110).cell(({ date }: FetchDay) => dayOf(date)),
    ...(["ok", "failed"] as const).map((part) =>
      column(part, texts[part], 90).number((day: FetchDay) => show.number(day[part]))
    ),
    column("share", texts.shareTitle, 90).number((day: FetchDay) =>
      readText(app, day, days) ?? "–"
    ),
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
            <DayBar pct={readPct([day])} isThin={isThin(day, days)} at={at} />
          </g>
        ))}
      </svg>
      <div class="day-axis" aria-hidden="true">
        <span>{shortDay(show, `${days[0]?.date ?? ""}T12:00:00Z`)}</span>
        <span>{isThin(today, days) ? `${texts.today}: ${shareOf(today)}` : texts.today}</span>
      </div>
      <details class="chart-table">
        <summary>{chart.asTable}</summary>
        <SimpleTable label={texts.title} columns={columns} rows={days.toReversed()} />
      </details>
    </figure>
  );
}

const NO_DAY: FetchDay = { date: "", ok: 0, failed: 0 };
