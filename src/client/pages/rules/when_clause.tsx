import { useMemo } from "preact/hooks";
import type { ReferenceEntry, ReferenceField } from "../../../pricing/reference_list.ts";
import { useApp } from "../../app/app.ts";
import { SelectField } from "../../parts/form/fields.tsx";
import { Clause } from "./clause.tsx";
import { ReferenceInput } from "./reference_input.tsx";
import type { RuleForm } from "./use_rule_form.ts";

interface WhenClauseProps {
  readonly form: RuleForm;
  readonly triggers: readonly ReferenceEntry[];
}

/** The trigger with its own fields in sight; what all triggers share can be opened. */
export function WhenClause({ form, triggers }: WhenClauseProps) {
  const { words, show } = useApp();
  const { rules: texts, terms } = words;
  const { trigger, when } = form.draft;
  const shared = useMemo(() => sharedNames(triggers), [triggers]);
  const fields = triggers.find(({ value }) => value === trigger)?.fields ?? [];
  const common = fields.filter(({ name }) => shared.has(name));
  const changed = common.filter((field) => isChanged(field, when[field.name])).length;
  const hasError = common.some(({ name }) => form.errorOf(`when.${name}`) !== null);
  const input = (field: ReferenceField) => (
    <ReferenceInput
      key={field.name}
      field={field}
      path={`when.${field.name}`}
      value={when[field.name]}
      error={form.errorOf(`when.${field.name}`)}
      onValue={(value) => form.setWhen(field.name, value)}
    />
  );
  return (
    <Clause lead={texts.clauses.when}>
      <SelectField
        label={texts.trigger}
        name="when.trigger"
        value={trigger}
        error={form.errorOf("when.trigger")}
        options={triggers.map(({ value, label }) => ({
          value,
          label: terms.triggers[value] ?? label,
        }))}
        onValue={(value) => form.set({ trigger: value })}
      />
      {fields.filter(({ name }) => !shared.has(name)).map(input)}
      <details class="finer" open={hasError || undefined}>
        <summary>
          {texts.finer}
          {changed > 0 && <small>({texts.finerCount(show.number(changed))})</small>}
        </summary>
        <div class="clause-body">{common.map(input)}</div>
      </details>
    </Clause>
  );
}

/** The fields that every trigger has; the list itself does not tell them apart. */
function sharedNames(triggers: readonly ReferenceEntry[]): ReadonlySet<string> {
  const [first, ...others] = triggers.map(({ fields }) => fields.map(({ name }) => name));
  return new Set((first ?? []).filter((name) => others.every((names) => names.includes(name))));
}

function isChanged(field: ReferenceField, value: unknown): boolean {
  if (value === undefined || value === "") return false;
  if (Array.isArray(value)) return value.length > 0;
  return String(value) !== String(field.default);
}
