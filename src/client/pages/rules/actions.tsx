/**
 * Two parts of the rule form: what the rule does, and what it does if there is no reference price.
 */
import { Fragment } from "preact";
import type { ReferenceEntry, ReferenceField } from "../../../engine/pricing/rule.ts";
import { aimLabels, type SentencePart } from "../../../engine/wording/price_sentence.ts";
import type { RuleSentenceParts } from "../../../engine/wording/rule_sentence.ts";
import { useApp } from "../../app/app.ts";
import { type Options, optionsOf } from "../../parts/controls.tsx";
import { DecimalField, NumberField, SelectField, TextField } from "../../parts/form/fields.tsx";
import { namedOptions, ReferenceInput } from "./conditions.tsx";
import { isValues, listAt, textAt, valueAt } from "../../parts/form/path_form.ts";
import { EMPTY_RANGE, isAimed, NEW_AIM } from "./rule_draft.ts";
import {
  AddRow,
  Clause,
  type ClauseCount,
  RemoveRow,
  type RuleForm,
  useCompetitors,
} from "./rule_form.tsx";

interface ActionsProps {
  readonly form: RuleForm;
  readonly actions: readonly ReferenceEntry[];
}

interface ThenClauseProps extends ActionsProps {
  readonly parts: RuleSentenceParts;
  readonly isOpen: boolean;
  readonly count: ClauseCount | null | undefined;
}

export function ThenClause({ form, actions, parts, isOpen, count }: ThenClauseProps) {
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

export function ElseClause({ form, parts }: Pick<ThenClauseProps, "form" | "parts">) {
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
