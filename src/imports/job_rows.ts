/** Rows that an import keeps beside its job: their keys begin with a table, the workspace and the job. */
import { idBytes } from "../base/id.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Write } from "../platform/store/kv.ts";
import { removeRows } from "../platform/store/rows.ts";

/** What the keys of a table begin with for one import. */
export function keyOfJob(table: string, workspaceId: string, jobId: string) {
  return [table, idBytes(workspaceId), idBytes(jobId)];
}

/** Takes away up to `limit` rows of an import in these tables together; answers how many. */
export function remover(...tables: readonly string[]) {
  return async (
    write: Write,
    { store, workspaceId }: WorkspaceStore,
    jobId: string,
    limit: number,
  ): Promise<number> => {
    let count = 0;
    for (const table of tables) {
      if (count === limit) break;
      count += await removeRows(write, store, keyOfJob(table, workspaceId, jobId), limit - count);
    }
    return count;
  };
}
