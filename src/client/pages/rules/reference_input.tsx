import type { ReferenceField } from "../../../engine/pricing/reference_list.ts";
import { useApp } from "../../app/app.ts";
import { isNumberText } from "../../formats/number_text.ts";
import { Field, SelectField, TextField } from "../../parts/form/fields.tsx";
import { type FieldValue, isPicked, valueOf } from "./rule_draft.ts";
import { useCompetitors } from "./use_competitors.ts";
import { useId } from "preact/hooks";

interface ReferenceInputProps {
  readonly field: ReferenceField;
  /** Where the service would find it in the rule. */
  readonly path: string;
  /** Undefined while the default holds. */
  readonly value: FieldValue | undefined;
  readonly error: string | null;
  onValue(value: FieldValue): void;
}

/** One field of a trigger or an action, in the kind that the reference list says. */
export function ReferenceInput({ field, path, value, error, onValue }: ReferenceInputProps) {
  const { words, show } = useApp();
  const { terms } = words;
  const label = terms.fields[field.name] ?? field.label;
  const hint = terms.fieldHints[field.name];
  const shown = value ?? valueOf(field.name, field.default, show.locale);
  const text = typeof shown === "string" ? shown : "";
  if (field.type === "boolean") {
    return (
      <CheckInput name={path} label={label} hint={hint} isOn={shown === true} onValue={onValue} />
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
    const none = field.nullable || field.required && text === ""
      ? [{ value: "", label: field.nullable ? "–" : "…" }]
      : [];
    const options = field.values.map((one) => ({
      value: one.value,
      label: terms.values[one.value] ?? one.label,
    }));
    return (
      <SelectField
        label={label}
        hint={hint}
        name={path}
        value={text}
        error={error}
        options={[...none, ...options]}
        onValue={onValue}
      />
    );
  }
  const isNumber = field.type === "number" || field.type === "integer";
  const isBad = isNumber && !isNumberText(text, show.locale);
  return (
    <TextField
      label={label}
      hint={hint}
      name={path}
      value={text}
      error={isBad ? words.form.noNumber : error}
      {...(isNumber && { inputMode: "decimal" as const })}
      onValue={onValue}
    />
  );
}

interface CheckInputProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly isOn: boolean;
  onValue(isOn: boolean): void;
}

function CheckInput({ name, label, hint, isOn, onValue }: CheckInputProps) {
  const id = useId();
  return (
    <div class="check">
      <input
        type="checkbox"
        id={id}
        name={name}
        checked={isOn}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onValue(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint && <p class="hint" id={`${id}-hint`}>{hint}</p>}
    </div>
  );
}

interface CompetitorPickerProps {
  readonly id: string;
  /** Where the service would find it in the rule. */
  readonly name: string;
  readonly label: string;
  readonly ids: readonly string[];
  /** True for names of groups in place of competitors. */
  readonly ofGroups: boolean;
  /** The meaning of no selection. */
  readonly none: string;
  onIds(ids: readonly string[]): void;
}

/** Competitors or their groups to be ticked; one that exists no more stays in the list by its id. */
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
                onIds(
                  ids.includes(value) ? ids.filter((one) => one !== value) : [...ids, value],
                )}
            />
            {name}
          </label>
        ))}
      </div>
    </details>
  );
}
