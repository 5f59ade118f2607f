import type { Overview } from "../../../market/overview/read_overview.ts";
import { useApp } from "../../app/app.ts";
import { useDocument } from "../../app/queries.ts";
import { longDay, momentText } from "../../formats/moment.ts";
import { Card, Pending } from "../../parts/page.tsx";
import { useFilter } from "../../parts/filter.tsx";
import { DataCard } from "./data_card.tsx";
import { IndexCard } from "./index_card.tsx";
import { EffectCard, MovesCard } from "./moves_card.tsx";
import { onDemand } from "../../parts/on_demand.tsx";
import { NextStep } from "./next_step.tsx";
import { PositionCard } from "./position_card.tsx";
import { useEffect, useState } from "preact/hooks";

/** A workspace needs this screen once, so its code is loaded on demand. */
const FirstHour = onDemand(async () => ({
  start: (await import("./first_hour.tsx")).FirstHour,
}))("start");

const WATCH_MS = 30_000;
/** During the set-up, each step changes the figures. */
const START_WATCH_MS = 5_000;

/**
 * Shows our position, price moves and the next tasks. Before the first decision on a proposal it
 * shows the set-up, unless all rules only alert.
 */
export function OverviewScreen() {
  const { words } = useApp();
  const found = useDocument({
    key: ["overview"],
    read: (api) => api.GET("/api/overview"),
    everyMs: (overview) => overview?.start.isOver ? WATCH_MS : START_WATCH_MS,
  });
  const overview = found.data;
  useEffect(() => {
    document.title = `${words.overview.title} · Kurant`;
  }, [words]);
  if (!overview) {
    return (
      <div class="page">
        <h1>{words.overview.title}</h1>
        {<Pending of={found} />}
      </div>
    );
  }
  return overview.start.isOver ? <Morning overview={overview} /> : <FirstHour />;
}

function Morning({ overview }: { overview: Overview }) {
  const { words, show } = useApp();
  const texts = words.overview;
  const me = useDocument({ key: ["session"], read: (api) => api.GET("/api/auth/me") });
  const filter = useFilter(["since"]);
  const lastVisitAt = me.data?.lastVisitAt ?? null;
  // The first visit has no earlier one to compare with.
  const spans = SPANS.filter((each) => each !== "visit" || lastVisitAt !== null);
  const span = spans.find((each) => each === filter.values.since) ?? spans[0] ?? "1";
  // While the screen is open, all requests use the same time.
  const [nowMs] = useState(() => Date.now());
  const since = sinceOf(span, lastVisitAt, nowMs);
  const sinceText = momentText(show, since, nowMs);
  return (
    <div class="page wide morning">
      <header class="page-head">
        <div class="page-title">
          <h1>{texts.greeting(firstNameOf(me.data?.name ?? null))}</h1>
          <span class="soft">{longDay(show, nowMs, nowMs)}</span>
        </div>
        <label class="since" hidden={!me.data}>
          <span class="sr-only">{texts.since(sinceText)}</span>
          <select
            value={span}
            onChange={({ currentTarget: { value } }) =>
              filter.set("since", value === "visit" ? "" : value)}
          >
            {spans.map((each) => (
              <option key={each} value={each}>
                {each === "visit"
                  ? texts.sinceVisit(momentText(show, lastVisitAt, nowMs))
                  : texts.spans[each]}
              </option>
            ))}
          </select>
        </label>
      </header>
      <NextStep overview={overview} nowMs={nowMs} />
      <div class="panels wide-left">
        <PositionCard />
        <DataCard overview={overview} nowMs={nowMs} />
      </div>
      <div class="panels">
        <IndexCard />
        {me.data
          ? <MovesCard since={since} sinceText={sinceText} />
          : (
            <Card title={texts.moves.title}>
              <Pending of={me} />
            </Card>
          )}
      </div>
      <EffectCard />
    </div>
  );
}

function firstNameOf(name: string | null): string | null {
  return name?.trim().split(/\s+/)[0] || null;
}

const DAY_MS = 86_400_000;
const KEPT_DAYS = 30;

/** Since the last visit, or a number of days. */
const SPANS = ["visit", "1", "3", "7", "30"] as const;
type Span = (typeof SPANS)[number];

/**
 * The start of a span, rounded down to the minute so that requests stay cacheable. Without a last
 * visit it is one day ago. The service keeps moves for `KEPT_DAYS`, so it is never earlier.
 */
export function sinceOf(span: Span, lastVisitAt: string | null, nowMs: number): string {
  const visitMs = lastVisitAt === null ? nowMs - DAY_MS : Date.parse(lastVisitAt);
  const wantedMs = span === "visit" ? visitMs : nowMs - Number(span) * DAY_MS;
  const sinceMs = Math.max(wantedMs, nowMs - KEPT_DAYS * DAY_MS + 60_000);
  return new Date(Math.floor(sinceMs / 60_000) * 60_000).toISOString();
}
