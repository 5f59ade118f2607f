/**
 * The backtest shows what a stored rule would have done in the past 7, 30 or 90 days. A backtest
 * ignores unsaved changes. The result disappears when the person leaves the page.
 */
import { byId, byPath, get } from "../../api/call.ts";
import { useState } from "preact/hooks";
import type { Backtest } from "../../../rules/evaluation/backtest_job.ts";
import { useApp, useChange, useDocument } from "../../app/app.ts";
import { Button } from "../../parts/controls.tsx";
import { ErrorNote, Figure, Figures, Progress, Section, ServiceWords } from "../../parts/page.tsx";
import { FilterChoice } from "../../parts/filter.tsx";
import { BarChart } from "./bar_chart.tsx";
import { RuleConflicts } from "./rule_conflicts.tsx";

const PERIODS = [7, 30, 90] as const;
const POLL_MS = 700;

export function BacktestSection({ ruleId, isDirty }: { ruleId: string; isDirty: boolean }) {
  const { words: { rules: { backtest: texts } }, show, may } = useApp();
  const [days, setDays] = useState("30");
  const [jobId, setJobId] = useState<string | null>(null);
  const start = useChange({
    ask: (api, period: number) =>
      api.POST("/api/rules/{id}/backtest", { ...byId(ruleId), body: { days: period } }),
    touches: [],
    onDone: (started) => setJobId(started.jobId),
  });
  const test = useDocument(get("/api/backtests/{jobId}", byPath({ jobId: jobId ?? "" })), {
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
  const { words: { rules: { backtest: texts } }, show } = useApp();
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
        {error && <ServiceWords message={error.message} />}
      </div>
    );
  }
  return <Result result={result} />;
}

function Result({ result }: { result: NonNullable<Backtest["result"]> }) {
  const { words: { rules: { backtest: texts } }, show } = useApp();
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
        <BarChart
          label={texts.chart(shownDays)}
          slotTitle={texts.day}
          series={[
            { title: texts.fires, colour: 1 },
            { title: texts.proposals, colour: 2 },
          ]}
          slots={firesPerDay.map(({ date, fires, proposals }) => ({
            key: date,
            label: show.date(`${date}T12:00:00Z`),
            counts: [fires, proposals],
          }))}
          axis={[firesPerDay[0], firesPerDay.at(-1)].map((day) =>
            show.date(`${day?.date ?? ""}T12:00:00Z`)
          )}
          areDays
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
