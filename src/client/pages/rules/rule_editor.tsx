/**
 * Shows the form of a rule beside a simulation of its effect. Notes name conflicting rules for the
 * same products, and which of them take precedence.
 */
import type { ComponentChildren } from "preact";
import type { SerialisedRule } from "../../../rules/rule_resource.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { SaveButton } from "../../parts/form/fields.tsx";
import { ErrorNote } from "../../parts/page.tsx";
import { makesPrice } from "./rule_draft.ts";
import { RuleFields, type RuleFieldsProps } from "./rule_fields.tsx";
import { SimulationPanel } from "./simulation_panel.tsx";
import { RULE_FORM, useRule } from "./rule_form.tsx";
import type { ClauseCounts } from "../../../rules/evaluation/count_clauses.ts";
import { get } from "../../api/call.ts";

interface RuleEditorProps extends RuleFieldsProps {
  readonly note?: ComponentChildren;
}

export function RuleEditor({ warnings, isNaming, note }: RuleEditorProps) {
  const { words } = useApp();
  const { form, ruleId, isOn, isReadOnly, sentence, effect: { counts } } = useRule();
  return (
    <>
      {counts && <RivalsNote rivals={counts.data} />}
      <div class="editor">
        <form id={RULE_FORM} class="stack gap-14" noValidate onSubmit={form.submit}>
          <fieldset disabled={isReadOnly} class="bare-set">
            <RuleFields warnings={warnings} isNaming={isNaming} />
          </fieldset>
          <section class="rule-told stack gap-4">
            <h2>{words.rules.told}</h2>
            <p class="rule-sentence soft breaks">{sentence}</p>
            {isOn && !isReadOnly && form.isDirty && <small>{words.rules.isLive}</small>}
          </section>
          {note ?? (form.error && (
            <ErrorNote
              error={form.error}
              knownFields={form.error.fields.map(({ path }) => path).filter(hasField)}
            />
          ))}
          {!isReadOnly && (form.isDirty || ruleId === null) && (
            <div class="form-actions row flow gap-8 sticky">
              {counts && (
                <span class="short-sum" aria-hidden="true">
                  {words.rules.simulation.fires}: {counts.fires}
                </span>
              )}
              <SaveButton form={{ ...form, isDirty: true }} />
            </div>
          )}
        </form>
        <SimulationPanel />
      </div>
    </>
  );
}

function hasField(path: string): boolean {
  return /^(name|description|priority|cooldownMinutes|marginFloor|scope|when\.|actions\.|bounds|brake|budgetPerDay|currency|schedule)/
    .test(path);
}

type Standing = Pick<SerialisedRule, "enabled" | "standing" | "actions">;

export function StandingText({ rule: { enabled, standing, actions } }: { rule: Standing }) {
  const { words: { rules: { standing: texts } }, show } = useApp();
  if (!enabled) return null;
  if (!actions.some(({ type }) => makesPrice(type))) return <>{texts.tells}</>;
  if (standing === null) return <>{texts.none}</>;
  const { owns, behind, fronts, reached, takenAt } = standing;
  const rules = texts.rules[fronts - 1] ?? texts.manyRules(fronts);
  const parts = [
    owns === 0 ? texts.ownsNone : texts.owns(owns),
    reached > 0 && (reached > 1 && reached === owns ? texts.allReached : texts.reached(reached)),
    behind > 0 && texts.behind(behind, rules),
  ].filter(Boolean);
  return <span title={texts.asOf(show.dateTime(takenAt))}>{parts.join(", ")}</span>;
}

const SHOWN = 5;

function RivalsNote(
  { rivals }: { readonly rivals: Pick<ClauseCounts, "asks" | "conflicts" | "isCut"> },
) {
  const { words: { rules: { standing: texts } }, show } = useApp();
  const { isOn } = useRule();
  const { asks, conflicts, isCut } = rivals;
  const [of, more] = [show.number(asks), conflicts.length - SHOWN];
  const order = (one: typeof conflicts[number]) => one.wins + one.loses + one.takesBack;
  const most = conflicts.toSorted((a, b) => order(b) - order(a)).slice(0, SHOWN);
  const sentences = most.flatMap(({ ruleId, wins, loses, takesBack }) => [
    { ruleId, count: wins, say: (rule: string) => texts.goesFirst(wins, of, rule) },
    { ruleId, count: loses, say: (rule: string) => texts.takesOver(loses, rule) },
    {
      ruleId,
      count: takesBack,
      say: (rule: string) => texts.takesBack(takesBack, rule),
    },
  ]).filter(({ count }) => count > 0);
  if (sentences.length === 0) return null;
  return (
    <div class="note info" role="status">
      <strong>{isOn ? texts.beside : texts.before}</strong>
      <ul>
        {sentences.map(({ ruleId, say }, at) => {
          const [before, after] = say("\n").split("\n");
          return (
            <li key={at}>
              {before}
              <RuleLink ruleId={ruleId} />
              {after}
            </li>
          );
        })}
        {more > 0 && <li>{texts.more(more)}</li>}
      </ul>
      {isCut && <p class="soft">{texts.isCut}</p>}
    </div>
  );
}

export function RuleLink({ ruleId }: { ruleId: string }) {
  const { words } = useApp();
  const rules = useDocument(get("/api/rules"));
  const name = rules.data?.find(({ id }) => id === ruleId)?.name ?? words.rules.title;
  return <a href={`/rules/${ruleId}`}>{name}</a>;
}
