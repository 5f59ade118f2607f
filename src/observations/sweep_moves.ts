import { listWorkspaces } from "../identity/workspace_store.ts";
import { eachApart } from "../platform/jobs/each_apart.ts";
import { type Store, transact } from "../platform/store/kv.ts";
import { removeMoves } from "./move_store.ts";

const ROWS_PER_COMMIT = 500;

/** Forgets the moves that were committed before then; answers how many rows that were. */
export async function sweepMoves(store: Store, before: Date): Promise<number> {
  let count = 0;
  const workspaces = await listWorkspaces(store);
  await eachApart("old moves", workspaces.map(({ id }) => id), async (workspaceId) => {
    const workspace = { store, workspaceId };
    for (let size = ROWS_PER_COMMIT; size === ROWS_PER_COMMIT; count += size) {
      size = await transact(
        workspace,
        (write) => removeMoves(write, workspace, before.getTime(), ROWS_PER_COMMIT),
      );
    }
  });
  return count;
}
