/** Rules in the words of people, for their documents. */
import { listCompetitors } from "../shops/competitor_store.ts";
import { requireWorkspace } from "../accounts/workspace_store.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { RuleDocument } from "../engine/pricing/rule.ts";
import { ruleSentence } from "../engine/wording/rule_sentence.ts";
import { createShow } from "../engine/wording/show.ts";
import type { ToldRule } from "./rule.ts";

/** Numbers are written as the language of the sentence does. */
const LOCALES = { de: "de-DE", en: "en-GB" } as const;

/** Says each rule in German and English, with the competitors' names of now. */
export async function ruleTeller(
  workspace: WorkspaceStore,
): Promise<(rule: RuleDocument) => ToldRule> {
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
  return (rule) => ({
    ...rule,
    sentence: { de: ruleSentence(rule, german), en: ruleSentence(rule, english) },
  });
}
