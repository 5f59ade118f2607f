/**
 * The panels that create and change an import source. Stored credentials never reach the browser,
 * so empty fields leave the credentials unchanged. The default source cannot be removed and fetches
 * no files.
 */
import { FormDialog, useSavedForm } from "../../parts/form/saved_form.tsx";
import type { ImportSource } from "../../../imports/state/import_source.ts";
import { get, type Wire } from "../../api/call.ts";
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
import { SourceGuards } from "../../parts/import/source_guards.tsx";
import { profileOptions, useProfiles } from "../../parts/import/use_file_preview.ts";
import {
  asRefusalOfForm,
  AT,
  bodyOf,
  EXPECTED_DAY,
  PULL_DAY,
  pullErrorText,
  type SourceValues,
  valuesOf,
} from "./source_values.ts";
import { DAYS, HOLD_BOUNDS, SOURCE_KINDS } from "../../../imports/choices.ts";
import { pick } from "../../../base/collections.ts";

interface SourcePanelProps {
  /** Null to create a source. */
  readonly source: ImportSource | null;
  onClose(): void;
}

export function SourcePanel({ source, onClose }: SourcePanelProps) {
  const { call, words: { importSources: texts, save }, show, may } = useApp();
  const params = { path: { id: source?.id ?? "" } };
  const { form, dialog, removal } = useSavedForm({
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
          {...removal}
          document={source}
          write={(api) => api.DELETE("/api/import-sources/{id}", { params })}
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
