/**
 * The form of a rule is a sentence of clauses, such as "when" and "then". Each part of a clause is
 * a button that opens the fields for this part. `engine/wording` has the words for this form and
 * for the list of rules.
 */
import type { SentencePart } from "../../../engine/wording/price_sentence.ts";
import type { RuleSentenceParts } from "../../../engine/wording/rule_sentence.ts";
import type { RuleWarning } from "../../../rules/rule_resource.ts";
import { useApp } from "../../app/app.ts";
import {
  CheckField,
  DecimalField,
  DigitsField,
  NumberField,
  SelectField,
  TextField,
} from "../../parts/form/fields.tsx";
import { ElseClause, ThenClause } from "./actions.tsx";
import { WhenClause, WhoClause } from "./conditions.tsx";
import { listAt, textAt } from "../../parts/form/path_form.ts";
import {
  BOUND_NAMES,
  BRAKE_NAMES,
  EMPTY_SCOPE_ROW,
  hasAim,
  type References,
} from "./rule_draft.ts";
import { AddRow, Clause, type ClauseTexts, RemoveRow, type RuleForm } from "./rule_form.tsx";
import { OptionList } from "../../parts/controls.tsx";

export interface RuleFieldsProps {
  readonly form: RuleForm;
  readonly references: References;
  readonly warnings: readonly RuleWarning[];
  readonly parts: RuleSentenceParts;
  readonly counts: ClauseTexts | null;
  readonly isNew: boolean;
  readonly isNaming: boolean;
}

export function RuleFields(props: RuleFieldsProps) {
  const { form, references, warnings, parts, counts, isNew, isNaming } = props;
  const { triggers, actions } = references;
  const texts = useApp().words.rules;
  return (
    <>
      {(isNaming || form.errorOf("name") !== null) && (
        <TextField {...form.at("name", texts.name)} isWide />
      )}
      <div class="stack framed ruled">
        <Clause
          lead={texts.clauses.scope}
          parts={parts.scope}
          none={texts.scopes.all}
          count={counts?.scope}
          {...{ form, paths: ["scope"] }}
        >
          <ScopeFields form={form} warnings={warnings} />
        </Clause>
        <WhoClause {...{ form, triggers }} parts={parts.who} count={counts?.who} />
        <WhenClause
          {...{ form, triggers }}
          parts={parts.when}
          isOpen={isNew}
          count={counts?.when}
        />
        <ThenClause {...{ form, actions, parts }} isOpen={isNew} count={counts?.then} />
        <Clause
          lead={texts.clauses.floor}
          parts={[...parts.bounds, ...parts.rest.filter(isOfBounds)]}
          none={texts.noBounds}
          isOpen={isNew}
          count={counts?.floor}
          {...{ form, paths: ["marginFloor", "bounds", "brake", "currency"] }}
        >
          <NumberField {...form.at("marginFloor.pct", texts.floor, texts.floorHint)} />
          {hasAim(form.draft) && <BoundsFields form={form} />}
        </Clause>
        <ElseClause form={form} parts={parts} />
        <Clause
          lead={texts.clauses.more}
          parts={parts.rest.filter((one) => !isOfBounds(one))}
          none={texts.more}
          {...{ form, paths: MORE }}
        >
          <MoreFields form={form} />
        </Clause>
      </div>
    </>
  );
}

const isOfBounds = ({ path }: SentencePart) => path === "currency" || path === "brake";
const MORE = ["priority", "budgetPerDay", "description", "cooldownMinutes", "schedule"];

type FieldsProps = Pick<RuleFieldsProps, "form">;

function MoreFields({ form }: FieldsProps) {
  const { rules: texts, fields } = useApp().words;
  const { schedule } = texts;
  const days = Object.keys(schedule.days);
  const isMinutes = textAt(form.draft, "cooldownUnit") === "minutes";
  return (
    <>
      <DigitsField {...form.at("priority", texts.priority, texts.priorityHint)} placeholder="100" />
      <DecimalField
        {...form.at("cooldownMinutes", fields.cooldownMinutes, texts.cooldownHint)}
        {...(isMinutes && { placeholder: "60" })}
      />
      <SelectField {...form.at("cooldownUnit", texts.cooldownUnit)} options={texts.cooldownUnits} />
      <DigitsField {...form.at("budgetPerDay", texts.budget)} />
      <TextField {...form.at("schedule.at", schedule.at, schedule.hint)} placeholder="06:00" />
      {textAt(form.draft, "schedule.at") !== "" && (
        <>
          {/* No selected day means every day. */}
          {Object.entries(schedule.days).map(([day, label]) => (
            <CheckField key={day} {...form.pickAt("schedule.days", days, day, label)} />
          ))}
          <CheckField {...form.flagAt("schedule.only", schedule.only)} />
        </>
      )}
      <TextField {...form.at("description", fields.description)} lines={2} isWide />
    </>
  );
}

function BoundsFields({ form }: FieldsProps) {
  const { words: { rules: { bounds: texts } }, show } = useApp();
  return (
    <div class="bounds">
      {BOUND_NAMES.map((name) => (
        <NumberField key={name} {...form.at(`bounds.${name}`, texts[name])} />
      ))}
      {BRAKE_NAMES.map((name) => (
        <NumberField key={name} {...form.at(`brake.${name}`, texts[name])} />
      ))}
      <details class="finer" open={form.errorOf("currency") !== null || undefined}>
        <summary>{texts.more}</summary>
        <div class="clause-body">
          <CheckField
            label={texts.isStopped}
            name="bounds.noTarget"
            isOn={textAt(form.draft, "bounds.noTarget") === "stop"}
            onChange={(isStopped) => form.put("bounds.noTarget", isStopped ? "stop" : "")}
          />
          <TextField {...form.at("currency", texts.currency, texts.currencyHint(show.currency))} />
        </div>
      </details>
    </div>
  );
}

/** `warnings` contains the SKUs in the stored rule for which no product exists. */
function ScopeFields({ form, warnings }: Pick<RuleFieldsProps, "form" | "warnings">) {
  const texts = useApp().words.rules;
  const mode = textAt(form.draft, "scope.mode");
  return (
    <>
      <SelectField {...form.at("scope.mode", texts.scope)} options={texts.scopes} />
      {mode === "attribute" && <ScopeRows form={form} />}
      {mode === "sku" && (
        <TextField {...form.at("scope.list", texts.skus, texts.skusHint)} lines={5} />
      )}
      {mode === "sku" && warnings.length > 0 && (
        <p class="note warn">
          {texts.warnings(warnings.length)} {warnings.map(({ value }) => value).join(", ")}
        </p>
      )}
    </>
  );
}

const ROWS = "scope.matches";

function ScopeRows({ form }: FieldsProps) {
  const { rules: texts, fields } = useApp().words;
  const rows = listAt(form.draft, ROWS);
  const error = form.errorOf(ROWS);
  const choose = (path: string, label: string, names: Readonly<Record<string, string>>) => (
    <select
      aria-label={label}
      value={textAt(form.draft, path)}
      onChange={(event) => form.put(path, event.currentTarget.value)}
    >
      <OptionList options={names} />
    </select>
  );
  return (
    <div class="scope-rows stack gap-8">
      {rows.map((_, at) => (
        <div class="scope-row" key={at}>
          {choose(`${ROWS}.${at}.field`, texts.scopeField, texts.scopeFields)}
          {choose(`${ROWS}.${at}.op`, texts.scopeOp, texts.scopeOps)}
          <input
            type="text"
            aria-label={fields.value}
            value={textAt(form.draft, `${ROWS}.${at}.value`)}
            autoComplete="off"
            onInput={(event) => form.put(`${ROWS}.${at}.value`, event.currentTarget.value)}
          />
          {rows.length > 1 && (
            <RemoveRow form={form} path={ROWS} at={at} label={texts.removeScopeRow} />
          )}
        </div>
      ))}
      {error && <p class="field-error" role="alert">{error}</p>}
      <div class="flow row gap-12 rows-4">
        <AddRow
          form={form}
          path={ROWS}
          row={rows.at(-1) ?? EMPTY_SCOPE_ROW}
          text={texts.addScopeRow}
        />
        {rows.length > 1 && <small>{texts.scopeHint}</small>}
      </div>
    </div>
  );
}
