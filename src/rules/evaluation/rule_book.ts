import type { Clockwork, WorkspaceStore } from "../../platform/store/context.ts";
import type { Store } from "../../platform/store/kv.ts";
import { type CompiledRule, compileRules } from "../../engine/pricing/compile_rule.ts";
import type { Trigger } from "../../engine/pricing/trigger.ts";
import { TRIGGERS } from "../../engine/pricing/triggers.ts";
import type { StoredRule } from "../rule.ts";
import { listRules, ruleTable } from "../rule_store.ts";

/** The enabled rules of a workspace, ready to judge, as of one version of the set. */
export interface RulePage {
  readonly version: string | null;
  readonly compiled: readonly CompiledRule[];
  /** The same rules as stored. */
  readonly byId: ReadonlyMap<string, StoredRule>;
  /** Disabled ones too. */
  readonly ids: ReadonlySet<string>;
}

/** Cache of compiled rules, valid until a rule of the workspace changes. One per process. */
export interface RuleBook {
  rulesOf(workspace: WorkspaceStore): Promise<RulePage>;
}

/** Dependencies of a pass over the rules of all workspaces. */
export interface RuleSetup {
  readonly store: Store;
  readonly clockwork: Clockwork;
  readonly book: RuleBook;
}

const WORKSPACES_MAX = 500;

/** `triggers` are those that rules may name. */
export function createRuleBook(triggers: readonly Trigger[] = TRIGGERS): RuleBook {
  const pages = new Map<string, RulePage>();
  return {
    async rulesOf(workspace) {
      // Read before the rules: a page is never newer than its version says.
      const version = await ruleTable.version(workspace);
      const known = pages.get(workspace.workspaceId);
      if (known?.version === version) return known;
      const page = await readPage(workspace, version, triggers);
      if (pages.size >= WORKSPACES_MAX) pages.clear();
      pages.set(workspace.workspaceId, page);
      return page;
    },
  };
}

async function readPage(
  workspace: WorkspaceStore,
  version: string | null,
  triggers: readonly Trigger[],
): Promise<RulePage> {
  const all = (await listRules(workspace)).map(({ rule }) => rule);
  const rules = all.filter(({ enabled }) => enabled);
  return {
    version,
    compiled: compileRules(rules, triggers),
    byId: new Map(rules.map((rule) => [rule.id, rule])),
    ids: new Set(all.map(({ id }) => id)),
  };
}
