/**
 * Forms for stored documents, most of them in dialogs. A `PathForm` contains each value at the path
 * that it has in the document. Numbers are texts in the form, so that invalid input stays as typed.
 * Before saving, the form checks whether another person has changed the shown fields. If another
 * person has changed them, nothing is saved, and a note asks which version to keep.
 */
import { fromKeys } from "../../../base/collections.ts";
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { type Touched, useApp, useClosing, useDocument, useRefresh } from "../../app/app.ts";
import { Button, Dialog } from "../controls.tsx";
import {
  type FlagBinding,
  type Form,
  FormFrame,
  type FormOptions,
  SelectField,
  type TextBinding,
  useForm,
} from "./fields.tsx";
import {
  type Answer,
  type Api,
  type Ask,
  get,
  Overtaken,
  saveOver,
  where,
} from "../../api/call.ts";
import { fieldName, fieldText } from "../field_text.ts";
import { CURRENCIES } from "../../../base/money.ts";

interface FormDialogProps<V extends object> {
  readonly title: string;
  readonly form: Form<V>;
  readonly formId?: string;
  readonly save?: string;
  readonly kind?: "main" | "danger";
  readonly isDisabled?: boolean;
  readonly place?: "box" | "panel";
  readonly hasCancel?: boolean;
  readonly isReadOnly?: boolean;
  readonly actions?: ComponentChildren;
  readonly above?: ComponentChildren;
  readonly below?: ComponentChildren;
  readonly children: ComponentChildren;
  onClose(): void;
}

export function FormDialog<V extends object>(props: FormDialogProps<V>) {
  const { title, form, hasCancel = true, isReadOnly = false, onClose } = props;
  const { words } = useApp();
  const ownId = useId();
  const formId = props.formId ?? ownId;
  const closing = useClosing(onClose);
  const close = () => closing(form.isGuarded && form.isDirty);
  return (
    <Dialog
      kind={props.place ?? "box"}
      title={title}
      onClose={close}
      actions={!isReadOnly && (
        <>
          {props.actions}
          {hasCancel && <Button onClick={close}>{words.cancel}</Button>}
          <Button
            kind={props.kind ?? "main"}
            type="submit"
            formId={formId}
            isBusy={form.isSaving}
            isDisabled={props.isDisabled ?? false}
          >
            {props.save ?? title}
          </Button>
        </>
      )}
    >
      {props.above}
      {!isReadOnly && <FormFrame form={form} id={formId}>{props.children}</FormFrame>}
      {props.below}
    </Dialog>
  );
}

interface SavedFormOptions<Document, Change, V>
  extends Omit<SaveOverOptions<Document, Change>, "formId" | "textOf" | "onTheirs"> {
  valuesOf(document: Document | null): V;
  save(
    values: V,
    changed: Partial<V>,
    over: (change: Change) => Promise<Document | null>,
  ): Promise<Document | null>;
  /** Text of the shown fields, to detect another person's change; default: the form's values. */
  textOf?(document: Document): string;
  /** Data to reload after saving; by default, only the data of `read`. */
  readonly touches?: Touched;
  toast?(saved: Document): string;
  onSaved?(saved: Document): void;
  onTheirs?(document: Document): void;
  onClose(): void;
}

/** If `document` is null, `save` creates a document. */
export function useSavedForm<Document extends object, Change, V extends object>(
  { document, resource, read, write, valuesOf, ...on }: SavedFormOptions<Document, Change, V>,
) {
  const { words, toasts } = useApp();
  const formId = useId();
  const { touches = [read] } = on;
  const refresh = useRefresh(...touches);
  const form = useForm({
    initial: valuesOf(document),
    save: async (values, changed) => {
      const saved = await on.save(values, changed, over.save);
      if (saved === null) return false;
      await refresh();
      toasts.tell(on.toast?.(saved) ?? words.saved);
      on.onClose();
      on.onSaved?.(saved);
      return true;
    },
  });
  const { textOf = (one: Document) => JSON.stringify(valuesOf(one)) } = on;
  const over = useSaveOver({
    ...{ read, write, resource, document, formId, textOf },
    onTheirs: (one) => {
      form.reset(valuesOf(one));
      void refresh();
      on.onTheirs?.(one);
    },
  });
  return {
    form,
    dialog: { form, formId, below: over.note, onClose: on.onClose },
  };
}

interface SaveOverOptions<Document, Change> {
  readonly read: Ask<Document>;
  write(api: Api, change: Change): Promise<Answer<Document>>;
  /** `type:id` of the document, as in the audit log. */
  readonly resource: string;
  readonly document: Document | null;
  readonly formId: string;
  textOf(document: Document): string;
  onTheirs(document: Document): void;
}

export function useSaveOver<Document extends object, Change>(
  { read, write, resource, document: given, formId, textOf, onTheirs }: SaveOverOptions<
    Document,
    Change
  >,
) {
  const { call } = useApp();
  const [openedAt] = useState(() => new Date().toISOString());
  const [seen, setSeen] = useState<Document | null>(given);
  const [newer, setNewer] = useState<Document | null>(null);
  const save = async (change: Change): Promise<Document | null> => {
    try {
      const isSeen = (latest: Document) => seen === null || textOf(latest) === textOf(seen);
      const saved = await saveOver(call, { read, write: (api) => write(api, change), isSeen });
      setSeen(saved);
      return saved;
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      setNewer(error.latest);
      return null;
    }
  };
  const keep = (chosen: Document) => {
    setSeen(chosen);
    setNewer(null);
  };
  const note = newer && (
    <OvertakenNote
      resource={resource}
      since={savedAt(seen) ?? openedAt}
      onTheirs={() => {
        keep(newer);
        onTheirs(newer);
      }}
      onMine={() => {
        keep(newer);
        requestAnimationFrame(() => submitForm(formId));
      }}
    />
  );
  return { save, follow: setSeen, note };
}

function savedAt(document: object | null): string | null {
  const says = document !== null && "updatedAt" in document ? document.updatedAt : null;
  return typeof says === "string" ? says : null;
}

/** `submit()` would not call the form's handler. */
function submitForm(id: string): void {
  const form = document.getElementById(id);
  if (form instanceof HTMLFormElement) form.requestSubmit();
}

interface OvertakenNoteProps {
  readonly resource: string;
  readonly since: string;
  onTheirs(): void;
  onMine(): void;
}

function OvertakenNote({ resource, since, onTheirs, onMine }: OvertakenNoteProps) {
  const app = useApp();
  const { words, show } = app;
  const texts = words.overtaken;
  const found = useDocument(
    get("/api/audit-logs", where({ resource, order: "desc", from: since, limit: 5 })),
  );
  const rows = found.data?.items.filter(({ before }) => before !== null) ?? [];
  return (
    <div class="note warn" role="alert">
      <strong>{texts.title}</strong>
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            {texts.by(row.actor.name, show.dateTime(row.at))}{" "}
            {Object.keys(row.after ?? {}).map((name) =>
              `${fieldName(words, name)} ${
                fieldText(app, name, row.before?.[name], row.currency)
              } → ${fieldText(app, name, row.after?.[name], row.currency)}`
            ).join(", ")}
          </li>
        ))}
      </ul>
      <p>{texts.text}</p>
      <div class="note-foot row flow gap-14 rows-4">
        <Button onClick={onTheirs}>{texts.theirs}</Button>
        <Button onClick={onMine}>{texts.mine}</Button>
      </div>
    </div>
  );
}

type Choice<T extends string> = Readonly<Record<T, boolean>>;

export function choiceOf<T extends string>(
  all: readonly T[],
  chosen: readonly string[],
): Choice<T> {
  return fromKeys(all, (name) => chosen.includes(name));
}

export function chosenOf<T extends string>(all: readonly T[], choice: Choice<T>): T[] {
  return all.filter((name) => choice[name]);
}

export function CurrencyField(field: TextBinding) {
  const { show } = useApp();
  const names = new Intl.DisplayNames(show.locale, { type: "currency" });
  const options = CURRENCIES.map((value) => ({ value, label: `${value} – ${names.of(value)}` }));
  return <SelectField {...field} options={options} />;
}

/** Browsers may not list an old name such as `Asia/Calcutta`, which the field must still offer. */
export function TimeZoneField(field: TextBinding) {
  const zones = new Set([...Intl.supportedValuesOf("timeZone"), "UTC", field.value]);
  const options = [...zones].sort().map((value) => ({ value, label: value }));
  return <SelectField {...field} options={options} />;
}

export type Value = string | boolean | readonly Value[] | Values;
export interface Values {
  readonly [name: string]: Value;
}

function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

export function isValues(value: Value | undefined): value is Values {
  return typeof value === "object" && !isList(value);
}

export function valueAt(of: Value | undefined, path: string): Value | undefined {
  return path.split(".").reduce(
    (one, name) => isList(one) ? one[Number(name)] : isValues(one) ? one[name] : undefined,
    of,
  );
}

export function textAt(of: Value | undefined, path: string): string {
  const value = valueAt(of, path);
  return typeof value === "string" ? value : "";
}

export function isOnAt(of: Value | undefined, path: string): boolean {
  return valueAt(of, path) === true;
}

export function listAt(of: Value | undefined, path: string): readonly Value[] {
  const value = valueAt(of, path);
  return isList(value) ? value : [];
}

function withValue(values: Values, path: string, value: Value): Values {
  const [name = "", ...rest] = path.split(".");
  return { ...values, [name]: replaced(values[name], rest, value) };
}

function replaced(of: Value | undefined, path: readonly string[], value: Value): Value {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (isList(of)) return of.with(Number(name), replaced(of[Number(name)], rest, value));
  const values = isValues(of) ? of : {};
  return { ...values, [name]: replaced(values[name], rest, value) };
}

export type PathForm = ReturnType<typeof withPaths>;

export function usePathForm(options: FormOptions<Values>): PathForm {
  return withPaths(useForm(options));
}

/** Adds fields for values at paths such as `pull.url`. */
export function withPaths(form: Form<Values>) {
  const { values: draft, set, errorOf } = form;
  const put = (path: string, value: Value) => set(withValue(draft, path, value));
  const refused = form.error?.fields.map(({ path }) => path) ?? [];
  return {
    ...form,
    draft,
    put,
    fields: refused.filter((path) => (path.split(".")[0] ?? "") in draft),
    at: (path: string, label: string, hint?: ComponentChildren): TextBinding => ({
      ...{ name: path, label, hint },
      value: textAt(draft, path),
      error: errorOf(path),
      onValue: (value) => put(path, value),
    }),
    flagAt: (path: string, label: string, hint?: ComponentChildren): FlagBinding => ({
      ...{ name: path, label, hint },
      isOn: isOnAt(draft, path),
      onChange: (isOn) => put(path, isOn),
    }),
    /** Returns a check box that adds `one` to the list at `path`, or removes `one`. */
    pickAt: (path: string, all: readonly string[], one: string, label: string): FlagBinding => {
      const chosen = listAt(draft, path);
      return {
        name: `${path}.${one}`,
        label,
        isOn: chosen.includes(one),
        onChange: (isOn) =>
          put(path, all.filter((each) => each === one ? isOn : chosen.includes(each))),
      };
    },
  };
}

/** Names of companies and groups may contain commas, so semicolons separate them. */
export function namesText(names: readonly string[]): string {
  return names.join("; ");
}

export function namesIn(text: string): string[] {
  return text.split(/[;\n]/).map((name) => name.trim()).filter((name) => name !== "");
}
