/**
 * The form of a rule is a sentence of clauses. Each part of a clause is a button, which opens the
 * fields that it describes. The words come from `engine/wording`, as in the list of rules.
 */
import { optionsOf } from "../../words/label.ts";
import type { RuleSentenceParts } from "../../../engine/wording/rule_sentence.ts";
import type { SentencePart } from "../../../engine/wording/price_sentence.ts";
import type { RuleWarning } from "../../../rules/rule.ts";
import { useApp } from "../../app/app.ts";
import { isNumberText } from "../../formats/decimal.ts";
import { CheckField, SelectField, TextField } from "../../parts/form/fields.tsx";
import type { BoundsDraft } from "./aim_draft.ts";
import {
  Clause,
  type ClauseCount,
  type ClauseTexts,
  CooldownFields,
  type RuleForm,
  ScheduleFields,
} from "./clause.tsx";
import {
  EMPTY_SCOPE_ROW,
  hasAim,
  type References,
  type RuleDraft,
  type ScopeRow,
} from "./rule_draft.ts";
import { ElseClause, ThenClause } from "./then_clause.tsx";
import { WhenClause, WhoClause } from "./when_clause.tsx";
import { SCOPE_FIELDS, SCOPE_OPS } from "../../../engine/pricing/codes.ts";
import { Button } from "../../parts/controls.tsx";

interface RuleFieldsProps {
  readonly form: RuleForm;
  readonly references: References;
  readonly warnings: readonly RuleWarning[];
  readonly parts: RuleSentenceParts;
  readonly counts: ClauseTexts | null;
  /** True for a new rule, which initially shows the fields that most rules need. */
  readonly isNew: boolean;
  readonly isNaming: boolean;
}

export function RuleFields(props: RuleFieldsProps) {
  const { form, references, warnings, parts, counts, isNew, isNaming } = props;
  const texts = useApp().words.rules;
  const { draft } = form;
  return (
    <>
      {(isNaming || form.errorOf("name") !== null) && (
        <TextField
          label={texts.name}
          name="name"
          value={draft.name}
          error={form.errorOf("name")}
          isWide
          onValue={(name) => form.set({ name })}
        />
      )}
      <div class="stack framed ruled">
        <ScopeClause
          form={form}
          warnings={warnings}
          parts={parts.scope}
          count={counts?.scope ?? null}
        />
        <WhoClause
          form={form}
          triggers={references.triggers}
          parts={parts.who}
          count={counts?.who ?? null}
        />
        <WhenClause
          form={form}
          triggers={references.triggers}
          parts={parts.when}
          isOpen={isNew}
          count={counts?.when ?? null}
        />
        <ThenClause
          form={form}
          actions={references.actions}
          parts={parts}
          isOpen={isNew}
          count={counts?.then ?? null}
        />
        <FloorClause form={form} parts={parts} isOpen={isNew} count={counts?.floor ?? null} />
        <ElseClause form={form} parts={parts} />
        <MoreClause form={form} parts={parts.rest.filter((one) => !isOfBounds(one))} />
      </div>
    </>
  );
}

interface FloorClauseProps extends Pick<RuleFieldsProps, "form" | "parts"> {
  readonly isOpen: boolean;
  readonly count: ClauseCount | null;
}

function FloorClause({ form, parts, isOpen, count }: FloorClauseProps) {
  const { words, show } = useApp();
  const texts = words.rules;
  const { draft } = form;
  const isFloorBad = !isNumberText(draft.floorPct, show.locale);
  return (
    <Clause
      lead={texts.clauses.floor}
      parts={[...parts.bounds, ...parts.rest.filter(isOfBounds)]}
      none={texts.noBounds}
      isOpen={isOpen}
      count={count}
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
  );
}

const isOfBounds = ({ path }: SentencePart) => path === "currency" || path === "brake";
const BOUNDS = ["marginFloor", "bounds", "brake", "currency"];
const MORE = ["priority", "budgetPerDay", "description"] as const;

function MoreClause(
  { form, parts }: { readonly form: RuleForm; readonly parts: readonly SentencePart[] },
) {
  const texts = useApp().words.rules;
  const hasError = [...MORE, "cooldownMinutes", "schedule.at"].some((name) =>
    form.errorOf(name) !== null
  );
  const bind = (name: (typeof MORE)[number]) => ({
    name,
    value: form.draft[name],
    error: form.errorOf(name),
    onValue: (value: string) => form.set({ [name]: value }),
  });
  return (
    <Clause lead={texts.clauses.more} parts={parts} none={texts.more} hasError={hasError}>
      <TextField
        {...bind("priority")}
        label={texts.priority}
        hint={texts.priorityHint}
        inputMode="numeric"
        placeholder="100"
      />
      <CooldownFields form={form} />
      <TextField {...bind("budgetPerDay")} label={texts.budget} inputMode="numeric" />
      <ScheduleFields form={form} />
      <TextField {...bind("description")} label={texts.description} lines={2} isWide />
    </Clause>
  );
}

const FIELDS = [
  ["markupPct", "bounds.markupPct"],
  ["minPrice", "bounds.minCents"],
  ["maxPrice", "bounds.maxCents"],
  ["belowTargetPct", "bounds.belowTargetPct"],
  ["aboveTargetPct", "bounds.aboveTargetPct"],
  ["maxMovePct", "bounds.maxMovePct"],
  ["maxMovePerDayPct", "bounds.maxMovePerDayPct"],
  ["maxMovesPerDay", "bounds.maxMovesPerDay"],
  ["brakeCuts", "brake.cuts"],
  ["brakeDays", "brake.days"],
  ["brakeRestDays", "brake.restDays"],
] as const satisfies readonly (readonly [keyof BoundsDraft, string])[];

/** Bounds of an aimed price, in addition to the margin floor. */
function BoundsFields({ form }: { readonly form: RuleForm }) {
  const { words, show } = useApp();
  const texts = words.rules.bounds;
  const { bounds, currency } = form.draft;
  const set = (patch: Partial<BoundsDraft>) => form.set({ bounds: { ...bounds, ...patch } });
  return (
    <div class="bounds">
      {FIELDS.map(([name, path]) => (
        <TextField
          key={name}
          label={texts[name]}
          name={path}
          value={bounds[name]}
          inputMode="decimal"
          error={isNumberText(bounds[name], show.locale) ? form.errorOf(path) : words.form.noNumber}
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

interface ScopeClauseProps {
  readonly form: RuleForm;
  readonly parts: readonly SentencePart[];
  readonly count: ClauseCount | null;
  /** SKUs of the stored rule that no product has. */
  readonly warnings: readonly RuleWarning[];
}

function ScopeClause({ form, warnings, parts, count }: ScopeClauseProps) {
  const texts = useApp().words.rules;
  const { scopeMode, skus } = form.draft;
  const isMode = (value: string): value is RuleDraft["scopeMode"] => value in texts.scopes;
  return (
    <Clause
      lead={texts.clauses.scope}
      parts={parts}
      none={texts.scopes.all}
      count={count}
      hasError={form.errorOf("scope") !== null}
    >
      <SelectField
        label={texts.scope}
        name="scope.mode"
        value={scopeMode}
        error={form.errorOf("scope.mode")}
        options={optionsOf(texts.scopes)}
        onValue={(value) => isMode(value) && form.set({ scopeMode: value })}
      />
      {scopeMode === "attribute" && <ScopeRows form={form} />}
      {scopeMode === "sku" && (
        <TextField
          label={texts.skus}
          hint={texts.skusHint}
          name="scope.list"
          value={skus}
          lines={5}
          error={form.errorOf("scope.list")}
          onValue={(value) => form.set({ skus: value })}
        />
      )}
      {scopeMode === "sku" && warnings.length > 0 && (
        <p class="note warn">
          {texts.warnings(warnings.length)} {warnings.map(({ value }) => value).join(", ")}
        </p>
      )}
    </Clause>
  );
}

function ScopeRows({ form }: { form: RuleForm }) {
  const texts = useApp().words.rules;
  const { scopeRows } = form.draft;
  const error = form.errorOf("scope.matches");
  const set = (rows: readonly ScopeRow[]) => form.set({ scopeRows: rows });
  return (
    <div class="scope-rows stack gap-8">
      {scopeRows.map((row, at) => (
        <ScopeRowFields
          key={at}
          row={row}
          onRow={(changed) => set(scopeRows.with(at, changed))}
          {...(scopeRows.length > 1 && { onRemove: () => set(scopeRows.toSpliced(at, 1)) })}
        />
      ))}
      {error && <p class="field-error" role="alert">{error}</p>}
      <div class="flow row gap-12 rows-4">
        <Button
          kind="quiet"
          icon="plus"
          onClick={() => set([...scopeRows, scopeRows.at(-1) ?? EMPTY_SCOPE_ROW])}
        >
          {texts.addScopeRow}
        </Button>
        {scopeRows.length > 1 && <small>{texts.scopeHint}</small>}
      </div>
    </div>
  );
}

function ScopeRowFields(
  { row, onRow, onRemove }: { row: ScopeRow; onRow(row: ScopeRow): void; onRemove?(): void },
) {
  const texts = useApp().words.rules;
  return (
    <div class="scope-row">
      <select
        aria-label={texts.scopeField}
        value={row.field}
        onChange={(event) => {
          const field = SCOPE_FIELDS.find((name) => name === event.currentTarget.value);
          if (field) onRow({ ...row, field });
        }}
      >
        {SCOPE_FIELDS.map((name) => (
          <option key={name} value={name}>{texts.scopeFields[name]}</option>
        ))}
      </select>
      <select
        aria-label={texts.scopeOp}
        value={row.op}
        onChange={(event) => {
          const op = SCOPE_OPS.find((known) => known === event.currentTarget.value);
          if (op) onRow({ ...row, op });
        }}
      >
        {SCOPE_OPS.map((op) => <option key={op} value={op}>{texts.scopeOps[op]}</option>)}
      </select>
      <input
        type="text"
        aria-label={texts.scopeValue}
        value={row.value}
        autoComplete="off"
        onInput={(event) => onRow({ ...row, value: event.currentTarget.value })}
      />
      {onRemove && (
        <Button kind="quiet" icon="close" label={texts.removeScopeRow} onClick={onRemove} />
      )}
    </div>
  );
}
