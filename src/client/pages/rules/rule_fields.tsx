import type { RuleSentenceParts } from "../../../engine/wording/rule_sentence.ts";
import type { Said } from "../../../engine/wording/sentence_fields.ts";
import type { RuleWarning } from "../../../rules/rule.ts";
import { useApp } from "../../app/app.ts";
import { isNumberText } from "../../formats/number_text.ts";
import { CheckField, TextField } from "../../parts/form/fields.tsx";
import type { BoundsDraft } from "./aim_draft.ts";
import { Clause } from "./clause.tsx";
import { hasAim, type References } from "./rule_draft.ts";
import { ScopeClause } from "./scope_clause.tsx";
import { ElseClause, ThenClause } from "./then_clause.tsx";
import type { SaidCounts } from "./use_clause_counts.ts";
import type { RuleForm } from "./use_rule_form.ts";
import { WhenClause, WhoClause } from "./when_clause.tsx";

interface RuleFieldsProps {
  readonly form: RuleForm;
  readonly references: References;
  readonly warnings: readonly RuleWarning[];
  /** The rule's current sentence. */
  readonly said: RuleSentenceParts;
  readonly counts: SaidCounts | null;
  /** A new rule begins with the fields that most rules need in sight. */
  readonly isNew: boolean;
}

/** The rule as a sentence of buttons: when, by whom, then, for which products, but never below. */
export function RuleFields({ form, references, warnings, said, counts, isNew }: RuleFieldsProps) {
  const { words, show } = useApp();
  const texts = words.rules;
  const { draft } = form;
  const isFloorBad = !isNumberText(draft.floorPct, show.locale);
  return (
    <>
      <TextField
        label={texts.name}
        name="name"
        value={draft.name}
        error={form.errorOf("name")}
        isWide
        onValue={(name) => form.set({ name })}
      />
      <div class="clauses">
        <WhenClause
          form={form}
          triggers={references.triggers}
          said={said.when}
          isOpen={isNew}
          count={counts?.when ?? null}
        />
        <WhoClause
          form={form}
          triggers={references.triggers}
          said={said.who}
          count={counts?.who ?? null}
        />
        <ThenClause
          form={form}
          actions={references.actions}
          said={said}
          isOpen={isNew}
          count={counts?.then ?? null}
        />
        <ScopeClause
          form={form}
          warnings={warnings}
          said={said.scope}
          count={counts?.scope ?? null}
        />
        <Clause
          lead={texts.clauses.floor}
          said={[...said.bounds, ...said.rest.filter(isOfBounds)]}
          none={texts.noBounds}
          isOpen={isNew}
          count={counts?.floor ?? null}
          hasError={BOUNDS.some((path) => form.errorOf(path) !== null)}
        >
          <TextField
            label={texts.floor}
            hint={texts.floorHint}
            name="marginFloor"
            value={draft.floorPct}
            inputMode="decimal"
            error={isFloorBad ? words.form.noNumber : form.errorOf("marginFloor")}
            onValue={(floorPct) => form.set({ floorPct })}
          />
          {hasAim(draft) && <BoundsFields form={form} />}
        </Clause>
        <ElseClause form={form} said={said} />
        <MoreClause form={form} said={said.rest.filter((one) => !isOfBounds(one))} />
      </div>
    </>
  );
}

/** Their fields stand with the bounds: amounts have a currency, and a brake bounds how prices move. */
const isOfBounds = ({ path }: Said) => path === "currency" || path === "brake";
const BOUNDS = ["marginFloor", "bounds", "brake", "currency"];
const MORE = ["priority", "cooldownMinutes", "budgetPerDay", "description"] as const;

/** None of the days is every day. */
function ScheduleDays({ form }: { form: RuleForm }) {
  const { words } = useApp();
  const { days, only } = words.rules.schedule;
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

function MoreClause({ form, said }: { readonly form: RuleForm; readonly said: readonly Said[] }) {
  const { words } = useApp();
  const texts = words.rules;
  const hasError = [...MORE, "schedule.at"].some((name) => form.errorOf(name) !== null);
  const bind = (name: (typeof MORE)[number]) => ({
    name,
    value: form.draft[name],
    error: form.errorOf(name),
    onValue: (value: string) => form.set({ [name]: value }),
  });
  return (
    <Clause lead={texts.clauses.more} said={said} none={texts.more} hasError={hasError}>
      <TextField
        {...bind("priority")}
        label={texts.priority}
        hint={texts.priorityHint}
        inputMode="numeric"
        placeholder="100"
      />
      <TextField
        {...bind("cooldownMinutes")}
        label={texts.cooldown}
        hint={texts.cooldownHint}
        inputMode="numeric"
        placeholder="60"
      />
      <TextField {...bind("budgetPerDay")} label={texts.budget} inputMode="numeric" />
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
      <TextField {...bind("description")} label={texts.description} lines={2} isWide />
    </Clause>
  );
}

const FIELDS = [
  ["markupPct", "markupPct"],
  ["minPrice", "minCents"],
  ["maxPrice", "maxCents"],
  ["belowTargetPct", "belowTargetPct"],
  ["aboveTargetPct", "aboveTargetPct"],
  ["maxMovePct", "maxMovePct"],
  ["maxMovePerDayPct", "maxMovePerDayPct"],
  ["maxMovesPerDay", "maxMovesPerDay"],
  ["brakeCuts", "brake.cuts"],
  ["brakeDays", "brake.days"],
  ["brakeRestDays", "brake.restDays"],
] as const satisfies readonly (readonly [keyof BoundsDraft, string])[];

/** Bounds of a price with an aim, in addition to the margin floor. */
function BoundsFields({ form }: { readonly form: RuleForm }) {
  const { words, show } = useApp();
  const texts = words.rules.bounds;
  const { bounds, currency } = form.draft;
  const set = (patch: Partial<BoundsDraft>) => form.set({ bounds: { ...bounds, ...patch } });
  return (
    <div class="bounds">
      {FIELDS.map(([name, field]) =>
        [name, field.includes(".") ? field : `bounds.${field}`] as const
      )
        .map(([name, path]) => (
          <TextField
            key={name}
            label={texts[name]}
            name={path}
            value={bounds[name]}
            inputMode="decimal"
            error={isNumberText(bounds[name], show.locale)
              ? form.errorOf(path)
              : words.form.noNumber}
            onValue={(value) => set({ [name]: value })}
          />
        ))}
      <details class="finer" open={form.errorOf("currency") !== null || undefined}>
        <summary>{texts.more}</summary>
        <div class="clause-body">
          <CheckField
            label={texts.isStopped}
            name="bounds.noTarget"
            isOn={bounds.isStopped}
            onChange={(isStopped) => set({ isStopped })}
          />
          <TextField
            label={texts.currency}
            hint={texts.currencyHint(show.currency)}
            name="currency"
            value={currency}
            error={form.errorOf("currency")}
            onValue={(code) => form.set({ currency: code })}
          />
        </div>
      </details>
    </div>
  );
}
