import type { ComponentChildren, TargetedSubmitEvent } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { Button } from "../controls.tsx";
import { INPUT_KINDS, type InputKind, OptionList, type Options } from "../options.tsx";
import { ErrorNote, refusalAt } from "../page.tsx";
import { useApp } from "../../app/app.ts";
import { isNumberText, readDecimal } from "../../formats/decimal.ts";
import { type ApiError, asApiError } from "../../api/call.ts";

interface FieldShape {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | null;
  readonly isWide?: boolean;
  children(ids: { id: string; describedBy: string | undefined; isBad: boolean }): ComponentChildren;
}

/** Ids connect label, hint and error with the field, so that screen readers read all of them. */
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

export function DigitsField(field: TextFieldProps) {
  return <TextField {...field} inputMode="numeric" />;
}

/** Accepts any text, unlike `NumberField`; the service checks the number. */
export function DecimalField(field: TextFieldProps) {
  return <TextField {...field} inputMode="decimal" />;
}

/**
 * For the person's own e-mail address, which browsers fill in. Use `TextField` for another person's
 * address.
 */
export function EmailField(field: TextFieldProps) {
  return <TextField {...field} type="email" autoComplete="username" isWide />;
}

/** Password managers fill in a `current-password`, but suggest a `new-password`. */
export function PasswordField(
  { of, ...field }: TextFieldProps & { of: "current-password" | "new-password" },
) {
  return <TextField {...field} type="password" autoComplete={of} />;
}

interface SelectFieldProps extends TextBinding {
  readonly options: Options;
  readonly none?: string;
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
          <OptionList options={options} none={props.none} />
        </select>
      )}
    </Field>
  );
}

export function CheckField(
  { name, isOn, onChange, label, hint, isWide = true }: FlagBinding & { readonly isWide?: boolean },
) {
  const id = useId();
  return (
    <div class={isWide ? "check wide" : "check"}>
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

interface FormFrameProps<V extends object> {
  readonly form: Form<V>;
  readonly id?: string;
  readonly children: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly submit?: string | false;
  readonly isLong?: boolean;
}

export function FormFrame<V extends object>(
  { form, id, children, actions, submit, isLong = false }: FormFrameProps<V>,
) {
  return (
    <form id={id} class="form" onSubmit={form.submit} noValidate>
      <div class="fields">{children}</div>
      {form.error && <ErrorNote error={form.error} knownFields={form.fields} />}
      {(actions || submit) && (
        <div class={`form-actions row flow gap-8${isLong ? " sticky" : ""}`}>
          {actions}
          {submit && <Button kind="main" type="submit" isBusy={form.isSaving}>{submit}</Button>}
        </div>
      )}
    </form>
  );
}

interface SaveButtonProps {
  readonly form: { readonly isDirty: boolean; readonly isSaving: boolean };
  readonly label?: string;
}

export function SaveButton({ form: { isDirty, isSaving }, label }: SaveButtonProps) {
  const { words } = useApp();
  return (
    <>
      {!isDirty && <span class="soft">{words.form.unchanged}</span>}
      <Button kind="main" type="submit" isBusy={isSaving} isDisabled={!isDirty}>
        {label ?? words.save}
      </Button>
    </>
  );
}

export function NumberField(field: TextFieldProps) {
  const { show, words } = useApp();
  const error = isNumberText(field.value, show.locale) ? field.error : words.form.noNumber;
  return <TextField {...field} error={error} inputMode="decimal" />;
}

export function MoneyField({ currency, ...field }: TextBinding & { currency: string }) {
  const { show, words } = useApp();
  const decimal = field.value.trim() === "" ? "" : readDecimal(field.value, show.locale);
  const error = decimal === null ? words.form.noNumber : field.error;
  const hint = decimal ? `= ${show.decimalMoney(decimal, currency)}` : undefined;
  return <TextField {...field} error={error} hint={hint} inputMode="decimal" />;
}

type Names<V, T> = { [K in keyof V & string]: V[K] extends T ? K : never }[keyof V & string];

interface Labelled {
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
}

export interface TextBinding extends Labelled {
  readonly value: string;
  readonly error?: string | null;
  onValue(value: string): void;
}

export interface FlagBinding extends Labelled {
  readonly isOn: boolean;
  onChange(isOn: boolean): void;
}

export type Form<V extends object> = ReturnType<typeof useForm<V>>;

export interface FormOptions<V extends object> {
  readonly initial: V;
  /** The form shows a rejection as an error; `false` means that nothing was saved. */
  save(values: V, changed: Partial<V>): Promise<unknown>;
  /** False if a form, such as a search, may be left without a warning. */
  readonly isGuarded?: boolean;
}

export function useForm<V extends object>({ isGuarded = true, ...options }: FormOptions<V>) {
  const app = useApp();
  const [start, setStart] = useState(options.initial);
  const [values, setValues] = useState(options.initial);
  const [error, setError] = useState<ApiError | null>(null);
  const [isSaving, setSaving] = useState(false);
  const changed = changedOf(start, values);
  const isDirty = Object.keys(changed).length > 0;
  useUnsaved(isDirty && isGuarded);
  const set = (patch: Partial<V>) => setValues((before) => ({ ...before, ...patch }));
  const errorOf = (name: string) => refusalAt(app, error, name);
  const run = async (form: HTMLFormElement) => {
    setSaving(true);
    setError(null);
    try {
      const isSaved = await options.save(values, changed) !== false;
      if (isSaved) setStart((now) => now === start ? values : now);
    } catch (refusal) {
      const refused = asApiError(refusal);
      setError(refused);
      focusFirst(form, refused);
    } finally {
      setSaving(false);
    }
  };
  return {
    values,
    changed,
    isDirty,
    isSaving,
    isGuarded,
    error,
    fields: Object.keys(values),
    errorOf,
    set,
    text: (name: Names<V, string>, label: string, hint?: ComponentChildren): TextBinding => ({
      ...{ name, label, hint },
      value: String(values[name]),
      error: errorOf(name),
      onValue: (value) => setValues((before) => ({ ...before, [name]: value })),
    }),
    flag: (name: Names<V, boolean>, label: string, hint?: ComponentChildren): FlagBinding => ({
      ...{ name, label, hint },
      isOn: values[name] === true,
      onChange: (isOn) => setValues((before) => ({ ...before, [name]: isOn })),
    }),
    submit: (event: TargetedSubmitEvent<HTMLFormElement>) => {
      event.preventDefault();
      if (!isSaving) void run(event.currentTarget);
    },
    reset: (fresh: V) => {
      setStart({ ...fresh });
      setValues((now) => keepTyped(fresh, values, now));
      setError(null);
    },
  };
}

function changedOf<V extends object>(start: V, values: V): Partial<V> {
  const changed: Partial<V> = {};
  for (const name in values) {
    if (!isSame(values[name], start[name])) changed[name] = values[name];
  }
  return changed;
}

function focusFirst(form: HTMLFormElement, { fields }: ApiError): void {
  for (const { path } of fields) {
    const field = form.elements.namedItem(path) ??
      form.elements.namedItem(path.split(".")[0] ?? "");
    if (field instanceof HTMLElement) return field.focus();
  }
}

function useUnsaved(isUnsaved: boolean): void {
  const { unsaved } = useApp();
  useEffect(() => {
    if (!isUnsaved) return;
    unsaved.value += 1;
    return () => unsaved.value -= 1;
  }, [isUnsaved]);
}

/** Returns `fresh` with the changes that the person has made since `sent`. */
function keepTyped<V extends object>(fresh: V, sent: V, now: V): V {
  const kept = { ...fresh };
  for (const name in now) {
    if (!isSame(now[name], sent[name])) kept[name] = now[name];
  }
  return kept;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
