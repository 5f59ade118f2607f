/**
 * Shows what a stored rule would have done (the backtest), and what followed its price changes. The
 * backtest covers the past 7, 30 or 90 days, and ignores unsaved changes. `LearningSection`
 * compares sales and margin in the 14 days before and after the rule's price changes.
 */
import { sumOf } from "../../../base/collections.ts";
import { isUnderWay, useJob } from "../../parts/shared_queries.ts";
import { byId, byPath, get } from "../../api/call.ts";
import { useState } from "preact/hooks";
import type { Backtest } from "../../../rules/evaluation/backtest_job.ts";
import { useApp, useChange, useDocument } from "../../app/app.ts";
import { Button } from "../../parts/controls.tsx";
import { ErrorNote, Figure, Figures, Progress, Section, ServiceWords } from "../../parts/page.tsx";
import { FilterChoice } from "../../parts/filter.tsx";
import { useRule } from "./rule_form.tsx";
import { column, SimpleTable } from "../../parts/table/table.tsx";
import type { RuleLearning } from "../../../rules/evaluation/learning.ts";

const PERIODS = [7, 30, 90] as const;
const POLL_MS = 700;

export function BacktestSection({ ruleId }: { ruleId: string }) {
  const { words: { rules: { backtest: texts }, chart }, may } = useApp();
  const [days, setDays] = useState("30");
  const [jobId, setJobId] = useState<string | null>(null);
  const start = useChange({
    ask: (api, period: number) =>
      api.POST("/api/rules/{id}/backtest", { ...byId(ruleId), body: { days: period } }),
    touches: [],
    onDone: (started) => setJobId(started.jobId),
  });
  const asked = jobId === null ? null : get("/api/backtests/{jobId}", byPath({ jobId }));
  const test = useJob(asked, POLL_MS);
  const isBusy = start.isPending || test.isRunning;
  return (
    <Section
      title={texts.title}
      actions={may("manager") && (
        <>
          <FilterChoice
            label={chart.range}
            value={days}
            options={PERIODS.map((period) => ({
              value: String(period),
              label: chart.days(period),
            }))}
            onValue={setDays}
          />
          <Button isBusy={isBusy} onClick={() => start.mutate(Number(days))}>{texts.run}</Button>
        </>
      )}
    >
      {useRule().form.isDirty
        ? <p class="note info">{texts.saveFirst}</p>
        : test.data === undefined && <p class="soft">{texts.text}</p>}
      {test.error && <ErrorNote error={test.error} onAgain={() => void test.refetch()} />}
      {test.data && (test.data.result
        ? <Result result={test.data.result} />
        : <JobState job={test.data} stopped={texts.stopped} />)}
    </Section>
  );
}

export function JobState(
  { job, stopped }: { job: Pick<Backtest, "status" | "progress" | "error">; stopped: string },
) {
  const { words: { coverage }, show } = useApp();
  const { progress: { processed, total }, error } = job;
  if (isUnderWay(job)) {
    const label = coverage.ofAll(processed, show.number(total));
    return <Progress done={processed} total={total} label={label} />;
  }
  return (
    <div class="note bad" role="alert">
      <strong>{stopped}</strong>
      {error && <ServiceWords message={error.message} />}
    </div>
  );
}

function Result({ result }: { result: NonNullable<Backtest["result"]> }) {
  const { words: { rules: { backtest: texts }, fields, imports }, show } = useApp();
  const { days, evaluated, firesPerDay, moves, margin } = result;
  const fires = sumOf(firesPerDay, (day) => day.fires);
  return (
    <>
      <Figures>
        <Figure label={texts.evaluated} value={evaluated} />
        <Figure
          label={texts.fires}
          value={fires}
          note={`${show.number(sumOf(firesPerDay, (day) => day.proposals))} ${texts.proposals}`}
        />
        <Figure
          label={texts.moves}
          value={imports.job.impactStats.ways(moves.up, moves.down)}
          note={moves.averagePct !== null && texts.average(show.percentChange(moves.averagePct))}
        />
        <Figure
          label={fields.margin}
          value={`${show.share(margin.currentPct)} → ${show.share(margin.proposedPct)}`}
          note={texts.marginNote}
        />
      </Figures>
      {fires === 0 ? <p class="note info">{texts.noFires}</p> : (
        <BarChart
          label={texts.chart(days)}
          slotTitle={fields.day}
          series={[{ title: texts.fires, colour: 1 }, { title: texts.proposals, colour: 2 }]}
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
    </>
  );
}

type Change = RuleLearning["items"][number];

const LEFT_OUT = ["tooYoung", "otherChange", "noSales", "noCost", "otherCurrency"] as const;

export function LearningSection({ ruleId }: { ruleId: string }) {
  const { words: { rules: { learning: texts } }, show } = useApp();
  const [month, setMonth] = useState<string | undefined>(undefined);
  const { data, error, refetch } = useDocument(
    get("/api/rules/{id}/learning", byPath({ id: ruleId }, { month })),
  );
  const step = (months: number) => () => data && setMonth(monthBeside(data.month, months));
  return (
    <Section
      title={texts.title}
      note={data && monthText(data.month, show.locale)}
      actions={
        <>
          <Button kind="quiet" onClick={step(-1)}>{texts.earlier}</Button>
          <Button kind="quiet" onClick={step(1)}>{texts.later}</Button>
        </>
      }
    >
      {error && <ErrorNote error={error} onAgain={() => void refetch()} />}
      {data && (
        <>
          <p>
            {texts.counted(data.counted, data.changes)} <LeftOut counts={data.leftOut} />
          </p>
          {data.before && data.after
            ? (
              <dl class="facts framed">
                <dt>{texts.units}</dt>
                <dd>{show.tenths(data.before.units)} → {show.tenths(data.after.units)}</dd>
                <dt>{texts.margin}</dt>
                <dd>
                  {show.money(data.before.marginCents, data.currency)} →{" "}
                  {show.money(data.after.marginCents, data.currency)}
                </dd>
                {data.category && data.category.before !== null && data.category.after !== null && (
                  <>
                    <dt>{texts.category}</dt>
                    <dd>
                      {show.tenths(data.category.before)} → {show.tenths(data.category.after)}
                    </dd>
                  </>
                )}
              </dl>
            )
            : <p class="soft">{texts.tooFew}</p>}
          {data.items.length > 0 && <Changes learning={data} />}
          {data.before && data.after && <p class="soft">{texts.note}</p>}
        </>
      )}
    </Section>
  );
}

export function LeftOut({ counts }: { counts: RuleLearning["leftOut"] }) {
  const { words: { rules: { learning: { without, why } } }, show } = useApp();
  const left = LEFT_OUT.filter((code) => counts[code] > 0);
  if (left.length === 0) return null;
  return (
    <>{without} {left.map((code) => `${show.number(counts[code])} ${why[code]}`).join(", ")}.</>
  );
}

function Changes({ learning: { items, currency } }: { learning: RuleLearning }) {
  const { words: { rules: { learning: texts }, fields }, show } = useApp();
  const figures: readonly [key: string, title: string, cell: (one: Change) => string][] = [
    [
      "price",
      fields.price,
      (one) => `${show.money(one.fromCents, currency)} → ${show.money(one.toCents, currency)}`,
    ],
    [
      "pct",
      fields.marginPct,
      (one) => `${show.share(one.marginBeforePct)} → ${show.share(one.marginAfterPct)}`,
    ],
    [
      "units",
      texts.units,
      (one) => `${show.tenths(one.unitsBefore)} → ${show.tenths(one.unitsAfter)}`,
    ],
  ];
  return (
    <SimpleTable
      label={texts.changes}
      columns={[
        column("sku", texts.changes, 160).cell(({ productId, sku }: Change) => (
          <a href={`/products/${productId}`}>{sku}</a>
        )),
        column("at", texts.at, 130).time(({ at }: Change) => at),
        ...figures.map(([key, title, cell]) => column(key, title, 160).number(cell)),
      ]}
      rows={items}
    />
  );
}

function monthBeside(month: string, months: number): string {
  const at = new Date(`${month}-15T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() + months);
  return at.toISOString().slice(0, 7);
}

function monthText(month: string, locale: string): string {
  const at = new Date(`${month}-15T00:00:00Z`);
  return new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" })
    .format(at);
}

interface Slot {
  readonly key: string;
  readonly label: string;
  readonly counts: readonly number[];
}

interface BarChartProps {
  readonly label: string;
  readonly slotTitle: string;
  readonly series: readonly { readonly title: string; readonly colour: number }[];
  readonly slots: readonly Slot[];
  readonly axis: readonly string[];
  /** True if each slot is a day. Later series are drawn over earlier ones and must be lower. */
  readonly areDays?: boolean;
  readonly note?: string;
}

const SLOT = 10;
const BARS = 8;
const HEIGHT = 100;

export function BarChart(props: BarChartProps) {
  const { label, slotTitle, series, slots, axis, areDays = false, note } = props;
  const { show, words } = useApp();
  const highest = Math.max(1, ...slots.flatMap(({ counts }) => counts));
  return (
    <figure class="chart stack framed gap-8 day-chart">
      <ul class="legend flow soft gap-16 rows-4">
        {series.map(({ title, colour }) => (
          <li key={title} class="row gap-6">
            <i class={`swatch bar-${colour}`} />
            {title}
          </li>
        ))}
        {note && <li>{note}</li>}
      </ul>
      <div class="day-plot">
        <span class="day-top">{show.number(highest)}</span>
        <span class="day-zero">0</span>
        <Bars {...{ label, series, slots, highest, areDays }} />
      </div>
      <div class={`day-axis row spread soft small${areDays ? "" : " edges"}`} aria-hidden="true">
        {axis.map((text) => <span key={text}>{text}</span>)}
      </div>
      <details class="chart-table">
        <summary>{words.chart.asTable}</summary>
        <SimpleTable
          label={label}
          columns={[
            column("slot", slotTitle, 160).cell((slot: Slot) => slot.label),
            ...series.map(({ title }, at) =>
              column(title, title, 120).number(({ counts }: Slot) => counts[at])
            ),
          ]}
          rows={areDays ? slots.toReversed() : slots}
        />
      </details>
    </figure>
  );
}

type BarsProps = Required<Pick<BarChartProps, "label" | "series" | "slots" | "areDays">> & {
  readonly highest: number;
};

function Bars({ label, series, slots, highest, areDays }: BarsProps) {
  const { show } = useApp();
  const width = areDays ? BARS : BARS / series.length;
  return (
    <svg
      viewBox={`0 0 ${slots.length * SLOT} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {slots.map(({ key, label: of, counts }, slot) =>
        counts.map((count, at) => (
          <rect
            key={`${key} ${at}`}
            class={`bar-${series[at]?.colour}`}
            x={slot * SLOT + 1 + (areDays ? 0 : at * width)}
            y={HEIGHT * (1 - count / highest)}
            width={width}
            height={count / highest * HEIGHT}
          >
            <title>{`${of}: ${show.number(count)} ${series[at]?.title ?? ""}`}</title>
          </rect>
        ))
      )}
    </svg>
  );
}
