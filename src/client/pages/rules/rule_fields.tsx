/**
 * The form of a rule is a sentence of clauses, such as "when" and "then". Each part of a clause is
 * a button that opens the fields for this part. `engine/wording` has the words for this form and
 * for the list of rules.
 */
import { aimLabels, type SentencePart } from "../../../engine/wording/price_sentence.ts";
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
import { namedOptions, ReferenceInput, WhenClause, WhoClause } from "./conditions.tsx";
import { isValues, listAt, textAt, valueAt } from "../../parts/form/saved_form.tsx";
import {
  BOUND_NAMES,
  BRAKE_NAMES,
  EMPTY_RANGE,
  EMPTY_SCOPE_ROW,
  hasAim,
  isAimed,
  NEW_AIM,
  type References,
} from "./rule_draft.ts";
import {
  AddRow,
  Clause,
  type ClauseCount,
  type ClauseTexts,
  RemoveRow,
  type RuleForm,
  useCompetitors,
} from "./rule_form.tsx";
import { OptionList, type Options, optionsOf } from "../../parts/options.tsx";
import { Fragment } from "preact";
import type { ReferenceEntry, ReferenceField } from "../../../engine/pricing/rule.ts";

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

interface ActionsProps {
  readonly form: RuleForm;
  readonly actions: readonly ReferenceEntry[];
}

interface ThenClauseProps extends ActionsProps {
  readonly parts: RuleSentenceParts;
  readonly isOpen: boolean;
  readonly count: ClauseCount | null | undefined;
}

function ThenClause({ form, actions, parts, isOpen, count }: ThenClauseProps) {
  const texts = useApp().words.rules;
  const chosen = listAt(form.draft, "actions");
  const error = form.errorOf("actions");
  const unused = actions.find(({ value }) => chosen.every((one) => textAt(one, "type") !== value));
  return (
    <Clause
      {...{ form, isOpen, count }}
      lead={texts.clauses.then}
      parts={piecesOf(parts).filter((one) => !isFallback(one))}
      none={texts.addAction}
      paths={["actions"]}
    >
      {chosen.map((_, at) => <ActionFields key={at} {...{ form, actions, at }} />)}
      {error && chosen.length === 0 && <p class="field-error">{error}</p>}
      {unused && (
        <AddRow form={form} path="actions" row={{ type: unused.value }} text={texts.addAction} />
      )}
    </Clause>
  );
}

function ElseClause({ form, parts }: Pick<ThenClauseProps, "form" | "parts">) {
  const { words: { rules: { aim: texts, clauses } }, language } = useApp();
  const at = listAt(form.draft, "actions").findIndex(isAimed);
  if (at < 0) return null;
  const path = `actions.${at}.price.fallback`;
  const { cost = "cost", target = "target" } = aimLabels(language.value);
  return (
    <Clause
      form={form}
      lead={clauses.otherwise}
      parts={piecesOf(parts).filter(isFallback)}
      none={texts.noFallback}
      paths={[path]}
    >
      <SelectField
        {...form.at(`${path}.kind`, texts.fallback)}
        name={path}
        options={{ cost, target }}
        none={texts.noFallback}
      />
      {textAt(form.draft, `${path}.kind`) !== "" && (
        <NumberField {...form.at(`${path}.pct`, texts.fallbackPct)} />
      )}
    </Clause>
  );
}

function piecesOf({ actions }: RuleSentenceParts): SentencePart[] {
  return actions.flatMap(({ act, price, more }) => [act, ...price, ...more]);
}

const isFallback = ({ path }: SentencePart) => path.endsWith(".price.fallback");

const OWN = "aim";

function ActionFields({ form, actions, at }: ActionsProps & { readonly at: number }) {
  const { words: { rules: texts, terms } } = useApp();
  const path = `actions.${at}`;
  const action = valueAt(form.draft, path);
  const isOwn = isAimed(action);
  const isMargin = textAt(action, "formula") === "target_margin_pct";
  const fields = actions.find(({ value }) => value === textAt(action, "type"))?.fields ?? [];
  const isShown = ({ name }: ReferenceField) =>
    !/^price(\.|$)/.test(name) && (name !== "targetMarginPct" || !isOwn && isMargin) &&
    (name !== "rounding" || !isOwn);
  const choose = (formula: string) =>
    formula === OWN
      ? form.put(`${path}.price`, NEW_AIM)
      : form.put(path, { ...isValues(action) && action, formula, price: "" });
  return (
    <div class="action">
      <div class="action-head">
        <SelectField
          {...form.at(`${path}.type`, texts.action(at + 1))}
          options={namedOptions(actions, terms.actions)}
        />
        {listAt(form.draft, "actions").length > 1 && (
          <RemoveRow form={form} path="actions" at={at} label={texts.removeAction} />
        )}
      </div>
      {fields.filter(isShown).map((field) => {
        const input = { form, path: `${path}.${field.name}` };
        if (field.name !== "formula") {
          return <ReferenceInput key={field.name} {...input} field={field} />;
        }
        return (
          <Fragment key={field.name}>
            <ReferenceInput
              {...input}
              field={withOwn(field, texts.aim.own)}
              {...(isOwn && { value: OWN })}
              onValue={choose}
            />
            {isOwn && <AimFields form={form} path={`${path}.price`} />}
          </Fragment>
        );
      })}
    </div>
  );
}

function withOwn(field: ReferenceField, label: string): ReferenceField {
  const own = { value: OWN, label, description: "" };
  return { ...field, values: [own, ...field.values ?? []] };
}

function AimFields({ form, path }: { readonly form: RuleForm; readonly path: string }) {
  const { words: { rules: { aim: texts } }, show, language } = useApp();
  const competitors = useCompetitors();
  const kind = textAt(form.draft, `${path}.reference.kind`);
  const ranges = `${path}.rounding.ranges`;
  const rows = listAt(form.draft, ranges);
  const currency = textAt(form.draft, "currency").trim() || show.currency;
  const choose = (name: string, label: string, options: Options, none?: string) => (
    <SelectField {...form.at(`${path}.${name}`, label)} options={options} none={none} />
  );
  const number = (name: string, label: string) => (
    <NumberField {...form.at(`${path}.${name}`, label)} />
  );
  return (
    <>
      {choose("reference.kind", texts.kind, aimLabels(language.value))}
      {kind === "nth" && number("reference.nth", texts.nth)}
      {kind === "competitor" &&
        choose("reference.competitorId", texts.competitorId, optionsOf(competitors.rows), "…")}
      {number("adjust", texts.by)}
      {choose("unit", texts.unit, { pct: texts.units.pct, money: texts.units.money(currency) })}
      {choose("direction", texts.direction, texts.directions)}
      {choose("rounding.to", texts.way, texts.ways)}
      {rows.map((_, at) => {
        const isLast = at === rows.length - 1;
        return (
          <Fragment key={at}>
            {!isLast && (
              <DecimalField {...form.at(`${ranges}.${at}.belowCents`, texts.belowCents)} />
            )}
            <TextField {...form.at(`${ranges}.${at}.endings`, texts.endings, texts.endingsHint)} />
            {!isLast && <RemoveRow form={form} path={ranges} at={at} label={texts.removeRange} />}
          </Fragment>
        );
      })}
      <AddRow form={form} path={ranges} row={EMPTY_RANGE} isFirst text={texts.addRange} />
      {number("deadbandPct", texts.deadbandPct)}
    </>
  );
}
