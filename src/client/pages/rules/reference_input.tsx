import { useId } from "preact/hooks";
import type { ReferenceField } from "../../../engine/pricing/reference_list.ts";
import { useApp } from "../../app/app.ts";
import { Field, SelectField, TextField } from "../../parts/form/fields.tsx";
import { CompetitorPicker } from "./competitor_picker.tsx";
import { isNumberText } from "../../formats/number_text.ts";
import { type FieldValue, isPicked, valueOf } from "./rule_draft.ts";

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
