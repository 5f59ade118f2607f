/** The fields for a rule's cooldown and schedule. */
import { useApp } from "../../app/app.ts";
import { CheckField, SelectField, TextField } from "../../parts/form/fields.tsx";
import { COOLDOWN_UNITS } from "./cooldown_draft.ts";
import type { RuleForm } from "./rule_form.ts";

export function CooldownFields({ form }: { readonly form: RuleForm }) {
  const texts = useApp().words.rules;
  const { cooldown } = form.draft;
  return (
    <>
      <TextField
        label={texts.cooldown}
        hint={texts.cooldownHint}
        name="cooldownMinutes"
        value={cooldown.count}
        inputMode="decimal"
        placeholder={cooldown.unit === "minutes" ? "60" : undefined}
        error={form.errorOf("cooldownMinutes")}
        onValue={(count) => form.set({ cooldown: { ...cooldown, count } })}
      />
      <SelectField
        label={texts.cooldownUnit}
        name="cooldownUnit"
        value={cooldown.unit}
        error={null}
        options={COOLDOWN_UNITS.map((value) => ({ value, label: texts.cooldownUnits[value] }))}
        onValue={(value) => {
          const unit = COOLDOWN_UNITS.find((one) => one === value);
          if (unit) form.set({ cooldown: { ...cooldown, unit } });
        }}
      />
    </>
  );
}

export function ScheduleFields({ form }: { readonly form: RuleForm }) {
  const texts = useApp().words.rules;
  return (
    <>
      <TextField
        label={texts.schedule.at}
        hint={texts.schedule.hint}
        name="schedule.at"
        value={form.draft.scheduleAt}
        placeholder="06:00"
        error={form.errorOf("schedule.at")}
        onValue={(scheduleAt) => form.set({ scheduleAt })}
      />
      {form.draft.scheduleAt !== "" && <ScheduleDays form={form} />}
    </>
  );
}

/** No selected day means every day. */
function ScheduleDays({ form }: { form: RuleForm }) {
  const { days, only } = useApp().words.rules.schedule;
  const { scheduleDays: chosen, isScheduledOnly } = form.draft;
  return (
    <>
      {Object.entries(days).map(([day, label]) => (
        <CheckField
          key={day}
          label={label}
          name={`schedule.${day}`}
          isOn={chosen.includes(day)}
          onChange={(isOn) =>
            form.set({
              scheduleDays: Object.keys(days).filter((one) =>
                one === day ? isOn : chosen.includes(one)
              ),
            })}
        />
      ))}
      <CheckField
        label={only}
        name="schedule.only"
        isOn={isScheduledOnly}
        onChange={(isOnly) => form.set({ isScheduledOnly: isOnly })}
      />
    </>
  );
}
