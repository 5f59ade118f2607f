import {
  AUTH_KINDS,
  DAYS,
  HOLD_BOUNDS,
  PULL_PERIODS,
  SOURCE_KINDS,
} from "../../../imports/source_choices.ts";
import { useApp } from "../../app/app.ts";
import { useList } from "../../app/use_list.ts";
import { CheckField, SelectField, TextField } from "../../parts/form/fields.tsx";
import type { Form } from "../../parts/form/use_form.ts";
import { AT, EXPECTED_DAY, PULL_DAY, type SourceValues } from "./source_values.ts";

interface SourceFieldsProps {
  readonly form: Form<SourceValues>;
  readonly isDefault: boolean;
  /** Of what kind credentials are stored. */
  readonly storedAuth: string | null;
}

/** Everything that is set of a source; each field says what it means. */
export function SourceFields({ form, isDefault, storedAuth }: SourceFieldsProps) {
  const { words } = useApp();
  const { fields, kinds } = words.importSources;
  const { modes } = words.imports;
  const offered = SOURCE_KINDS.filter((kind) => !isDefault || kind !== "pull");
  return (
    <>
      <TextField {...form.text("name", fields.name)} isWide />
      <SelectField
        {...form.text("kind", fields.kind)}
        options={offered.map((value) => ({ value, label: kinds[value] }))}
        isWide
      />
      {form.values.kind === "pull" && <PullFields form={form} storedAuth={storedAuth} />}
      <ProfileField form={form} />
      <SelectField
        {...form.text("mode", words.imports.new.mode)}
        options={Object.entries(modes).map(([value, label]) => ({ value, label }))}
        isWide
      />
      <TextField {...form.text("tier", fields.tier, words.imports.new.tierHint)} />
      <TextField
        {...form.text("by", fields.expects, fields.expectsHint)}
        placeholder="06:00"
      />
      {form.values.by !== "" && <DayFields form={form} prefix={EXPECTED_DAY} />}
      <CheckField {...form.flag("strict", fields.strict, fields.strictHint)} />
      <CheckField {...form.flag("paused", fields.paused, fields.pausedHint)} />
      {!isDefault && <HoldFields form={form} />}
    </>
  );
}

function ProfileField({ form }: { form: Form<SourceValues> }) {
  const { words } = useApp();
  const { rows } = useList({
    key: ["profiles"],
    read: (api, page) => api.GET("/api/import-profiles", { params: { query: page } }),
  });
  return (
    <SelectField
      {...form.text("profile", words.imports.new.profile)}
      options={[
        { value: "", label: words.imports.new.profileAuto },
        ...rows.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      isWide
    />
  );
}

function PullFields(
  { form, storedAuth }: Pick<SourceFieldsProps, "form" | "storedAuth">,
) {
  const { fields, periods, auths } = useApp().words.importSources;
  const { schedule, auth } = form.values;
  const kept = auth !== "" && auth === storedAuth ? fields.authKept : undefined;
  return (
    <>
      <TextField {...form.text("url", fields.url, fields.urlHint)} type="url" isWide />
      <SelectField
        {...form.text("schedule", fields.schedule)}
        options={[
          { value: "", label: fields.manual },
          ...PULL_PERIODS.map((value) => ({ value, label: periods[value] })),
          { value: AT, label: fields.at },
        ]}
      />
      {schedule === AT && (
        <>
          <TextField {...form.text("at", fields.atTime, fields.atHint)} />
          <DayFields form={form} prefix={PULL_DAY} />
        </>
      )}
      <SelectField
        {...form.text("auth", fields.auth, fields.authHint)}
        options={[
          { value: "", label: fields.noAuth },
          ...AUTH_KINDS.map((value) => ({ value, label: auths[value] })),
        ]}
        isWide
      />
      {auth === "basic" && (
        <>
          <TextField {...form.text("user", fields.user, kept)} />
          <TextField
            {...form.text("password", fields.password)}
            type="password"
            autoComplete="new-password"
          />
        </>
      )}
      {auth === "bearer" && (
        <TextField
          {...form.text("token", fields.token, kept)}
          type="password"
          autoComplete="new-password"
          isWide
        />
      )}
      {auth === "header" && (
        <>
          <TextField {...form.text("headerName", fields.headerName, kept)} />
          <TextField
            {...form.text("headerValue", fields.headerValue)}
            type="password"
            autoComplete="new-password"
          />
        </>
      )}
    </>
  );
}

interface DayFieldsProps {
  readonly form: Form<SourceValues>;
  readonly prefix: typeof PULL_DAY | typeof EXPECTED_DAY;
}

function DayFields({ form, prefix }: DayFieldsProps) {
  const { fields, days } = useApp().words.importSources;
  return (
    <fieldset class="wide">
      <legend>{fields.onDays}</legend>
      <div class="day-fields">
        {DAYS.map((day) => <CheckField key={day} {...form.flag(`${prefix}${day}`, days[day])} />)}
      </div>
    </fieldset>
  );
}

function HoldFields({ form }: { form: Form<SourceValues> }) {
  const { fields, bounds } = useApp().words.importSources;
  return (
    <>
      <CheckField {...form.flag("holds", fields.holds, fields.holdsHint)} />
      {form.values.holds &&
        HOLD_BOUNDS.map((name) => (
          <TextField key={name} {...form.text(name, bounds[name])} inputMode="decimal" />
        ))}
    </>
  );
}
