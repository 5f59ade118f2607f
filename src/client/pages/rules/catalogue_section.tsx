/**
 * Simulates a rule with its unsaved changes over the whole catalogue, without setting a price.
 * After a change of the form, the result is marked as outdated. If the rule is saved and enabled, a
 * manager can turn a current result into prices and proposals.
 */
import { sumOf } from "../../../base/collections.ts";
import { useJob } from "../../parts/shared_queries.ts";
import { useState } from "preact/hooks";
import { column, SimpleTable } from "../../parts/table/table.tsx";
import { byId, byPath, get } from "../../api/call.ts";
import type { CatalogueSimulation, SimulationItem } from "../../../rules/evaluation/simulations.ts";
import { useApp, useChange, useDocument } from "../../app/app.ts";
import { Button, Dialog } from "../../parts/controls.tsx";
import { DeltaPct } from "../../parts/price_figures.tsx";
import { ErrorNote, Figure, Figures, Loading, Section } from "../../parts/page.tsx";
import { FilterChoice } from "../../parts/filter.tsx";
import { BarChart, JobState } from "./past_effect.tsx";
import { RuleLink } from "./rule_editor.tsx";
import { useRule } from "./rule_form.tsx";
import { binLabel } from "../../parts/chart/chart_scale.ts";
import { MovesPreview } from "../../parts/decision/moves_preview.tsx";
import { ActionButton } from "../../parts/action_button.tsx";

type Result = NonNullable<CatalogueSimulation["result"]>;

const POLL_MS = 500;

function useCatalogueSimulation() {
  const { ruleId, body } = useRule();
  const [id, setId] = useState<string | null>(null);
  const [asked, setAsked] = useState("");
  const start = useChange({
    ask: (api, draft: typeof body) =>
      api.POST("/api/simulations", {
        body: { rule: { ...draft, name: draft.name || "–" }, ruleId },
      }),
    touches: [],
    onDone: (started, draft) => {
      setAsked(JSON.stringify(draft));
      setId(started.id);
    },
  });
  const path = byId(id ?? "");
  const { isRunning, ...found } = useJob(
    id === null ? null : get("/api/simulations/{id}", path),
    POLL_MS,
  );
  const cancel = useChange({
    ask: (api, _: null) => api.POST("/api/simulations/{id}/cancel", path),
  });
  return {
    found,
    isRunning,
    isStarting: start.isPending,
    isOld: asked !== JSON.stringify(body),
    start: () => start.mutate(body),
    cancel: () => cancel.mutate(null),
  };
}

export function CatalogueSection() {
  const { form, ruleId, isOn } = useRule();
  const { words: { rules: { catalogue: texts }, cancel }, may } = useApp();
  const { found, isRunning, isOld, ...run } = useCatalogueSimulation();
  const [isApplying, setApplying] = useState(false);
  const simulation = found.data;
  const moves = (simulation?.result?.up ?? 0) + (simulation?.result?.down ?? 0);
  return (
    <Section
      title={texts.title}
      actions={may("manager") && (
        <>
          {isRunning && <Button onClick={run.cancel}>{cancel}</Button>}
          {isOn && simulation?.result && !isOld && !form.isDirty && moves > 0 && (
            <Button onClick={() => setApplying(true)}>{texts.apply(moves)}</Button>
          )}
          <Button isBusy={run.isStarting || isRunning} onClick={run.start}>{texts.run}</Button>
        </>
      )}
    >
      {isApplying && ruleId && simulation?.result && (
        <ApplyDialog
          ruleId={ruleId}
          simulationId={simulation.id}
          byItself={simulation.result.wouldApply}
          onClose={() => setApplying(false)}
        />
      )}
      {found.error && <ErrorNote error={found.error} onAgain={() => void found.refetch()} />}
      {simulation
        ? <SimulationState simulation={simulation} isOld={isOld} />
        : <p class="soft">{texts.text}</p>}
    </Section>
  );
}

interface SimulationStateProps {
  readonly simulation: CatalogueSimulation;
  readonly isOld: boolean;
}

function SimulationState({ simulation, isOld }: SimulationStateProps) {
  const { words: { rules: { catalogue: texts } }, show } = useApp();
  const { id, result, asOf } = simulation;
  if (!result) return <JobState job={simulation} stopped={texts.stopped} />;
  return (
    <>
      <p class={isOld ? "note warn" : "soft"}>
        {isOld ? texts.old : texts.asOf(result.inScope, show.time(asOf))}
      </p>
      <Outcome id={id} result={result} />
    </>
  );
}

interface OutcomeProps {
  readonly id: string;
  readonly result: Result;
}

function Outcome({ id, result }: OutcomeProps) {
  const { words: { rules: { catalogue: texts } }, show } = useApp();
  const { fired, up, down, wouldApply, margin, effect, cheapest, inScope } = result;
  const share = (count: number) => show.share(inScope === 0 ? null : 100 * count / inScope);
  return (
    <>
      <Figures>
        <Figure
          label={texts.fires}
          value={fired}
          note={`${texts.moves(down, up)}${
            wouldApply > 0 ? ` · ${texts.byItself(wouldApply)}` : ""
          }`}
        />
        <Figure
          label={texts.margin}
          value={`${show.share(margin.before)} → ${show.share(margin.after)}`}
          note={texts.known(margin.known)}
        />
        <Figure
          label={texts.effect}
          value={effect ? show.moneyChange(effect.after30dCents - effect.before30dCents) : "–"}
          note={effect ? texts.equalSales(effect.products) : texts.noSales}
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
      <Conflicts conflicts={result.conflicts} />
      <Items id={id} result={result} />
    </>
  );
}

function Conflicts({ conflicts }: Pick<Result, "conflicts">) {
  const texts = useApp().words.rules.catalogue;
  if (conflicts.length === 0) return null;
  return (
    <div class="note warn">
      <strong>{texts.conflicts}</strong>
      <ul>
        {conflicts.map(({ ruleId, products, wins, loses, takesBack }) => (
          <li key={ruleId}>
            <RuleLink ruleId={ruleId} />: {[
              texts.conflict(products),
              wins > 0 && texts.wins(wins),
              loses > 0 && texts.loses(loses),
              takesBack > 0 && texts.takesBack(takesBack),
            ].filter(Boolean).join("; ")}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Items({ id, result }: OutcomeProps) {
  const { words: { rules: { catalogue: texts }, terms }, show } = useApp();
  const [chosen, setChosen] = useState("");
  const codes: Readonly<Record<string, string>> = { ...terms.guards, ...texts.rests };
  const say = (code: string) => codes[code] ?? code;
  const [outcome, guard] = chosen.split(":");
  const free = result.up + result.down - sumOf(result.braked, ({ products }) => products);
  const items = useDocument(
    get(
      "/api/simulations/{id}/items",
      byPath({ id }, {
        limit: 50,
        ...(outcome === "rests" ? { outcome } : {}),
        ...(guard ? { guard } : {}),
      }),
    ),
  );
  return (
    <>
      <FilterChoice
        label={texts.braked}
        value={chosen}
        none={texts.all(result.inScope, free)}
        options={[
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
      {items.data && <ItemsTable items={items.data.items} sayCode={say} />}
    </>
  );
}

function ItemsTable(
  { items, sayCode }: { readonly items: readonly SimulationItem[]; sayCode(code: string): string },
) {
  const { words: { rules: { catalogue: texts }, fields, none } } = useApp();
  return (
    <SimpleTable
      label={texts.braked}
      columns={[
        column("sku", texts.example, 300).cell(({ productId, sku, title }: SimulationItem) => (
          <>
            <a href={`/products/${productId}`}>{sku}</a> <span class="beside">{title}</span>
          </>
        )),
        column("now", texts.now, 110).money((
          one: SimulationItem,
        ) => [one.currentCents, one.currency]),
        column("then", texts.after, 110).money((
          one: SimulationItem,
        ) => [one.proposedCents, one.currency]),
        column("change", fields.change, 110).number(({ changePct }: SimulationItem) =>
          changePct === null ? "–" : <DeltaPct pct={changePct} />
        ),
        column("margin", fields.marginAfter, 120).share((one: SimulationItem) =>
          one.proposedMarginPct ?? one.marginPct
        ),
        column("code", texts.guard, 200).cell(({ code }: SimulationItem) =>
          code === null ? none : sayCode(code)
        ),
      ]}
      rows={items}
    />
  );
}

function GapHistogram({ gap: { edges, before, stored, after } }: { gap: Result["gap"] }) {
  const { words: { rules: { catalogue: texts }, position }, show } = useApp();
  const isChanged = stored?.some((count, at) => count !== after[at]) ?? false;
  const series = [
    { title: texts.before, colour: 1, of: before },
    ...(stored && isChanged ? [{ title: texts.stored, colour: 3, of: stored }] : []),
    { title: texts.after, colour: 2, of: after },
  ];
  const slots = after.map((_, at) => {
    const label = binLabel(edges, at, show) + show.percentSign;
    return { key: label, label, counts: series.map((one) => one.of[at] ?? 0) };
  });
  return (
    <BarChart
      label={position.gap}
      slotTitle={position.gap}
      series={series}
      slots={slots}
      axis={["", ...edges.map(show.number), ""]}
      note={texts.sides}
    />
  );
}

interface ApplyDialogProps {
  readonly ruleId: string;
  readonly simulationId: string;
  readonly byItself: number;
  onClose(): void;
}

function ApplyDialog({ ruleId, simulationId, byItself, onClose }: ApplyDialogProps) {
  const { words: { rules: { catalogue: texts }, cancel, loading } } = useApp();
  const { data: preview, error, refetch } = useDocument(
    get("/api/simulations/{id}/preview", byId(simulationId)),
  );
  const count = preview?.found.count ?? 0;
  return (
    <Dialog
      kind="wide"
      title={texts.applyTitle(count)}
      onClose={onClose}
      actions={
        <>
          <span class="soft bar-space">{texts.applyHow(byItself, count - byItself)}</span>
          <Button onClick={onClose}>
            {cancel} <kbd>Esc</kbd>
          </Button>
          <ActionButton
            kind="main"
            ask={(api) =>
              api.POST("/api/rules/{id}/apply", { ...byId(ruleId), body: { simulationId } })}
            touches={["proposals", "products", "audit-logs"]}
            toast={({ moves }) => texts.applied(moves)}
            isDisabled={!preview || count === 0}
            onDone={onClose}
          >
            {texts.apply(count)}
          </ActionButton>
        </>
      }
    >
      {error && <ErrorNote error={error} onAgain={() => void refetch()} />}
      {preview
        ? <MovesPreview preview={preview} isFresh choice={null} />
        : !error && <Loading label={loading} />}
    </Dialog>
  );
}
