import { Fragment } from "preact";
import type { ReferenceEntry, ReferenceField } from "../../../engine/pricing/reference_list.ts";
import type { RuleSentenceParts } from "../../../engine/wording/rule_sentence.ts";
import type { Said } from "../../../engine/wording/sentence_fields.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { SelectField } from "../../parts/form/fields.tsx";
import { NEW_AIM } from "./aim_draft.ts";
import { AimFields, FallbackFields } from "./aim_fields.tsx";
import { Clause, type ClauseCount } from "./clause.tsx";
import { ReferenceInput } from "./reference_input.tsx";
import { type ActionDraft, type FieldValue, makesPrice } from "./rule_draft.ts";
import type { RuleForm } from "./use_rule_form.ts";

interface ActionsProps {
  readonly form: RuleForm;
  readonly actions: readonly ReferenceEntry[];
}

interface ThenClauseProps extends ActionsProps {
  readonly said: RuleSentenceParts;
  readonly isOpen: boolean;
  readonly count: ClauseCount | null;
}

/** The actions of the rule. */
export function ThenClause({ form, actions, said, isOpen, count }: ThenClauseProps) {
  const { words } = useApp();
  const texts = words.rules;
  const chosen = form.draft.actions;
  const unused = actions.find(({ value }) => !chosen.some(({ type }) => type === value));
  return (
    <Clause
      lead={texts.clauses.then}
      said={piecesOf(said).filter((one) => !isFallback(one))}
      none={texts.addAction}
      isOpen={isOpen}
      count={count}
      hasError={form.errorOf("actions") !== null}
    >
      {chosen.map((action, at) => (
        <ActionFields key={at} at={at} action={action} form={form} actions={actions} />
      ))}
      {form.errorOf("actions") && chosen.length === 0 && (
        <p class="field-error">{form.errorOf("actions")}</p>
      )}
      {unused && (
        <Button
          kind="quiet"
          icon="plus"
          onClick={() => form.set({ actions: [...chosen, { type: unused.value, values: {} }] })}
        >
          {texts.addAction}
        </Button>
      )}
    </Clause>
  );
}

/** The price without a base; hidden for rules with formulas. */
export function ElseClause({ form, said }: Pick<ThenClauseProps, "form" | "said">) {
  const { words } = useApp();
  const { actions } = form.draft;
  const at = actions.findIndex(({ type, aim }) => makesPrice(type) && aim);
  const action = actions[at];
  if (!action?.aim) return null;
  return (
    <Clause
      lead={words.rules.clauses.otherwise}
      said={piecesOf(said).filter(isFallback)}
      none={words.rules.aim.noFallback}
      hasError={form.errorOf(`actions.${at}.price.fallback`) !== null}
    >
      <FallbackFields
        aim={action.aim}
        path={`actions.${at}.price`}
        form={form}
        onAim={(aim) => form.setAction(at, { ...action, aim })}
      />
    </Clause>
  );
}

function piecesOf({ actions }: RuleSentenceParts): Said[] {
  return actions.flatMap(({ act, price, more }) => [act, ...price, ...more]);
}

const isFallback = ({ path }: Said) => path.endsWith(".price.fallback");

interface ActionFieldsProps extends ActionsProps {
  readonly at: number;
  readonly action: ActionDraft;
}

function ActionFields({ at, action, form, actions }: ActionFieldsProps) {
  const { words, show } = useApp();
  const { rules: texts, terms } = words;
  const fields = actions.find(({ value }) => value === action.type)?.fields ?? [];
  const path = `actions.${at}`;
  const { aim } = action;
  const isShown = (name: string) =>
    !/^price(\.|$)/.test(name) &&
    (aim ? name !== "targetMarginPct" && name !== "rounding" : name !== "targetMarginPct" ||
      action.values.formula === "target_margin_pct");
  const set = (name: string, value: FieldValue) => {
    const values = { ...action.values, [name]: value };
    if (name !== "formula") return form.setAction(at, { ...action, values });
    return value === OWN
      ? form.setAction(at, { ...action, aim: NEW_AIM })
      : form.setAction(at, { ...action, aim: null, values });
  };
  return (
    <div class="action">
      <div class="action-head">
        <SelectField
          label={texts.action(show.number(at + 1))}
          name={`${path}.type`}
          value={action.type}
          error={form.errorOf(`${path}.type`)}
          options={actions.map(({ value, label }) => ({
            value,
            label: terms.actions[value] ?? label,
          }))}
          onValue={(type) => form.setAction(at, { ...action, type })}
        />
        {form.draft.actions.length > 1 && (
          <Button
            kind="quiet"
            icon="close"
            label={texts.removeAction}
            onClick={() => form.set({ actions: form.draft.actions.toSpliced(at, 1) })}
          />
        )}
      </div>
      {fields.filter(({ name }) => isShown(name)).map((field) => (
        <Fragment key={field.name}>
          <ReferenceInput
            field={field.name === "formula" ? withOwn(field, texts.aim.own) : field}
            path={`${path}.${field.name}`}
            value={field.name === "formula" && aim ? OWN : action.values[field.name]}
            error={form.errorOf(`${path}.${field.name}`)}
            onValue={(value) => set(field.name, value)}
          />
          {field.name === "formula" && aim && (
            <AimFields
              aim={aim}
              path={`${path}.price`}
              form={form}
              onAim={(one) => form.setAction(at, { ...action, aim: one })}
            />
          )}
        </Fragment>
      ))}
    </div>
  );
}

/** Stands for a price that is aimed at, among the formulas. */
const OWN = "aim";

function withOwn(field: ReferenceField, label: string): ReferenceField {
  const own = { value: OWN, label, description: "" };
  return { ...field, values: [own, ...field.values ?? []] };
}
