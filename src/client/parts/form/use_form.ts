import type { ComponentChildren, TargetedSubmitEvent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type ApiError, asApiError } from "../../api/api_error.ts";
import { useApp } from "../../app/app.ts";
import { keepTyped } from "./keep_typed.ts";
import { refusalAt } from "../refusal_text.ts";

/** The values of a form: texts as typed, and switches. */
export type FormValues = Readonly<Record<string, string | boolean>>;

type Names<V, T> = { [K in keyof V & string]: V[K] extends T ? K : never }[keyof V & string];

interface Labelled {
  readonly label: string;
  readonly hint?: ComponentChildren;
}

/** The props of a text field: its label, its value, the way to change it, and its refusal. */
export interface TextBinding extends Labelled {
  readonly name: string;
  readonly value: string;
  readonly error: string | null;
  onValue(value: string): void;
}

export interface FlagBinding extends Labelled {
  readonly name: string;
  readonly isOn: boolean;
  onChange(isOn: boolean): void;
}

export interface Form<V extends FormValues> {
  readonly values: V;
  /** Which of them differ from what was there at first. */
  readonly changed: Partial<V>;
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  /** The last refusal; what was typed stays as it is. */
  readonly error: ApiError | null;
  /** Names of the fields, which show their refusals themselves. */
  readonly fields: readonly string[];
  set(values: Partial<V>): void;
  text(name: Names<V, string>, label: string, hint?: ComponentChildren): TextBinding;
  flag(name: Names<V, boolean>, label: string, hint?: ComponentChildren): FlagBinding;
  /** For `<form onSubmit>`. */
  submit(event: TargetedSubmitEvent<HTMLFormElement>): void;
  /** Restarts the form with these values; later typing stays, unsaved. */
  reset(values: V): void;
}

interface FormOptions<V extends FormValues> {
  readonly initial: V;
  /**
   * Rejects when it was refused: the form stays as it is and says why. Resolves to false when the
   * person thought better of it: nothing is saved, and what was typed is unsaved still.
   */
  save(values: V, changed: Partial<V>): Promise<unknown>;
  /** False where closing the page loses nothing worth a question, as with a search. */
  readonly isGuarded?: boolean;
}

/** State of a form. Nothing that was typed is lost by a failed save, a lost session or a lost network. */
export function useForm<V extends FormValues>(options: FormOptions<V>): Form<V> {
  const app = useApp();
  const [start, setStart] = useState(options.initial);
  const [values, setValues] = useState(options.initial);
  const [error, setError] = useState<ApiError | null>(null);
  const [isSaving, setSaving] = useState(false);
  const changed = changedOf(start, values);
  const isDirty = Object.keys(changed).length > 0;
  useUnsaved(isDirty && options.isGuarded !== false);
  const set = (patch: Partial<V>) => setValues((before) => ({ ...before, ...patch }));
  const errorOf = (name: string) => refusalAt(app, error, name);
  const run = async (form: HTMLFormElement) => {
    setSaving(true);
    setError(null);
    try {
      const isSaved = await options.save(values, changed) !== false;
      // A form that was restarted by the save has other values.
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
    error,
    fields: Object.keys(values),
    set,
    text: (name, label, hint) => ({
      name,
      label,
      hint,
      value: String(values[name]),
      error: errorOf(name),
      onValue: (value) => setValues((before) => ({ ...before, [name]: value })),
    }),
    flag: (name, label, hint) => ({
      name,
      label,
      hint,
      isOn: values[name] === true,
      onChange: (isOn) => setValues((before) => ({ ...before, [name]: isOn })),
    }),
    submit: (event) => {
      event.preventDefault();
      if (!isSaving) void run(event.currentTarget);
    },
    reset: (fresh) => {
      // A new object tells a save that the form was restarted.
      setStart({ ...fresh });
      setValues((now) => keepTyped(fresh, values, now));
      setError(null);
    },
  };
}

function changedOf<V extends FormValues>(start: V, values: V): Partial<V> {
  const changed: Partial<V> = {};
  for (const name in values) {
    if (values[name] !== start[name]) changed[name] = values[name];
  }
  return changed;
}

/** Puts the cursor where something has to be mended. */
function focusFirst(form: HTMLFormElement, { fields }: ApiError): void {
  for (const { path } of fields) {
    const field = form.elements.namedItem(path.split(".")[0] ?? "");
    if (field instanceof HTMLElement) return field.focus();
  }
}

/** While a form holds unsaved input, leaving the page asks first. */
export function useUnsaved(isUnsaved: boolean): void {
  const { unsaved } = useApp();
  useEffect(() => {
    if (!isUnsaved) return;
    unsaved.value += 1;
    return () => {
      unsaved.value -= 1;
    };
  }, [isUnsaved]);
}
