/**
 * The form of a rule is a sentence of clauses, such as "when" and "then". Each part of a clause is
 * a button that opens the fields for this part.
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
} from "./rule_draft.ts";
import { AddRow, Clause, RemoveRow, useCompetitors, useRule } from "./rule_form.tsx";
import { OptionList, type Options, optionsOf } from "../../parts/options.tsx";
import { Fragment } from "preact";
import type { ReferenceField } from "../../../engine/pricing/rule.ts";

export interface RuleFieldsProps {
  readonly warnings: readonly RuleWarning[];
  readonly isNaming: boolean;
}

export function RuleFields({ warnings, isNaming }: RuleFieldsProps) {
  const { form, parts } = useRule();
  const texts = useApp().words.rules;
  return (
    <>
      {(isNaming || form.errorOf("name") !== null) && (
        <TextField {...form.at("name", texts.name)} isWide />
      )}
      <div class="stack framed ruled">
        <Clause name="scope" parts={parts.scope} none={texts.scopes.all} paths={["scope"]}>
          <ScopeFields warnings={warnings} />
        </Clause>
        <WhoClause />
        <WhenClause />
        <ThenClause />
        <Clause
          name="floor"
          parts={[...parts.bounds, ...parts.rest.filter(isOfBounds)]}
          none={texts.noBounds}
          opens
          paths={["marginFloor", "bounds", "brake", "currency"]}
        >
          <NumberField {...form.at("marginFloor.pct", texts.floor, texts.floorHint)} />
          {hasAim(form.draft) && <BoundsFields />}
        </Clause>
        <ElseClause />
        <Clause
          name="more"
          parts={parts.rest.filter((one) => !isOfBounds(one))}
          none={texts.more}
          paths={MORE}
        >
          <MoreFields />
        </Clause>
      </div>
    </>
  );
}

const isOfBounds = ({ path }: SentencePart) => path === "currency" || path === "brake";
const MORE = ["priority", "budgetPerDay", "description", "cooldownMinutes", "schedule"];

function MoreFields() {
  const { rules: texts, codes, fields } = useApp().words;
  const { form } = useRule();
  const { schedule } = texts;
  const days = Object.keys(codes.days);
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
          {/* Without a selected day, the rule runs every day. */}
          {Object.entries(codes.days).map(([day, label]) => (
            <CheckField key={day} {...form.pickAt("schedule.days", days, day, label)} />
          ))}
          <CheckField {...form.flagAt("schedule.only", schedule.only)} />
        </>
      )}
      <TextField {...form.at("description", fields.description)} lines={2} isWide />
    </>
  );
}

function BoundsFields() {
  const { words: { rules: { bounds: texts } }, show } = useApp();
  const { form } = useRule();
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

/** `warnings` names SKUs of the stored rule for which no product exists. */
function ScopeFields({ warnings }: Pick<RuleFieldsProps, "warnings">) {
  const texts = useApp().words.rules;
  const { form } = useRule();
  const mode = textAt(form.draft, "scope.mode");
  return (
    <>
      <SelectField {...form.at("scope.mode", texts.scope)} options={texts.scopes} />
      {mode === "attribute" && <ScopeRows />}
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

function ScopeRows() {
  const { rules: texts, fields } = useApp().words;
  const { form } = useRule();
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
          {rows.length > 1 && <RemoveRow path={ROWS} at={at} label={texts.removeScopeRow} />}
        </div>
      ))}
      {error && <p class="field-error" role="alert">{error}</p>}
      <div class="flow row gap-12 rows-4">
        <AddRow path={ROWS} row={rows.at(-1) ?? EMPTY_SCOPE_ROW} text={texts.addScopeRow} />
        {rows.length > 1 && <small>{texts.scopeHint}</small>}
      </div>
    </div>
  );
}

function ThenClause() {
  const texts = useApp().words.rules;
  const { form, parts, references: { actions } } = useRule();
  const chosen = listAt(form.draft, "actions");
  const error = form.errorOf("actions");
  const unused = actions.find(({ value }) => chosen.every((one) => textAt(one, "type") !== value));
  return (
    <Clause
      name="then"
      parts={piecesOf(parts).filter((one) => !isFallback(one))}
      none={texts.addAction}
      opens
      paths={["actions"]}
    >
      {chosen.map((_, at) => <ActionFields key={at} at={at} />)}
      {error && chosen.length === 0 && <p class="field-error">{error}</p>}
      {unused && <AddRow path="actions" row={{ type: unused.value }} text={texts.addAction} />}
    </Clause>
  );
}

function ElseClause() {
  const { words: { rules: { aim: texts } }, language } = useApp();
  const { form, parts } = useRule();
  const at = listAt(form.draft, "actions").findIndex(isAimed);
  if (at < 0) return null;
  const path = `actions.${at}.price.fallback`;
  const { cost = "cost", target = "target" } = aimLabels(language.value);
  return (
    <Clause
      name="otherwise"
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

function ActionFields({ at }: { readonly at: number }) {
  const { words: { rules: texts, terms } } = useApp();
  const { form, references: { actions } } = useRule();
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
          <RemoveRow path="actions" at={at} label={texts.removeAction} />
        )}
      </div>
      {fields.filter(isShown).map((field) => {
        const own = `${path}.${field.name}`;
        if (field.name !== "formula") {
          return <ReferenceInput key={field.name} path={own} field={field} />;
        }
        return (
          <Fragment key={field.name}>
            <ReferenceInput
              path={own}
              field={withOwn(field, texts.aim.own)}
              {...(isOwn && { value: OWN })}
              onValue={choose}
            />
            {isOwn && <AimFields path={`${path}.price`} />}
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

function AimFields({ path }: { readonly path: string }) {
  const { words: { rules: { aim: texts } }, show, language } = useApp();
  const { form } = useRule();
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
            {!isLast && <RemoveRow path={ranges} at={at} label={texts.removeRange} />}
          </Fragment>
        );
      })}
      <AddRow path={ranges} row={EMPTY_RANGE} isFirst text={texts.addRange} />
      {number("deadbandPct", texts.deadbandPct)}
    </>
  );
}
