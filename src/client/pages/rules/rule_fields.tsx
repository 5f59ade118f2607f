/**
 * The form of a rule is a sentence of clauses. Each part of a clause is a button, which opens the
 * fields that it describes. The words come from `engine/wording`, as in the list of rules.
 */
import { optionsOf } from "../../words/label.ts";
import type { RuleSentenceParts } from "../../../engine/wording/rule_sentence.ts";
import type { SentencePart } from "../../../engine/wording/price_sentence.ts";
import type { RuleWarning } from "../../../rules/rule.ts";
import { useApp } from "../../app/app.ts";
import { CheckField, NumberField, SelectField, TextField } from "../../parts/form/fields.tsx";
import { BOUND_NAMES, type BoundsDraft, BRAKE_NAMES } from "./aim_draft.ts";
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
  return (
    <>
      {(isNaming || form.errorOf("name") !== null) && (
        <TextField {...form.text("name", texts.name)} isWide />
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
  const texts = useApp().words.rules;
  return (
    <Clause
      lead={texts.clauses.floor}
      parts={[...parts.bounds, ...parts.rest.filter(isOfBounds)]}
      none={texts.noBounds}
      isOpen={isOpen}
      count={count}
      hasError={BOUNDS.some((path) => form.errorOf(path) !== null)}
    >
      <NumberField {...form.text("marginFloor", texts.floor, texts.floorHint)} />
      {hasAim(form.draft) && <BoundsFields form={form} />}
    </Clause>
  );
}

const isOfBounds = ({ path }: SentencePart) => path === "currency" || path === "brake";
const BOUNDS = ["marginFloor", "bounds", "brake", "currency"];
const MORE = ["priority", "budgetPerDay", "description", "cooldownMinutes", "schedule.at"];

function MoreClause(
  { form, parts }: { readonly form: RuleForm; readonly parts: readonly SentencePart[] },
) {
  const texts = useApp().words.rules;
  const hasError = MORE.some((name) => form.errorOf(name) !== null);
  return (
    <Clause lead={texts.clauses.more} parts={parts} none={texts.more} hasError={hasError}>
      <TextField
        {...form.text("priority", texts.priority, texts.priorityHint)}
        inputMode="numeric"
        placeholder="100"
      />
      <CooldownFields form={form} />
      <TextField {...form.text("budgetPerDay", texts.budget)} inputMode="numeric" />
      <ScheduleFields form={form} />
      <TextField {...form.text("description", texts.description)} lines={2} isWide />
    </Clause>
  );
}

const FIELDS = [
  ...BOUND_NAMES.map((name) => ({ name, path: `bounds.${name}` })),
  ...BRAKE_NAMES.map((name) => ({ name, path: `brake.${name}` })),
];

/** Bounds of an aimed price, in addition to the margin floor. */
function BoundsFields({ form }: { readonly form: RuleForm }) {
  const { words: { rules: { bounds: texts } }, show } = useApp();
  const { bounds } = form.draft;
  const set = (patch: Partial<BoundsDraft>) => form.set({ bounds: { ...bounds, ...patch } });
  return (
    <div class="bounds">
      {FIELDS.map(({ name, path }) => (
        <NumberField
          key={name}
          label={texts[name]}
          name={path}
          value={bounds[name]}
          error={form.errorOf(path)}
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
            {...form.text("currency", texts.currency, texts.currencyHint(show.currency))}
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
  const { scopeMode } = form.draft;
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
        <TextField {...form.text("scope.list", texts.skus, texts.skusHint)} lines={5} />
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
