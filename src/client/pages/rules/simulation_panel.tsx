/**
 * Shows what the edited rule would do. The counts cover the rule's products only up to a maximum
 * number. Examples come from a sample of the rule's products: first those that trigger the rule,
 * then those that almost do.
 */
import { changePct } from "../../../base/fraction.ts";
import { BINDING_CODES } from "../../../engine/pricing/codes.ts";
import { addressOf, get, where } from "../../api/call.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { saidText } from "../../../engine/wording/reason_text.ts";
import type { ClauseCounts } from "../../../rules/evaluation/count_clauses.ts";
import { Badge, Button } from "../../parts/controls.tsx";
import { PriceStep, type Simulated, type Simulation } from "../../parts/decision/decision.tsx";
import { Explanation } from "../../parts/decision/explanation.tsx";
import { Figure, Figures, PreviewError, Unbroken } from "../../parts/page.tsx";
import type { Words } from "../../words/words.ts";
import { useRule } from "./rule_form.tsx";
import { useState } from "preact/hooks";

export function SimulationPanel() {
  const { words } = useApp();
  const texts = words.rules.simulation;
  const { ruleId, effect: { simulation, counts, isRunning, error, again } } = useRule();
  return (
    <section class="simulation framed" aria-label={texts.title}>
      <header class="row soft gap-10">
        <h2>{texts.title}</h2>
        <span class="small">{texts.note}</span>
        {isRunning && <span class="spinner" role="status" aria-label={texts.running} />}
      </header>
      {error
        ? (
          <PreviewError
            error={error}
            waiting={texts.waiting}
            nameOf={(path) => ruleFieldName(words, path.replace(/^rule\./, ""))}
            onAgain={again}
          />
        )
        : simulation === null || counts === null
        ? <p class="soft">{texts.running}</p>
        : simulation.evaluated === 0
        ? <p class="note warn">{texts.none}</p>
        : (
          <>
            <Sums fires={counts.fires} counts={counts.data} results={simulation.results} />
            {ruleId !== null && <OpenProposals ruleId={ruleId} />}
            <Shares simulation={simulation} counts={counts.data} />
            <h3>{texts.results}</h3>
            <Results results={simulation.results} />
          </>
        )}
    </section>
  );
}

interface SumsProps extends Pick<SharesProps, "counts"> {
  readonly fires: string;
  readonly results: readonly Simulated[];
}

function Sums({ fires, counts, results }: SumsProps) {
  const { words: { rules: { simulation: texts, catalogue }, proposals }, show } = useApp();
  const { margin, moves, effect30d } = counts;
  const cooling = results.filter((one) => one.wouldFire && one.cooldownActive).length;
  const areAllCooling = cooling > 1 && cooling === counts.fires;
  return (
    <div aria-live="polite">
      <Figures>
        <Figure
          label={texts.fires}
          value={fires}
          note={cooling > 0 && texts[areAllCooling ? "allCooling" : "cooling"](cooling)}
        />
        {moves > 0 && (
          <>
            <Figure
              label={proposals.effect30d}
              value={effect30d ? show.moneyChange(effect30d.cents) : "–"}
              note={effect30d === null
                ? catalogue.noSales
                : effect30d.products === moves
                ? texts.equalSales
                : texts.sold(effect30d.products, moves)}
            />
            <Figure
              label={catalogue.margin}
              value={margin ? `${show.share(margin.before)} → ${show.share(margin.after)}` : "–"}
              note={margin ? texts.ofChanged : texts.noMargin}
            />
          </>
        )}
      </Figures>
    </div>
  );
}

function OpenProposals({ ruleId }: { readonly ruleId: string }) {
  const { words: { rules: texts, proposals }, show } = useApp();
  const { data } = useDocument(get("/api/proposals/summary", where({ ruleId })));
  if (!data || data.open === 0) return null;
  const { open, effect30dCents: cents } = data;
  return (
    <p class="fine">
      <a href={addressOf("/proposals", { ruleId })}>{texts.openProposals(open)}</a>
      {cents !== null &&
        `: ${show.moneyChange(cents)} ${proposals.in30Days}. ${texts.simulation.basis}`}
    </p>
  );
}

interface SharesProps {
  readonly simulation: Simulation;
  readonly counts: ClauseCounts;
}

function Shares({ simulation: { results }, counts }: SharesProps) {
  const { words: { rules: { simulation: texts } }, show } = useApp();
  const { scope, fires, moves, raises } = counts;
  const withoutOffers = comparesOnly(results) ? scope - counts.withOffers : 0;
  const quiet = scope - fires - withoutOffers;
  const resting = withoutOffers > 0 ? texts.restingWithOffers : texts.resting;
  const isBlocked = results.some((one) => one.wouldFire && one.bindingGuard !== null);
  const parts = [
    { key: "up", count: raises, label: texts.up },
    { key: "down", count: moves - raises, label: texts.down },
    isBlocked
      ? { key: "blocked", count: fires - moves, label: texts.blocked }
      : { key: "alert", count: fires - moves, label: texts.alertOnly },
    { key: "quiet", count: quiet, label: resting(quiet) },
    { key: "offerless", count: withoutOffers, label: texts.withoutOffers },
  ].filter(({ count }) => count > 0);
  return (
    <>
      <div class="sum-bar flow gap-2" aria-hidden="true">
        {parts.map(({ key, count }) => (
          <span key={key} class={`part ${key}`} style={{ flexGrow: count }} />
        ))}
      </div>
      <ul class="flow fine gap-14 rows-4">
        {parts.map(({ key, count, label }) => (
          <li class="row gap-6" key={key}>
            <i class={`swatch part ${key}`} />
            <span>
              <strong>{show.number(count)}</strong> {label}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function comparesOnly(results: readonly Simulated[]): boolean {
  const compares = ({ trace }: Simulated) => trace.trigger.comparedWith.length > 0;
  return results.some(compares) && results.every((one) => !one.wouldFire || compares(one));
}

const SHOWN = 6;

function Results({ results }: { results: readonly Simulated[] }) {
  const { words } = useApp();
  const [areAll, setAll] = useState(false);
  const rest = results.length - SHOWN;
  const order = (one: Simulated) => one.proposedCents !== undefined ? 0 : one.wouldFire ? 1 : 2;
  return (
    <>
      <ul class="verdicts framed ruled">
        {results.toSorted((a, b) => order(a) - order(b) || distanceOf(a) - distanceOf(b)).slice(
          0,
          areAll ? undefined : SHOWN,
        ).map((result) => (
          <li key={result.productId}>
            <ResultRow result={result} />
          </li>
        ))}
      </ul>
      {!areAll && rest > 0 && (
        <Button kind="quiet" onClick={() => setAll(true)}>
          {words.rules.simulation.rest(rest)}
        </Button>
      )}
    </>
  );
}

function distanceOf({ trace: { trigger: { said: { code, facts } } } }: Simulated): number {
  const { priceCents, ourPriceCents, marginPct, boundPct } = facts;
  if (typeof priceCents === "number" && typeof ourPriceCents === "number" && ourPriceCents > 0) {
    const gapPct = changePct(ourPriceCents, priceCents);
    return code === "competitor_overcut" ? 0 - gapPct : gapPct;
  }
  return typeof marginPct === "number" && typeof boundPct === "number"
    ? Math.abs(marginPct - boundPct)
    : Number.MAX_VALUE;
}

function ResultRow({ result }: { result: Simulated }) {
  const { words, audience } = useApp();
  const { simulation: texts } = words.rules;
  const { sku, title, wouldFire, currentCents, proposedCents, bindingGuard, trace } = result;
  const guard = bindingGuard && (words.terms.guards[bindingGuard] ?? bindingGuard);
  // A guard in `BINDING_CODES` changes the price; any other guard forbids it or asks a person.
  const isLimited = proposedCents !== undefined && BINDING_CODES.includes(bindingGuard ?? "");
  return (
    <details class="verdict">
      <summary class="row flow">
        <span class="verdict-name">
          <Unbroken text={title} />{" "}
          <small>
            <Unbroken text={sku} />
          </small>
        </span>
        {proposedCents !== undefined
          ? (
            <PriceStep
              currentCents={currentCents}
              proposedCents={proposedCents}
              currency={trace.inputs.currency}
            />
          )
          : wouldFire
          ? <Badge tone="warn">{guard ? texts.blocked : texts.alertOnly}</Badge>
          : (
            <small>
              {saidText(audience, trace.trigger.said)}{" "}
              <b>{words.rules.catalogue.rests.not_fired}</b>
            </small>
          )}
        {guard && <small>{isLimited ? texts.limited(guard) : guard}</small>}
      </summary>
      <Explanation trace={trace} />
    </details>
  );
}

function ruleFieldName({ rules, terms }: Words, path: string): string {
  const { fieldNames, aim, bounds } = rules;
  const name = path.split(".").findLast((part) => !/^\d+$/.test(part)) ?? path;
  const ofPrice: Readonly<Record<string, unknown>> = {
    ...aim,
    ...bounds,
    pct: aim.by,
    cents: aim.by,
  };
  const found = fieldNames[path] ?? terms.fields[name] ?? ofPrice[name];
  return typeof found === "string" ? found : path;
}
