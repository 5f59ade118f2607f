/**
 * All findings of `check-store` about the rules of a workspace, including those about their tables.
 */
import { checkTables } from "../../src/app/composition/tables.ts";
import type { Store } from "../../src/platform/store/kv.ts";
import { checkRuleStates } from "../../src/rules/evaluation/rule_state_store.ts";
import { checkSimulations } from "../../src/rules/evaluation/simulation_store.ts";

export async function* checkRules(store: Store, workspaceId: string): AsyncGenerator<string> {
  const workspace = { store, workspaceId };
  yield* checkTables(workspace);
  yield* checkRuleStates(workspace);
  yield* checkSimulations(workspace);
}
