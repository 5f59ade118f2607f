import type { AuditAction } from "../accounts/audit/audit_actions.ts";
import { Failure } from "../base/failure.ts";
import { addAuditRow } from "../accounts/audit/audit_store.ts";
import type { Context } from "../platform/store/context.ts";
import { requireVersion } from "../platform/http/http.ts";
import { transact, transactVersioned, type Write } from "../platform/store/kv.ts";
import type { RulePatch } from "../engine/pricing/rule.ts";
import { requireSound } from "./create_rule.ts";
import { requireRule } from "./find_rule.ts";
import { rejudgeScope } from "./rejudge_scope.ts";
import { changedRule, ruleAudit, type StoredRule, termsOf } from "./rule.ts";
import { checkRule, type FoundRule, saveRule } from "./rule_store.ts";

/**
 * Merges a patch into a rule; one that changes nothing writes nothing. Refuses with `not_found`,
 * `version_conflict` and `validation_failed`.
 */
export async function changeRule(
  ctx: Context,
  id: string,
  patch: RulePatch,
  expected: string | null,
): Promise<FoundRule> {
  const { value, versionstamp } = await transactVersioned(ctx, async (write) => {
    const found = await requireRule(ctx, id);
    requireVersion(expected, found.versionstamp);
    const terms = { ...termsOf(found.rule), ...patch };
    if (JSON.stringify(terms) === JSON.stringify(termsOf(found.rule))) return found;
    await requireSound(ctx, terms);
    const rule = changedRule(found.rule, terms, ctx.now());
    writeRule(write, ctx, found, rule, "rule.update");
    return { ...found, rule };
  });
  return { ...value, versionstamp: versionstamp ?? value.versionstamp };
}

/** Far more lost races than a hundred switching at once bring about. */
const ROUNDS_MAX = 20;

/**
 * The other state; `n` calls at once are `n` flips, each with its audit row
 * (docs/decisions/rules.md). Whatever another has made of the rule meanwhile can be switched too,
 * so a lost race is no refusal.
 */
export async function toggleRule(ctx: Context, id: string): Promise<boolean> {
  for (let round = 1;; round++) {
    try {
      return await toggleOnce(ctx, id);
    } catch (error) {
      const isLostRace = error instanceof Failure && error.code === "conflict";
      if (!isLostRace || round === ROUNDS_MAX) throw error;
    }
  }
}

async function toggleOnce(ctx: Context, id: string): Promise<boolean> {
  return await transact(ctx, async (write) => {
    const found = await requireRule(ctx, id);
    const enabled = !found.rule.enabled;
    const rule = changedRule(found.rule, { ...termsOf(found.rule), enabled }, ctx.now());
    writeRule(write, ctx, found, rule, "rule.toggle");
    ctx.receipt?.put(write, null);
    return enabled;
  });
}

function writeRule(
  write: Write,
  ctx: Context,
  found: FoundRule,
  rule: StoredRule,
  action: AuditAction<"rule">,
): void {
  checkRule(write, ctx.workspaceId, found);
  saveRule(write, ctx.workspaceId, found.rule, rule);
  addAuditRow(write, ctx, ruleAudit(action, found.rule, rule));
  rejudgeScope(write, ctx, found.rule, rule);
}
