import { rejudge } from "../platform/events/rejudge.ts";
import { addAuditRow } from "../accounts/audit/audit_store.ts";
import type { Context } from "../platform/store/context.ts";
import { requireVersion } from "../platform/http/http.ts";
import { transact } from "../platform/store/kv.ts";
import { requireRule } from "./find_rule.ts";
import { ruleAudit } from "./rule.ts";
import { checkRule, moveToDeleted } from "./rule_store.ts";
import { removeMark } from "./schedule_mark_store.ts";

/**
 * Soft-deletes a rule. A job closes its open proposals and puts their products before the other rules;
 * closed ones stay listed. Refuses with `not_found` what is deleted already, with `version_conflict` what
 * `expected` does not name.
 */
export async function deleteRule(
  ctx: Context,
  id: string,
  expected: string | null,
): Promise<void> {
  await transact(ctx, async (write) => {
    const found = await requireRule(ctx, id);
    requireVersion(expected, found.versionstamp);
    const at = ctx.now().toISOString();
    const rule = { ...found.rule, version: found.rule.version + 1, updatedAt: at, deletedAt: at };
    checkRule(write, ctx.workspaceId, found);
    moveToDeleted(write, ctx.workspaceId, rule);
    removeMark(write, ctx.workspaceId, id);
    addAuditRow(write, ctx, ruleAudit("rule.delete", found.rule, null));
    rejudge(write, ctx, { by: "rule", ruleId: id, version: rule.version });
  });
}
