/**
 * The clauses of the rule form that say what the rule does, and what it does without a reference
 * price. The service lists the actions with their fields, so the form needs no change for a new
 * action. The form offers the price aim as a formula, although a rule stores the aim in a separate
 * field.
 */
import { Fragment } from "preact";
import type { ReferenceEntry, ReferenceField } from "../../../engine/pricing/reference_list.ts";
import type { RuleSentenceParts } from "../../../engine/wording/rule_sentence.ts";
import type { SentencePart } from "../../../engine/wording/price_sentence.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/controls.tsx";
import { NumberField, SelectField, TextField } from "../../parts/form/fields.tsx";
import { type AimDraft, NEW_AIM, type RangeDraft } from "./aim_draft.ts";
import { Clause, type ClauseCount, type RuleForm, useCompetitors } from "./clause.tsx";
import { ReferenceInput } from "./when_clause.tsx";
import { type ActionDraft, type FieldValue, makesPrice } from "./rule_draft.ts";
import { aimLabels } from "../../../engine/wording/price_sentence.ts";

interface ActionsProps {
  readonly form: RuleForm;
  readonly actions: readonly ReferenceEntry[];
}

interface ThenClauseProps extends ActionsProps {
  readonly parts: RuleSentenceParts;
  readonly isOpen: boolean;
  readonly count: ClauseCount | null;
}

export function ThenClause({ form, actions, parts, isOpen, count }: ThenClauseProps) {
  const texts = useApp().words.rules;
  const chosen = form.draft.actions;
  const unused = actions.find(({ value }) => !chosen.some(({ type }) => type === value));
  return (
    <Clause
      lead={texts.clauses.then}
      parts={piecesOf(parts).filter((one) => !isFallback(one))}
      none={texts.addAction}
      isOpen={isOpen}
      count={count}
      hasError={form.errorOf("actions") !== null}
    >
      {chosen.map((action, at) => (
        <ActionFields key={at} at={at} action={action} form={form} actions={actions} />
      ))}
      {form.errorOf("actions") && chosen.length === 0 && (
        <p class="field-error">{form.errorOf("actions")}</p>
      )}
      {unused && (
        <Button
          kind="quiet"
          icon="plus"
          onClick={() => form.set({ actions: [...chosen, { type: unused.value, values: {} }] })}
        >
          {texts.addAction}
        </Button>
      )}
    </Clause>
  );
}

export function ElseClause({ form, parts }: Pick<ThenClauseProps, "form" | "parts">) {
  const { words } = useApp();
  const { actions } = form.draft;
  const at = actions.findIndex(({ type, aim }) => makesPrice(type) && aim);
  const action = actions[at];
  if (!action?.aim) return null;
  return (
    <Clause
      lead={words.rules.clauses.otherwise}
      parts={piecesOf(parts).filter(isFallback)}
      none={words.rules.aim.noFallback}
      hasError={form.errorOf(`actions.${at}.price.fallback`) !== null}
    >
      <FallbackFields
        aim={action.aim}
        path={`actions.${at}.price`}
        form={form}
        onAim={(aim) => form.setAction(at, { ...action, aim })}
      />
    </Clause>
  );
}

function piecesOf({ actions }: RuleSentenceParts): SentencePart[] {
  return actions.flatMap(({ act, price, more }) => [act, ...price, ...more]);
}

const isFallback = ({ path }: SentencePart) => path.endsWith(".price.fallback");

interface ActionFieldsProps extends ActionsProps {
  readonly at: number;
  readonly action: ActionDraft;
}

function ActionFields({ at, action, form, actions }: ActionFieldsProps) {
  const { rules: texts } = useApp().words;
  const fields = actions.find(({ value }) => value === action.type)?.fields ?? [];
  const path = `actions.${at}`;
  const { aim } = action;
  const isShown = (name: string) =>
    !/^price(\.|$)/.test(name) &&
    (aim ? name !== "targetMarginPct" && name !== "rounding" : name !== "targetMarginPct" ||
      action.values.formula === "target_margin_pct");
  const set = (name: string, value: FieldValue) => {
    const values = { ...action.values, [name]: value };
    if (name !== "formula") return form.setAction(at, { ...action, values });
    return value === OWN
      ? form.setAction(at, { ...action, aim: NEW_AIM })
      : form.setAction(at, { ...action, aim: null, values });
  };
  return (
    <div class="action">
      <ActionHead {...{ at, action, form, actions }} />
      {fields.filter(({ name }) => isShown(name)).map((field) => (
        <Fragment key={field.name}>
          <ReferenceInput
            field={field.name === "formula" ? withOwn(field, texts.aim.own) : field}
            path={`${path}.${field.name}`}
            value={field.name === "formula" && aim ? OWN : action.values[field.name]}
            error={form.errorOf(`${path}.${field.name}`)}
            onValue={(value) => set(field.name, value)}
          />
          {field.name === "formula" && aim && (
            <AimFields
              aim={aim}
              path={`${path}.price`}
              form={form}
              onAim={(one) => form.setAction(at, { ...action, aim: one })}
            />
          )}
        </Fragment>
      ))}
    </div>
  );
}

function ActionHead({ at, action, form, actions }: ActionFieldsProps) {
  const { words, show } = useApp();
  const { rules: texts, terms } = words;
  return (
    <div class="action-head">
      <SelectField
        label={texts.action(show.number(at + 1))}
        name={`actions.${at}.type`}
        value={action.type}
        error={form.errorOf(`actions.${at}.type`)}
        options={actions.map(({ value, label }) => ({
          value,
          label: terms.actions[value] ?? label,
        }))}
        onValue={(type) => form.setAction(at, { ...action, type })}
      />
      {form.draft.actions.length > 1 && (
        <Button
          kind="quiet"
          icon="close"
          label={texts.removeAction}
          onClick={() => form.set({ actions: form.draft.actions.toSpliced(at, 1) })}
        />
      )}
    </div>
  );
}

/** The entry of the list of formulas that stands for a price aim. */
const OWN = "aim";

function withOwn(field: ReferenceField, label: string): ReferenceField {
  const own = { value: OWN, label, description: "" };
  return { ...field, values: [own, ...field.values ?? []] };
}

interface AimFieldsProps {
  readonly aim: AimDraft;
  /** The path of the price in the rule. */
  readonly path: string;
  readonly form: RuleForm;
  onAim(aim: AimDraft): void;
}

function AimFields({ aim, path, form, onAim }: AimFieldsProps) {
  const { words, show, language } = useApp();
  const texts = words.rules.aim;
  const labels = aimLabels(language.value);
  const competitors = useCompetitors();
  const set = (patch: Partial<AimDraft>) => onAim({ ...aim, ...patch });
  const choose = (
    name: "kind" | "competitorId" | "unit" | "direction" | "way",
    label: string,
    field: string,
    options: readonly (readonly [value: string, label: string])[],
  ) => (
    <SelectField
      label={label}
      name={`${path}.${field}`}
      value={aim[name]}
      error={form.errorOf(`${path}.${field}`)}
      options={options.map(([value, label]) => ({ value, label }))}
      onValue={(value) => set({ [name]: value })}
    />
  );
  const number = (
    name: "nth" | "by" | "deadbandPct",
    label: string,
    field: string,
  ) => (
    <NumberField
      label={label}
      name={`${path}.${field}`}
      value={aim[name]}
      error={form.errorOf(`${path}.${field}`)}
      onValue={(value) => set({ [name]: value })}
    />
  );
  return (
    <>
      {choose("kind", texts.kind, "reference.kind", Object.entries(labels))}
      {aim.kind === "nth" && number("nth", texts.nth, "reference.nth")}
      {aim.kind === "competitor" && choose(
        "competitorId",
        texts.competitorId,
        "reference.competitorId",
        [["", "…"], ...competitors.rows.map(({ id, displayName }) => [id, displayName] as const)],
      )}
      {number("by", texts.by, "adjust")}
      {choose("unit", texts.unit, "adjust.unit", [
        ["pct", texts.units.pct],
        ["money", texts.units.money(form.draft.currency.trim() || show.currency)],
      ])}
      {choose("direction", texts.direction, "direction", Object.entries(texts.directions))}
      {choose("way", texts.way, "rounding.to", Object.entries(texts.ways))}
      <RangesFields {...{ aim, path, form, onAim }} />
      {number("deadbandPct", texts.deadbandPct, "deadbandPct")}
    </>
  );
}

function RangesFields({ aim, path, form, onAim }: AimFieldsProps) {
  const texts = useApp().words.rules.aim;
  const set = (ranges: readonly RangeDraft[]) => onAim({ ...aim, ranges });
  return (
    <>
      {aim.ranges.map((range, at) => (
        <RangeFields
          key={at}
          range={range}
          path={`${path}.rounding.ranges.${at}`}
          form={form}
          onRange={(one) => set(aim.ranges.with(at, one))}
          onRemove={at === aim.ranges.length - 1 ? null : () => set(aim.ranges.toSpliced(at, 1))}
        />
      ))}
      <Button
        kind="quiet"
        icon="plus"
        onClick={() => set([{ below: "", endings: "" }, ...aim.ranges])}
      >
        {texts.addRange}
      </Button>
    </>
  );
}

function FallbackFields({ aim, path, form, onAim }: AimFieldsProps) {
  const { words, language } = useApp();
  const texts = words.rules.aim;
  const labels = aimLabels(language.value);
  return (
    <>
      <SelectField
        label={texts.fallback}
        name={`${path}.fallback`}
        value={aim.fallback}
        error={form.errorOf(`${path}.fallback.kind`)}
        options={[
          { value: "", label: texts.noFallback },
          { value: "cost", label: labels.cost ?? "cost" },
          { value: "target", label: labels.target ?? "target" },
        ]}
        onValue={(fallback) => onAim({ ...aim, fallback })}
      />
      {aim.fallback !== "" && (
        <NumberField
          label={texts.fallbackPct}
          name={`${path}.fallback.pct`}
          value={aim.fallbackPct}
          error={form.errorOf(`${path}.fallback.pct`)}
          onValue={(fallbackPct) => onAim({ ...aim, fallbackPct })}
        />
      )}
    </>
  );
}

interface RangeFieldsProps {
  readonly range: RangeDraft;
  readonly path: string;
  readonly form: RuleForm;
  onRange(range: RangeDraft): void;
  /** Null for the last range, which has no upper limit. */
  readonly onRemove: (() => void) | null;
}

function RangeFields({ range, path, form, onRange, onRemove }: RangeFieldsProps) {
  const texts = useApp().words.rules.aim;
  return (
    <>
      {onRemove && (
        <TextField
          label={texts.belowCents}
          name={`${path}.belowCents`}
          value={range.below}
          inputMode="decimal"
          error={form.errorOf(`${path}.belowCents`)}
          onValue={(below) => onRange({ ...range, below })}
        />
      )}
      <TextField
        label={texts.endings}
        hint={texts.endingsHint}
        name={`${path}.endings`}
        value={range.endings}
        error={form.errorOf(`${path}.endings`)}
        onValue={(endings) => onRange({ ...range, endings })}
      />
      {onRemove && (
        <Button
          kind="quiet"
          icon="close"
          label={texts.removeRange}
          onClick={onRemove}
        />
      )}
    </>
  );
}
