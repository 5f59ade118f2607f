import { byId } from "../../api/call.ts";
import { useState } from "preact/hooks";
import type { Backtest } from "../../../rules/evaluation/backtest_job.ts";
import { useChange, useDocument } from "../../app/queries.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/controls.tsx";
import { ErrorNote, Figure, Figures, Progress, Section } from "../../parts/page.tsx";
import { FilterChoice } from "../../parts/filter.tsx";
import { RuleConflicts } from "./rule_conflicts.tsx";
import { column, numberColumn, SimpleTable } from "../../parts/table/table.tsx";

interface BacktestSectionProps {
  readonly ruleId: string;
  /** Unsaved changes are ignored. */
  readonly isDirty: boolean;
}

const PERIODS = [7, 30, 90] as const;
const POLL_MS = 700;

/** The stored rule replayed over the past. */
export function BacktestSection({ ruleId, isDirty }: BacktestSectionProps) {
  const { words, show, may } = useApp();
  const texts = words.rules.backtest;
  const [days, setDays] = useState("30");
  const [jobId, setJobId] = useState<string | null>(null);
  const start = useChange({
    ask: (api, period: number) =>
      api.POST("/api/rules/{id}/backtest", { ...byId(ruleId), body: { days: period } }),
    touches: [],
    onDone: (started) => setJobId(started.jobId),
  });
  const test = useDocument({
    key: ["backtests", jobId],
    read: (api) => api.GET("/api/backtests/{jobId}", { params: { path: { jobId: jobId ?? "" } } }),
    isWanted: jobId !== null,
    everyMs: (known) => known === undefined || isUnderWay(known) ? POLL_MS : false,
  });
  const isBusy = start.isPending || (test.data !== undefined && isUnderWay(test.data));
  return (
    <Section
      title={texts.title}
      actions={may("manager") && (
        <>
          <FilterChoice
            label={texts.days}
            value={days}
            options={PERIODS.map((period) => ({
              value: String(period),
              label: texts.lastDays(show.number(period)),
            }))}
            onValue={setDays}
          />
          <Button isBusy={isBusy} onClick={() => start.mutate(Number(days))}>{texts.run}</Button>
        </>
      )}
    >
      {isDirty
        ? <p class="note info">{texts.saveFirst}</p>
        : test.data === undefined && <p class="soft">{texts.text}</p>}
      {test.error && <ErrorNote error={test.error} onAgain={() => void test.refetch()} />}
      {test.data && <Outcome test={test.data} />}
    </Section>
  );
}

function isUnderWay({ status }: Backtest): boolean {
  return status === "queued" || status === "running";
}

function Outcome({ test }: { test: Backtest }) {
  const { words, show } = useApp();
  const texts = words.rules.backtest;
  const { result, progress, error } = test;
  if (isUnderWay(test)) {
    const { processed, total } = progress;
    return (
      <Progress
        done={processed}
        total={total}
        label={texts.progress(show.number(processed), show.number(total))}
      />
    );
  }
  if (result === null) {
    return (
      <div class="note bad" role="alert">
        <strong>{texts.stopped}</strong>
        {error && <p>{error.message}</p>}
      </div>
    );
  }
  return <Result result={result} />;
}

function Result({ result }: { result: NonNullable<Backtest["result"]> }) {
  const { words, show } = useApp();
  const texts = words.rules.backtest;
  const { days, evaluated, firesPerDay, moves, margin } = result;
  const sum = (of: (day: (typeof firesPerDay)[number]) => number) =>
    firesPerDay.reduce((total, day) => total + of(day), 0);
  const fires = sum((day) => day.fires);
  const shownDays = show.number(days);
  return (
    <>
      <Figures>
        <Figure label={texts.evaluated} value={show.number(evaluated)} />
        <Figure
          label={texts.fires}
          value={show.number(fires)}
          note={`${show.number(sum((day) => day.proposals))} ${texts.proposals}`}
        />
        <Figure
          label={texts.moves}
          value={texts.movesValue(show.number(moves.up), show.number(moves.down))}
          note={moves.averagePct !== null && texts.average(show.percentChange(moves.averagePct))}
        />
        <Figure
          label={texts.margin}
          value={`${show.share(margin.currentPct)} → ${show.share(margin.proposedPct)}`}
          note={texts.marginNote}
        />
      </Figures>
      {fires === 0 ? <p class="note info">{texts.noFires}</p> : (
        <DayChart
          label={texts.chart(shownDays)}
          dayTitle={texts.day}
          titles={[texts.fires, texts.proposals]}
          days={firesPerDay.map(({ date, fires, proposals }) => ({
            date,
            counts: [fires, proposals],
          }))}
        />
      )}
      <RuleConflicts
        conflicts={result.conflicts}
        title={texts.conflicts}
        text={({ products }) => texts.conflict(show.number(products))}
      />
    </>
  );
}

interface DayCount {
  /** `2026-03-02` */
  readonly date: string;
  /** One per series; a later one is a part of the one before. */
  readonly counts: readonly number[];
}

interface DayChartProps {
  readonly label: string;
  /** Head of the first column of the table. */
  readonly dayTitle: string;
  /** Names of the series, the larger one first. */
  readonly titles: readonly string[];
  /** Oldest first, no day left out. */
  readonly days: readonly DayCount[];
}

const SLOT = 10;
const BAR = 7;
const HEIGHT = 100;

/** A bar per day, with a table of the same figures. */
function DayChart({ label, dayTitle, titles, days }: DayChartProps) {
  const { show, words } = useApp();
  const highest = Math.max(1, ...days.flatMap(({ counts }) => counts));
  const dayOf = (date: string) => show.date(`${date}T12:00:00Z`);
  const columns = [
    column("day", dayTitle, 140, ({ date }: DayCount) => dayOf(date)),
    ...titles.map((title, at) =>
      numberColumn(title, title, 120, ({ counts }: DayCount) => show.number(counts[at]))
    ),
  ];
  return (
    <figure class="chart day-chart">
      <ul class="legend">
        {titles.map((title, at) => (
          <li key={title}>
            <i class={`bar-swatch bar-${at + 1}`} />
            {title}
          </li>
        ))}
      </ul>
      <div class="day-plot">
        <span class="day-top">{show.number(highest)}</span>
        <span class="day-zero">0</span>
        <svg
          viewBox={`0 0 ${days.length * SLOT} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={label}
        >
          {days.map(({ date, counts }, day) =>
            counts.map((count, at) => {
              const height = count / highest * HEIGHT;
              return (
                <rect
                  key={`${date}-${at}`}
                  class={`bar-${at + 1}`}
                  x={day * SLOT + (SLOT - BAR) / 2}
                  y={HEIGHT - height}
                  width={BAR}
                  height={height}
                >
                  <title>{`${dayOf(date)}: ${show.number(count)} ${titles[at] ?? ""}`}</title>
                </rect>
              );
            })
          )}
        </svg>
      </div>
      <div class="day-axis" aria-hidden="true">
        <span>{dayOf(days[0]?.date ?? "")}</span>
        <span>{dayOf(days.at(-1)?.date ?? "")}</span>
      </div>
      <details class="chart-table">
        <summary>{words.chart.asTable}</summary>
        <SimpleTable
          label={label}
          columns={columns}
          rows={days.toReversed()}
          idOf={({ date }) => date}
        />
      </details>
    </figure>
  );
}
