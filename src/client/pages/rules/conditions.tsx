/**
 * The fields for triggers and competitors in the rule form. The service describes the triggers and
 * their fields, so a new trigger needs no change here. The option "At every check" is stored as the
 * trigger `market_index` with the field `always`.
 */
import { useMemo } from "preact/hooks";
import type { ReferenceField } from "../../../engine/pricing/rule.ts";
import { useApp } from "../../app/app.ts";
import { CheckBox } from "../../parts/controls.tsx";
import { type Option, optionsOf } from "../../parts/options.tsx";
import {
  CheckField,
  Field,
  NumberField,
  SelectField,
  type TextBinding,
  TextField,
} from "../../parts/form/fields.tsx";
import {
  isOnAt,
  isValues,
  listAt,
  type PathForm,
  textAt,
  valueAt,
  type Values,
} from "../../parts/form/saved_form.tsx";
import { ALWAYS_TRIGGER, isPicked, valueOf } from "./rule_draft.ts";
import { AddRow, Clause, RemoveRow, useCompetitors, useRule } from "./rule_form.tsx";

const ALWAYS = "always";
const TRIGGERS_MAX = 4;

export function WhenClause() {
  const texts = useApp().words.rules;
  const { form, parts, references: { triggers } } = useRule();
  const used = ["when", ...listAt(form.draft, "when.or").map((_, at) => `when.or.${at}`)];
  const unused = triggers.find(({ value }) =>
    used.every((path) => textAt(form.draft, `${path}.trigger`) !== value)
  );
  return (
    <Clause name="when" parts={parts.when} none={texts.always} opens paths={["when"]}>
      {used.map((path, at) =>
        at === 0 ? <TriggerFields key={path} path={path} /> : (
          <div class="also" key={path}>
            <TriggerFields path={path} />
            <RemoveRow path="when.or" at={at - 1} label={texts.removeAlso} />
          </div>
        )
      )}
      {!isAlways(form) && unused && used.length < TRIGGERS_MAX && (
        <AddRow path="when.or" row={{ trigger: unused.value }} text={texts.addAlso} />
      )}
    </Clause>
  );
}

function isAlways({ draft }: PathForm): boolean {
  return textAt(draft, "when.trigger") === ALWAYS_TRIGGER && isOnAt(draft, "when.always");
}

export function WhoClause() {
  const texts = useApp().words.rules;
  const { form, parts, references: { triggers } } = useRule();
  const trigger = textAt(form.draft, "when.trigger");
  const shared = useSharedNames();
  const fields = triggers.find(({ value }) => value === trigger)?.fields ?? [];
  const common = fields.filter(({ name }) => shared.has(name));
  return (
    <Clause
      name="who"
      parts={parts.who}
      none={texts.anybody}
      paths={common.map(({ name }) => `when.${name}`)}
    >
      {common.map((field) => (
        <ReferenceInput key={field.name} field={field} path={`when.${field.name}`} />
      ))}
    </Clause>
  );
}

function TriggerFields({ path }: Pick<InputProps, "path">) {
  const { words } = useApp();
  const { form, references: { triggers } } = useRule();
  const { rules: texts, terms } = words;
  const shared = useSharedNames();
  const isFirst = path === "when";
  const trigger = form.at(`${path}.trigger`, isFirst ? words.fields.trigger : texts.also);
  const fields = triggers.find(({ value }) => value === trigger.value)?.fields ?? [];
  const options = namedOptions(triggers, terms.triggers);
  const chooseFirst = (value: string) => {
    const { when } = form.draft;
    const changed: Values = value === ALWAYS
      ? { trigger: ALWAYS_TRIGGER, indexAbove: "", indexBelow: "", always: true }
      : { trigger: value, always: false };
    form.put("when", { ...isValues(when) && when, ...changed });
  };
  return (
    <>
      {isFirst
        ? (
          <SelectField
            {...trigger}
            value={isAlways(form) ? ALWAYS : trigger.value}
            options={[{ value: ALWAYS, label: texts.always }, ...options]}
            onValue={chooseFirst}
          />
        )
        : <SelectField {...trigger} options={options} />}
      {!(isFirst && isAlways(form)) &&
        fields.filter(({ name }) => !shared.has(name) && name !== ALWAYS).map((field) => (
          <ReferenceInput key={field.name} field={field} path={`${path}.${field.name}`} />
        ))}
    </>
  );
}

function useSharedNames(): ReadonlySet<string> {
  const { triggers } = useRule().references;
  return useMemo(() => {
    const [first, ...others] = triggers.map(({ fields }) => fields.map(({ name }) => name));
    return new Set((first ?? []).filter((name) => others.every((names) => names.includes(name))));
  }, [triggers]);
}

interface InputProps {
  readonly field: ReferenceField;
  readonly path: string;
}

export function ReferenceInput(
  { field, path, ...own }: InputProps & Partial<Pick<TextBinding, "value" | "onValue">>,
) {
  const { words: { terms }, show } = useApp();
  const { form } = useRule();
  const { name } = field;
  const label = terms.fields[name] ?? field.label;
  const shown = own.value ?? valueAt(form.draft, path) ?? valueOf(name, field.default, show);
  const text = typeof shown === "string" ? shown : "";
  const input = { ...form.at(path, label, terms.fieldHints[name]), value: text, ...own };
  if (field.type === "boolean") {
    return (
      <CheckField
        {...input}
        isOn={shown === true}
        isWide={false}
        onChange={(isOn) => form.put(path, isOn)}
      />
    );
  }
  if (isPicked(field)) {
    return (
      <Field label={label} error={input.error}>
        {({ id }) => <CompetitorPicker {...{ id, field, path, label }} />}
      </Field>
    );
  }
  if (field.values !== null) {
    const isOptional = field.nullable || field.required && text === "";
    return (
      <SelectField
        {...input}
        options={namedOptions(field.values, terms.values)}
        {...(isOptional && { none: field.nullable ? "–" : "…" })}
      />
    );
  }
  const Input = field.type === "number" || field.type === "integer" ? NumberField : TextField;
  return <Input {...input} />;
}

export function namedOptions(options: readonly Option[], labels: Readonly<Record<string, string>>) {
  return options.map(({ value, label }) => ({ value, label: labels[value] ?? label }));
}

function CompetitorPicker(
  { field: { name }, path, id, label }: InputProps & Readonly<Record<"id" | "label", string>>,
) {
  const { words, show } = useApp();
  const { form } = useRule();
  const list = useCompetitors();
  const ids = listAt(form.draft, path).map(String);
  const ofGroups = name === "groups" || name === "excludeGroups";
  const known = ofGroups
    ? [...new Set(list.rows.flatMap(({ groups }) => groups))].sort()
      .map((group) => ({ value: group, label: group }))
    : optionsOf(list.rows);
  const gone = ids.filter((one) => !list.isPending && !known.some(({ value }) => value === one));
  const options = [...known, ...gone.map((one) => ({ value: one, label: one }))];
  return (
    <details class="picker">
      <summary id={id} data-name={path} class="button plain">
        {ids.length > 0
          ? show.number(ids.length)
          : name.startsWith("exclude")
          ? words.none
          : words.all}
      </summary>
      <div role="group" aria-label={label}>
        {options.length === 0 && (
          <p class="soft">{ofGroups ? words.rules.noGroups : words.rules.noCompetitors}</p>
        )}
        {options.map(({ value, label: name }) => (
          <CheckBox
            key={value}
            isOn={ids.includes(value)}
            onChange={(isOn) =>
              form.put(path, isOn ? [...ids, value] : ids.filter((one) => one !== value))}
          >
            {name}
          </CheckBox>
        ))}
      </div>
    </details>
  );
}
