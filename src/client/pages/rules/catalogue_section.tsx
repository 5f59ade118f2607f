import { column, numberColumn, SimpleTable } from "../../parts/table/table.tsx";
import { byId } from "../../api/call.ts";
import { useState } from "preact/hooks";
import type { CatalogueSimulation, SimulationItem } from "../../../rules/evaluation/simulations.ts";
import { useApp } from "../../app/app.ts";
import { useChange, useDocument } from "../../app/queries.ts";
import { Button } from "../../parts/controls.tsx";
import { DeltaPct } from "../../parts/percentages.tsx";
import { ErrorNote, Figure, Figures, Progress, Section } from "../../parts/page.tsx";
import { FilterChoice } from "../../parts/filter.tsx";
import { ApplyDialog } from "./apply_dialog.tsx";
import { bodyOf, type References } from "./rule_draft.ts";
import { RuleConflicts } from "./rule_conflicts.tsx";
import type { RuleForm } from "./rule_form.ts";
import { binLabel } from "../../parts/chart/chart_scale.ts";

interface CatalogueSectionProps {
  readonly form: RuleForm;
  readonly references: References;
  /** Null while the rule is not stored. */
  readonly rule: { readonly id: string; readonly enabled: boolean } | null;
}

type Result = NonNullable<CatalogueSimulation["result"]>;

const POLL_MS = 500;
const SHOWN = 50;

function isUnderWay({ status }: CatalogueSimulation): boolean {
  return status === "queued" || status === "running";
}

/** Simulates the rule of the form over the whole catalogue, without changing anything. */
export function CatalogueSection({ form, references, rule }: CatalogueSectionProps) {
  const { words, show, may } = useApp();
  const texts = words.rules.catalogue;
  const [id, setId] = useState<string | null>(null);
  const [asked, setAsked] = useState("");
  const body = bodyOf(form.draft, references, show);
  const start = useChange({
    ask: (api, draft: typeof body) =>
      api.POST("/api/simulations", {
        body: { rule: { ...draft, name: draft.name || "–" }, ruleId: rule?.id ?? null },
      }),
    touches: [],
    onDone: (started, draft) => {
      setAsked(JSON.stringify(draft));
      setId(started.id);
    },
  });
  const path = byId(id ?? "");
  const found = useDocument({
    key: ["simulations", id],
    read: (api) => api.GET("/api/simulations/{id}", path),
    isWanted: id !== null,
    everyMs: (known) => known === undefined || isUnderWay(known) ? POLL_MS : false,
  });
  const cancel = useChange({
    ask: (api, _: null) => api.POST("/api/simulations/{id}/cancel", path),
    touches: ["simulations"],
  });
  const [isApplying, setApplying] = useState(false);
  const simulation = found.data;
  const isBusy = start.isPending || (simulation !== undefined && isUnderWay(simulation));
  const isOld = asked !== JSON.stringify(body);
  const moves = (simulation?.result?.up ?? 0) + (simulation?.result?.down ?? 0);
  return (
    <Section
      title={texts.title}
      actions={may("manager") && (
        <>
          {simulation && isUnderWay(simulation) && (
            <Button onClick={() => cancel.mutate(null)}>{words.cancel}</Button>
          )}
          {rule?.enabled && simulation?.result && !isOld && !form.isDirty && moves > 0 && (
            <Button onClick={() => setApplying(true)}>{texts.apply(show.number(moves))}</Button>
          )}
          <Button isBusy={isBusy} onClick={() => start.mutate(body)}>{texts.run}</Button>
        </>
      )}
    >
      {isApplying && rule && simulation?.result && (
        <ApplyDialog
          ruleId={rule.id}
          simulationId={simulation.id}
          byItself={simulation.result.wouldApply}
          onClose={() => setApplying(false)}
        />
      )}
      {found.error && <ErrorNote error={found.error} onAgain={() => void found.refetch()} />}
      {!simulation ? <p class="soft">{texts.text}</p> : isUnderWay(simulation)
        ? (
          <Progress
            done={simulation.progress.processed}
            total={simulation.progress.total}
            label={words.rules.backtest.progress(
              show.number(simulation.progress.processed),
              show.number(simulation.progress.total),
            )}
          />
        )
        : simulation.result
        ? (
          <>
            <p class={isOld ? "note warn" : "soft"}>
              {isOld ? texts.old : texts.asOf(
                show.number(simulation.result.inScope),
                show.time(simulation.asOf),
              )}
            </p>
            <Outcome id={simulation.id} result={simulation.result} />
          </>
        )
        : <p class="note bad" role="alert">{simulation.error?.message ?? texts.stopped}</p>}
    </Section>
  );
}

function Outcome({ id, result }: { id: string; result: Result }) {
  const { words, show } = useApp();
  const texts = words.rules.catalogue;
  const { fired, up, down, wouldApply, margin, effect, cheapest, inScope } = result;
  const share = (count: number) => show.share(inScope === 0 ? null : 100 * count / inScope);
  return (
    <>
      <Figures>
        <Figure
          label={texts.fires}
          value={show.number(fired)}
          note={`${texts.moves(show.number(down), show.number(up))}${
            wouldApply > 0 ? ` · ${texts.byItself(show.number(wouldApply))}` : ""
          }`}
        />
        <Figure
          label={texts.margin}
          value={`${show.share(margin.before)} → ${show.share(margin.after)}`}
          note={texts.known(show.number(margin.known))}
        />
        <Figure
          label={texts.effect}
          value={effect ? show.moneyChange(effect.after30dCents - effect.before30dCents) : "–"}
          note={effect ? texts.equalSales(show.number(effect.products)) : texts.noSales}
        />
        {effect?.revenue && (
          <Figure
            label={texts.revenue}
            value={show.moneyChange(effect.revenue.after30dCents - effect.revenue.before30dCents)}
            note={`${show.money(effect.revenue.before30dCents)} → ${
              show.money(effect.revenue.after30dCents)
            }`}
          />
        )}
        <Figure
          label={texts.cheapest}
          value={`${share(cheapest.before)} → ${share(cheapest.after)}`}
          note={`${show.number(cheapest.before)} → ${show.number(cheapest.after)}`}
        />
      </Figures>
      <GapHistogram gap={result.gap} />
      <RuleConflicts
        conflicts={result.conflicts}
        title={texts.conflicts}
        text={({ products, wins, loses, takesBack }) =>
          texts.conflict(show.number(products), show.number(wins), show.number(loses)) +
          (takesBack > 0 ? texts.takesBack(show.number(takesBack)) : "")}
      />
      <Items id={id} result={result} />
    </>
  );
}

/** The causes that hold prices, with the products of each count. */
function Items({ id, result }: { id: string; result: Result }) {
  const { words, show } = useApp();
  const texts = words.rules.catalogue;
  const [chosen, setChosen] = useState("");
  const codes: Readonly<Record<string, string>> = { ...words.terms.guards, ...texts.rests };
  const say = (code: string) => codes[code] ?? code;
  const [outcome, guard] = chosen.split(":");
  const free = result.up + result.down -
    result.braked.reduce((sum, { products }) => sum + products, 0);
  const items = useDocument({
    key: ["simulations", id, chosen],
    read: (api) =>
      api.GET("/api/simulations/{id}/items", {
        params: {
          path: { id },
          query: {
            limit: SHOWN,
            ...(outcome === "rests" ? { outcome } : {}),
            ...(guard ? { guard } : {}),
          },
        },
      }),
  });
  return (
    <>
      <FilterChoice
        label={texts.braked}
        value={chosen}
        options={[
          { value: "", label: texts.all(show.number(result.inScope), show.number(free)) },
          ...result.braked.map(({ code, products }) => ({
            value: `moves:${code}`,
            label: `${show.number(products)} × ${say(code)}`,
          })),
          ...result.resting.map(({ code, products }) => ({
            value: `rests:${code}`,
            label: `${show.number(products)} × ${texts.rest}: ${say(code)}`,
          })),
        ]}
        onValue={setChosen}
      />
      {items.error && <ErrorNote error={items.error} onAgain={() => void items.refetch()} />}
      {items.data && (
        <SimpleTable
          label={texts.braked}
          columns={[
            column(
              "sku",
              words.rules.catalogue.example,
              160,
              ({ productId, sku }: SimulationItem) => <a href={`/products/${productId}`}>{sku}</a>,
            ),
            numberColumn(
              "now",
              texts.now,
              110,
              (one: SimulationItem) => show.money(one.currentCents, one.currency),
            ),
            numberColumn(
              "then",
              texts.after,
              110,
              (one: SimulationItem) => show.money(one.proposedCents, one.currency),
            ),
            numberColumn(
              "change",
              texts.change,
              110,
              ({ changePct }: SimulationItem) =>
                changePct === null ? "–" : <DeltaPct pct={changePct} />,
            ),
            numberColumn(
              "margin",
              texts.marginThen,
              120,
              (one: SimulationItem) => show.share(one.proposedMarginPct ?? one.marginPct),
            ),
            column(
              "code",
              texts.guard,
              200,
              ({ code }: SimulationItem) => code === null ? texts.none : say(code),
            ),
          ]}
          rows={items.data.items}
          idOf={({ productId }) => productId}
        />
      )}
    </>
  );
}

type Gap = NonNullable<CatalogueSimulation["result"]>["gap"];

interface Bin {
  readonly label: string;
  readonly counts: readonly number[];
}

const HEIGHT = 100;
/** The bars of a bin, together. */
const BARS = 8;
const SLOT = 10;

/**
 * Products by their gap to the cheapest offer, before and after, and the same as a table; between them
 * what the stored rule makes of it, where that is something else.
 */
function GapHistogram({ gap: { edges, before, stored, after } }: { gap: Gap }) {
  const { words, show } = useApp();
  const texts = words.rules.catalogue;
  const isChanged = stored?.some((count, at) => count !== after[at]) ?? false;
  const series = [
    { title: texts.before, colour: 1, of: before },
    ...(stored && isChanged ? [{ title: texts.stored, colour: 3, of: stored }] : []),
    { title: texts.after, colour: 2, of: after },
  ];
  const width = BARS / series.length;
  const bins = after.map((_, at): Bin => ({
    label: binLabel(edges, at, show),
    counts: series.map((one) => one.of[at] ?? 0),
  }));
  const highest = Math.max(1, ...bins.flatMap(({ counts }) => counts));
  return (
    <figure class="chart day-chart">
      <ul class="legend">
        {series.map(({ title, colour }) => (
          <li key={title}>
            <i class={`bar-swatch bar-${colour}`} />
            {title}
          </li>
        ))}
        <li>{texts.sides}</li>
      </ul>
      <div class="day-plot">
        <span class="day-top">{show.number(highest)}</span>
        <span class="day-zero">0</span>
        <svg
          viewBox={`0 0 ${bins.length * SLOT} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={texts.gap}
        >
          {bins.map(({ label, counts }, bin) =>
            counts.map((count, at) => (
              <rect
                key={`${label} ${at}`}
                class={`bar-${series[at]?.colour}`}
                x={bin * SLOT + 1 + at * width}
                y={HEIGHT * (1 - count / highest)}
                width={width}
                height={count / highest * HEIGHT}
              >
                <title>{`${label} %: ${show.number(count)} ${series[at]?.title ?? ""}`}</title>
              </rect>
            ))
          )}
        </svg>
      </div>
      <div class="day-axis" aria-hidden="true">
        <span>{`${bins[0]?.label ?? ""} %`}</span>
        <span>0 %</span>
        <span>{`${bins.at(-1)?.label ?? ""} %`}</span>
      </div>
      <details class="chart-table">
        <summary>{words.chart.asTable}</summary>
        <SimpleTable
          label={texts.gap}
          columns={[
            column("gap", texts.gap, 160, ({ label }: Bin) => `${label} %`),
            ...series.map(({ title }, at) =>
              numberColumn(title, title, 120, ({ counts }: Bin) => show.number(counts[at]))
            ),
          ]}
          rows={bins}
          idOf={({ label }) => label}
        />
      </details>
    </figure>
  );
}
