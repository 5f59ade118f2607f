import { column, numberColumn, SimpleTable } from "../../parts/table/table.tsx";
import { byId, type Wire } from "../../api/call.ts";
import { sharePct } from "../../../base/percent.ts";
import { useApp } from "../../app/app.ts";
import { Card, Pending } from "../../parts/page.tsx";
import { useDocument } from "../../app/queries.ts";

type FetchDay = Wire<"FetchDays">["days"][number];

const SLOT = 10;
const BAR = 8;
/** One unit per percent. */
const HEIGHT = 100;

export function useFetchDays(competitorId: string) {
  return useDocument({
    key: ["competitors", competitorId, "fetch-days"],
    read: (api) => api.GET("/api/competitors/{id}/fetch-days", byId(competitorId)),
  });
}

/** Percentage of fetches that succeeded; null without any. */
export function readPct(days: readonly Pick<FetchDay, "ok" | "failed">[]): number | null {
  const sum = (part: "ok" | "failed") => days.reduce((all, day) => all + day[part], 0);
  const [ok, failed] = [sum("ok"), sum("failed")];
  return ok + failed === 0 ? null : sharePct(ok / (ok + failed), 0);
}

export function FetchDaysCard({ competitorId }: { competitorId: string }) {
  const { words } = useApp();
  const texts = words.repairs.days;
  const found = useFetchDays(competitorId);
  const days = found.data?.days;
  return (
    <Card
      title={texts.title}
      note={texts.note}
      beside={
        <ul class="legend small">
          <li>
            <i class="day-swatch" />
            {texts.ok}
          </li>
          <li>
            <i class="day-swatch failed" />
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

function DayBar({ pct, at }: { readonly pct: number | null; readonly at: number }) {
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
  const { words, show } = useApp();
  const texts = words.repairs.days;
  const dayOf = (date: string) => show.date(`${date}T12:00:00Z`);
  const shareOf = (day: FetchDay) => {
    const pct = readPct([day]);
    return pct === null ? texts.noFetch : texts.share(show.percent(pct));
  };
  const label = texts.label(show.percent(readPct(days)), shareOf(days.at(-1) ?? NO_DAY));
  const columns = [
    column("day", texts.day, 110, ({ date }: FetchDay) => dayOf(date)),
    ...(["ok", "failed"] as const).map((part) =>
      numberColumn(part, texts[part], 90, (day: FetchDay) => show.number(day[part]))
    ),
    numberColumn("share", texts.shareTitle, 90, (day: FetchDay) => show.percent(readPct([day]))),
  ];
  return (
    <figure class="fetch-days">
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
      <div class="day-axis" aria-hidden="true">
        <span>{dayOf(days[0]?.date ?? "")}</span>
        <span>{texts.today}</span>
      </div>
      <details class="chart-table">
        <summary>{words.chart.asTable}</summary>
        <SimpleTable
          label={texts.title}
          columns={columns}
          rows={days.toReversed()}
          idOf={({ date }) => date}
        />
      </details>
    </figure>
  );
}

const NO_DAY: FetchDay = { date: "", ok: 0, failed: 0 };
