/**
 * The clauses of the rule form for triggers, and for the competitors whose offers count. The
 * service lists the triggers with their fields, so the form needs no change for a new trigger. "At
 * every check" looks like a trigger, but is stored as the field `always` of the trigger for the
 * market index.
 */
import { Fragment } from "preact";
import { useMemo } from "preact/hooks";
import type { ReferenceEntry, ReferenceField } from "../../../engine/pricing/reference_list.ts";
import type { SentencePart } from "../../../engine/wording/price_sentence.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/controls.tsx";
import {
  CheckField,
  Field,
  NumberField,
  SelectField,
  TextField,
} from "../../parts/form/fields.tsx";
import { Clause, type ClauseCount, type RuleForm, useCompetitors } from "./clause.tsx";
import {
  ALWAYS_TRIGGER,
  type FieldValue,
  type FieldValues,
  isPicked,
  valueOf,
} from "./rule_draft.ts";

interface TriggersProps {
  readonly form: RuleForm;
  readonly triggers: readonly ReferenceEntry[];
}

interface WhenClauseProps extends TriggersProps {
  readonly parts: readonly SentencePart[];
  readonly isOpen: boolean;
  readonly count: ClauseCount | null;
}

const ALWAYS = "always";
/** Maximum number of triggers, including the first one. */
const TRIGGERS_MAX = 4;

export function WhenClause({ form, triggers, parts, isOpen, count }: WhenClauseProps) {
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
      parts={parts}
      none={texts.always}
      isOpen={isOpen}
      count={count}
      hasError={form.errorOf("when") !== null}
    >
      <TriggerFields
        triggers={triggers}
        shared={shared}
        trigger={isAlways ? ALWAYS : trigger}
        label={words.fields.trigger}
        path="when"
        values={when}
        form={form}
        onTrigger={choose}
        onValue={(name, value) => form.setWhen(name, value)}
      />
      {also.map((_, at) => <AlsoFields key={at} {...{ form, triggers, shared, at }} />)}
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

function AlsoFields(
  { form, triggers, shared, at }: TriggersProps & { shared: ReadonlySet<string>; at: number },
) {
  const { rules: texts } = useApp().words;
  const { also } = form.draft;
  const one = also[at];
  if (!one) return null;
  const set = (patch: Partial<typeof one>) =>
    form.set({ also: also.with(at, { ...one, ...patch }) });
  return (
    <div class="also">
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
}

export function WhoClause({ form, triggers, parts, count }: Omit<WhenClauseProps, "isOpen">) {
  const { rules: texts } = useApp().words;
  const { trigger, when } = form.draft;
  const shared = useMemo(() => sharedNames(triggers), [triggers]);
  const fields = triggers.find(({ value }) => value === trigger)?.fields ?? [];
  const common = fields.filter(({ name }) => shared.has(name));
  return (
    <Clause
      lead={texts.clauses.who}
      parts={parts}
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

/** A rule that fires at every check has no bounds for the market index. */
const NO_INDEX: FieldValues = { indexAbove: "", indexBelow: "" };

interface TriggerFieldsProps extends TriggersProps {
  readonly shared: ReadonlySet<string>;
  readonly trigger: string;
  readonly label: string;
  /** The path of the trigger in the rule. */
  readonly path: string;
  readonly values: FieldValues;
  onTrigger(trigger: string): void;
  onValue(name: string, value: FieldValue): void;
}

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

/** The names of fields that every trigger has. */
function sharedNames(triggers: readonly ReferenceEntry[]): ReadonlySet<string> {
  const [first, ...others] = triggers.map(({ fields }) => fields.map(({ name }) => name));
  return new Set((first ?? []).filter((name) => others.every((names) => names.includes(name))));
}

interface ReferenceInputProps {
  readonly field: ReferenceField;
  /** The path of the field in the rule. */
  readonly path: string;
  readonly value: FieldValue | undefined;
  readonly error: string | null;
  onValue(value: FieldValue): void;
}

export function ReferenceInput({ field, path, value, error, onValue }: ReferenceInputProps) {
  const { words, show } = useApp();
  const { terms } = words;
  const label = terms.fields[field.name] ?? field.label;
  const hint = terms.fieldHints[field.name];
  const shown = value ?? valueOf(field.name, field.default, show.locale);
  const text = typeof shown === "string" ? shown : "";
  if (field.type === "boolean") {
    return (
      <CheckField
        {...{ name: path, label, hint }}
        isOn={shown === true}
        isWide={false}
        onChange={onValue}
      />
    );
  }
  if (isPicked(field)) {
    const ids = Array.isArray(shown) ? shown : [];
    return (
      <Field label={label} error={error}>
        {({ id }) => (
          <CompetitorPicker
            id={id}
            name={path}
            label={label}
            ids={ids}
            ofGroups={field.name === "groups" || field.name === "excludeGroups"}
            none={field.name.startsWith("exclude") ? words.none : words.all}
            onIds={onValue}
          />
        )}
      </Field>
    );
  }
  if (field.values !== null) {
    const select = { label, hint, name: path, value: text, error, onValue };
    return <SelectField {...select} options={optionsOf(field, text, terms.values)} />;
  }
  const isNumber = field.type === "number" || field.type === "integer";
  const Input = isNumber ? NumberField : TextField;
  return <Input {...{ label, hint, name: path, value: text, error, onValue }} />;
}

function optionsOf(
  { values, nullable, required }: ReferenceField,
  text: string,
  labels: Readonly<Record<string, string>>,
) {
  const none = nullable || required && text === ""
    ? [{ value: "", label: nullable ? "–" : "…" }]
    : [];
  const named = (values ?? []).map(({ value, label }) => ({
    value,
    label: labels[value] ?? label,
  }));
  return [...none, ...named];
}

interface CompetitorPickerProps {
  readonly id: string;
  /** The path of the field in the rule. */
  readonly name: string;
  readonly label: string;
  readonly ids: readonly string[];
  readonly ofGroups: boolean;
  /** The text that says what an empty selection means. */
  readonly none: string;
  onIds(ids: readonly string[]): void;
}

/** Deleted competitors and groups that the rule still names are listed by id. */
function CompetitorPicker(props: CompetitorPickerProps) {
  const { id, name, label, ids, ofGroups, none, onIds } = props;
  const { words, show } = useApp();
  const list = useCompetitors();
  const known = ofGroups
    ? [...new Set(list.rows.flatMap(({ groups }) => groups))].sort()
      .map((group) => ({ value: group, label: group }))
    : list.rows.map((competitor) => ({ value: competitor.id, label: competitor.displayName }));
  const gone = ids.filter((one) => !list.isPending && !known.some(({ value }) => value === one));
  const options = [...known, ...gone.map((one) => ({ value: one, label: one }))];
  return (
    <details class="picker">
      <summary id={id} data-name={name} class="button plain">
        {ids.length === 0 ? none : show.number(ids.length)}
      </summary>
      <div role="group" aria-label={label}>
        {options.length === 0 && (
          <p class="soft">{ofGroups ? words.rules.noGroups : words.rules.noCompetitors}</p>
        )}
        {options.map(({ value, label: name }) => (
          <label class="menu-check" key={value}>
            <input
              type="checkbox"
              checked={ids.includes(value)}
              onChange={() =>
                onIds(ids.includes(value) ? ids.filter((one) => one !== value) : [...ids, value])}
            />
            {name}
          </label>
        ))}
      </div>
    </details>
  );
}
