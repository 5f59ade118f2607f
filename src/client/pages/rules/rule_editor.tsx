import type { ComponentChildren } from "preact";
import type { RuleWarning } from "../../../rules/rule.ts";
import { ruleSentence, ruleSentenceParts } from "../../../engine/wording/rule_sentence.ts";
import { listenerOf, useApp } from "../../app/app.ts";
import { SaveButton } from "../../parts/form/fields.tsx";
import { ErrorNote } from "../../parts/page.tsx";
import { bodyOf, type References } from "./rule_draft.ts";
import { RuleFields } from "./rule_fields.tsx";
import { RivalsNote } from "./rule_standing.tsx";
import { SimulationPanel } from "./simulation_panel.tsx";
import { RULE_FORM, type RuleForm, useCompetitorNames, useEffectOf } from "./clause.tsx";

interface RuleEditorProps {
  readonly form: RuleForm;
  readonly references: References;
  readonly ruleId: string | null;
  readonly isOn: boolean;
  readonly warnings: readonly RuleWarning[];
  readonly isReadOnly: boolean;
  readonly isNaming?: boolean;
  readonly note?: ComponentChildren;
  /** Shows all products for which the rule sets no price for the reason `code`. */
  onRests(code: string): void;
}

export function RuleEditor(props: RuleEditorProps) {
  const { form, references, ruleId, isReadOnly } = props;
  const app = useApp();
  const { words, show } = app;
  const body = bodyOf(form.draft, references, show);
  const effect = useEffectOf(body, ruleId);
  const { counts } = effect;
  const nameOf = useCompetitorNames();
  const speaker = { ...listenerOf(app), nameOf };
  return (
    <>
      {counts && <RivalsNote rivals={counts.data} isOn={props.isOn} />}
      <div class="editor">
        <form
          id={RULE_FORM}
          class="rule-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!form.isSaving) void form.save();
          }}
        >
          <fieldset disabled={isReadOnly}>
            <RuleFields
              form={form}
              references={references}
              warnings={props.warnings}
              parts={ruleSentenceParts(body, speaker)}
              counts={counts}
              isNew={ruleId === null}
              isNaming={props.isNaming ?? ruleId === null}
            />
          </fieldset>
          <section class="rule-told stack gap-4">
            <h2>{words.rules.told}</h2>
            <p class="rule-sentence">{ruleSentence(body, speaker)}</p>
            {props.isOn && !isReadOnly && form.isDirty && <small>{words.rules.isLive}</small>}
          </section>
          {props.note ?? (form.error && (
            <ErrorNote
              error={form.error}
              knownFields={form.error.fields.map(({ path }) => path).filter(hasField)}
            />
          ))}
          {!isReadOnly && form.isDirty && (
            <div class="form-actions sticky">
              {counts && (
                <span class="short-sum" aria-hidden="true">
                  {words.rules.simulation.fires}: {counts.fires}
                </span>
              )}
              <SaveButton isDirty isSaving={form.isSaving} />
            </div>
          )}
        </form>
        <SimulationPanel
          effect={effect}
          ruleId={ruleId}
          onRests={isReadOnly ? undefined : props.onRests}
        />
      </div>
    </>
  );
}

function hasField(path: string): boolean {
  return /^(name|description|priority|cooldownMinutes|marginFloor|scope|when\.|actions\.|bounds|brake|budgetPerDay|currency|schedule)/
    .test(path);
}
