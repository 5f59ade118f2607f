/** Creates, changes, switches and deletes rules. Each change is one commit with an audit row. */
import type { AuditAction } from "../accounts/audit/audit_actions.ts";
import { addAuditRow } from "../accounts/audit/audit_store.ts";
import { requireWorkspace } from "../accounts/workspace.ts";
import { Failure, refuseFields, requireById } from "../base/failure.ts";
import { findIndexRows } from "../catalogue/products/index_row_store.ts";
import { NewRule, refuseRule, type RulePatch, type RuleTerms } from "../engine/pricing/rule.ts";
import { rejudge } from "../platform/events/outbox_store.ts";
import { ignoring, requireVersion } from "../platform/http/http.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import { transact, transactVersioned, type Write } from "../platform/store/kv.ts";
import {
  changedRule,
  checkRule,
  decidingTerms,
  findRule,
  type FoundRule,
  moveToDeleted,
  RULE_READ_ONLY,
  ruleAudit,
  saveRule,
  type StoredRule,
  termsOf,
} from "./rule.ts";
import { standings } from "./rule_stats_store.ts";
import type { JudgedRule } from "../engine/pricing/compile_rule.ts";
import { z } from "@hono/zod-openapi";

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

export async function toggleRule(ctx: Context, id: string): Promise<boolean> {
  for (let round = 1;; round++) {
    try {
      return await toggleOnce(ctx, id);
    } catch (error) {
      const isLostRace = error instanceof Failure && error.code === "conflict";
      if (!isLostRace || round === 20) throw error;
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

/** The field paths in the error begin with `place`. */
export async function requireSound(workspace: WorkspaceStore, terms: RuleTerms, place = "") {
  const refused = refuseRule(terms, await requireWorkspace(workspace));
  if (refused.length === 0) return;
  throw refuseFields(refused.map((field) => ({ ...field, path: place + field.path })));
}

export async function requireRule(workspace: WorkspaceStore, id: string): Promise<FoundRule> {
  return await requireById("rule", id, (id) => findRule(workspace, id));
}

export async function warningsOf(workspace: WorkspaceStore, { scope }: Pick<RuleTerms, "scope">) {
  if (scope.mode !== "sku") return [];
  const indexRows = await findIndexRows(workspace, scope.list);
  return scope.list.flatMap((sku) => {
    const indexRow = indexRows.get(sku);
    if (indexRow && !indexRow.isDeleted) return [];
    const message = indexRow ? "The product with this SKU is deleted" : "No product has this SKU";
    return [{ path: "scope.list", value: sku, message }];
  });
}

function rejudgeScope(
  write: Write,
  ctx: Pick<Context, "workspaceId" | "actor" | "now" | "newId">,
  before: StoredRule | null,
  after: StoredRule,
): void {
  const isAsBefore = before?.enabled === true && decidingTerms(before) === decidingTerms(after);
  const isAsked = after.enabled && !isAsBefore && after.schedule?.only !== true;
  const isSwitchedOff = before?.enabled === true && !after.enabled;
  if (!isAsked && !isSwitchedOff) return;
  rejudge(write, ctx, { by: "rule", ruleId: after.id, version: after.version });
}

export async function deleteRule(ctx: Context, id: string, expected: string | null): Promise<void> {
  await transact(ctx, async (write) => {
    const found = await requireRule(ctx, id);
    requireVersion(expected, found.versionstamp);
    const at = ctx.now().toISOString();
    const rule = { ...found.rule, version: found.rule.version + 1, updatedAt: at, deletedAt: at };
    checkRule(write, ctx.workspaceId, found);
    moveToDeleted(write, ctx.workspaceId, rule);
    standings.drop(write, ctx, { ruleId: id });
    addAuditRow(write, ctx, ruleAudit("rule.delete", found.rule, null));
    rejudge(write, ctx, { by: "rule", ruleId: id, version: rule.version });
  });
}

export function draftFields(aboutRuleId: string) {
  const ruleId = z.string().nullish().describe(aboutRuleId);
  return { rule: ignoring(RULE_READ_ONLY, NewRule), ruleId };
}

export async function requireDraft(
  ctx: Context,
  { rule, ruleId }: { readonly rule: RuleTerms; readonly ruleId?: string | null | undefined },
): Promise<JudgedRule> {
  await requireSound(ctx, rule, "rule.");
  const stored = ruleId ? (await requireRule(ctx, ruleId)).rule : null;
  const { id, createdAt } = stored ?? { id: ctx.newId(), createdAt: ctx.now().toISOString() };
  return { ...rule, id, createdAt };
}
