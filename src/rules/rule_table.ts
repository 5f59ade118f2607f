/** Rules as a table that leaves the service, each with its sentence in the workspace's language. */
import { requireWorkspace } from "../accounts/workspace_store.ts";
import { type Columns, openListTable } from "../platform/http/list_file.ts";
import type { Context } from "../platform/store/context.ts";
import {
  codesCell,
  momentCell,
  type OutgoingTable,
  storedCodeCell,
} from "../platform/tables/cell.ts";
import { type Language, languageOf } from "../engine/wording/language.ts";
import { readRules } from "./read_rules.ts";
import type { ToldRule } from "./rule.ts";

/** Every rule; what counts first stands first. */
export async function openRuleTable(ctx: Context): Promise<OutgoingTable> {
  const { locale } = await requireWorkspace(ctx);
  const items = (await readRules(ctx)).toSorted((a, b) => a.priority - b.priority);
  const whole = { items, nextCursor: null, count: items.length };
  return await openListTable("rules", columnsIn(languageOf(locale)), () => Promise.resolve(whole));
}

function columnsIn(language: Language): Columns<ToldRule> {
  return {
    priority: ({ priority }) => priority,
    name: ({ name }) => name,
    enabled: ({ enabled }) => enabled,
    sentence: ({ sentence }) => sentence[language],
    description: ({ description }) => description,
    trigger: ({ when }) => storedCodeCell("triggers", when.trigger),
    actions: ({ actions }) => codesCell("actions", actions.map(({ type }) => type)),
    cooldownMinutes: ({ cooldownMinutes }) => cooldownMinutes,
    fires30d: ({ stats }) => stats.fires30d,
    lastFiredAt: ({ stats }) => momentCell(stats.lastFiredAt),
    createdBy: ({ createdBy }) => createdBy.name,
    createdAt: ({ createdAt }) => momentCell(createdAt),
    updatedAt: ({ updatedAt }) => momentCell(updatedAt),
    id: ({ id }) => id,
  };
}
