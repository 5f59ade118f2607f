/**
 * Panels that create and change an import source, and the conversion of their form values. The
 * browser never gets stored credentials: an empty field keeps its value. Another kind of sign-in or
 * another server needs new credentials. The default source cannot be removed and fetches no files.
 */
import {
  FormDialog,
  isOnAt,
  listAt,
  type PathForm,
  textAt,
  useSavedForm,
  type Values,
  withPaths,
} from "../../parts/form/saved_form.tsx";
import type { ImportSource } from "../../../imports/state/import_source.ts";
import { get, type Wire } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import {
  CheckField,
  DecimalField,
  PasswordField,
  SelectField,
  TextField,
} from "../../parts/form/fields.tsx";
import { RemoveButton } from "../../parts/action_button.tsx";
import { SourceGuards } from "../../parts/import/import_sources.tsx";
import { profileOptions, useProfiles } from "../../parts/import/file_preview.tsx";
import {
  DAYS,
  DEFAULT_SOURCE_HOLD,
  HOLD_BOUNDS,
  isHoldCode,
  SOURCE_KINDS,
} from "../../../imports/choices.ts";
import { fromKeys, pick } from "../../../base/collections.ts";
import { numberText, readNumber } from "../../formats/decimal.ts";
import type { Language } from "../../../base/codes.ts";
import { TERMS } from "../../../engine/wording/terms.ts";
import type { Tone } from "../../parts/controls.tsx";

interface SourcePanelProps {
  /** The source to change, or null to create a new source. */
  readonly source: ImportSource | null;
  onClose(): void;
}

export function SourcePanel({ source, onClose }: SourcePanelProps) {
  const { call, words: { importSources: texts, save }, show, may } = useApp();
  const params = { path: { id: source?.id ?? "" } };
  const { form: saved, dialog } = useSavedForm({
    document: source,
    resource: `import_source:${source?.id}`,
    read: get("/api/import-sources/{id}", { params }),
    write: (api, body: Wire<"ImportSourcePatch">) =>
      api.PATCH("/api/import-sources/{id}", { params, body }),
    valuesOf: (one) => valuesOf(one, show.locale),
    save: (chosen, _, over) => {
      const body = bodyOf(chosen, source, show.locale);
      return source === null
        ? call((api) => api.POST("/api/import-sources", { body }))
        : over(body);
    },
    onClose,
  });
  const form = withPaths(saved);
  return (
    <FormDialog
      {...dialog}
      form={form}
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
  const { words: { importSources: texts, codes }, show, language, may } = useApp();
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
          {`${codes.pullOutcomes[lastPull.outcome]}, ${show.dateTime(lastPull.at)}`}:{" "}
          {pullErrorText(lastPull, language.value)}{" "}
          {lastPull.nextTryAt && texts.nextTry(show.dateTime(lastPull.nextTryAt))}
        </p>
      )}
    </>
  );
}

interface SourceFieldsProps {
  readonly form: PathForm;
  readonly source: ImportSource | null;
}

function SourceFields({ form, source }: SourceFieldsProps) {
  const { words } = useApp();
  const { fields, bounds } = words.importSources;
  const { draft } = form;
  const profiles = useProfiles().rows;
  const isDefault = source?.isDefault ?? false;
  const offered = SOURCE_KINDS.filter((kind) => !isDefault || kind !== "pull");
  return (
    <>
      <TextField {...form.at("name", words.fields.name)} isWide />
      <SelectField
        {...form.at("kind", fields.kind)}
        options={pick(words.codes.sourceKinds, offered)}
        isWide
      />
      {textAt(draft, "kind") === "pull" && <PullFields form={form} source={source} />}
      <SelectField
        {...form.at("profile", words.imports.new.profile)}
        options={profileOptions(profiles)}
        none={words.imports.new.profileAuto}
        isWide
      />
      <SelectField
        {...form.at("mode", words.imports.new.mode)}
        options={words.imports.modes}
        isWide
      />
      <TextField {...form.at("tier", fields.tier, words.imports.new.tierHint)} />
      <TextField
        {...form.at("expected.by", words.fields.expectedBy, fields.expectsHint)}
        error={form.errorOf("expected")}
        placeholder="06:00"
      />
      {textAt(draft, "expected.by") !== "" && <DayFields form={form} path="expected.days" />}
      <CheckField {...form.flagAt("options.strict", fields.strict, fields.strictHint)} />
      <CheckField {...form.flagAt("pausedAt", fields.paused, fields.pausedHint)} />
      {!isDefault && (
        <CheckField {...form.flagAt("holds", words.fields.importHold, fields.holdsHint)} />
      )}
      {!isDefault && isOnAt(draft, "holds") &&
        HOLD_BOUNDS.map((name) => (
          <DecimalField key={name} {...form.at(`hold.${name}`, bounds[name])} />
        ))}
    </>
  );
}

function PullFields({ form, source }: SourceFieldsProps) {
  const { words: { importSources: { fields }, codes, login, none } } = useApp();
  const auth = textAt(form.draft, "pull.auth.kind");
  const kept = auth !== "" && auth === source?.pull?.auth?.kind ? fields.authKept : undefined;
  return (
    <>
      <TextField {...form.at("pull.url", fields.url, fields.urlHint)} type="url" isWide />
      <SelectField
        {...form.at("pull.schedule.every", fields.schedule)}
        options={{ ...codes.pullPeriods, [AT]: fields.at }}
        none={fields.manual}
      />
      {textAt(form.draft, "pull.schedule.every") === AT && (
        <>
          <TextField
            {...form.at("pull.schedule.at", fields.atTime, fields.atHint)}
            error={form.errorOf("pull.schedule")}
          />
          <DayFields form={form} path="pull.schedule.days" />
        </>
      )}
      <SelectField
        {...form.at("pull.auth.kind", fields.auth, fields.authHint)}
        error={form.errorOf("pull.auth")}
        options={codes.auths}
        none={none}
        isWide
      />
      {auth === "basic" && (
        <>
          <TextField {...form.at("pull.auth.user", fields.user, kept)} />
          <PasswordField of="new-password" {...form.at("pull.auth.password", login.password)} />
        </>
      )}
      {auth === "bearer" && (
        <PasswordField
          of="new-password"
          {...form.at("pull.auth.token", fields.token, kept)}
          isWide
        />
      )}
      {auth === "header" && (
        <>
          <TextField {...form.at("pull.auth.name", fields.headerName, kept)} />
          <PasswordField of="new-password" {...form.at("pull.auth.value", fields.headerValue)} />
        </>
      )}
    </>
  );
}

function DayFields({ form, path }: { readonly form: PathForm; readonly path: string }) {
  const { importSources: { fields }, codes: { days } } = useApp().words;
  return (
    <fieldset class="wide">
      <legend>{fields.onDays}</legend>
      <div class="flow gap-16 rows-8">
        {DAYS.map((day) => <CheckField key={day} {...form.pickAt(path, DAYS, day, days[day])} />)}
      </div>
    </fieldset>
  );
}

/** Form value for fetching a file at a fixed time of day. */
const AT = "at";

const NO_AUTH = { user: "", password: "", token: "", name: "", value: "" };

function valuesOf(source: ImportSource | null, locale: string): Values {
  const { name = "", kind = "api", mode = "upsert", profile, tier, pausedAt, expected, pull } =
    source ?? {};
  const schedule = pull?.schedule ?? null;
  const at = schedule && "at" in schedule ? schedule : null;
  const hold = source ? source.hold : DEFAULT_SOURCE_HOLD;
  const bounds = hold ?? DEFAULT_SOURCE_HOLD;
  return {
    ...{ name, kind, mode },
    profile: profile ?? "",
    tier: tier ?? "",
    options: { strict: source?.options.strict ?? false },
    pausedAt: Boolean(pausedAt),
    pull: {
      url: pull?.url ?? "",
      schedule: {
        every: schedule === null ? "" : "every" in schedule ? schedule.every : AT,
        at: at?.at ?? "",
        days: at?.days ?? DAYS,
      },
      auth: { kind: pull?.auth?.kind ?? "", ...NO_AUTH },
    },
    expected: { by: expected?.by ?? "", days: expected?.days ?? DAYS },
    holds: hold !== null,
    hold: fromKeys(HOLD_BOUNDS, (name) => numberText(bounds[name], locale)),
  };
}

function bodyOf(draft: Values, source: ImportSource | null, locale: string) {
  const text = (path: string) => textAt(draft, path).trim();
  const daysAt = (path: string) => listAt(draft, path).map(String);
  const kind = text("kind");
  const by = text("expected.by");
  const every = text("pull.schedule.every");
  const atTime = { at: text("pull.schedule.at"), days: daysAt("pull.schedule.days") };
  const shared = {
    ...{ name: text("name"), kind, mode: text("mode") },
    profile: text("profile") || null,
    tier: text("tier") || null,
    options: { strict: isOnAt(draft, "options.strict") },
    expected: by === "" ? null : { by, days: daysAt("expected.days") },
    pausedAt: isOnAt(draft, "pausedAt") ? source?.pausedAt ?? new Date().toISOString() : null,
  };
  if (source?.isDefault) return shared;
  const bound = (name: string) => readNumber(textAt(draft, `hold.${name}`), locale);
  return {
    ...shared,
    hold: isOnAt(draft, "holds") ? fromKeys(HOLD_BOUNDS, bound) : null,
    pull: kind !== "pull" ? null : {
      url: text("pull.url"),
      schedule: every === "" ? null : every === AT ? atTime : { every },
      auth: authOf(draft),
    },
  };
}

/** Null removes the stored credentials; an object with only `kind` keeps them. */
function authOf(draft: Values) {
  const kind = textAt(draft, "pull.auth.kind");
  const typed = AUTH_FIELDS[kind]?.map((name) => [name, textAt(draft, `pull.auth.${name}`)]) ?? [];
  if (kind === "") return null;
  return { kind, ...(typed.some(([, text]) => text !== "") && Object.fromEntries(typed)) };
}

const AUTH_FIELDS: Readonly<Record<string, readonly string[]>> = {
  basic: ["user", "password"],
  bearer: ["token"],
  header: ["name", "value"],
};

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
  return TERMS[language].fetchErrors[errorCode ?? ""] ?? message;
}
