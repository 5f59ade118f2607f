/** A stored rule. The terms are defined in `engine/pricing/rule.ts`. */
import { z } from "@hono/zod-openapi";
import type { AuditAction } from "../accounts/audit/audit_actions.ts";
import { type AuditEntry, changedFields } from "../accounts/audit/audit.ts";
import type { Actor } from "../platform/store/context.ts";
import type { JudgedRule } from "../engine/pricing/compile_rule.ts";
import {
  NewRule,
  READ_ONLY_RULE_FIELDS,
  RuleAnswer,
  type RuleDocument,
  type RuleTerms,
} from "../engine/pricing/rule.ts";

/** The terms of a rule, and the fields that only the service writes. */
export interface StoredRule extends JudgedRule {
  /** Starts at 1. */
  readonly version: number;
  readonly createdBy: Actor;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
}

export type RuleStats = RuleDocument["stats"];

/** A warning does not prevent saving (docs/decisions/rules.md, "scope"). */
export const RuleWarning = z.object({
  path: z.string().meta({ description: "Path of the field in the rule", example: "scope.list" }),
  value: z.string().describe("The value of the field"),
  message: z.string(),
}).meta({ id: "RuleWarning" });

export type RuleWarning = z.infer<typeof RuleWarning>;

const Sentence = z.object({ de: z.string(), en: z.string() }).meta({
  id: "RuleSentence",
  description: "The rule as sentences, with every field that differs from its default",
});

export const FRONTS_NAMED = 5;

export const RuleStanding = z.object({
  takenAt: z.iso.datetime().describe("When the products were counted"),
  owns: z.int().describe("Products whose price the rule sets; includes `reached`"),
  reached: z.int().describe("Products that already have the price that the rule wants"),
  behind: z.int()
    .describe("Products for which the rule has a price, but another rule precedes it"),
  fronts: z.int().describe("Number of rules that precede it for some product"),
  inFront: z.array(z.object({ ruleId: z.string(), products: z.int() })).max(FRONTS_NAMED)
    .describe("The preceding rules with the most products"),
}).meta({ id: "RuleStanding" });

export type RuleStanding = Readonly<z.infer<typeof RuleStanding>>;

export const SerialisedRule = RuleAnswer.extend({
  sentence: Sentence,
  standing: RuleStanding.nullable().describe(
    "Numbers of products whose price the rule sets, and where other rules precede it; null while " +
      "the rule is disabled, and until they are counted",
  ),
}).meta({ id: "Rule" });

export type SerialisedRule = Readonly<z.infer<typeof SerialisedRule>>;

export const SingleRule = SerialisedRule.extend({
  warnings: z.array(RuleWarning).describe("SKUs in `scope.list` that have no product"),
}).meta({ id: "SingleRule" });

/** These fields are ignored in requests, so that a caller can send back a rule that it has read. */
export const RULE_READ_ONLY: readonly string[] = [
  ...READ_ONLY_RULE_FIELDS,
  "sentence",
  "standing",
  "warnings",
];

export function toRuleDocument(rule: StoredRule, stats: RuleStats): RuleDocument {
  const { id, version, createdBy, createdAt, updatedAt, deletedAt } = rule;
  return { id, ...termsOf(rule), version, createdBy, createdAt, updatedAt, deletedAt, stats };
}

const TERMS = NewRule.keyof().options;
/** `scope` may contain a long list, so it is not validated again. */
const { scope: _scope, ...READ_TERMS } = NewRule.shape;

/** Adds the fields that a rule lacks because an older version of the service stored it. Keeps invalid values. */
export function currentRule(row: StoredRule): StoredRule {
  const read = Object.entries(READ_TERMS).map(([name, schema]) => {
    const stored = Reflect.get(row, name);
    const { success, data } = schema.safeParse(stored);
    return [name, success ? data : stored];
  });
  return { ...row, ...Object.fromEntries(read) };
}

export function termsOf(rule: RuleTerms): RuleTerms {
  return Object(Object.fromEntries(TERMS.map((name) => [name, rule[name]])));
}

/** Returns the terms that affect prices and alerts as one text, for comparing rules. */
export function decidingTerms(rule: RuleTerms): string {
  const terms = {
    ...termsOf(rule),
    name: "",
    description: null,
    enabled: true,
    cooldownMinutes: 0,
  };
  return JSON.stringify(terms);
}

/** `updatedAt` never goes back, even if the clock does. */
export function changedRule(before: StoredRule, terms: RuleTerms, now: Date): StoredRule {
  const atMs = Math.max(now.getTime(), Date.parse(before.updatedAt));
  return {
    ...before,
    ...terms,
    version: before.version + 1,
    updatedAt: new Date(atMs).toISOString(),
  };
}

const AUDIT_SKUS_MAX = 20;
const AUDIT_CHARACTERS_MAX = 12_000;

/** Lists only changed fields. `before` or `after` is null if the rule is new or deleted. */
export function ruleAudit(
  action: AuditAction<"rule">,
  before: StoredRule | null,
  after: StoredRule | null,
): AuditEntry {
  const rule = after ?? before;
  if (!rule) throw new Error("An audit row needs a rule");
  return {
    action,
    resource: { type: "rule", id: rule.id, label: rule.name },
    ...changedFields(before && auditFields(before), after && auditFields(after)),
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
