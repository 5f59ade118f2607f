import type { ReferenceEntry } from "../../../pricing/reference_list.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { SelectField } from "../../parts/form/fields.tsx";
import { Clause } from "./clause.tsx";
import { ReferenceInput } from "./reference_input.tsx";
import type { ActionDraft } from "./rule_draft.ts";
import type { RuleForm } from "./use_rule_form.ts";

interface ThenClauseProps {
  readonly form: RuleForm;
  readonly actions: readonly ReferenceEntry[];
}

/** What happens: one action, or several of them. */
export function ThenClause({ form, actions }: ThenClauseProps) {
  const { words } = useApp();
  const texts = words.rules;
  const chosen = form.draft.actions;
  const unused = actions.find(({ value }) => !chosen.some(({ type }) => type === value));
  return (
    <Clause lead={texts.clauses.then}>
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

interface ActionFieldsProps extends ThenClauseProps {
  readonly at: number;
  readonly action: ActionDraft;
}

function ActionFields({ at, action, form, actions }: ActionFieldsProps) {
  const { words, show } = useApp();
  const { rules: texts, terms } = words;
  const fields = actions.find(({ value }) => value === action.type)?.fields ?? [];
  const path = `actions.${at}`;
  const isShown = (name: string) =>
    name !== "targetMarginPct" || action.values.formula === "target_margin_pct";
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
        <ReferenceInput
          key={field.name}
          field={field}
          path={`${path}.${field.name}`}
          value={action.values[field.name]}
          error={form.errorOf(`${path}.${field.name}`)}
          onValue={(value) =>
            form.setAction(at, { ...action, values: { ...action.values, [field.name]: value } })}
        />
      ))}
    </div>
  );
}
