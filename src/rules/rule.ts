/** A rule as the store keeps it; what it may say stands in `pricing/rule.ts`. */
import { z } from "@hono/zod-openapi";
import type { AuditAction } from "../audit/audit_actions.ts";
import { type AuditEntry, changedFields } from "../audit/audit.ts";
import type { Actor } from "../platform/store/context.ts";
import type { JudgedRule } from "../pricing/compile_rule.ts";
import { READ_ONLY_RULE_FIELDS, RuleDocument, type RuleTerms } from "../pricing/rule.ts";

/** Terms with what only the service writes; `stats` are counted elsewhere. */
export interface StoredRule extends JudgedRule {
  /** 1 when new, one more with every change. */
  readonly version: number;
  readonly createdBy: Actor;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
}

export type RuleStats = RuleDocument["stats"];

/** Something about a rule that is no error (docs/decisions/rules.md, "scope"). */
export const RuleWarning = z.object({
  path: z.string().meta({ example: "scope.list" }),
  value: z.string(),
  message: z.string(),
}).meta({ id: "RuleWarning" });

export type RuleWarning = z.infer<typeof RuleWarning>;

/** A single rule: the answer that says which SKUs of its list nobody knows. */
export const SingleRule = RuleDocument.extend({
  warnings: z.array(RuleWarning).meta({ description: "SKUs of `scope.list` without a product" }),
}).meta({ id: "SingleRule" });

/**
 * What a single rule has beside its terms; a body may hold it, as a document that was read does.
 */
export const RULE_READ_ONLY: readonly string[] = [...READ_ONLY_RULE_FIELDS, "warnings"];

/** The rule in the field order of its schema. */
export function toRuleDocument(rule: StoredRule, stats: RuleStats): RuleDocument {
  return {
    id: rule.id,
    ...termsOf(rule),
    version: rule.version,
    createdBy: rule.createdBy,
    createdAt: rule.createdAt,
    updatedAt: rule.updatedAt,
    deletedAt: rule.deletedAt,
    stats,
  };
}

/** What a client has said of a rule. */
export function termsOf(rule: RuleTerms): RuleTerms {
  const { name, description, enabled, priority, cooldownMinutes } = rule;
  const { when, scope, marginFloor, actions } = rule;
  return {
    name,
    description,
    enabled,
    priority,
    cooldownMinutes,
    when,
    scope,
    marginFloor,
    actions,
  };
}

/** The rule after a change; the time never goes back. */
export function changedRule(before: StoredRule, terms: RuleTerms, now: Date): StoredRule {
  const atMs = Math.max(now.getTime(), Date.parse(before.updatedAt));
  return {
    ...before,
    ...terms,
    version: before.version + 1,
    updatedAt: new Date(atMs).toISOString(),
  };
}

/** Longer lists of an audit row are told by their beginning and their length. */
const AUDIT_SKUS_MAX = 20;
const AUDIT_CHARACTERS_MAX = 12_000;

/**
 * The changed fields only (docs/decisions/http.md); `before` is null for a new rule, `after` for a
 * deleted one.
 */
export function ruleAudit(
  action: AuditAction<"rule">,
  before: StoredRule | null,
  after: StoredRule | null,
): AuditEntry {
  const rule = after ?? before;
  if (!rule) throw new Error("An audit row needs a rule");
  const changed = changedFields(
    before ? auditFields(before) : {},
    after ? auditFields(after) : {},
  );
  return {
    action,
    resource: { type: "rule", id: rule.id, label: rule.name },
    before: before && changed.before,
    after: after && changed.after,
  };
}

function auditFields(rule: StoredRule): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(termsOf(rule)).map(([name, value]) => [name, shortened(value)]),
  );
}

function shortened(value: unknown): unknown {
  const text = JSON.stringify(value);
  if (text === undefined || text.length <= AUDIT_CHARACTERS_MAX) return value;
  const list = z.object({ mode: z.literal("sku"), list: z.array(z.string()) }).safeParse(value);
  if (!list.success) return `${text.slice(0, AUDIT_CHARACTERS_MAX).toWellFormed()}…`;
  const { mode, list: skus } = list.data;
  return { mode, list: skus.slice(0, AUDIT_SKUS_MAX), count: skus.length };
}
