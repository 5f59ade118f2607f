/** Rows of the inbox: proposals, and a heading per rule. */
import type { Proposal } from "../../parts/decision/decision.ts";

export interface RuleGroup {
  readonly id: string;
  readonly ruleName: string;
  readonly proposals: readonly Proposal[];
}

export type InboxRow = Proposal | RuleGroup;

export function isGroup(row: InboxRow): row is RuleGroup {
  return "proposals" in row;
}

/** Proposals of a rule stand together already, in the order of the service. */
export function groupByRule(proposals: readonly Proposal[]): InboxRow[] {
  const groups = Map.groupBy(proposals, ({ ruleId }) => ruleId);
  return [...groups].flatMap(([ruleId, group]): InboxRow[] => [
    { id: `rule ${ruleId}`, ruleName: group[0]?.ruleName ?? "", proposals: group },
    ...group,
  ]);
}
