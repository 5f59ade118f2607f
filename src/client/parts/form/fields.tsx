/** The fields of every form: a label, the field, what it means, what is wrong with it. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { INPUT_KINDS, type InputKind } from "../input_kinds.ts";
import type { FlagBinding, TextBinding } from "./use_form.ts";

interface FieldShape {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | null;
  readonly isWide?: boolean;
  children(ids: { id: string; describedBy: string | undefined; isBad: boolean }): ComponentChildren;
}

/** Ties label, hint and error to the field, so that a screen reader says them with it. */
export function Field({ label, hint, error = null, isWide = false, children }: FieldShape) {
  const id = useId();
  const hintId = hint ? `${id}-hint` : null;
  const errorId = error ? `${id}-error` : null;
  const describedBy = [hintId, errorId].filter((part) => part !== null).join(" ") || undefined;
  return (
    <div class={isWide ? "field wide" : "field"}>
      <label for={id}>{label}</label>
      {children({ id, describedBy, isBad: error !== null })}
      {hintId && <p class="hint" id={hintId}>{hint}</p>}
      {errorId && <p class="field-error" id={errorId}>{error}</p>}
    </div>
  );
}

interface TextFieldProps extends TextBinding {
  readonly type?: InputKind;
  readonly inputMode?: "decimal" | "numeric";
  readonly autoComplete?: string;
  readonly isRequired?: boolean;
  readonly isWide?: boolean;
  readonly hasFocus?: boolean;
  readonly placeholder?: string;
  readonly lines?: number;
}

export function TextField(props: TextFieldProps) {
  const { name, value, onValue } = props;
  return (
    <Field {...props}>
      {({ id, describedBy, isBad }) => {
        const shared = {
          id,
          name,
          value,
          placeholder: props.placeholder,
          required: props.isRequired,
          "aria-describedby": describedBy,
          "aria-invalid": isBad,
        };
        if (props.lines) {
          return (
            <textarea
              {...shared}
              rows={props.lines}
              onInput={(event) => onValue(event.currentTarget.value)}
            />
          );
        }
        return (
          <input
            {...shared}
            {...INPUT_KINDS[props.type ?? "text"]}
            inputMode={props.inputMode}
            autoComplete={props.autoComplete ?? "off"}
            autoFocus={props.hasFocus}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
        );
      }}
    </Field>
  );
}

interface SuggestFieldProps extends TextBinding {
  readonly isWide?: boolean;
  /** Offered while one types; anything else may be written all the same. */
  readonly suggestions: readonly string[];
}

export function SuggestField(props: SuggestFieldProps) {
  const { name, value, suggestions, onValue } = props;
  return (
    <Field {...props}>
      {({ id, describedBy, isBad }) => (
        <>
          <input
            type="text"
            id={id}
            name={name}
            value={value}
            list={`${id}-list`}
            autoComplete="off"
            aria-describedby={describedBy}
            aria-invalid={isBad}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
          <datalist id={`${id}-list`}>
            {suggestions.map((text) => <option key={text} value={text} />)}
          </datalist>
        </>
      )}
    </Field>
  );
}

interface Option {
  readonly value: string;
  readonly label: string;
}

interface SelectFieldProps extends TextBinding {
  readonly options: readonly Option[];
  readonly isWide?: boolean;
}

export function SelectField(props: SelectFieldProps) {
  const { name, value, options, onValue } = props;
  return (
    <Field {...props}>
      {({ id, describedBy, isBad }) => (
        <select
          id={id}
          name={name}
          value={value}
          aria-describedby={describedBy}
          aria-invalid={isBad}
          onChange={(event) => onValue(event.currentTarget.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>{option.label}</option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function CheckField({ name, isOn, onChange, label, hint }: FlagBinding) {
  const id = useId();
  return (
    <div class="check wide">
      <input
        type="checkbox"
        id={id}
        name={name}
        checked={isOn}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint && <p class="hint" id={`${id}-hint`}>{hint}</p>}
    </div>
  );
}
