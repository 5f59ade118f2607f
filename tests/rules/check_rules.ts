/** All findings of `check-store` about rules of a workspace, including their tables. */
import { checkTables } from "../../src/app/composition/tables.ts";
import type { Store } from "../../src/platform/store/kv.ts";
import { checkRules as checkMemory } from "../../src/rules/evaluation/check_rules.ts";

export async function* checkRules(store: Store, workspaceId: string): AsyncGenerator<string> {
  yield* checkTables({ store, workspaceId });
  yield* checkMemory(store, workspaceId);
}
