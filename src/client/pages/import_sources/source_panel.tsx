/**
 * The panels that create and change an import source, and the values of their forms. Stored
 * credentials never reach the browser, so empty fields leave the credentials unchanged. The default
 * source cannot be removed and fetches no files.
 */
import { FormDialog, useSavedForm } from "../../parts/form/saved_form.tsx";
import type { ImportSource } from "../../../imports/state/import_source.ts";
import { ApiError, asApiError, get, type Wire } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import {
  CheckField,
  DecimalField,
  type Form,
  PasswordField,
  SelectField,
  TextField,
} from "../../parts/form/fields.tsx";
import { RemoveButton } from "../../parts/action_button.tsx";
import { SourceGuards } from "../../parts/import/import_sources.tsx";
import { profileOptions, useProfiles } from "../../parts/import/file_preview.tsx";
import {
  type Day,
  DAYS,
  DEFAULT_SOURCE_HOLD,
  HOLD_BOUNDS,
  isHoldCode,
  SOURCE_KINDS,
} from "../../../imports/choices.ts";
import { fromKeys, pick } from "../../../base/collections.ts";
import { numberText, readNumber } from "../../formats/decimal.ts";
import type { Language } from "../../../base/codes.ts";
import { termsOf } from "../../../engine/wording/show.ts";
import type { Tone } from "../../parts/controls.tsx";

interface SourcePanelProps {
  /** Null to create a source. */
  readonly source: ImportSource | null;
  onClose(): void;
}

export function SourcePanel({ source, onClose }: SourcePanelProps) {
  const { call, words: { importSources: texts, save }, show, may } = useApp();
  const params = { path: { id: source?.id ?? "" } };
  const { form, dialog } = useSavedForm({
    document: source,
    resource: `import_source:${source?.id}`,
    read: get("/api/import-sources/{id}", { params }),
    write: (api, body: Wire<"ImportSourcePatch">) =>
      api.PATCH("/api/import-sources/{id}", { params, body }),
    valuesOf: (one) => valuesOf(one, show.locale),
    save: (chosen, _, over) => {
      const body = bodyOf(chosen, source, show.locale);
      const saved = source === null
        ? call((api) => api.POST("/api/import-sources", { body }))
        : over(body);
      return saved.catch((error) => {
        throw asRefusalOfForm(error);
      });
    },
    onClose,
  });
  return (
    <FormDialog
      {...dialog}
      place="panel"
      title={source === null ? texts.create : texts.edit(source.name)}
      save={save}
      hasCancel={false}
      isReadOnly={!may("manager")}
      above={source && <SourceNotes source={source} />}
      actions={source && !source.isDefault && (
        <RemoveButton
          kind="danger"
          ask={(api) => api.DELETE("/api/import-sources/{id}", { params })}
          question={{ title: texts.remove, text: texts.removeText }}
          onDone={onClose}
        />
      )}
    >
      <SourceFields form={form} source={source} />
    </FormDialog>
  );
}

function SourceNotes({ source }: { source: ImportSource }) {
  const { id, isDefault, lastPull } = source;
  const { words: { importSources: texts }, show, language, may } = useApp();
  return (
    <>
      <p class="flow gap-16 rows-4">
        <a href={`/imports?source=${id}`}>{texts.toImports}</a>
        {may("manager") && <a href={`/imports/new?source=${id}`}>{texts.upload}</a>}
      </p>
      {isDefault && <p class="note">{texts.workspaceHold}</p>}
      <SourceGuards source={source} />
      {lastPull?.errorCode && (
        <p class="note warn">
          {texts.lastPull(texts.outcomes[lastPull.outcome], show.dateTime(lastPull.at))}:{" "}
          {pullErrorText(lastPull, language.value)}{" "}
          {lastPull.nextTryAt && texts.nextTry(show.dateTime(lastPull.nextTryAt))}
        </p>
      )}
    </>
  );
}

interface SourceFieldsProps {
  readonly form: Form<SourceValues>;
  readonly source: ImportSource | null;
}

function SourceFields({ form, source }: SourceFieldsProps) {
  const { words } = useApp();
  const { fields, kinds, bounds } = words.importSources;
  const profiles = useProfiles().rows;
  const isDefault = source?.isDefault ?? false;
  const offered = SOURCE_KINDS.filter((kind) => !isDefault || kind !== "pull");
  return (
    <>
      <TextField {...form.text("name", words.fields.name)} isWide />
      <SelectField {...form.text("kind", fields.kind)} options={pick(kinds, offered)} isWide />
      {form.values.kind === "pull" && <PullFields form={form} source={source} />}
      <SelectField
        {...form.text("profile", words.imports.new.profile)}
        options={profileOptions(profiles)}
        none={words.imports.new.profileAuto}
        isWide
      />
      <SelectField
        {...form.text("mode", words.imports.new.mode)}
        options={words.imports.modes}
        isWide
      />
      <TextField {...form.text("tier", fields.tier, words.imports.new.tierHint)} />
      <TextField
        {...form.text("by", words.fields.expectedBy, fields.expectsHint)}
        placeholder="06:00"
      />
      {form.values.by !== "" && <DayFields form={form} prefix={EXPECTED_DAY} />}
      <CheckField {...form.flag("strict", fields.strict, fields.strictHint)} />
      <CheckField {...form.flag("paused", fields.paused, fields.pausedHint)} />
      {!isDefault && (
        <CheckField {...form.flag("holds", words.fields.importHold, fields.holdsHint)} />
      )}
      {!isDefault && form.values.holds &&
        HOLD_BOUNDS.map((name) => <DecimalField key={name} {...form.text(name, bounds[name])} />)}
    </>
  );
}

function PullFields({ form, source }: SourceFieldsProps) {
  const { words: { importSources: { fields, periods, auths }, login, none } } = useApp();
  const { schedule, auth } = form.values;
  const kept = auth !== "" && auth === source?.pull?.auth?.kind ? fields.authKept : undefined;
  return (
    <>
      <TextField {...form.text("url", fields.url, fields.urlHint)} type="url" isWide />
      <SelectField
        {...form.text("schedule", fields.schedule)}
        options={{ ...periods, [AT]: fields.at }}
        none={fields.manual}
      />
      {schedule === AT && (
        <>
          <TextField {...form.text("at", fields.atTime, fields.atHint)} />
          <DayFields form={form} prefix={PULL_DAY} />
        </>
      )}
      <SelectField
        {...form.text("auth", fields.auth, fields.authHint)}
        options={auths}
        none={none}
        isWide
      />
      {auth === "basic" && (
        <>
          <TextField {...form.text("user", fields.user, kept)} />
          <PasswordField of="new-password" {...form.text("password", login.password)} />
        </>
      )}
      {auth === "bearer" && (
        <PasswordField of="new-password" {...form.text("token", fields.token, kept)} isWide />
      )}
      {auth === "header" && (
        <>
          <TextField {...form.text("headerName", fields.headerName, kept)} />
          <PasswordField of="new-password" {...form.text("headerValue", fields.headerValue)} />
        </>
      )}
    </>
  );
}

function DayFields(
  { form, prefix }: { form: Form<SourceValues>; prefix: typeof PULL_DAY | typeof EXPECTED_DAY },
) {
  const { fields, days } = useApp().words.importSources;
  return (
    <fieldset class="wide">
      <legend>{fields.onDays}</legend>
      <div class="flow gap-16 rows-8">
        {DAYS.map((day) => <CheckField key={day} {...form.flag(`${prefix}${day}`, days[day])} />)}
      </div>
    </fieldset>
  );
}

/**
 * Form value for a fetch at a fixed time of day. Other values are intervals, or "" for no fetch.
 */
const AT = "at";

const PULL_DAY = "pull";
const EXPECTED_DAY = "on";

function valuesOf(source: ImportSource | null, locale: string) {
  const pull = source?.pull ?? null;
  const schedule = pull?.schedule ?? null;
  const at = schedule && "at" in schedule ? schedule : null;
  const hold = source ? source.hold : DEFAULT_SOURCE_HOLD;
  const bounds = hold ?? DEFAULT_SOURCE_HOLD;
  return {
    name: source?.name ?? "",
    kind: source?.kind ?? "api",
    profile: source?.profile ?? "",
    mode: source?.mode ?? "upsert",
    tier: source?.tier ?? "",
    strict: source?.options.strict ?? false,
    paused: (source?.pausedAt ?? null) !== null,
    url: pull?.url ?? "",
    schedule: schedule === null ? "" : "every" in schedule ? schedule.every : AT,
    at: at?.at ?? "",
    ...dayValues(PULL_DAY, at?.days ?? DAYS),
    auth: pull?.auth?.kind ?? "",
    user: "",
    password: "",
    token: "",
    headerName: "",
    headerValue: "",
    by: source?.expected?.by ?? "",
    ...dayValues(EXPECTED_DAY, source?.expected?.days ?? DAYS),
    holds: hold !== null,
    ...fromKeys(HOLD_BOUNDS, (name) => numberText(bounds[name], locale)),
  };
}

type SourceValues = ReturnType<typeof valuesOf>;

function bodyOf(values: SourceValues, source: ImportSource | null, locale: string) {
  const shared = {
    name: values.name,
    profile: values.profile || null,
    mode: values.mode,
    tier: values.tier.trim() || null,
    options: { strict: values.strict },
    expected: values.by.trim() === "" ? null : {
      by: values.by.trim(),
      days: daysOf(EXPECTED_DAY, values),
    },
    pausedAt: values.paused ? source?.pausedAt ?? new Date().toISOString() : null,
  };
  if (source?.isDefault) return { ...shared, kind: values.kind };
  const bounds = HOLD_BOUNDS.map((name) => [name, readNumber(values[name], locale)]);
  return {
    ...shared,
    kind: values.kind,
    hold: values.holds ? Object.fromEntries(bounds) : null,
    pull: values.kind === "pull" ? pullOf(values) : null,
  };
}

const FORM_NAMES: Readonly<Record<string, string>> = {
  "pull.schedule.at": "at",
  "pull.schedule": "schedule",
  "expected.by": "by",
  "expected": "by",
  "options.strict": "strict",
  "pull": "kind",
};

function asRefusalOfForm(error: unknown): ApiError {
  const { code, message, status, requestId, details, fields } = asApiError(error);
  const named = fields.map((field) => ({
    ...field,
    path: FORM_NAMES[field.path] ?? field.path.replace(/^(?:pull|hold)\./, ""),
  }));
  const said = named.length === 0 ? details : { ...details, fields: named };
  return new ApiError({ code, message, status, requestId, details: said, cause: error });
}

function pullOf(values: SourceValues) {
  const schedule = values.schedule === AT
    ? { at: values.at.trim(), days: daysOf(PULL_DAY, values) }
    : { every: values.schedule };
  return {
    url: values.url.trim(),
    schedule: values.schedule === "" ? null : schedule,
    auth: authOf(values),
  };
}

/** Returns only `kind` if no credentials were typed, so that the service keeps the stored ones. */
function authOf({ auth, user, password, token, headerName, headerValue }: SourceValues) {
  switch (auth) {
    case "basic":
      return { kind: auth, ...(user || password ? { user, password } : {}) };
    case "bearer":
      return { kind: auth, ...(token ? { token } : {}) };
    case "header":
      return {
        kind: auth,
        ...(headerName || headerValue ? { name: headerName, value: headerValue } : {}),
      };
    default:
      return null;
  }
}

function dayValues<P extends string>(prefix: P, chosen: readonly Day[]) {
  const names = DAYS.map((day) => `${prefix}${day}` as const);
  return fromKeys(names, (name) => chosen.some((day) => name === prefix + day));
}

function daysOf(prefix: typeof PULL_DAY | typeof EXPECTED_DAY, values: SourceValues): Day[] {
  return DAYS.filter((day) => values[`${prefix}${day}`]);
}

export const SOURCE_TONES = {
  paused: "warn",
  missed: "bad",
  held: "warn",
  failed: "bad",
  unguarded: "warn",
  punctual: "good",
  applied: "good",
  idle: "plain",
} as const satisfies Readonly<Record<string, Tone>>;

export type SourceState = keyof typeof SOURCE_TONES;

export function stateOf(
  { pausedAt, missedAt, lastPull, hold, isDefault, lastImport, expected }: ImportSource,
): SourceState {
  if (pausedAt !== null) return "paused";
  const isPullLost = lastPull?.outcome === "failed" || lastPull?.outcome === "waiting";
  if (missedAt !== null || isPullLost) return "missed";
  if (lastImport?.status === "failed") return isHoldCode(lastImport.errorCode) ? "held" : "failed";
  if (hold === null && !isDefault) return "unguarded";
  if (lastImport === null) return "idle";
  return expected === null ? "applied" : "punctual";
}

export const ORDER: readonly string[] = Object.keys(SOURCE_TONES);

export function pullErrorText(
  { errorCode, message }: Pick<NonNullable<ImportSource["lastPull"]>, "errorCode" | "message">,
  language: Language,
): string | null {
  return termsOf(language).fetchErrors[errorCode ?? ""] ?? message;
}
