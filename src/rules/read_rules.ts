import { sha256Hex } from "../base/sha256.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import type { JudgedRule } from "../engine/pricing/compile_rule.ts";
import { isId } from "../base/id.ts";
import { requireRule, warningsOf } from "./find_rule.ts";
import { type ToldRule, toRuleDocument } from "./rule.ts";
import { readRuleStats } from "./rule_stats_store.ts";
import { findRule, type FoundRule, listRules } from "./rule_store.ts";
import { ruleTeller } from "./tell_rule.ts";

type Reader = WorkspaceStore & Pick<Context, "now">;

/** Every rule of the workspace that is not deleted, in the order of creation. */
export async function readRules(reader: Reader): Promise<ToldRule[]> {
  const [rules, tell] = await Promise.all([listRules(reader), ruleTeller(reader)]);
  const stats = await Promise.all(rules.map(({ rule }) => readRuleStats(reader, rule.id)));
  return rules.flatMap(({ rule }, position) => {
    const counted = stats[position];
    return counted ? [tell(toRuleDocument(rule, counted))] : [];
  });
}

/** A single rule as bytes, with a version for conditional requests. */
export interface RuleAnswer {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

const encoder = new TextEncoder();

/**
 * The rule with its figures, warnings and sentence. Those change without the rule (a competitor is
 * renamed), so their hash follows its version in the ETag: who has the old ones is never told "not modified".
 */
export async function answerRule(reader: Reader, found: FoundRule): Promise<RuleAnswer> {
  const [stats, warnings, tell] = await Promise.all([
    readRuleStats(reader, found.rule.id),
    warningsOf(reader, found.rule),
    ruleTeller(reader),
  ]);
  const told = tell(toRuleDocument(found.rule, stats));
  const bytes = encoder.encode(JSON.stringify({ ...told, warnings }));
  const hash = sha256Hex(JSON.stringify([stats, warnings, told.sentence])).slice(0, 16);
  return { bytes, etag: `${found.versionstamp}-${hash}` };
}

/** Refuses with `not_found`. */
export async function readRule(reader: Reader, id: string): Promise<RuleAnswer> {
  return await answerRule(reader, await requireRule(reader, id));
}

/** The rule behind a proposal that is approved; null for a deleted one. */
export async function findJudgedRule(
  workspace: WorkspaceStore,
  id: string,
): Promise<JudgedRule | null> {
  return isId(id) ? (await findRule(workspace, id))?.rule ?? null : null;
}
