import { requireWorkspace } from "../accounts/workspace_store.ts";
import { sha256Hex } from "../base/bytes.ts";
import { isId } from "../base/id.ts";
import type { JudgedRule } from "../engine/pricing/compile_rule.ts";
import type { RuleDocument } from "../engine/pricing/rule.ts";
import { ruleSentence } from "../engine/wording/rule_sentence.ts";
import { createShow } from "../engine/wording/show.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import { listCompetitors } from "../shops/competitor_store.ts";
import { requireRule, warningsOf } from "./change_rule.ts";
import { type RuleStanding, type SerialisedRule, toRuleDocument } from "./rule.ts";
import { readRuleStats, standings } from "./rule_stats_store.ts";
import { findRule, type FoundRule, listRules } from "./rule_store.ts";

/** Numbers are written as the language of the sentence does. */
const LOCALES = { de: "de-DE", en: "en-GB" } as const;

/** Says each rule in German and English, with the competitors' names of now. */
async function ruleTeller(
  workspace: WorkspaceStore,
): Promise<(rule: RuleDocument, standing: RuleStanding | null) => SerialisedRule> {
  const [settings, competitors] = await Promise.all([
    requireWorkspace(workspace),
    listCompetitors(workspace, null, null),
  ]);
  const names = new Map(competitors.map(({ id, displayName }) => [id, displayName]));
  const nameOf = (id: string) => names.get(id) ?? id;
  const speakerOf = (language: "de" | "en") => ({
    language,
    show: createShow({ ...settings, locale: LOCALES[language] }, () => 0),
    nameOf,
  });
  const [german, english] = [speakerOf("de"), speakerOf("en")];
  return (rule, standing) => ({
    ...rule,
    sentence: { de: ruleSentence(rule, german), en: ruleSentence(rule, english) },
    standing: rule.enabled ? standing : null,
  });
}

type Reader = WorkspaceStore & Pick<Context, "now">;

/** Every rule of the workspace that is not deleted, in the order of creation. */
export async function readRules(reader: Reader): Promise<SerialisedRule[]> {
  const [rules, tell, counted] = await Promise.all([
    listRules(reader),
    ruleTeller(reader),
    standings.list(reader),
  ]);
  const standingOf = new Map(counted.map(({ row }) => [row.ruleId, row.standing]));
  const stats = await Promise.all(rules.map(({ rule }) => readRuleStats(reader, rule.id)));
  return rules.flatMap(({ rule }, position) => {
    const fires = stats[position];
    return fires ? [tell(toRuleDocument(rule, fires), standingOf.get(rule.id) ?? null)] : [];
  });
}

/** A single rule as bytes, with a version for conditional requests. */
export interface RuleAnswer {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

const encoder = new TextEncoder();

/** The ETag also hashes figures, warnings and sentence, which change without the rule. */
export async function answerRule(reader: Reader, found: FoundRule): Promise<RuleAnswer> {
  const [stats, warnings, tell, counted] = await Promise.all([
    readRuleStats(reader, found.rule.id),
    warningsOf(reader, found.rule),
    ruleTeller(reader),
    standings.find(reader, { ruleId: found.rule.id }),
  ]);
  const told = tell(toRuleDocument(found.rule, stats), counted?.row.standing ?? null);
  const bytes = encoder.encode(JSON.stringify({ ...told, warnings }));
  const figures = [stats, warnings, told.sentence, told.standing];
  const hash = sha256Hex(JSON.stringify(figures)).slice(0, 16);
  return { bytes, etag: `${found.versionstamp}-${hash}` };
}

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
