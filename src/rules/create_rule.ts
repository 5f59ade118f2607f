import { addAuditRow } from "../accounts/audit/audit_store.ts";
import { refuseFields } from "../base/failure.ts";
import { requireWorkspace } from "../accounts/workspace_store.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import { refuseRule, type RuleTerms } from "../engine/pricing/rule.ts";
import { rejudgeScope } from "./rejudge_scope.ts";
import { ruleAudit, type StoredRule } from "./rule.ts";
import { type FoundRule, saveRule } from "./rule_store.ts";
import { transactVersioned } from "../platform/store/kv.ts";

/**
 * Refuses with `validation_failed` terms whose fields do not go together (docs/decisions/rules.md).
 */
export async function createRule(ctx: Context, terms: RuleTerms): Promise<FoundRule> {
  await requireSound(ctx, terms);
  const createdAt = ctx.now().toISOString();
  const rule: StoredRule = {
    ...terms,
    id: ctx.newId(),
    version: 1,
    createdBy: ctx.actor,
    createdAt,
    updatedAt: createdAt,
    deletedAt: null,
  };
  const { versionstamp } = await transactVersioned(ctx, (write) => {
    saveRule(write, ctx.workspaceId, null, rule);
    addAuditRow(write, ctx, ruleAudit("rule.create", null, rule));
    rejudgeScope(write, ctx, null, rule);
    ctx.receipt?.put(write, `/api/rules/${rule.id}`);
  });
  if (versionstamp === null) throw new Error("A new rule was not committed");
  return { rule, versionstamp };
}

/**
 * What only several fields together can say, judged by the currency of the workspace. `place` leads to
 * the rule in what was sent.
 */
export async function requireSound(
  workspace: WorkspaceStore,
  terms: RuleTerms,
  place = "",
): Promise<void> {
  const refused = refuseRule(terms, await requireWorkspace(workspace));
  if (refused.length === 0) return;
  throw refuseFields(refused.map((field) => ({ ...field, path: place + field.path })));
}
