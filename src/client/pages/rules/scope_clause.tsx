import { SCOPE_FIELDS, SCOPE_OPS } from "../../../engine/pricing/codes.ts";
import type { RuleWarning } from "../../../rules/rule.ts";
import type { Said } from "../../../engine/wording/sentence_fields.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { SelectField, TextField } from "../../parts/form/fields.tsx";
import { Clause, type ClauseCount } from "./clause.tsx";
import { EMPTY_SCOPE_ROW, type RuleDraft, type ScopeRow } from "./rule_draft.ts";
import type { RuleForm } from "./use_rule_form.ts";

interface ScopeClauseProps {
  readonly form: RuleForm;
  readonly said: readonly Said[];
  readonly count: ClauseCount | null;
  /** SKUs of the stored rule that no product has. */
  readonly warnings: readonly RuleWarning[];
}

/** Which products the rule looks at. */
export function ScopeClause({ form, warnings, said, count }: ScopeClauseProps) {
  const { words } = useApp();
  const texts = words.rules;
  const { scopeMode, skus } = form.draft;
  const isMode = (value: string): value is RuleDraft["scopeMode"] => value in texts.scopes;
  return (
    <Clause
      lead={texts.clauses.scope}
      said={said}
      none={texts.scopes.all}
      count={count}
      hasError={form.errorOf("scope") !== null}
    >
      <SelectField
        label={texts.scope}
        name="scope.mode"
        value={scopeMode}
        error={form.errorOf("scope.mode")}
        options={Object.entries(texts.scopes).map(([value, label]) => ({ value, label }))}
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
  const { words } = useApp();
  const texts = words.rules;
  const { scopeRows } = form.draft;
  const error = form.errorOf("scope.matches");
  const set = (rows: readonly ScopeRow[]) => form.set({ scopeRows: rows });
  return (
    <div class="scope-rows">
      {scopeRows.map((row, at) => (
        <ScopeRowFields
          key={at}
          row={row}
          onRow={(changed) => set(scopeRows.with(at, changed))}
          {...(scopeRows.length > 1 && { onRemove: () => set(scopeRows.toSpliced(at, 1)) })}
        />
      ))}
      {error && <p class="field-error" role="alert">{error}</p>}
      <div class="scope-foot">
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

interface ScopeRowProps {
  readonly row: ScopeRow;
  onRow(row: ScopeRow): void;
  onRemove?(): void;
}

function ScopeRowFields({ row, onRow, onRemove }: ScopeRowProps) {
  const { words } = useApp();
  const texts = words.rules;
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
