import { Fragment } from "preact";
import { useMemo } from "preact/hooks";
import type { ReferenceEntry } from "../../../engine/pricing/reference_list.ts";
import type { Said } from "../../../engine/wording/sentence_fields.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { SelectField } from "../../parts/form/fields.tsx";
import { Clause, type ClauseCount } from "./clause.tsx";
import { ReferenceInput } from "./reference_input.tsx";
import { ALWAYS_TRIGGER, type FieldValue, type FieldValues } from "./rule_draft.ts";
import type { RuleForm } from "./use_rule_form.ts";

interface TriggersProps {
  readonly form: RuleForm;
  readonly triggers: readonly ReferenceEntry[];
}

interface WhenClauseProps extends TriggersProps {
  readonly said: readonly Said[];
  readonly isOpen: boolean;
  readonly count: ClauseCount | null;
}

/** Stands for the trigger that fires at every check, among the triggers. */
const ALWAYS = "always";
/** The first trigger and the maximum number of further ones. */
const TRIGGERS_MAX = 4;

/** The triggers with their own fields. */
export function WhenClause({ form, triggers, said, isOpen, count }: WhenClauseProps) {
  const { words } = useApp();
  const { rules: texts } = words;
  const { trigger, when, also } = form.draft;
  const shared = useMemo(() => sharedNames(triggers), [triggers]);
  const isAlways = trigger === ALWAYS_TRIGGER && when.always === true;
  const choose = (value: string) =>
    form.set(
      value === ALWAYS
        ? { trigger: ALWAYS_TRIGGER, when: { ...when, ...NO_INDEX, always: true } }
        : { trigger: value, when: { ...when, always: false } },
    );
  const unused = triggers.find(({ value }) =>
    value !== trigger && !also.some((one) => one.trigger === value)
  );
  return (
    <Clause
      lead={texts.clauses.when}
      said={said}
      none={texts.always}
      isOpen={isOpen}
      count={count}
      hasError={form.errorOf("when") !== null}
    >
      <TriggerFields
        triggers={triggers}
        shared={shared}
        trigger={isAlways ? ALWAYS : trigger}
        label={texts.trigger}
        path="when"
        values={when}
        form={form}
        onTrigger={choose}
        onValue={(name, value) => form.setWhen(name, value)}
      />
      {also.map((one, at) => {
        const set = (patch: Partial<typeof one>) =>
          form.set({ also: also.with(at, { ...one, ...patch }) });
        return (
          <div key={at} class="also">
            <TriggerFields
              triggers={triggers}
              shared={shared}
              trigger={one.trigger}
              label={texts.also}
              path={`when.or.${at}`}
              values={one.values}
              form={form}
              onTrigger={(value) => set({ trigger: value })}
              onValue={(name, value) => set({ values: { ...one.values, [name]: value } })}
            />
            <Button
              kind="quiet"
              icon="close"
              label={texts.removeAlso}
              onClick={() => form.set({ also: also.toSpliced(at, 1) })}
            />
          </div>
        );
      })}
      {!isAlways && unused && also.length + 1 < TRIGGERS_MAX && (
        <Button
          kind="quiet"
          icon="plus"
          onClick={() => form.set({ also: [...also, { trigger: unused.value, values: {} }] })}
        >
          {texts.addAlso}
        </Button>
      )}
    </Clause>
  );
}

/** Which offers count: the fields that all triggers share. */
export function WhoClause({ form, triggers, said, count }: Omit<WhenClauseProps, "isOpen">) {
  const { rules: texts } = useApp().words;
  const { trigger, when } = form.draft;
  const shared = useMemo(() => sharedNames(triggers), [triggers]);
  const fields = triggers.find(({ value }) => value === trigger)?.fields ?? [];
  const common = fields.filter(({ name }) => shared.has(name));
  return (
    <Clause
      lead={texts.clauses.who}
      said={said}
      none={texts.anybody}
      count={count}
      hasError={common.some(({ name }) => form.errorOf(`when.${name}`) !== null)}
    >
      {common.map((field) => (
        <ReferenceInput
          key={field.name}
          field={field}
          path={`when.${field.name}`}
          value={when[field.name]}
          error={form.errorOf(`when.${field.name}`)}
          onValue={(value) => form.setWhen(field.name, value)}
        />
      ))}
    </Clause>
  );
}

/** A rule that fires at every check has no bounds of the index. */
const NO_INDEX: FieldValues = { indexAbove: "", indexBelow: "" };

interface TriggerFieldsProps extends TriggersProps {
  readonly shared: ReadonlySet<string>;
  /** Its code, or that of the one that always fires. */
  readonly trigger: string;
  readonly label: string;
  /** Where the service would find it in the rule. */
  readonly path: string;
  readonly values: FieldValues;
  onTrigger(trigger: string): void;
  onValue(name: string, value: FieldValue): void;
}

/** A trigger and its own fields. */
function TriggerFields(props: TriggerFieldsProps) {
  const { triggers, shared, trigger, label, path, values, form, onTrigger, onValue } = props;
  const { words } = useApp();
  const { rules: texts, terms } = words;
  const fields = triggers.find(({ value }) => value === trigger)?.fields ?? [];
  const options = triggers.map(({ value, label }) => ({
    value,
    label: terms.triggers[value] ?? label,
  }));
  return (
    <Fragment>
      <SelectField
        label={label}
        name={`${path}.trigger`}
        value={trigger}
        error={form.errorOf(`${path}.trigger`)}
        options={path === "when" ? [{ value: ALWAYS, label: texts.always }, ...options] : options}
        onValue={onTrigger}
      />
      {fields.filter(({ name }) => !shared.has(name) && name !== ALWAYS).map((field) => (
        <ReferenceInput
          key={field.name}
          field={field}
          path={`${path}.${field.name}`}
          value={values[field.name]}
          error={form.errorOf(`${path}.${field.name}`)}
          onValue={(value) => onValue(field.name, value)}
        />
      ))}
    </Fragment>
  );
}

/** The fields that every trigger has; the list itself does not tell them apart. */
function sharedNames(triggers: readonly ReferenceEntry[]): ReadonlySet<string> {
  const [first, ...others] = triggers.map(({ fields }) => fields.map(({ name }) => name));
  return new Set((first ?? []).filter((name) => others.every((names) => names.includes(name))));
}
