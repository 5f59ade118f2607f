import { commitInWorkspaces } from "../../accounts/each_workspace.ts";
import type { Store } from "../../platform/store/kv.ts";
import { removeMoves } from "./move_store.ts";

const ROWS_PER_COMMIT = 500;

/** Forgets the moves that were committed before then; answers how many rows that were. */
export async function sweepMoves(store: Store, before: Date): Promise<number> {
  return await commitInWorkspaces(store, "old moves", ROWS_PER_COMMIT, (write, workspace) => {
    return removeMoves(write, workspace, before.getTime(), ROWS_PER_COMMIT);
  });
}
