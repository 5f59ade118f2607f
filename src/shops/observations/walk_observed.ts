import type { WorkspaceStore } from "../../platform/store/context.ts";
import { walkOwners } from "./observation_store.ts";

/**
 * Every product (`ob`, `op`) or competitor (`oc`, `oq`) that has observations, loose or packed ones, each
 * once, in the order of ids.
 */
export async function* walkObserved(
  workspace: WorkspaceStore,
  tables: readonly ["ob", "op"] | readonly ["oc", "oq"],
): AsyncGenerator<string> {
  const walks = tables.map((table) => walkOwners(workspace, table));
  const heads = await Promise.all(walks.map((walk) => walk.next()));
  for (;;) {
    const [first] = heads.flatMap(({ done, value }) => done ? [] : [value]).sort();
    if (first === undefined) return;
    yield first;
    for (const [at, walk] of walks.entries()) {
      if (heads[at]?.value === first) heads[at] = await walk.next();
    }
  }
}
